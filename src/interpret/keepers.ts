/** Lambdas that own something, and what those of them have that nobody has followed to their end. */

import { keptByRun } from './kept-by-run.ts';
import { memoryLedTo } from './lost-memory.ts';
import type { Scope } from './scope.ts';
import type { Value } from './value.ts';
import type { World } from './world.ts';

/** What they have captured, by which they go. */
const keepers = keptByRun(() => new Set<Scope>());

/** A lambda has an object of its own from now on. */
export function noteKeeper(world: World, captured: Scope): void {
  keepers(world).add(captured);
}

/** Memory that functions have which call CUDA where they must not: what they do with it is reported there. */
const ofCallbacks = keptByRun(() => new Set<number>());

/** A stream or a graph calls such a function with these. */
export function noteGivenToCallback(world: World, given: readonly Value[]): void {
  for (const allocation of memoryLedTo(given)) ofCallbacks(world).add(allocation);
}

/** When the run is over: memory that lambdas still have. Somebody who is not followed may have ended them, and it with them. */
export function keptToTheEnd(world: World): number[] {
  const owned = [...keepers(world)].flatMap((captured) => captured.owned.map(({ value }) => value));
  return [...ofCallbacks(world), ...(owned.length === 0 ? [] : memoryLedTo(owned))];
}
