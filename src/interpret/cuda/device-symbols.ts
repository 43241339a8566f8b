/**
 * Variables of the device, `__device__ float table[256];`: memory that kernels reach by its name, and the host by cudaMemcpyToSymbol and
 * cudaGetSymbolAddress. Each device has its own; it lives as long as the program.
 */

import { Attached } from '../../base/attached.ts';
import type { ModelEffect } from '../../models/model.ts';
import { lastPart } from '../../program/full-names.ts';
import type { Declaration, Expression, FunctionDefinition } from '../../program/program.ts';
import { retyped } from '../../program/retyped.ts';
import type { Access, DevicePointer } from '../../trace/event.ts';
import { keptByRun } from '../kept-by-run.ts';
import { type ProgramTable, resolveType } from '../program-table.ts';
import { isThunk, lookUp, type Scope } from '../scope.ts';
import { createAllocation, type World } from '../world.ts';
import type { EffectContext } from './apply-model.ts';
import { createThing, type Thing } from './device-things.ts';
import { argumentOf, pathCell, pathValue } from './paths.ts';

/** What leads to a variable of the device among the memory that a kernel touches. */
const mark = '::';

type Symbols = ReadonlyMap<string, Declaration>;

const symbolsByProgram = new Attached<ProgramTable, Symbols>();

/** The variables of the program that are no host's, by name; those that only one file sees under two names are none. */
function symbolsOf(program: ProgramTable): Symbols {
  let known = symbolsByProgram.get(program);
  if (!known) {
    const found = new Map<string, Declaration>();
    for (const each of program.globals) if (each.isOnDevice && !each.type.isReference) found.set(each.name, each);
    known = found;
    symbolsByProgram.set(program, known);
  }
  return known;
}

/** The thing that a name in a kernel stands for; null for what is no variable of the device. */
export function symbolThing({ program }: World, name: string): Thing | null {
  const symbol = symbolsOf(program).get(name);
  if (!symbol) return null;
  const path = `${mark}${name}`;
  const { extents } = resolveType(program, symbol.type);
  if (extents.length > 1) return null;
  if (extents.length === 0) return createThing({ lies: new Set([path]), type: symbol.type, isSame: true });
  const type = retyped(symbol.type, { extents: [], pointers: symbol.type.pointers + 1 });
  return createThing({ points: new Set([path]), type, isSame: true });
}

/** Whether a path of what a kernel touches leads to a variable of the device. */
export function isSymbolPath(path: string): boolean {
  return path.startsWith(mark);
}

const touchedByKernel = new Attached<ProgramTable, Map<FunctionDefinition, readonly string[]>>();

/** The variables of the device that a kernel names, itself or in what it calls, with the paths that lead to them. */
export function symbolsTouched(
  world: World,
  definition: FunctionDefinition,
): readonly { readonly path: string; readonly pointer: DevicePointer }[] {
  const { program } = world;
  const symbols = symbolsOf(program);
  if (symbols.size === 0) return [];
  const known = touchedByKernel.get(program) ?? new Map<FunctionDefinition, readonly string[]>();
  touchedByKernel.set(program, known);
  const names = known.get(definition) ?? namesIn(program, definition, symbols);
  known.set(definition, names);
  return names.flatMap((name) => {
    const pointer = memoryOf(world, name, symbols.get(name)!);
    return pointer ? [{ path: `${mark}${name}`, pointer }] : [];
  });
}

function namesIn(program: ProgramTable, definition: FunctionDefinition, symbols: Symbols): readonly string[] {
  const found = new Set<string>();
  const seen = new Set<FunctionDefinition>([definition]);
  for (const each of seen)
    for (const name of each.body?.mentions ?? []) {
      if (symbols.has(name)) found.add(name);
      for (const called of program.functions.get(name) ?? []) if (called.isDevice) seen.add(called);
    }
  return [...found];
}

const memoryByName = keptByRun(() => new Map<string, number>());

/** Null where nobody knows which device's it is. What is managed is there once for all devices. */
export function memoryOf(world: World, name: string, { span, isOnDevice }: Declaration): DevicePointer | null {
  const isManaged = isOnDevice === 'managed';
  const { device } = world;
  if (device.kind !== 'number' && !isManaged) return null;
  const known = memoryByName(world);
  const key = isManaged || device.kind !== 'number' ? name : `${device.value} ${name}`;
  const before = known.get(key);
  if (before !== undefined) return { allocation: before, offset: 0 };
  const allocation = createAllocation(world, lastPart(name), span, 'external', null);
  world.allocations[allocation] = {
    ...world.allocations[allocation]!,
    isVariable: true,
    ...(isManaged ? { isManagedVariable: true } : {}),
  };
  known.set(key, allocation);
  return { allocation, offset: 0 };
}

/** The variable that an argument names: `table`, `&counter`, `(const void *)table`. */
function symbolNamed(world: World, scope: Scope, given: Expression | undefined): DevicePointer | null {
  if (!given) return null;
  if (given.kind === 'cast') return symbolNamed(world, scope, given.operand);
  if (given.kind === 'unary' && given.operator === '&') return symbolNamed(world, scope, given.operand);
  if (given.kind !== 'name') return null;
  const entry = lookUp(scope, given.name);
  if (entry && isThunk(entry)) return symbolNamed(world, entry.scope, entry.expressions[0]);
  const symbol = symbolsOf(world.program).get(given.name);
  return symbol ? memoryOf(world, given.name, symbol) : null;
}

/** What a copy from or to a variable of the device does to it: `symbolReads` and `symbolWrites` name the argument, `symbolOffset` the one with the bytes before. */
export function symbolAccesses(context: EffectContext, effect: ModelEffect, extent: Pick<Access, 'extent'>): Access[] {
  const out: Access[] = [];
  for (const [field, mode] of [
    ['symbolReads', 'read'],
    ['symbolWrites', 'write'],
  ] as const) {
    const path = effect[field];
    if (typeof path !== 'string') continue;
    const pointer = symbolNamed(context.world, context.scope, argumentOf(context, path)?.expression);
    if (!pointer) continue;
    const before = typeof effect['symbolOffset'] === 'string' ? pathValue(context, effect['symbolOffset']) : null;
    const isGiven = argumentOf(context, String(effect['symbolOffset'])) !== null;
    const offset = !isGiven ? 0 : before?.kind === 'number' ? before.value : null;
    out.push({ pointer: { ...pointer, offset }, mode, ...extent });
  }
  return out;
}

/** `cudaGetSymbolAddress(&p, table)`. */
export function giveSymbolAddress(context: EffectContext): void {
  const pointer = symbolNamed(context.world, context.scope, argumentOf(context, 'arg1')?.expression);
  const cell = pathCell(context, '*arg0');
  if (pointer && cell) cell.value = { kind: 'device', ...pointer, elementBytes: null };
}
