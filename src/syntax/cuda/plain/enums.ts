/** Enumerations with their enumerators. */

import type { SyntaxNode } from '../../syntax-tree.ts';
import { expression } from './expressions.ts';
import { as, endBefore, expect, kindAt, leaf, type Made, made, type Reading, sign, startOf } from './nodes.ts';
import { notPlain } from './tokens.ts';
import { endOfType, typeSpecifier } from './types.ts';

/** Whether an enumeration with its enumerators begins here. */
export function beginsEnum(reading: Reading): boolean {
  const { kinds } = reading.tokens;
  let at = reading.at;
  if (kinds[at++] !== 'enum') return false;
  if (kinds[at] === 'class' || kinds[at] === 'struct') at++;
  if (kinds[at] === '{') return true;
  // One that has no name but a type is not known to the parser.
  if (kinds[at++] !== 'name') return false;
  if (kinds[at] === ':') at = endOfType(reading, at + 1);
  return at > 0 && kinds[at] === '{';
}

/** `enum class E : int { A, B = 2 }` */
export function enumSpecifier(reading: Reading): Made {
  const start = startOf(reading);
  const children: SyntaxNode[] = [sign(reading)];
  if (kindAt(reading) === 'class' || kindAt(reading) === 'struct') children.push(sign(reading));
  if (kindAt(reading) === 'name') children.push(as('name', leaf(reading, 'type_identifier')));
  if (kindAt(reading) === ':') {
    reading.at++;
    children.push(as('base', typeSpecifier(reading)));
  }
  const body = as('body', enumerators(reading));
  return made('enum_specifier', start, body.end, [...children, body]);
}

function enumerators(reading: Reading): Made {
  const start = startOf(reading);
  expect(reading, '{');
  const children: SyntaxNode[] = [];
  while (kindAt(reading) !== '}') {
    if (kindAt(reading) !== 'name') throw notPlain;
    const name = as('name', leaf(reading, 'identifier'));
    const parts: SyntaxNode[] = [name];
    if (kindAt(reading) === '=') parts.push(sign(reading), as('value', expression(reading)));
    children.push(made('enumerator', name.start, endBefore(reading), parts));
    if (kindAt(reading) !== ',') break;
    reading.at++;
  }
  expect(reading, '}');
  return made('enumerator_list', start, endBefore(reading), children);
}
