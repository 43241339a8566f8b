/** How deep functions that call themselves are followed. */

import type { World } from '../world.ts';

/** Calls of one function inside itself that are followed where nobody knows whether they come to an end; more of one that only calculates. */
const maximumRecursion = 8;
const maximumQuietRecursion = 32;
/** A function that has been that deep more often than this, as one that calls itself twice without an end, is followed less deep. */
const mostEndless = 32;
const deepestWhenEndless = 2;
/** Of what a run may cost, the part that may be spent before such calls are left. */
const share = 0.5;

/** How many calls of the function inside itself are followed; null where one more is. */
export function recursionLimit(world: World, name: string, isQuiet: boolean): number | null {
  const most = isQuiet ? maximumQuietRecursion : maximumRecursion;
  const endless = world.endless.get(name) ?? 0;
  const underWay = callsUnderWay(world, name);
  if (underWay < (endless > mostEndless ? deepestWhenEndless : most)) return null;
  if (endless <= mostEndless && hasKnownEnd(world, name)) return null;
  world.endless.set(name, endless + 1);
  return most;
}

/** Calls nest as deep as they may: those of the function that stands in itself do not come to their end. */
export function noteTooDeep(world: World, name: string): void {
  if (callsUnderWay(world, name) > 0) world.endless.set(name, mostEndless + 1);
}

function callsUnderWay({ frames }: World, name: string): number {
  let count = 0;
  for (let index = 0; index < frames.length; index++) if (frames[index]!.name === name) count++;
  return count;
}

/** Since the outermost of the calls nothing had to be chosen: how deep they go is known, as is what ends them. */
function hasKnownEnd({ frames, askedBefore, asked, steps, events, budget }: World, name: string): boolean {
  const outermost = frames.findIndex((frame) => frame.name === name);
  return askedBefore[outermost] === asked && steps < budget.steps * share && events.length < budget.events * share;
}
