/** What memory is called that an object of a library's class holds: as the object is. */

import { isLibraryFile } from '../base/library-files.ts';
import type { Span } from '../base/span.ts';
import { findClass, lastPart } from './program-table.ts';
import type { Scope } from './scope.ts';
import type { Cell } from './value.ts';
import type { World } from './world.ts';

/** The name for what a method of such a class allocates; null for what the program allocates itself. */
export function nameOfHolder({ self }: Scope, span: Span): string | null {
  if (!self || !isLibraryFile(span.file)) return null;
  return self.name ?? lastPart(self.className);
}

/** The object in a cell is called as the cell is from now on, and so is what it has allocated before. */
export function nameHeldAfter(world: World, { value, name }: Cell): void {
  if (value.kind !== 'record' || name === '') return;
  const { record } = value;
  const [method] = findClass(world.program, record.className)?.methods ?? [];
  if (!method || !isLibraryFile(method.span.file)) return;
  record.name ??= name;
  for (const [field, { value: held }] of record.fields) {
    const allocation = held.kind === 'device' ? world.allocations[held.allocation] : undefined;
    // What the program's own allocator gave it goes by the member that holds it.
    const isNamedByItself = allocation?.name === lastPart(record.className) || allocation?.name === field;
    if (held.kind !== 'device' || !allocation || !isNamedByItself) continue;
    world.allocations[held.allocation] = { ...allocation, name };
    world.allocationDepths[held.allocation] = world.frames.length;
  }
}
