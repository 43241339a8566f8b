/**
 * Threads of the program. Each runs where it is started, as far as it goes. One that waits for what is not there yet is parked
 * there: it goes on when somebody tells those who wait, or waits for it.
 */

import type { Scope } from './scope.ts';
import type { Completion } from './statements/execute.ts';
import { type Value, zero } from './value.ts';
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
  constructor(public resume: Resume) {}
}

/** The threads of a run. */
export interface Threads {
  /** How many threads are under way inside one another; 0 where the program's own runs. */
  depth: number;
  parked: ParkSignal[];
  /** `cudaStreamPerThread` of the thread under way; null until a thread other than the first has asked for it. */
  ownStream: number | null;
}

/**
 * Runs a thread, or what is left of one, until it ends or waits. Each has a device of its own, which is the first one when it begins,
 * and a stream of its own.
 */
export function runThread(
  world: World,
  run: () => unknown,
  { device, ownStream }: Pick<ParkSignal, 'device' | 'ownStream'> = { device: zero, ownStream: null },
): void {
  const { threads, quietUntil, trial, tryDepth, device: outer } = world;
  const mark = world.temporaries.length;
  const outerStream = threads.ownStream;
  threads.depth++;
  threads.ownStream = ownStream;
  chooseDevice(world, device);
  try {
    run();
  } catch (signal) {
    if (!(signal instanceof ParkSignal)) throw signal;
    world.temporaries.length = mark;
    signal.device = world.device;
    signal.ownStream = threads.ownStream;
    threads.parked.push(signal);
  } finally {
    threads.depth--;
    threads.ownStream = outerStream;
    chooseDevice(world, outer);
    Object.assign(world, { quietUntil, trial, tryDepth });
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
export function endThreads(world: World, endScope: (world: World, scope: Scope) => void): void {
  wakeThreads(world);
  for (const { scopes } of world.threads.parked.splice(0)) for (const scope of scopes) endScope(world, scope);
}
