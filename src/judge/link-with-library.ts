/** Programs linked with what stands for classes of the library, where they need it though they include no header that says so. */

import { allocatorsOfDevice, heldInOwnMemory } from '../interpret/own-memory.ts';
import { linkProgram, type ProgramTable } from '../interpret/program-table.ts';
import { containersInOwnMemory } from '../models/library-headers.ts';
import type { ModelTable } from '../models/model.ts';
import type { Module } from '../program/program.ts';

export interface Linked {
  readonly program: ProgramTable;
  readonly modules: readonly Module[];
}

/** Links modules. `read`: reads a text as further modules of the program. */
export function linkWithLibrary(
  modules: readonly Module[],
  models: ModelTable,
  read: (file: string, text: string) => readonly Module[],
): Linked {
  const program = linkProgram(modules);
  if (program.isScript || allocatorsOfDevice(program, models).size === 0) return { program, modules };
  const { file, text } = containersInOwnMemory;
  const all = [...modules, ...read(file, text)];
  const linked = linkProgram(all);
  const allocators = allocatorsOfDevice(linked, models);
  return { program: { ...linked, standsFor: (type) => heldInOwnMemory(linked, allocators, type) }, modules: all };
}
