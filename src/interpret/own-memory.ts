/** Allocators of the program's own that ask CUDA for the memory of containers: `std::vector<T, ManagedAllocator<T>>`. */

import { vectorInOwnMemory } from '../base/library-files.ts';
import { isDeviceCall, type ModelTable } from '../models/model.ts';
import type { ClassDefinition, FunctionDefinition, TypeReference } from '../program/program.ts';
import { retyped } from '../program/retyped.ts';
import { isType } from '../program/type-named.ts';
import { eachNode } from '../program/walk.ts';
import { findClass, lastPart, type ProgramTable, resolveType } from './program-table.ts';

/** Calls that are followed from `allocate`. */
const deepest = 4;

/** The classes whose `allocate` calls CUDA, and that have a `deallocate`. */
export function allocatorsOfDevice(program: ProgramTable, models: ModelTable): ReadonlySet<string> {
  const found = new Set<string>();
  for (const definition of program.classes.values()) {
    const allocate = methodNamed(program, definition, 'allocate', 0);
    const deallocate = methodNamed(program, definition, 'deallocate', 0);
    // `allocate(n)` and `deallocate(p, n)`, as containers call them.
    if (!allocate || !deallocate || !takes(allocate, 1) || !takes(deallocate, 2)) continue;
    if (callsDevice(program, models, allocate)) found.add(definition.name);
  }
  return found;
}

function takes({ parameters }: FunctionDefinition, count: number): boolean {
  return parameters.length >= count && parameters.slice(count).every(({ defaultValue }) => defaultValue !== null);
}

function methodNamed(
  program: ProgramTable,
  definition: ClassDefinition,
  name: string,
  depth: number,
): FunctionDefinition | undefined {
  const own = definition.methods.find((each) => lastPart(each.name) === name);
  if (own || depth > deepest) return own;
  for (const base of definition.bases) {
    const stated = findClass(program, base);
    const inherited = stated && methodNamed(program, stated, name, depth + 1);
    if (inherited) return inherited;
  }
  return undefined;
}

/** Whether a function calls CUDA, itself or through others; each of them is looked at once. */
function callsDevice(program: ProgramTable, models: ModelTable, first: FunctionDefinition): boolean {
  const depths = new Map([[first, 0]]);
  for (const [definition, depth] of depths) {
    for (const name of calledIn(definition)) {
      if (isDeviceCall(models, name)) return true;
      const further = depth < deepest ? program.functions.get(name) : undefined;
      for (const each of further ?? []) if (!depths.has(each)) depths.set(each, depth + 1);
    }
  }
  return false;
}

function calledIn({ body }: FunctionDefinition): ReadonlySet<string> {
  const names = new Set<string>();
  eachNode(body?.statements ?? [], (node) => {
    if (node.kind !== 'call' || (node.callee.kind !== 'name' && node.callee.kind !== 'member')) return;
    names.add(lastPart(node.callee.name));
  });
  return names;
}

/** `std::vector<T, A>` with such an allocator as the class that holds its memory; null for all other types. */
export function heldInOwnMemory(
  program: ProgramTable,
  allocators: ReadonlySet<string>,
  type: TypeReference,
): TypeReference | null {
  const [element, allocator] = type.arguments;
  if (type.arguments.length !== 2 || !element || !allocator || !isType(element) || !isType(allocator)) return null;
  if (type.name !== 'std::vector' && type.name !== 'vector') return null;
  if (!allocators.has(resolveType(program, allocator).name) || hasLife(program, element)) return null;
  return retyped(type, { name: vectorInOwnMemory });
}

/** Elements that are made and end themselves would have to be followed where they lie. */
function hasLife(program: ProgramTable, type: TypeReference): boolean {
  const definition = type.pointers > 0 ? undefined : findClass(program, resolveType(program, type).name);
  return definition !== undefined && definition.methods.length > 0;
}
