/** What a set or a map orders its elements by where that is not `<`: the class that its type names, or the function it is given. */

import type { TypeReference } from '../../program/program.ts';
import { callWith } from '../calls/callables.ts';
import { findClass, lastPart, resolveType } from '../program-table.ts';
import type { Scope } from '../scope.ts';
import { isType } from '../types/type-arguments.ts';
import { createObject, substitute } from '../types/types.ts';
import { type Sequence, truth, type Value } from '../value.ts';
import type { World } from '../world.ts';
import { lessThan } from './less-than.ts';

/** Whether the first of two elements goes before the second; null when that is not known. */
export type GoesBefore = (first: Value, second: Value) => boolean | null;

/** As a function, a lambda or an object with `operator()` says. */
export function orderBy(world: World, scope: Scope, compares: Value): GoesBefore {
  if (compares.kind === 'record' && compares.record.className === 'std::greater')
    return (first, second) => lessThan(world, scope, second, first);
  if (compares.kind === 'record' && compares.record.className === 'std::less')
    return (first, second) => lessThan(world, scope, first, second);
  return (first, second) => {
    const given = [first, second].map((value) => ({ value, cell: null, span: world.statement }));
    return truth(callWith(world, scope, compares, given, world.statement).value);
  };
}

/** An object of the class that a container's type names as what compares; null for a function, whose value only the constructor is given. */
function comparatorIn(world: World, scope: Scope, type: TypeReference, index: number): Value | null {
  const argument = type.arguments[index];
  if (!argument || !isType(argument)) return null;
  const named = resolveType(world.program, substitute(argument, scope));
  if (named.pointers > 0 || !findClass(world.program, named.name)) return null;
  return { kind: 'record', record: createObject(world, scope, named) };
}

/** The order of a set or a map by its type; undefined where it is that of `<`. */
export function writtenOrder(world: World, scope: Scope, type: TypeReference, index: number): GoesBefore | undefined {
  const argument = type.arguments[index];
  if (!argument) return undefined;
  const plain = isType(argument) ? lastPart(argument.name) : '';
  if (plain === 'less') return undefined;
  if (plain === 'greater') return (first, second) => lessThan(world, scope, second, first);
  const compares = comparatorIn(world, scope, type, index);
  return compares ? orderBy(world, scope, compares) : anyOrder;
}

/** That of a function which nobody has seen. */
const anyOrder: GoesBefore = () => null;

/** What tells a queue and a set from a vector. */
export function sequenceTraits(
  world: World,
  scope: Scope,
  type: TypeReference,
): Pick<Sequence, 'takesFrom' | 'isSet' | 'isMulti' | 'compares' | 'goesBefore'> {
  const name = lastPart(type.name);
  if (name === 'queue') return { takesFrom: 'front' };
  if (name === 'priority_queue') {
    const takesFrom = isSmallestFirst(type) ? 'smallest' : 'largest';
    const compares = comparatorIn(world, scope, type, 2);
    return compares ? { takesFrom, compares } : { takesFrom };
  }
  if (name === 'set') return { isSet: true, goesBefore: writtenOrder(world, scope, type, 1) };
  if (name === 'multiset') return { isSet: true, isMulti: true, goesBefore: writtenOrder(world, scope, type, 1) };
  if (name === 'unordered_multiset') return { isSet: true, isMulti: true };
  return name === 'unordered_set' ? { isSet: true } : {};
}

/** `priority_queue<T, vector<T>, greater<T>>`. */
function isSmallestFirst(type: TypeReference): boolean {
  const compare = type.arguments[2];
  return compare !== undefined && isType(compare) && lastPart(compare.name) === 'greater';
}
