/** Atomic variables that another thread has changed: when it did so the text does not say, so what the program's own reads of them is open. */

import { keptByRun } from './kept-by-run.ts';
import type { Cell } from './value.ts';
import type { World } from './world.ts';

interface Changes {
  readonly cells: WeakSet<Cell>;
  /** The condition of a loop is asked: others may change what it hangs on until it ends. */
  isOfLoop: boolean;
}

const changes = keptByRun<Changes>(() => ({ cells: new WeakSet(), isOfLoop: false }));

/** A thread that is not the program's own stores something in an atomic variable. */
export function noteChangedByThread(world: World, cell: Cell): void {
  changes(world).cells.add(cell);
}

/** Whether the program's own thread may find something else in an atomic variable than it holds now. */
export function mayBeChanged(world: World, cell: Cell): boolean {
  if (!world.hasThreads || world.threads.depth > 0) return false;
  const { cells, isOfLoop } = changes(world);
  return isOfLoop || cells.has(cell);
}

/** Asks for the condition of a loop. */
export function asLoopCondition<T>(world: World, ask: () => T): T {
  if (!world.hasThreads) return ask();
  const known = changes(world);
  const before = known.isOfLoop;
  known.isOfLoop = true;
  try {
    return ask();
  } finally {
    known.isOfLoop = before;
  }
}
