/** `std::span`: elements of somebody else, seen through another sequence. */

import type { TypeReference } from '../../program/program.ts';
import { typeNamed } from '../../program/type-named.ts';
import type { Argument } from '../calls/call.ts';
import { behindOnDevice } from '../device-addresses.ts';
import { elementCell } from '../expressions/elements.ts';
import { lastPart, resolveType } from '../program-table.ts';
import type { Scope } from '../scope.ts';
import { isType } from '../types/type-arguments.ts';
import { bytesOfType } from '../types/type-bytes.ts';
import {
  changedSequence,
  createSequence,
  type DeviceAddress,
  numberValue,
  type Sequence,
  unknownValue,
  type Value,
} from '../value.ts';
import type { World } from '../world.ts';
import { asIterator, stepsBetween } from './ranges.ts';

/** Elements that are seen one by one. */
const mostSeen = 4096;

/** A span by that name, or by another that the program has for it; null for other types. */
export function asSpan({ program }: World, type: TypeReference | null): TypeReference | null {
  const meant = type && type.pointers === 0 ? resolveType(program, type) : null;
  return meant && meant.pointers === 0 && lastPart(meant.name) === 'span' ? meant : null;
}

/** What a span made of these arguments sees; null when that is not known, and for a list, which is nobody's. */
export function spanOver(values: readonly Argument[], type: TypeReference | null = null): Value | null {
  const [first, second] = values.map(({ value }) => value);
  if (first?.kind === 'sequence' && first.sequence.name !== 'list' && values.length === 1)
    return { kind: 'sequence', sequence: changedSequence(first.sequence, { byValue: false }) };
  if (first?.kind === 'device' && values.length <= 2) return onDevice(first, second, type);
  if (values.length !== 2) return null;
  const from = asIterator(first);
  const to = asIterator(second);
  const count =
    second?.kind === 'number' ? second.value : from && to?.sequence === from.sequence ? stepsBetween(from, to) : null;
  if (count === null) return null;
  if (from) return partFrom(from.sequence, from.index, count);
  if (first?.kind !== 'pointer' || count > 1) return null;
  const single = createSequence(first.cell.name, count, first.cell.type, false);
  if (count === 1) single.cells.set(0, first.cell);
  return { kind: 'sequence', sequence: single };
}

/** A span over memory of the device, by how many elements it has or where it ends. */
function onDevice(first: DeviceAddress, second: Value | undefined, type: TypeReference | null): Value {
  const length = second?.kind === 'number' ? second.value : null;
  const [element] = type?.arguments ?? [];
  return { kind: 'sequence', sequence: deviceSpan('span', length, element && isType(element) ? element : null, first) };
}

function deviceSpan(name: string, length: number | null, type: TypeReference | null, first: DeviceAddress): Sequence {
  return changedSequence(createSequence(name, length, type, false), { onDevice: first });
}

/** `span.subspan(at, n)`, `first(n)`, `last(n)`. */
export function partOf(sequence: Sequence, method: string, values: readonly Value[]): Value | null {
  const numbers = values.map((value) => (value.kind === 'number' ? value.value : null));
  if (sequence.onDevice) return partOnDevice(sequence, sequence.onDevice, method, numbers);
  if (sequence.length === null || numbers.includes(null)) return null;
  const [one = 0, count] = numbers.map(Number);
  const from = method === 'subspan' ? one : method === 'first' ? 0 : sequence.length - one;
  return partFrom(sequence, from, method === 'subspan' ? (count ?? sequence.length - from) : one);
}

/** `span.size_bytes()` */
export function bytesOfElements(world: World, scope: Scope, { elementType, length }: Sequence): Value {
  const each = elementType ? bytesOfType(world, elementType, scope) : null;
  return each === null || length === null ? unknownValue : numberValue(each * length, 'u64');
}

/** `std::as_bytes(span)`: as many bytes, of which nobody knows what they are. */
export function asBytes(world: World, scope: Scope, [given]: readonly Argument[]): Value {
  if (given?.value.kind !== 'sequence') return unknownValue;
  const bytes = bytesOfElements(world, scope, given.value.sequence);
  const { name } = given.value.sequence;
  if (bytes.kind !== 'number') return unknownValue;
  return { kind: 'sequence', sequence: createSequence(name, bytes.value, typeNamed('std::byte'), false) };
}

function partOnDevice(
  { name, length, elementType }: Sequence,
  first: DeviceAddress,
  method: string,
  [one = 0, count]: readonly (number | null)[],
): Value {
  const ends = method === 'last' && length !== null && one !== null ? length - one : null;
  const from = method === 'subspan' ? one : method === 'first' ? 0 : ends;
  const rest = length === null || from === null ? null : length - from;
  const own = method === 'subspan' ? (count === undefined ? rest : count) : one;
  return { kind: 'sequence', sequence: deviceSpan(name, own, elementType, behindOnDevice(first, from)) };
}

function partFrom(sequence: Sequence, from: number, length: number): Value {
  const part = createSequence(sequence.name, length, sequence.elementType, false);
  for (let index = 0; index < Math.min(length, mostSeen); index++)
    part.cells.set(index, elementCell(sequence, from + index));
  return { kind: 'sequence', sequence: part };
}
