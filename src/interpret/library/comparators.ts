/** What a set, a map or a priority queue orders its elements by: `<`, the class that its type names, or the function it is given. */

import type { TypeReference } from '../../program/program.ts';
import { callWith } from '../calls/callables.ts';
import { whileOrdering } from '../expressions/address-order.ts';
import { evaluate } from '../expressions/evaluate.ts';
import { findClass, lastPart, resolveType } from '../program-table.ts';
import type { Scope } from '../scope.ts';
import { isType } from '../types/type-arguments.ts';
import { createObject, substitute } from '../types/types.ts';
import {
  createCell,
  createRecord,
  type RecordObject,
  type Sequence,
  truth,
  truthValue,
  unknownValue,
  type Value,
} from '../value.ts';
import type { World } from '../world.ts';
import { lessThan } from './less-than.ts';

/** Whether the first of two elements goes before the second; null when that is not known. */
export type GoesBefore = (first: Value, second: Value) => boolean | null;

/** As a function, a lambda or an object with `operator()` says. */
export function orderBy(world: World, scope: Scope, compares: Value): GoesBefore {
  if (compares.kind === 'record' && compares.record.className === 'std::greater') return greaterFirst(world, scope);
  if (compares.kind === 'record' && compares.record.className === containersOrder && compares.record.goesBefore)
    return compares.record.goesBefore;
  if (compares.kind === 'record' && compares.record.className === 'std::less')
    return (first, second) => lessThan(world, scope, first, second);
  return (first, second) => {
    // What is compared stays where it is: a parameter that takes it by value is a copy.
    const given = [first, second].map((value) => ({ value, cell: createCell('', value), span: world.statement }));
    return truth(whileOrdering(world, () => callWith(world, scope, compares, given, world.statement)).value);
  };
}

/** The class of what `key_comp()` answers, which no program has. */
const containersOrder = '(order)';

/** `map.key_comp()`: an object that compares as the container does. */
export function orderAsObject(world: World, scope: Scope, goesBefore: GoesBefore | undefined): Value {
  const order = createRecord(containersOrder, true);
  order.goesBefore = goesBefore ?? ((first, second) => lessThan(world, scope, first, second));
  return { kind: 'record', record: order };
}

/** Whether one goes before the other for what `key_comp()` answered; null for every other object. */
export function comparedByOrder(
  { className, goesBefore }: RecordObject,
  [first, second]: readonly Value[],
): Value | null {
  if (className !== containersOrder || !goesBefore || !first || !second) return null;
  const isBefore = goesBefore(first, second);
  return isBefore === null ? unknownValue : truthValue(isBefore);
}

function greaterFirst(world: World, scope: Scope): GoesBefore {
  return (first, second) => lessThan(world, scope, second, first);
}

/** The order of a container by what its type names as the class that compares; undefined where it is that of `<`. */
export function writtenOrder(world: World, scope: Scope, type: TypeReference, index: number): GoesBefore | undefined {
  const argument = type.arguments[index];
  if (!argument) return undefined;
  const named = isType(argument) ? resolveType(world.program, substitute(argument, scope)) : null;
  // Of a function only the constructor is given the value.
  if (!named || named.pointers > 0) return anyOrder;
  if (findClass(world.program, named.name))
    return orderBy(world, scope, { kind: 'record', record: createObject(world, scope, named) });
  // `decltype(byLength)`, where that is a lambda.
  const compares = named.of ? evaluate(world, scope, named.of) : null;
  if (compares?.kind === 'closure') return orderBy(world, scope, compares);
  const plain = lastPart(named.name);
  if (plain === 'less') return undefined;
  return plain === 'greater' ? greaterFirst(world, scope) : anyOrder;
}

/** That of a function which nobody has seen. */
const anyOrder: GoesBefore = () => null;

/** What tells a queue, a set, and a vector, whose elements may move, from other containers. */
export function sequenceTraits(
  world: World,
  scope: Scope,
  type: TypeReference,
): Pick<Sequence, 'takesFrom' | 'isSet' | 'isMulti' | 'goesBefore' | 'room'> {
  const name = lastPart(type.name);
  if (name === 'vector' || name === 'host_vector') return { room: 0 };
  if (name === 'queue') return { takesFrom: 'front' };
  if (name === 'priority_queue') return { takesFrom: 'order', goesBefore: writtenOrder(world, scope, type, 2) };
  if (name === 'unordered_set') return { isSet: true };
  if (name === 'unordered_multiset') return { isSet: true, isMulti: true };
  if (name !== 'set' && name !== 'multiset') return {};
  const goesBefore = writtenOrder(world, scope, type, 1) ?? ownOrder(world, scope, type);
  return name === 'multiset' ? { isSet: true, isMulti: true, goesBefore } : { isSet: true, goesBefore };
}

/** That of objects of the program, by their `<` or `<=>`; undefined for other elements. */
function ownOrder(world: World, scope: Scope, { arguments: [element] }: TypeReference): GoesBefore | undefined {
  const type = element && isType(element) ? resolveType(world.program, substitute(element, scope)) : null;
  if (!type || type.pointers > 0 || !findClass(world.program, type.name)) return undefined;
  return (first, second) => lessThan(world, scope, first, second);
}
