/** What begins as zero: behind `{}`, in `calloc`, under `memset`. */

import type { TypeReference } from '../../program/program.ts';
import { zeroOverlaid } from '../objects/overlaid-bytes.ts';
import { constructorOf, findClass, lastPart, resolveType } from '../program-table.ts';
import { containerOf, defaultValue, isScalar } from '../types/types.ts';
import {
  type Cell,
  changedSequence,
  createCell,
  createRecord,
  numberValue,
  type RecordObject,
  type Sequence,
  unknownValue,
} from '../value.ts';
import type { World } from '../world.ts';

/** What nobody has set of a variable is zero: numbers, pointers, handles, and those in structures and arrays. */
export function beginAsZero(world: World, cell: Cell): void {
  const { value, type } = cell;
  if (value === unknownValue && type && isScalar(world.program, type)) cell.value = numberValue(0);
  else if (value.kind === 'record' && !value.record.className.startsWith('std::')) zeroFields(world, value.record, 0);
  else if (value.kind === 'sequence' && isArrayOfNumbers(world, type, value.sequence))
    cell.value = { kind: 'sequence', sequence: changedSequence(value.sequence, { isZero: true }) };
  else if (value.kind === 'sequence' && !(value.sequence.byValue && !isStandardArray(world, type))) {
    for (const element of value.sequence.cells.values()) beginAsZero(world, element);
    const makes = value.sequence.makes ?? zeroObjects(world, value.sequence);
    if (makes) cell.value = { kind: 'sequence', sequence: changedSequence(value.sequence, { isZero: true, makes }) };
  }
}

/** `struct slot slots[64]` in a structure: elements that nobody has touched are objects of zeroes; null where a constructor decides. */
function zeroObjects(world: World, { elementType: type, name }: Sequence): Sequence['makes'] | null {
  if (!type || type.pointers > 0) return null;
  const own = resolveType(world.program, { ...type, extents: [] });
  if (own.pointers > 0 || !findClass(world.program, own.name)) return null;
  if (world.program.functions.has(constructorOf(own.name))) return null;
  return (isZero) => {
    const cell = createCell(name, defaultValue(world, world.globals, type, name), type);
    if (isZero) beginAsZero(world, cell);
    return cell.value;
  };
}

/** `std::array`, by whatever name. */
export function isStandardArray(world: World, type: TypeReference | null): boolean {
  return type !== null && containerOf(resolveType(world.program, type)) === 'array';
}

/** What a braced list does not name is zero. */
export function zeroFields(world: World, record: RecordObject, depth: number): void {
  zeroOverlaid(record);
  if (record.open)
    for (const path of world.models.plainMembers.get(lastPart(record.className)) ?? [])
      addZero(record, path.split('.'));
  for (const field of record.fields.values()) {
    const isNumber = field.type ? isScalar(world.program, field.type) : record.open;
    if (field.value === unknownValue && isNumber && !field.type?.isReference) field.value = numberValue(0);
    if (field.value.kind === 'record' && depth < 3 && !field.value.record.className.startsWith('std::'))
      zeroFields(world, field.value.record, depth + 1);
    if (field.value.kind === 'sequence') beginAsZero(world, field);
  }
}

/** A member, or a member of a member, that nobody has touched. */
function addZero(record: RecordObject, [name = '', ...rest]: readonly string[]): void {
  const isPlain = rest.length === 0;
  const made = (): Cell =>
    createCell(name, isPlain ? numberValue(0) : { kind: 'record', record: createRecord('', true) }, null, record);
  const field = record.fields.get(name) ?? made();
  record.fields.set(name, field);
  if (field.value.kind === 'record') addZero(field.value.record, rest);
}

/** An array, `std::array` too, of what begins as zero. */
export function isArrayOfNumbers(
  world: World,
  type: TypeReference | null,
  { byValue, elementType }: Sequence,
): boolean {
  if (byValue && !isStandardArray(world, type)) return false;
  if (!elementType) return false;
  return isScalar(world.program, elementType.extents.length > 0 ? { ...elementType, extents: [] } : elementType);
}
