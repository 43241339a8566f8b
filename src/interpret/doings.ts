/** Whether a piece of a run has done anything: called, assigned, made or launched something. What has not leaves all as it was. */

import type { World } from './world.ts';

/** Something is done that may leave its mark. */
export function noteDoing(world: World): void {
  world.doings++;
}

/** To be compared with what it is later: all that a run leaves its mark by. */
export interface Marks {
  readonly doings: number;
  readonly events: number;
  readonly decisions: number;
  readonly accesses: number;
}

export function marksOf(world: World): Marks {
  const { events, decisions, hostAccesses } = world;
  return {
    doings: world.doings,
    events: events.length,
    decisions: decisions.size,
    accesses: hostAccesses.length,
  };
}

/** Whether nothing has been done since. */
export function isUnmarked(world: World, { doings, events, decisions, accesses }: Marks): boolean {
  return (
    world.doings === doings &&
    world.events.length === events &&
    world.decisions.size === decisions &&
    world.hostAccesses.length === accesses
  );
}
