/** Keys of maps and elements of sets that are objects: pairs, tuples, arrays and classes of the program, also where only their parts are written. */

import type { TypeReference } from '../../program/program.ts';
import { store } from '../expressions/assign.ts';
import { sameValue } from '../expressions/same-values.ts';
import { findClass, lastPart, resolveType } from '../program-table.ts';
import type { Scope } from '../scope.ts';
import { isType } from '../types/type-arguments.ts';
import { substitute } from '../types/types.ts';
import { createCell, type RecordObject, type Sequence, unknownValue, type Value } from '../value.ts';
import type { World } from '../world.ts';
import { textFromCharacters } from './c-strings.ts';
import type { GoesBefore } from './comparators.ts';
import { lessThan } from './less-than.ts';
import { mapKey } from './map-entries.ts';

const madeOfParts = new Set(['pair', 'tuple', 'array']);

/** `{a, b}` where a key or an element of a set is asked for: the object that is made of it. */
export function keyFrom(world: World, scope: Scope, type: TypeReference | null | undefined, written: Value): Value {
  const text = textFromCharacters(type, written);
  if (text) return text;
  if (!isList(written) || !type || !isMadeOfParts(world, type)) return written;
  const cell = createCell('key', unknownValue, type);
  store(world, scope, cell, written);
  return cell.value;
}

/** Whether `{a, b}` that a set is given is one element of it, and not two. */
export function isOneElement(world: World, type: TypeReference | null, list: Sequence): boolean {
  if (!type || !isMadeOfParts(world, type)) return false;
  const plain = lastPart(resolveType(world.program, type).name);
  return [...list.cells.values()].some(({ value }) =>
    value.kind === 'record' ? isPartOfTuple(plain, value.record) : !isList(value),
  );
}

/** An object of the program in the braces of a pair or a tuple, which is none by itself. */
function isPartOfTuple(plain: string, { className }: RecordObject): boolean {
  return (plain === 'pair' || plain === 'tuple') && className !== '' && lastPart(className) !== plain;
}

/** The key under which a map keeps what belongs to this one: one that is neither before nor behind it is the same. */
export function keyIn(world: World, scope: Scope, map: RecordObject, written: Value): Value {
  const key = keyFrom(world, scope, map.templates?.types.get('K'), written);
  const { goesBefore, keys } = map;
  if (!goesBefore || !keys || keys.size > mostCompared || keys.has(mapKey(key))) return key;
  for (const known of keys.values())
    if (goesBefore(known, key) === false && goesBefore(key, known) === false) return known;
  return key;
}

/** Keys that are compared one by one. */
const mostCompared = 64;

/** Whether two elements of a set are one to it; null when that is not known. `isOwn`: the order is not that of `<`. */
export function isSameElement(goesBefore: GoesBefore, first: Value, second: Value, isOwn: boolean): boolean | null {
  if (first.kind !== 'record' || second.kind !== 'record' || first.record.isShared) {
    const same = sameValue(first, second);
    if (same !== false || !isOwn) return same;
    return goesBefore(first, second) === false && goesBefore(second, first) === false;
  }
  const [one, other] = [mapKey(first), mapKey(second)];
  if (one !== '[?]' && one === other) return true;
  const isBefore = goesBefore(first, second);
  if (isBefore !== false) return isBefore === null ? null : false;
  const isAfter = goesBefore(second, first);
  return isAfter === null ? null : !isAfter;
}

/** `<` of a map's keys where they are objects; undefined for others, whose order needs nobody. */
export function orderOfKeys(world: World, scope: Scope, map: TypeReference): GoesBefore | undefined {
  const key = map.arguments[0];
  if (!key || !isType(key) || !isMadeOfParts(world, substitute(key, scope))) return undefined;
  return (first, second) => lessThan(world, scope, first, second);
}

function isList(value: Value): value is Value & { kind: 'sequence' } {
  return value.kind === 'sequence' && value.sequence.name === 'list';
}

function isMadeOfParts(world: World, written: TypeReference): boolean {
  const type = resolveType(world.program, written);
  if (type.pointers > 0) return false;
  return madeOfParts.has(lastPart(type.name)) || findClass(world.program, type.name) !== undefined;
}
