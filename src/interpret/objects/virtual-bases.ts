/**
 * Virtual bases: an object has one part of each, however many of its classes derive from it. It is made before all others, as the class
 * of the whole object says, and ends behind them (C++20, [class.base.init] and [class.dtor]).
 */

import { Attached } from '../../base/attached.ts';
import type { ClassDefinition } from '../../program/program.ts';
import { findClass, type ProgramTable } from '../program-table.ts';

const known = new Attached<ProgramTable, Map<ClassDefinition, readonly ClassDefinition[]>>();
const none: readonly ClassDefinition[] = [];

/** The virtual bases of a class and of all that it derives from, each once, in the order in which they are made. */
export function virtualBasesOf(program: ProgramTable, definition: ClassDefinition): readonly ClassDefinition[] {
  if (definition.bases.length === 0) return none;
  let found = known.get(program);
  if (!found) {
    found = new Map();
    known.set(program, found);
  }
  const before = found.get(definition);
  if (before) return before;
  const all = new Set<ClassDefinition>();
  collect(program, definition, all, 0);
  const list = all.size > 0 ? [...all] : none;
  found.set(definition, list);
  return list;
}

function collect(program: ProgramTable, definition: ClassDefinition, all: Set<ClassDefinition>, depth: number): void {
  if (depth > 8) return;
  for (const [index, name] of definition.bases.entries()) {
    const base = findClass(program, name);
    if (!base || base === definition) continue;
    collect(program, base, all, depth + 1);
    if (definition.virtualBases?.includes(index)) all.add(base);
  }
}

/** Whether the base at that place of a class is a virtual one. */
export function isVirtualBase({ virtualBases }: ClassDefinition, index: number): boolean {
  return virtualBases?.includes(index) === true;
}
