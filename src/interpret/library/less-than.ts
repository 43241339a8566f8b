/** `<` as algorithms and containers take it: of pairs and tuples part by part, of objects as their class says, else of numbers. */

import { combine } from '../expressions/operators.ts';
import { sameValue } from '../expressions/same-values.ts';
import { userOperator } from '../expressions/user-operators.ts';
import { isTuple } from '../objects/copies.ts';
import { findClass, lastPart } from '../program-table.ts';
import type { Scope } from '../scope.ts';
import {
  type Cell,
  createCell,
  noValue,
  numberValue,
  type RecordObject,
  type Sequence,
  truth,
  type Value,
} from '../value.ts';
import type { World } from '../world.ts';
import { madeOfThreeWay, threeWay } from './three-way.ts';

/** Whether the first is less than the second; null where that is not known. */
export function lessThan(world: World, scope: Scope, first: Value, second: Value): boolean | null {
  if (first.kind !== 'record' || second.kind !== 'record') return truth(combine('<', first, second));
  if (isTuple(first.record)) return lessByParts(world, scope, first, second);
  const operands = [first, second].map((value) => ({ value, cell: createCell('', value), span: world.statement }));
  const own = userOperator(world, scope, '<', operands, world.statement);
  return truth(own ? own.value : combine('<', first, second));
}

/** `<=>` of objects whose class leaves it to the language, of pairs and tuples; null where it is not known. */
export function orderedByParts(world: World, scope: Scope, first: Value, second: Value): Value | null {
  if (first.kind !== 'record' || second.kind !== 'record') return null;
  const { className } = first.record;
  if (!isDefaulted(world, className, 'operator<=>') && !(isTuple(first.record) && isTuple(second.record))) return null;
  return threeWay(lessByParts(world, scope, first, second), lessByParts(world, scope, second, first));
}

/** Whether a class leaves a comparison to the language, as a method or as a friend of two of its objects. */
function isDefaulted({ program }: World, className: string, name: string): boolean {
  if (program.functions.get(`${className}::${name}`)?.some((each) => each.isDefaulted)) return true;
  const friends = program.functions.get(name) ?? [];
  return friends.some(
    ({ isDefaulted: isLeft, parameters: [first] }) => isLeft && first && lastPart(first.type.name) === className,
  );
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
  if ((!isEquality && !madeOfThreeWay.has(operator)) || second.kind !== 'record') return null;
  const first: Value & { kind: 'record' } = { kind: 'record', record };
  const isLeft = (name: string) => isDefaulted(world, record.className, name);
  if (!isLeft('operator<=>') && !(isEquality && isLeft('operator=='))) return null;
  if (isEquality) {
    const isSame = sameParts(world, first, second);
    return isSame === null ? null : isSame === (operator === '==');
  }
  const isTurned = operator === '>' || operator === '<=';
  const isLess = isTurned ? lessByParts(world, scope, second, first) : lessByParts(world, scope, first, second);
  return isLess === null ? null : isLess === (operator === '<' || operator === '>');
}

/** `std::tie(a, b) < std::tie(c, d)`, `v == w` of vectors: part by part; null where that is not known, or they are something else. */
export function comparedContainers(
  world: World,
  scope: Scope,
  operator: string,
  first: Value,
  second: Value,
): Value | null {
  const isEquality = operator === '==' || operator === '!=';
  if (!isEquality && !madeOfThreeWay.has(operator)) return null;
  if (isOptional(first) || isOptional(second)) return comparedOptionals(world, scope, operator, first, second);
  let holds: boolean | null = null;
  if (first.kind === 'record' && second.kind === 'record' && isTuple(first.record) && isTuple(second.record)) {
    if (isEquality) holds = sameParts(world, first, second);
    else if (operator === '>' || operator === '<=') holds = lessByParts(world, scope, second, first);
    else holds = lessByParts(world, scope, first, second);
  } else if (isEquality && first.kind === 'sequence' && second.kind === 'sequence')
    holds = sameElements(first.sequence, second.sequence);
  else if (first.kind === 'sequence' && second.kind === 'sequence') {
    const isTurned = operator === '>' || operator === '<=';
    const [one, other] = isTurned ? [second.sequence, first.sequence] : [first.sequence, second.sequence];
    holds = lessByElements(world, scope, one, other);
  }
  if (holds === null) return null;
  const isTurned = operator === '!=' || operator === '<=' || operator === '>=';
  return numberValue(holds === isTurned ? 0 : 1);
}

function isOptional(value: Value): boolean {
  return value.kind === 'record' && value.record.className === 'std::optional';
}

/** What an `optional` holds, `absent` where it holds nothing, null where that is not known; any other value as it is. */
function heldIn(value: Value): Value | 'absent' | null {
  if (value === noValue) return 'absent';
  if (value.kind !== 'record' || !isOptional(value)) return value;
  const { fields, isFilledElsewhere } = value.record;
  return fields.get('(value)')?.value ?? (isFilledElsewhere ? null : 'absent');
}

/** `optional == value`, `optional < optional`: what they hold is compared, and nothing goes before something. */
function comparedOptionals(world: World, scope: Scope, operator: string, first: Value, second: Value): Value | null {
  const [one, other] = [heldIn(first), heldIn(second)];
  if (one === null || other === null) return null;
  if (one === 'absent' || other === 'absent') {
    const [has, hasOther] = [one === 'absent' ? 0 : 1, other === 'absent' ? 0 : 1];
    return combine(operator, numberValue(has), numberValue(hasOther));
  }
  const operands = [one, other].map((value) => ({ value, cell: createCell('', value), span: world.statement }));
  const own = one.kind === 'record' ? userOperator(world, scope, operator, operands, world.statement) : null;
  return own?.value ?? comparedContainers(world, scope, operator, one, other) ?? combine(operator, one, other);
}

function sameElements(first: Sequence, second: Sequence): boolean | null {
  if (!first.byValue || !second.byValue || first.isShared || first.length === null || second.length === null)
    return null;
  if (first.length !== second.length) return false;
  for (let index = 0; index < first.length; index++) {
    const [one, other] = [first.cells.get(index), second.cells.get(index)];
    const isSame = one && other ? sameValue(one.value, other.value) : null;
    if (!isSame) return isSame;
  }
  return true;
}

/** `v < w` of vectors and arrays: the first elements that differ tell, then which is shorter. */
function lessByElements(world: World, scope: Scope, first: Sequence, second: Sequence): boolean | null {
  if (!first.byValue || !second.byValue || first.isShared || first.length === null || second.length === null)
    return null;
  for (let index = 0; index < Math.min(first.length, second.length); index++) {
    const [one, other] = [first.cells.get(index)?.value, second.cells.get(index)?.value];
    if (!one || !other) return null;
    const isLess = lessThan(world, scope, one, other);
    if (isLess !== false) return isLess;
    const isMore = lessThan(world, scope, other, one);
    if (isMore !== false) return isMore === null ? null : false;
  }
  return first.length < second.length;
}

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
