/**
 * `lib::span view = buffer;`, where nobody sees the class `lib::span`: what stands for it is a copy of what it was made of, which tells
 * where it leads. It does not end as that does.
 */

import type { Span } from '../../base/span.ts';
import { rememberedByProgram } from '../../program/consulted.ts';
import type { TypeReference } from '../../program/program.ts';
import { noteTakenOver } from '../calls/escape.ts';
import { findClass, lastPart, type ProgramTable, resolveType } from '../program-table.ts';
import type { Cell, RecordObject } from '../value.ts';
import type { World } from '../world.ts';

/** Whether the object lies where one of a class is meant that no file of the program declares. */
export function isOfUnseenClass(world: World, written: TypeReference | null, { className }: RecordObject): boolean {
  const { program } = world;
  if (!written || written.pointers > 0 || written.isReference || written.extents.length > 0) return false;
  if (!findClass(program, className)) return false;
  const { name } = resolveType(program, written);
  if (name.startsWith('std::') || name === 'auto' || lastPart(name) === lastPart(className)) return false;
  return !findClass(program, name) && !parametersOfTemplates(program).has(name);
}

/** It was made of an object that has no other place: what that held may be freed there, or kept. */
export function noteTakenOverIn(world: World, { value, type }: Cell, span: Span): void {
  if (value.kind !== 'record' || !type || !isOfUnseenClass(world, type, value.record)) return;
  noteTakenOver(world, lastPart(type.name), [{ value, cell: null, span }], span);
}

/** What it has it may have taken over: nobody knows when that is freed. */
export function leaveToUnseen(world: World, { fields }: RecordObject): void {
  for (const { value } of fields.values()) if (value.kind === 'device') world.entrusted.add(value.allocation);
}

/** What nothing was put in place of may stand for any class. */
function parametersOfTemplates(program: ProgramTable): ReadonlySet<string> {
  return parameters(program).get(program.functions, noNames, () => {
    const templates = [...program.classes.values(), ...[...program.functions.values()].flat()];
    return new Set(templates.flatMap(({ templateParameters }) => templateParameters));
  });
}

const parameters = rememberedByProgram<object, ReadonlySet<string>>();
const noNames: ReadonlySet<string> = new Set();
