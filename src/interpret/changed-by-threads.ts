/** Atomic variables that another thread has changed: when it did so the text does not say, so what the program's own reads of them is open. */

import { keptByRun } from './kept-by-run.ts';
import type { Cell } from './value.ts';
import type { World } from './world.ts';

interface Changes {
  readonly cells: WeakSet<Cell>;
  /** How many calls were under way where the condition of a loop is asked: others may change what it hangs on until it ends. */
  loopAt: number | null;
}

const changes = keptByRun<Changes>(() => ({ cells: new WeakSet(), loopAt: null }));

/** A thread that is not the program's own stores something in an atomic variable. */
export function noteChangedByThread(world: World, cell: Cell): void {
  changes(world).cells.add(cell);
}

/** Whether the program's own thread may find something else in an atomic variable than it holds now. */
export function mayBeChanged(world: World, cell: Cell): boolean {
  if (!world.hasThreads || world.threads.depth > 0) return false;
  const { cells, loopAt } = changes(world);
  return loopAt === world.frames.length || cells.has(cell);
}

/** Asks for the condition of a loop where there are threads. What it calls, `while (!queue.push(x))`, has reasons of its own to look at such a variable. */
export function asLoopCondition<T>(world: World, ask: () => T): T {
  const known = changes(world);
  const before = known.loopAt;
  known.loopAt = world.frames.length;
  try {
    return ask();
  } finally {
    known.loopAt = before;
  }
}
