/** The parameters of plain templates. */

import type { SyntaxNode } from '../../syntax-tree.ts';
import { specifiers } from './declarations.ts';
import { as, endBefore, expect, kindAt, leaf, type Made, made, type Reading, sign, startOf } from './nodes.ts';
import { notPlain } from './tokens.ts';

/** `<typename T, int N>` */
export function templateParameters(reading: Reading): Made {
  if (kindAt(reading) !== '<') throw notPlain;
  const children: SyntaxNode[] = [sign(reading)];
  while (kindAt(reading) !== '>') {
    if (children.length > 1) expect(reading, ',');
    children.push(templateParameter(reading));
  }
  children.push(sign(reading));
  return made('template_parameter_list', children[0]!.start, endBefore(reading), children);
}

function templateParameter(reading: Reading): Made {
  const start = startOf(reading);
  if (kindAt(reading) === 'typename' || kindAt(reading) === 'class') {
    const children: SyntaxNode[] = [sign(reading)];
    const isPack = kindAt(reading) === '...';
    if (isPack) children.push(sign(reading));
    if (kindAt(reading) !== 'name') throw notPlain;
    children.push(leaf(reading, 'type_identifier'));
    if (kindAt(reading) === '=') throw notPlain;
    const type = isPack ? 'variadic_type_parameter_declaration' : 'type_parameter_declaration';
    return made(type, start, endBefore(reading), children);
  }
  const children = specifiers(reading);
  if (kindAt(reading) !== 'name') throw notPlain;
  children.push(as('declarator', leaf(reading, 'identifier')));
  if (kindAt(reading) !== ',' && kindAt(reading) !== '>') throw notPlain;
  return made('parameter_declaration', start, endBefore(reading), children);
}
