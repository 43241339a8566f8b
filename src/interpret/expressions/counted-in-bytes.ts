/**
 * Pointers into arrays of the host that were cast to `char *`, or to a number: they count bytes, while the array has elements of its
 * own size. `(char *)(a + 2) - (char *)a` is twice the size of an element.
 */

import { storageNamed } from '../../program/number-types.ts';
import type { TypeReference } from '../../program/program.ts';
import { pointee } from '../../program/retyped.ts';
import { resolveType } from '../program-table.ts';
import type { Scope } from '../scope.ts';
import { memberOffset } from '../types/class-layout.ts';
import { bytesOfType } from '../types/type-bytes.ts';
import {
  type Cell,
  createCell,
  numberValue,
  partCell,
  pointerTo,
  type RecordObject,
  unknownValue,
  type Value,
} from '../value.ts';
import type { World } from '../world.ts';
import type { ArrayPlace } from './array-places.ts';
import { elementCell, elementFrom } from './elements.ts';
import { readByte } from './number-bits.ts';
import { isSymbolicPosition } from './positions.ts';

type Pointer = Value & { readonly kind: 'pointer' };

/** The pointer as that type, which counts bytes or elements; the same one where that makes no difference. */
export function countedAs(
  world: World,
  scope: Scope,
  type: TypeReference,
  pointer: Pointer,
  isAddress: boolean,
): Pointer {
  if (type.pointers > 1 || pointer.isOpenEnd || pointer.isReverse || pointer.isWrapper) return pointer;
  const target = type.pointers === 1 ? pointee(resolveType(world.program, type)) : null;
  // What `void *` holds is cast again before anybody counts with it.
  if (target ? target.name === 'void' || target.name === 'auto' : !isAddress) return pointer;
  const held = pointer.sequence ? pointer.sequence.elementType : pointer.cell.type;
  const each = held && !held.isReference ? bytesOfType(world, held, scope) : null;
  const bytes = target && bytesOfType(world, target, scope);
  if (target && bytes !== 1) return steppingBy(countedInElements(pointer), bytes, each);
  return each === null || each < 2 ? steppingBy(pointer, 1, each) : { ...pointer, bytesEach: each };
}

/** It steps through an array by so many bytes from now on, whose elements have another size. */
function steppingBy(pointer: Pointer, bytesEach: number | null, ofElement: number | null): Pointer {
  if (!pointer.sequence || (!pointer.steps && bytesEach === ofElement)) return pointer;
  return { ...pointer, steps: { at: pointer.index, before: bytesBefore(pointer, ofElement), bytesEach } };
}

/** How many bytes behind the beginning of its array a pointer points; null where nobody knows. */
export function bytesBefore({ steps, index }: Pointer, ofElement: number | null): number | null {
  if (!steps && isSymbolicPosition(index)) return null;
  if (!steps) return index === 0 ? 0 : ofElement === null ? null : index * ofElement;
  if (steps.before === null || index === steps.at) return steps.before;
  return steps.bytesEach === null ? null : steps.before + (index - steps.at) * steps.bytesEach;
}

function countedInElements(pointer: Pointer): Pointer {
  if (!pointer.bytesEach) return pointer;
  const { bytesEach, ...plain } = pointer;
  return plain;
}

/** So many elements for a step of a pointer that may count bytes; null where it ends within an element. */
export function stepInElements({ bytesEach }: Pointer, step: number): number | null {
  if (!bytesEach) return step;
  return step % bytesEach === 0 ? step / bytesEach : null;
}

/** How many bytes behind the beginning of the outermost array a place lies. */
export function bytesInAll({ sequence, index }: ArrayPlace, each: number): ArrayPlace {
  let [current, bytes, row] = [sequence, index * each, each];
  while (current.row && current.length !== null) {
    row *= current.length;
    bytes += current.row.at * row;
    current = current.row.of;
  }
  return { sequence: current, index: bytes };
}

/**
 * `(char *)&p->mass - (char *)p`: how far two places in one object lie apart; of a member from its object, also of which it is, as
 * `offsetof` says it. Null for all else, and where nobody knows.
 */
export function bytesApart(world: World, left: Value, right: Value): Value | null {
  // An object that was made in an array of bytes is pointed at as they are.
  if (left.kind !== 'pointer' || right.kind !== 'pointer' || !(left.bytesEach || right.bytesEach)) return null;
  const [first, second] = [placeInObject(world, left), placeInObject(world, right)];
  for (const one of first)
    for (const other of second) {
      if (one.object !== other.object) continue;
      const member = other.member === undefined ? one.member : undefined;
      const value = one.bytes - other.bytes;
      return member === undefined ? numberValue(value, 'i64') : { kind: 'number', value, type: 'i64', member };
    }
  return null;
}

interface PlaceInObject {
  readonly object: RecordObject;
  readonly bytes: number;
  readonly member?: string;
}

/** The objects that a pointer leads into, from the inside out. */
function placeInObject(world: World, { cell }: Pointer): readonly PlaceInObject[] {
  const places: PlaceInObject[] = [];
  if (cell.value.kind === 'record') places.push({ object: cell.value.record, bytes: 0 });
  const { owner } = cell;
  const bytes = owner && memberOffset(world, owner, cell.name);
  if (owner && bytes !== null) places.push({ object: owner, bytes, member: cell.name });
  return places;
}

/** `p[i]` of a pointer; `position`: which element the index names, where that is told. */
export function elementBehind(pointer: Pointer, index: Value, position: number): Cell {
  const { sequence, index: from, cell } = pointer;
  if (pointer.bytesEach) return byteBehind(pointer, pointer.bytesEach, index);
  if (sequence) return elementFrom(pointer, sequence, index, position);
  if (cell.value.kind === 'sequence') return elementCell(cell.value.sequence, position, index, from);
  return index.kind === 'number' && index.value !== 0 ? memberBeside(cell, index.value) : cell;
}

/** `&v.x + 2`, as an address; null where that is no member of the same object. */
export function movedInObject({ cell, sequence }: Pointer, by: number | null): Value | null {
  const beside = sequence || by === null ? cell : memberBeside(cell, by);
  return beside === cell ? null : pointerTo(beside);
}

/** `(&v.x)[2]`: the member so many places further on, where all between are of one type; the same one where there are none to count. */
function memberBeside(cell: Cell, by: number): Cell {
  if (!cell.owner || !cell.type) return cell;
  const members = [...cell.owner.fields.values()];
  const at = members.indexOf(cell);
  const passed = members.slice(Math.min(at, at + by), Math.max(at, at + by) + 1);
  const { name, pointers } = cell.type;
  const isAlike = passed.every(
    ({ type }) => type?.name === name && type.pointers === pointers && type.extents.length === 0,
  );
  return at >= 0 && at + by >= 0 && isAlike ? (members[at + by] ?? cell) : cell;
}

/** `((unsigned char *)&n)[k]`, `((char *)a)[k]`: one byte of an element; what is not a number has none that are known. */
function byteBehind({ sequence, index, cell }: Pointer, bytesEach: number, by: Value): Cell {
  if (by.kind !== 'number' || (!sequence && (by.value < 0 || by.value >= bytesEach))) return createCell('byte');
  const element = sequence ? elementCell(sequence, index + Math.floor(by.value / bytesEach)) : cell;
  const storage = element.type && element.type.pointers === 0 ? storageNamed(element.type.name) : null;
  const at = ((by.value % bytesEach) + bytesEach) % bytesEach;
  const read = (): Value => (storage ? readByte(element.value, storage, at) : unknownValue);
  return partCell(element.name, null, read, () => {
    element.value = { kind: 'unknown' };
  });
}
