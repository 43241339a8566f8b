/** The parameters of plain templates. */

import type { SyntaxNode } from '../../syntax-tree.ts';
import { specifiers } from './declarations.ts';
import { as, endBefore, expect, kindAt, leaf, type Made, made, type Reading, sign, startOf } from './nodes.ts';
import { notPlain } from './tokens.ts';
import { typeSpecifier } from './types.ts';

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
    const name = leaf(reading, 'type_identifier');
    children.push(name);
    if (kindAt(reading) === '=') {
      if (isPack) throw notPlain;
      name.field = 'name';
      children.push(sign(reading), as('default_type', typeSpecifier(reading)));
      if (!endsParameter(reading)) throw notPlain;
      return made('optional_type_parameter_declaration', start, endBefore(reading), children);
    }
    const type = isPack ? 'variadic_type_parameter_declaration' : 'type_parameter_declaration';
    return made(type, start, endBefore(reading), children);
  }
  const children = specifiers(reading);
  if (kindAt(reading) !== 'name') throw notPlain;
  children.push(as('declarator', leaf(reading, 'identifier')));
  if (kindAt(reading) === '=') {
    children.push(sign(reading), as('default_value', defaultValue(reading)));
    if (!endsParameter(reading)) throw notPlain;
    return made('optional_parameter_declaration', start, endBefore(reading), children);
  }
  if (!endsParameter(reading)) throw notPlain;
  return made('parameter_declaration', start, endBefore(reading), children);
}

function endsParameter(reading: Reading): boolean {
  return kindAt(reading) === ',' || kindAt(reading) === '>';
}

/** A number, `true`, `N`, `a::N`: what has an operator in it may end at another `>` than it looks. */
function defaultValue(reading: Reading): Made {
  const kind = kindAt(reading);
  if (kind === 'number') return leaf(reading, 'number_literal');
  if (kind === 'true' || kind === 'false') return leaf(reading, kind);
  if (kind !== 'name') throw notPlain;
  if (kindAt(reading, 1) !== '::') return leaf(reading, 'identifier');
  const scope = as('scope', leaf(reading, 'namespace_identifier'));
  reading.at++;
  if (kindAt(reading) !== 'name') throw notPlain;
  const name = as('name', defaultValue(reading));
  return made('qualified_identifier', scope.start, name.end, [scope, name]);
}
