/** `<` as algorithms and containers take it: of pairs and tuples part by part, of objects as their class says, else of numbers. */

import { combine, sameValue } from '../expressions/operators.ts';
import { userOperator } from '../expressions/user-operators.ts';
import { findClass } from '../program-table.ts';
import type { Scope } from '../scope.ts';
import { type Cell, type RecordObject, truth, type Value } from '../value.ts';
import type { World } from '../world.ts';

/** Whether the first is less than the second; null where that is not known. */
export function lessThan(world: World, scope: Scope, first: Value, second: Value): boolean | null {
  if (first.kind !== 'record' || second.kind !== 'record') return truth(combine('<', first, second));
  const { className } = first.record;
  if (/^std::(?:pair|tuple)$/.test(className)) return lessByParts(world, scope, first, second);
  const operands = [first, second].map((value) => ({ value, cell: null, span: world.statement }));
  const own = userOperator(world, scope, '<', operands, world.statement);
  return truth(own ? own.value : combine('<', first, second));
}

/** What `==`, `<` and the others say where the class leaves it to the language: `= default`; null where it does not. */
export function comparedByMembers(
  world: World,
  scope: Scope,
  operator: string,
  record: RecordObject,
  second: Value,
): boolean | null {
  const isEquality = operator === '==' || operator === '!=';
  if ((!isEquality && !orders.has(operator)) || second.kind !== 'record') return null;
  const first: Value & { kind: 'record' } = { kind: 'record', record };
  const isDefaulted = (name: string) =>
    world.program.functions.get(`${record.className}::${name}`)?.some((each) => each.isDefaulted) === true;
  if (!isDefaulted('operator<=>') && !(isEquality && isDefaulted('operator=='))) return null;
  if (isEquality) {
    const isSame = sameParts(world, first, second);
    return isSame === null ? null : isSame === (operator === '==');
  }
  const isTurned = operator === '>' || operator === '<=';
  const isLess = isTurned ? lessByParts(world, scope, second, first) : lessByParts(world, scope, first, second);
  return isLess === null ? null : isLess === (operator === '<' || operator === '>');
}

const orders = new Set(['<', '>', '<=', '>=']);

function sameParts(
  world: World,
  first: Value & { kind: 'record' },
  second: Value & { kind: 'record' },
): boolean | null {
  const others = partsInOrder(world, second);
  let isKnown = true;
  for (const [index, { value }] of partsInOrder(world, first).entries()) {
    const other = others[index]?.value;
    if (!other) return null;
    const isSame =
      value.kind === 'record' && other.kind === 'record' ? sameParts(world, value, other) : sameValue(value, other);
    if (isSame === false) return false;
    isKnown &&= isSame !== null;
  }
  return isKnown ? true : null;
}

function lessByParts(
  world: World,
  scope: Scope,
  first: Value & { kind: 'record' },
  second: Value & { kind: 'record' },
): boolean | null {
  const others = partsInOrder(world, second);
  for (const [index, { value }] of partsInOrder(world, first).entries()) {
    const other = others[index]?.value;
    if (!other) return null;
    const isLess = lessThan(world, scope, value, other);
    if (isLess !== false) return isLess;
    const isSame = value.kind === 'record' ? lessThan(world, scope, other, value) === false : sameValue(value, other);
    if (!isSame) return isSame;
  }
  return false;
}

/** The members of an object as its class lists them. */
function partsInOrder(world: World, { record }: Value & { kind: 'record' }): readonly Cell[] {
  const fields = findClass(world.program, record.className)?.fields.filter(({ isStatic }) => !isStatic);
  return fields ? fields.flatMap(({ name }) => record.fields.get(name) ?? []) : [...record.fields.values()];
}
