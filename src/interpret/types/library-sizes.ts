/** Sizes of objects of the C++ library on Linux: of those that hold others in place from what they hold, of the others by their name. */

import type { Expression, TypeReference } from '../../program/program.ts';
import { isType } from './type-arguments.ts';

/** How many bytes, and at which multiples of what a type begins. */
export interface TypeSize {
  readonly bytes: number;
  readonly alignment: number;
  /** Of a class that is no plain data: where the members of what derives from it may begin. */
  readonly used?: number;
  /** It begins with what finds its virtual functions. */
  readonly isDynamic?: boolean;
  /** Its virtual bases, by name. */
  readonly shared?: ReadonlyMap<string, TypeSize>;
}

/** What is known of template arguments; null for what is not. */
export interface ArgumentSizes {
  readonly sizeOf: (type: TypeReference) => TypeSize | null;
  readonly numberOf: (argument: TypeReference | Expression) => number | null;
}

type Arguments = TypeReference['arguments'];
type LibrarySize = (list: Arguments, sizes: ArgumentSizes) => TypeSize | null;

const ofBytes =
  (bytes: number, alignment = 8): LibrarySize =>
  () => ({ bytes, alignment });

const word = ofBytes(8);

const sizes: ReadonlyMap<string, LibrarySize> = new Map<string, LibrarySize>([
  ['vector', ([element]) => ({ bytes: element && isType(element) && element.name === 'bool' ? 40 : 24, alignment: 8 })],
  ...(
    [
      [1, ['monostate', 'true_type', 'false_type', 'nullopt_t', 'less', 'greater', 'plus', 'hash', 'allocator']],
      [8, ['thread', 'thread::id', 'exception_ptr', 'reference_wrapper', 'forward_list', 'exception']],
      [16, ['string_view', 'shared_ptr', 'weak_ptr', 'any', 'initializer_list', 'future', 'shared_future']],
      [16, ['unique_lock', 'error_code', 'runtime_error', 'logic_error', 'out_of_range']],
      [24, ['list', 'promise']],
      [32, ['string']],
      [40, ['mutex', 'recursive_mutex', 'filesystem::path']],
      [48, ['map', 'multimap', 'set', 'multiset', 'condition_variable']],
      [56, ['unordered_map', 'unordered_multimap', 'unordered_set', 'unordered_multiset', 'shared_mutex']],
      [80, ['deque', 'queue', 'stack']],
    ] as const
  ).flatMap(([bytes, names]) => names.map((name): [string, LibrarySize] => [name, ofBytes(bytes, Math.min(bytes, 8))])),
  ['lock_guard', word],
  ['once_flag', ofBytes(4, 4)],
  ['atomic_flag', ofBytes(1, 1)],
  ['max_align_t', ofBytes(32, 16)],
  ['complex', twice],
  ['pair', (list, given) => inARow(list, given)],
  // The last one lies in front.
  ['tuple', (list, given) => (list.length === 0 ? null : inARow([...list].reverse(), given))],
  ['optional', (list, given) => withByte(largest(list, given))],
  ['variant', (list, given) => (list.length > 0 ? withByte(largest(list, given)) : null)],
  ['atomic', inItsPlace],
  ['unique_ptr', ownerSize],
  ['span', (list) => ({ bytes: list.length > 1 ? 8 : 16, alignment: 8 })],
  ['bitset', bitsetSize],
  ['chrono::duration', ([counts], given) => (counts && isType(counts) ? given.sizeOf(counts) : null)],
  ...['nanoseconds', 'microseconds', 'milliseconds', 'seconds', 'minutes', 'hours', 'time_point'].map(
    (name): [string, LibrarySize] => [`chrono::${name}`, word],
  ),
  ...['steady_clock', 'system_clock', 'high_resolution_clock'].flatMap((clock): [string, LibrarySize][] => [
    [`chrono::${clock}::time_point`, word],
    [`chrono::${clock}::duration`, word],
  ]),
]);

/** The size of an object of the library, by its name without `std::`; undefined for what is none of those, null where it is not known. */
export function librarySize(name: string, list: Arguments, given: ArgumentSizes): TypeSize | null | undefined {
  return sizes.get(name)?.(list, given);
}

/** Whether objects of that name are taken for the library's also where their namespace is not written. */
export function isLibraryTemplate(name: string, list: Arguments): boolean {
  return list.length > 0 && (name === 'pair' || name === 'complex');
}

function sizesOf(list: Arguments, { sizeOf }: ArgumentSizes): TypeSize[] | null {
  const out: TypeSize[] = [];
  for (const each of list) {
    const size = isType(each) ? sizeOf(each) : null;
    if (!size) return null;
    out.push(size);
  }
  return out;
}

/** One behind the other. */
function inARow(list: Arguments, given: ArgumentSizes): TypeSize | null {
  const parts = sizesOf(list, given);
  if (!parts || parts.length === 0) return null;
  const alignment = Math.max(...parts.map((part) => part.alignment));
  let bytes = 0;
  for (const part of parts) bytes = roundUp(bytes, part.alignment) + part.bytes;
  return { bytes: roundUp(bytes, alignment), alignment };
}

/** All in one place. */
function largest(list: Arguments, given: ArgumentSizes): TypeSize | null {
  const parts = sizesOf(list, given);
  if (!parts || parts.length === 0) return null;
  const alignment = Math.max(...parts.map((part) => part.alignment));
  return { bytes: Math.max(...parts.map((part) => part.bytes)), alignment };
}

/** What it holds, and behind it whether it does, or which. */
function withByte(held: TypeSize | null): TypeSize | null {
  return held && { bytes: roundUp(held.bytes + 1, held.alignment), alignment: held.alignment };
}

function twice([part]: Arguments, { sizeOf }: ArgumentSizes): TypeSize | null {
  const one = part && isType(part) ? sizeOf(part) : null;
  return one && { bytes: 2 * one.bytes, alignment: one.alignment };
}

/** What is changed at once begins at a multiple of its size. */
function inItsPlace([held]: Arguments, { sizeOf }: ArgumentSizes): TypeSize | null {
  const size = held && isType(held) ? sizeOf(held) : null;
  if (!size || ![1, 2, 4, 8, 16].includes(size.bytes)) return size;
  return { bytes: size.bytes, alignment: size.bytes };
}

/** A deleter without members takes no room. */
function ownerSize([, deleter]: Arguments, { sizeOf }: ArgumentSizes): TypeSize | null {
  if (!deleter) return { bytes: 8, alignment: 8 };
  const size = isType(deleter) ? (deleter.name === 'function' ? { bytes: 8, alignment: 8 } : sizeOf(deleter)) : null;
  if (!size) return null;
  return { bytes: size.bytes === 1 ? 8 : roundUp(8 + size.bytes, 8), alignment: 8 };
}

function bitsetSize([bits]: Arguments, { numberOf }: ArgumentSizes): TypeSize | null {
  const count = bits ? numberOf(bits) : null;
  return count === null ? null : { bytes: Math.max(1, Math.ceil(count / 64)) * 8, alignment: 8 };
}

/** The next multiple of `unit`. */
export function roundUp(bytes: number, unit: number): number {
  return Math.ceil(bytes / unit) * unit;
}
