/** Memory of which nobody has the address any more: when a function that was run on its own returns, and when its variable gets another one. */

import { runningIn } from './calls/other-function.ts';
import { entryOf } from './cuda/out-of-reach.ts';
import { isGivenToCudaOnly } from './kept-nowhere.ts';
import { isThunk, type Scope } from './scope.ts';
import type { Cell, Value } from './value.ts';
import type { World } from './world.ts';

/**
 * Stream-ordered allocations that nothing leads to from outside: from what the function returns, its parameters and object, or the globals.
 * Behind a test, whose fixture has ended, those of graphs as well: nobody launches them any more.
 */
export function lostMemory(
  world: World,
  scope: Scope,
  parameters: readonly string[],
  returned: Value | null,
  isTest: boolean,
): number[] {
  const made = world.allocations.flatMap(({ origin }, id) =>
    origin === 'stream' || (isTest && origin === 'graph') ? [id] : [],
  );
  // An object that is returned may have been given it by a constructor that is not followed.
  if (made.length === 0 || world.mayFail || (returned && !isPlain(returned))) return [];
  const open: Value[] = returned ? [returned] : [];
  for (const name of parameters) {
    const entry = scope.names?.get(name);
    if (entry && !isThunk(entry)) open.push(entry.value);
  }
  if (scope.self && !isTest) open.push({ kind: 'record', record: scope.self });
  const held = heldFrom(world, open);
  return made.filter((id) => !held.has(id));
}

/**
 * What is lost when a variable gets another address: memory of CUDA's that it alone holds, a variable of the function under way, and that
 * the function has asked for itself. Null where nothing is, or nobody can tell.
 */
export function lostByStoring(world: World, scope: Scope, cell: Cell): number | null {
  const { value } = cell;
  if (value.kind !== 'device' || world.mayFail || world.openCaptures > 0 || !isOwnVariable(world, scope, cell))
    return null;
  const { allocation } = value;
  const { origin } = world.allocations[allocation]!;
  if (origin !== 'device' && origin !== 'managed' && origin !== 'host') return null;
  if (world.gone.allocations.has(allocation) || world.allocationDepths[allocation] !== world.frames.length) return null;
  const running = runningIn(world).at(-1) ?? entryOf(world)[0];
  if (!running || !isGivenToCudaOnly(world, running, cell.name)) return null;
  const open: Value[] = [];
  for (let each: Scope | null = scope; each?.parent; each = each.parent) {
    for (const entry of each.names?.values() ?? []) if (!isThunk(entry) && entry !== cell) open.push(entry.value);
    if (each.self) open.push({ kind: 'record', record: each.self });
  }
  return heldFrom(world, open, cell).has(allocation) ? null : allocation;
}

/** Declared in the function that runs, and there only while it does. */
function isOwnVariable(world: World, scope: Scope, cell: Cell): boolean {
  if (cell.owner !== null || [...world.statics.values()].includes(cell)) return false;
  for (let each: Scope | null = scope; each?.parent; each = each.parent)
    if (each.names?.get(cell.name) === cell) return !each.references?.has(cell.name);
  return false;
}

/** Allocations that values lead to, or what is there for the whole run. `except`: a variable that does not count. */
function heldFrom(world: World, open: Value[], except: Cell | null = null): ReadonlySet<number> {
  const follow = (cells: Iterable<Cell>): void => {
    for (const cell of cells) if (cell !== except) open.push(cell.value);
  };
  const followScope = (from: Scope): void => {
    open.push(...valuesIn(from, except));
  };
  followScope(world.globals);
  for (const own of [world.threads.own, ...world.threads.parked.map((each) => each.own)]) if (own) followScope(own);
  follow(world.statics.values());
  follow(world.externalResults.values());
  open.push(...world.externals.values(), ...world.unseenArrays.values());
  follow(world.unseenObjects.values());
  for (const { ofPlain, others } of world.gotten.values())
    for (const calls of [ofPlain.values(), ...others.values()]) for (const { cell } of calls) follow([cell]);
  return new Set([...world.entrusted, ...memoryLedTo(open, except)]);
}

/** What the variables of a block hold. */
function valuesIn({ names }: Scope, except: Cell | null): Value[] {
  return [...(names?.values() ?? [])].flatMap((entry) => (isThunk(entry) || entry === except ? [] : [entry.value]));
}

/** Allocations that values lead to. `except`: a variable that does not count. */
export function memoryLedTo(from: readonly Value[], except: Cell | null = null): ReadonlySet<number> {
  const held = new Set<number>();
  const seen = new Set<object>();
  const open = [...from];
  const follow = (cells: Iterable<Cell>): void => {
    for (const cell of cells) if (cell !== except) open.push(cell.value);
  };
  for (let value = open.pop(); value; value = open.pop()) {
    if (value.kind === 'device') held.add(value.allocation);
    const inside = insideOf(value);
    if (inside === null || seen.has(inside)) continue;
    seen.add(inside);
    if (value.kind === 'record') follow(value.record.fields.values());
    else if (value.kind === 'sequence') follow(value.sequence.cells.values());
    else if (value.kind === 'pointer') {
      if (value.cell !== except) open.push(value.cell.value);
      if (value.sequence) follow(value.sequence.cells.values());
    } else if (value.kind === 'closure')
      for (let each: Scope | null = value.scope; each?.parent; each = each.parent) open.push(...valuesIn(each, except));
  }
  return held;
}

function isPlain({ kind }: Value): boolean {
  return kind === 'number' || kind === 'symbol' || kind === 'device' || kind === 'handle';
}

/** What tells whether somebody was there already; null where nothing is inside. */
function insideOf(value: Value): object | null {
  switch (value.kind) {
    case 'record':
      return value.record;
    case 'sequence':
      return value.sequence;
    case 'pointer':
      return value.sequence ?? value.cell;
    case 'closure':
      return value.scope;
    default:
      return null;
  }
}
