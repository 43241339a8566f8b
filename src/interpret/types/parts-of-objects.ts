/** How many objects lie in one of a class: structures of two structures of two structures … are more than anybody has memory for. */

import type { ClassDefinition } from '../../program/program.ts';
import { findClass, type ProgramTable, resolveType } from '../program-table.ts';

/** Objects in one, beyond which it is not made part by part. */
const mostParts = 20_000;

const partsOfClass = new WeakMap<ClassDefinition, number>();

/** Whether an object of a class has more parts than are made. */
export function isTooLarge(program: ProgramTable, definition: ClassDefinition): boolean {
  return partsOf(program, definition, 0) > mostParts;
}

/** Objects of classes of the program that lie in it, with itself; arrays count once, as their elements are made when they are named. */
function partsOf(program: ProgramTable, definition: ClassDefinition, depth: number): number {
  const known = partsOfClass.get(definition);
  if (known !== undefined) return known;
  // A class that holds itself is none.
  partsOfClass.set(definition, 1);
  let count = 1;
  for (const { type, isStatic } of depth < 200 ? definition.fields : []) {
    const { name, pointers } = isStatic ? { name: '', pointers: 1 } : resolveType(program, type);
    const part = pointers > 0 || type.isReference ? undefined : findClass(program, name);
    if (part) count += partsOf(program, part, depth + 1);
  }
  partsOfClass.set(definition, count);
  return count;
}
