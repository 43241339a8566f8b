/** What the runs of a program have reached so far, and what would lead further. */

import { Attached } from '../base/attached.ts';
import type { Span } from '../base/span.ts';
import { SpanSet } from '../base/span-set.ts';
import { isDeviceCall, type ModelTable } from '../models/model.ts';
import type { BodyCall } from '../program/function-body.ts';
import type { Expression, FunctionDefinition, Statement } from '../program/program.ts';
import { eachNode, someNode } from '../program/walk.ts';
import { lastPart, type ProgramTable } from './program-table.ts';

export interface Reached {
  /** Calls of CUDA, of kernels and of unknown functions. */
  readonly called: SpanSet;
  /** Functions. */
  readonly entered: SpanSet;
}

/** `base`: what others have reached. */
export function createReached(base: Reached | null = null): Reached {
  return { called: new SpanSet(base?.called), entered: new SpanSet(base?.entered) };
}

/** What is in `all` and not in `some`. */
export function reachedWithout(
  all: Reached,
  some: { readonly called: readonly Span[]; readonly entered: readonly Span[] },
): Reached {
  return { called: difference(all.called, some.called), entered: difference(all.entered, some.entered) };
}

function difference(all: SpanSet, some: readonly Span[]): SpanSet {
  const without = new SpanSet();
  without.addAll(some);
  const left = new SpanSet();
  for (const span of all) if (!without.has(span)) left.add(span);
  return left;
}

/** Whether a piece of the program calls something of CUDA that no run has called, or a function that none has entered. */
export function leadsToNew(program: ProgramTable, models: ModelTable, piece: object, reached: Reached): boolean {
  return someNode(piece, (node) => {
    if (node.kind === 'launch') return !reached.called.has(node.span);
    if (node.kind !== 'call' || (node.callee.kind !== 'name' && node.callee.kind !== 'member')) return false;
    const name = lastPart(node.callee.name);
    if (isDeviceCall(models, name)) return !reached.called.has(node.span);
    return (program.functions.get(name) ?? []).some(
      (each) => each.body !== null && !each.isKernel && !each.isDevice && !reached.entered.has(each.span),
    );
  });
}

/** The same of a whole function: its calls that do. What it calls is listed once, wherever it stands in later texts. */
export function callsNotRun(
  program: ProgramTable,
  models: ModelTable,
  definition: FunctionDefinition,
  reached: Reached,
): readonly BodyCall[] {
  const { file, start } = definition.span;
  const calls = definition.body?.calls((statements) => callsIn(statements, start)) ?? [];
  if (calls.length === 0) return calls;
  const areOfDevice = ofDevice(models, calls);
  return calls.filter(({ name, from, to }, index) => {
    if (areOfDevice[index]) return !reached.called.hasAt(file, start + from, start + to);
    return (program.functions.get(name) ?? []).some(
      (each) => each.body !== null && !each.isKernel && !each.isDevice && !reached.entered.has(each.span),
    );
  });
}

const callsOfDevice = new WeakMap<ModelTable, Attached<readonly BodyCall[], readonly boolean[]>>();

/** Which of the calls are of CUDA, or launches: asked once of a body, as its list of calls is. */
function ofDevice(models: ModelTable, calls: readonly BodyCall[]): readonly boolean[] {
  const known = callsOfDevice.get(models) ?? new Attached<readonly BodyCall[], readonly boolean[]>();
  callsOfDevice.set(models, known);
  let are = known.get(calls);
  if (are === undefined) {
    are = calls.map(({ name }) => name === '<<<' || isDeviceCall(models, name));
    known.set(calls, are);
  }
  return are;
}

function callsIn(statements: readonly Statement[], start: number): readonly BodyCall[] {
  const calls: BodyCall[] = [];
  eachNode(statements, (node) => {
    if (node.kind !== 'launch' && node.kind !== 'call') return;
    const name =
      node.kind === 'launch'
        ? '<<<'
        : node.callee.kind === 'name' || node.callee.kind === 'member'
          ? lastPart(node.callee.name)
          : null;
    if (name !== null) calls.push({ name, from: node.span.start - start, to: node.span.end - start });
  });
  return calls;
}

/**
 * The variables and members that decide, in functions that were entered, whether a call is made that no run has made: `n` of
 * `for (i = 1; i < n; i++) launch(i);`.
 */
export function decidersOfNew(
  program: ProgramTable,
  models: ModelTable,
  entered: ReadonlySet<Span>,
  reached: Reached,
): ReadonlySet<string> {
  const names = new Set<string>();
  const byPlace = definitionsByPlace(program);
  for (const span of entered) {
    const body = byPlace.get(placeOf(span))?.body;
    if (!body || !leadsToNew(program, models, body.statements, reached)) continue;
    eachNode(body.statements, (node) => {
      if (node.kind !== 'loop' && node.kind !== 'if') return;
      const arms = node.kind === 'loop' ? [node.body] : [node.whenTrue, node.whenFalse];
      if (node.condition && arms.some((arm) => arm && leadsToNew(program, models, arm, reached)))
        addNamesIn(node.condition, names);
    });
  }
  return names;
}

const places = new Attached<
  ProgramTable,
  { readonly size: number; readonly byPlace: ReadonlyMap<string, FunctionDefinition> }
>();

/** Every function with a body, by where it stands. */
function definitionsByPlace(program: ProgramTable): ReadonlyMap<string, FunctionDefinition> {
  const known = places.get(program);
  // Local classes join while the program runs.
  if (known?.size === program.functions.size) return known.byPlace;
  const byPlace = new Map<string, FunctionDefinition>();
  for (const definitions of program.functions.values())
    for (const each of definitions) if (each.body) byPlace.set(placeOf(each.span), each);
  places.set(program, { size: program.functions.size, byPlace });
  return byPlace;
}

function placeOf({ file, start }: Span): string {
  return `${file} ${start}`;
}

function addNamesIn(condition: Expression, names: Set<string>): void {
  eachNode(condition, (node) => {
    if (node.kind === 'name' || node.kind === 'member') names.add(lastPart(node.name));
  });
}
