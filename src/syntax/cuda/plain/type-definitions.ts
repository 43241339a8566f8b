/** `typedef`: another name for a type, for a class or an enumeration that is written there, for pointers to functions. */

import type { SyntaxNode } from '../../syntax-tree.ts';
import { beginsClass, classSpecifier } from './classes.ts';
import { beginsFunctionPointer, functionPointer, pointersBefore, specifiers } from './declarations.ts';
import { beginsEnum, enumSpecifier } from './enums.ts';
import { wrapped } from './functions.ts';
import { as, endBefore, expect, kindAt, leaf, type Made, made, type Reading, sign, startOf } from './nodes.ts';
import { notPlain } from './tokens.ts';

/** `typedef float T;` */
export function typeDefinition(reading: Reading): Made {
  const start = startOf(reading);
  const children: SyntaxNode[] = [sign(reading)];
  if (beginsClass(reading)) children.push(as('type', classSpecifier(reading)));
  else if (beginsEnum(reading)) children.push(as('type', enumSpecifier(reading)));
  else children.push(...specifiers(reading));
  for (;;) {
    const pointers = pointersBefore(reading);
    if (beginsFunctionPointer(reading))
      children.push(as('declarator', wrapped(functionPointer(reading, 'type_identifier'), pointers)));
    else if (kindAt(reading) === 'name')
      children.push(as('declarator', wrapped(leaf(reading, 'type_identifier'), pointers)));
    else throw notPlain;
    if (kindAt(reading) !== ',') break;
    reading.at++;
  }
  expect(reading, ';');
  return made('type_definition', start, endBefore(reading), children);
}
