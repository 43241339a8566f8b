/** `new (room) T(…)`: objects that are made in memory that is there. */

import { typeNamed } from '../../program/type-named.ts';
import { elementCell } from '../expressions/elements.ts';
import { type Cell, createSequence, type Sequence, type Value } from '../value.ts';
import type { World } from '../world.ts';

type Pointer = Value & { readonly kind: 'pointer' };

/**
 * Where an object is put whose place is given so: an array of bytes, an element, a variable. Null where nobody knows, and for what is
 * no place, as `std::nothrow`, or an arena that an `operator new` of the program is given.
 */
export function roomAt(world: World, given: Value): Pointer | null {
  if (world.program.functions.get('operator new')?.some(({ parameters }) => parameters.length > 1)) return null;
  if (given.kind === 'sequence') return given.sequence.byValue ? null : firstOf(given.sequence);
  if (given.kind !== 'pointer') return null;
  const { value } = given.cell;
  return value.kind === 'sequence' && !value.sequence.byValue && !given.sequence ? firstOf(value.sequence) : given;
}

/** The address of the first element. */
export function firstOf(sequence: Sequence): Pointer {
  return { kind: 'pointer', cell: elementCell(sequence, 0), sequence, index: 0 };
}

/** Puts what was made in its place, unless there is an object of another class. */
export function putIntoRoom(room: Pointer, made: Value): Value {
  if (made.kind !== 'pointer') return made;
  const { value: before } = room.cell;
  const { value } = made.cell;
  const isOther =
    before.kind === 'record' &&
    before.record.className !== '' &&
    !before.record.className.startsWith('std::') &&
    (value.kind !== 'record' || value.record.className !== before.record.className);
  if (isOther || before.kind === 'closure') return made;
  if (!room.sequence && isRaw(room.cell)) {
    // What is in it does not end with the variable.
    const bytes = createSequence(room.cell.name, null, typeNamed('unsigned char'), false);
    room.cell.value = { kind: 'sequence', sequence: bytes };
    return putIntoRoom(firstOf(bytes), made);
  }
  room.cell.value = value;
  return room;
}

/** `std::aligned_storage_t<size>`, also where a class template calls it its `type`. */
function isRaw({ type, value }: Cell): boolean {
  const names = [type?.name, type?.qualifier?.name, value.kind === 'record' ? value.record.className : undefined];
  return names.some((name) => name !== undefined && /\baligned_(?:storage|union)(?:_t)?\b/.test(name));
}
