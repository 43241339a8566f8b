/**
 * Threads of the program. Each runs where it is started, as far as it goes. One that waits for what is not there yet is parked
 * there: it goes on when somebody tells those who wait, or waits for it.
 */

import type { Declaration } from '../program/program.ts';
import { keptByRun } from './kept-by-run.ts';
import { bind, createScope, namesOf, type Scope, type Thunk } from './scope.ts';
import { type Completion, endScope } from './statements/execute.ts';
import { type Cell, type Value, zero } from './value.ts';
import { emit, type World } from './world.ts';

/** Goes on with what was left where a thread was parked. */
export type Resume = () => Completion;

/** Leaves a thread from the place where it waits; blocks, loops and functions on the way say how it goes on in them. */
export class ParkSignal {
  /** The scopes that are still open, the innermost first. */
  readonly scopes: Scope[] = [];
  /** It left a function on the way, or a wait that says what came of it, and no statement yet: the result is still asked for. */
  isResultAsked = false;
  /** The device that the thread has chosen. */
  device: Value = zero;
  /** Its `cudaStreamPerThread`. */
  ownStream: number | null = null;
  /** As {@link Threads.own}; null until it is left. */
  own: Scope | null = null;
  /** The coroutine that is suspended; null where a thread waits. */
  coroutine: object | null = null;
  constructor(public resume: Resume) {}
}

/** The thread under way ends here, and what is in its scopes with it. */
export class ThreadEndSignal {}

/** The threads of a run. */
export interface Threads {
  /** How many threads are under way inside one another; 0 where the program's own runs. */
  depth: number;
  parked: ParkSignal[];
  /** `cudaStreamPerThread` of the thread under way; null until a thread other than the first has asked for it. */
  ownStream: number | null;
  /** The variables that the thread under way has for itself; null in the program's own, whose are the program's. */
  own: Scope | null;
  /** Variables outside of functions of which each thread has one, by name. */
  readonly ofEach: Map<string, Declaration>;
}

/**
 * Runs a thread, or what is left of one, until it ends or waits. Each has a device of its own, which is the first one when it begins,
 * a stream of its own, and its `thread_local` variables, which end with it.
 */
export function runThread(
  world: World,
  run: () => unknown,
  { device, ownStream, own }: Pick<ParkSignal, 'device' | 'ownStream' | 'own'> = afresh,
): void {
  const { threads, quietUntil, trial, tryDepth, device: outer } = world;
  const mark = world.temporaries.length;
  const outerStream = threads.ownStream;
  threads.depth++;
  threads.ownStream = ownStream;
  const outerOwn = threads.own;
  const outerVariables = new Map<string, Cell | Thunk>();
  threads.own = own ?? createScope(world.globals);
  const variables = namesOf(threads.own);
  changeVariables(world, outerVariables, variables);
  chooseDevice(world, device);
  try {
    untilItEnds(run);
    endScope(world, threads.own);
  } catch (signal) {
    if (!(signal instanceof ParkSignal)) throw signal;
    world.temporaries.length = mark;
    signal.device = world.device;
    signal.ownStream = threads.ownStream;
    signal.own = threads.own;
    threads.parked.push(signal);
  } finally {
    threads.depth--;
    threads.ownStream = outerStream;
    changeVariables(world, variables, outerVariables);
    threads.own = outerOwn;
    chooseDevice(world, outer);
    Object.assign(world, { quietUntil, trial, tryDepth });
  }
}

/** Runs what a thread does, which may end it with a call. */
function untilItEnds(run: () => unknown): void {
  try {
    run();
  } catch (signal) {
    if (!(signal instanceof ThreadEndSignal)) throw signal;
  }
}

const afresh = { device: zero, ownStream: null, own: null };

/** Variables of which each thread has one: those of the thread that goes on stand in the place of the others, which are kept in `left`. */
function changeVariables(
  { globals, pendingGlobals, threads }: World,
  left: Map<string, Cell | Thunk>,
  taken: ReadonlyMap<string, Cell | Thunk>,
): void {
  for (const [name, declaration] of threads.ofEach) {
    const before = globals.names?.get(name);
    const its = taken.get(name);
    if (before) left.set(name, before);
    if (its) {
      bind(globals, name, its);
      pendingGlobals.delete(name);
    } else {
      globals.names?.delete(name);
      pendingGlobals.set(name, declaration);
    }
  }
}

/** Those who wait look again whether they can go on. */
export function wakeThreads(world: World): void {
  const { threads } = world;
  if (threads.parked.length === 0) return;
  for (const signal of threads.parked.splice(0))
    runThread(
      world,
      () => {
        world.quietUntil = null;
        world.trial = null;
        signal.resume();
      },
      signal,
    );
}

/** Another thread goes on, which may have chosen another device. */
function chooseDevice(world: World, device: Value): void {
  const { device: before } = world;
  if (before === device || (before.kind === 'number' && device.kind === 'number' && before.value === device.value))
    return;
  world.device = device;
  const chosen = device.kind === 'number' ? device.value : null;
  emit(world, 'another thread', world.statement, [], { verb: 'device.set', device: chosen });
}

/**
 * The thread under way waits until that holds; the program's own goes on in any case, since it is the last that could. `isAsked`:
 * the statement that waits needs to know what came of it, and begins again.
 */
export function waitUntil(world: World, holds: () => boolean, isAsked = false): void {
  if (holds()) return;
  if (world.threads.depth > 0) {
    const signal = new ParkSignal(() => goOn(world, holds));
    signal.isResultAsked = isAsked;
    throw signal;
  }
  wakeThreads(world);
}

function goOn(world: World, holds: () => boolean): Completion {
  waitUntil(world, holds);
  return undefined;
}

/** The program ends: what threads that still wait have in their scopes goes, too. */
export function endThreads(world: World): void {
  wakeThreads(world);
  for (const { scopes, own } of world.threads.parked.splice(0)) endScopes(world, own ? [...scopes, own] : scopes);
}

/** What is left where nobody goes on ends, from the innermost scope to the outermost. */
export function endScopes(world: World, scopes: readonly Scope[]): void {
  for (const scope of scopes) endScope(world, scope);
}

/** The threads that run a function of the program for sure, by what each has for itself. */
const numbered = keptByRun(() => new Map<Scope, number>());

/** The thread under way is one of its own, whoever waits for it: none that a function may run in its caller's. */
export function noteThread(world: World): void {
  const { own } = world.threads;
  if (own) numbered(world).set(own, numbered(world).size + 1);
}

/** The number of the thread under way: 0 is the program's own; null where it may be another one's. */
export function threadUnderWay(world: World): number | null {
  const { depth, own } = world.threads;
  return depth === 0 ? 0 : ((own && numbered(world).get(own)) ?? null);
}
