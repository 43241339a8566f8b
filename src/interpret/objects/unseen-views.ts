/**
 * `lib::span view = buffer;`, where nobody sees the class `lib::span`: what stands for it is a copy of what it was made of, which tells
 * where it leads. It does not end as that does.
 */

import type { Span } from '../../base/span.ts';
import { rememberedByProgram } from '../../program/consulted.ts';
import type { TypeReference } from '../../program/program.ts';
import { noteTakenOver } from '../calls/escape.ts';
import { findClass, lastPart, type ProgramTable, resolveType } from '../program-table.ts';
import { bytesOfType } from '../types/type-bytes.ts';
import { isScalar } from '../types/types.ts';
import type { Cell, RecordObject } from '../value.ts';
import type { World } from '../world.ts';

/** Whether the object lies where one of a class is meant that no file of the program declares. */
export function isOfUnseenClass(world: World, type: TypeReference | null, { className }: RecordObject): boolean {
  if (!type || !findClass(world.program, className) || !isUnseenClass(world, type)) return false;
  // A specialisation is called after its template, which may be seen nowhere.
  return lastPart(resolveType(world.program, type).name) !== lastPart(className.replace(/<.*/, ''));
}

function isUnseenClass(world: World, written: TypeReference): boolean {
  const { program } = world;
  if (written.pointers > 0 || written.isReference || written.extents.length > 0) return false;
  const type = resolveType(program, written);
  const { name } = type;
  if (/^(?:std::.*|auto|initializer_list)$/.test(name)) return false;
  // In room of bytes lies whatever was made in it; no other number is an object, so that `span<float> view{buffer}` has none for an element.
  if (isScalar(program, type)) return bytesOfType(world, type, world.globals) !== 1;
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
    const templates = [...program.classes.values(), ...program.allFunctions()];
    return new Set(templates.flatMap(({ templateParameters }) => templateParameters));
  });
}

const parameters = rememberedByProgram<object, ReadonlySet<string>>();
const noNames: ReadonlySet<string> = new Set();
