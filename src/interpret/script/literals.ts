/** `[a, ...b]` and `{ a, [name]: b, ...c }`: arrays and objects of TypeScript's. */

import type { Expression } from '../../program/program.ts';
import type { Argument } from '../calls/call.ts';
import { kept } from '../choices/identity.ts';
import { evaluate } from '../expressions/evaluate.ts';
import { place } from '../expressions/locate.ts';
import type { Scope } from '../scope.ts';
import { createCell, heldBy, type RecordObject, unknownValue, type Value } from '../value.ts';
import type { World } from '../world.ts';
import { elementsOf } from './iterators.ts';
import { propertyName } from './properties.ts';
import { arrayOf, objectWith, propertiesOf, unknownArray } from './values.ts';

/** What the literal makes; the elements of an array are not known when one of its parts is not. */
export function literalValue(world: World, scope: Scope, list: Expression & { kind: 'list' }): Value {
  if (list.isObject) return { kind: 'record', record: objectOf(world, scope, list) };
  const values: Value[] = [];
  let isKnown = true;
  for (const { value } of list.elements) {
    const part = spreadOperand(value);
    if (!part) values.push(kept(place(world, scope, value)));
    else {
      const elements = elementsOf(world, scope, evaluate(world, scope, part), part.span);
      isKnown &&= elements !== null;
      values.push(...(elements ?? []));
    }
  }
  return isKnown ? arrayOf(values) : unknownArray();
}

/** `x` of `...x`; null for anything else. */
export function spreadOperand(expression: Expression): Expression | null {
  return expression.kind === 'unary' && expression.operator === '...' && expression.isScript === true
    ? expression.operand
    : null;
}

/** `f(...list)`; of a list that is not known as many unknowns as a function may take. */
export function spreadArguments(world: World, scope: Scope, list: Expression): Argument[] {
  const values =
    elementsOf(world, scope, evaluate(world, scope, list), list.span) ??
    Array.from({ length: 8 }, () => ({ kind: 'unknown' }) as const);
  return values.map((value) => ({ value, cell: null, span: list.span }));
}

function objectOf(world: World, scope: Scope, list: Expression & { kind: 'list' }): RecordObject {
  const record = objectWith([]);
  const set = (name: string, value: Value): void => {
    const own = value === unknownValue ? ({ kind: 'unknown' } as const) : value;
    record.fields.set(name, createCell(name, own, null, record));
  };
  for (const { name, index, value } of list.elements) {
    const given = kept(place(world, scope, value));
    if (index) {
      const key = propertyName(evaluate(world, scope, index));
      if (key === null) record.isFilledElsewhere = true;
      else set(key, given);
    } else if (name === '...') {
      const properties = given.kind === 'number' ? [] : propertiesOf(given);
      if (!properties) record.isFilledElsewhere = true;
      for (const [key, cell] of properties ?? []) set(key, heldBy(cell));
    } else if (name !== null) set(name, given);
  }
  return record;
}
