/**
 * Parts of the program that CUDA sees nothing of: host loops and functions that only calculate. They are run as they stand
 * while they are short, because sizes and indices come from them, and given up when they are long.
 */

import type { Acting } from '../../trace/decision.ts';
import { noteDoing } from '../doings.ts';
import type { World } from '../world.ts';

/** Steps for the outermost quiet loop or function. */
const quietSteps = 2_500;
/** What it gets when the run has spent {@link World.quietStepsLeft} on those before it. */
const leastQuietSteps = 100;
/** How far the run may exceed that, in all; afterwards no quiet function is run. */
const mostExceeded = 20_000;

/** Most for a loop of which it is known when it ends. */
const mostForALoop = 4_000;

/** Steps after which a function or loop that might have acted, and did not, counts as quiet. */
const trialSteps = 500;

/** How things stood outside. */
export interface Outside {
  readonly quietUntil: number | null;
  readonly trial: World['trial'];
  readonly steps: number;
}

export function beforeQuiet(world: World): Outside {
  return { quietUntil: world.quietUntil, trial: world.trial, steps: world.steps };
}

/** From here on what runs is quiet. */
export function enterQuiet(world: World): void {
  if (world.quietUntil !== null) return;
  world.quietUntil = world.steps + Math.max(leastQuietSteps, Math.min(quietSteps, world.quietStepsLeft));
}

/** The run has spent so much on quiet parts that it does without what they calculate. */
export function isQuietSpent(world: World): boolean {
  return world.quietStepsLeft < -mostExceeded;
}

/** Whether a quiet loop that needs so many more steps to come to its end is to run on; it gets them if it is. */
export function isWorth(world: World, steps: number): boolean {
  if (world.quietUntil === null) return true;
  const more = world.steps + steps - world.quietUntil;
  if (more <= 0) return true;
  if (steps > mostForALoop || more > world.extraQuietSteps) return false;
  world.extraQuietSteps -= more;
  world.quietStepsLeft += more;
  world.quietUntil += more;
  return true;
}

/** Behind the part: as outside again. */
export function leaveQuiet(world: World, outside: Outside): void {
  if (outside.quietUntil === null && world.quietUntil !== null) world.quietStepsLeft -= world.steps - outside.steps;
  world.quietUntil = outside.quietUntil;
  world.trial = outside.trial;
}

/** What is done once, for whoever comes first, gets steps of its own: the part that comes first is no longer than the same part later. */
export function aside(world: World): Outside {
  const outside = beforeQuiet(world);
  world.trial = null;
  if (outside.quietUntil !== null) {
    world.quietUntil = null;
    enterQuiet(world);
  }
  return outside;
}

/** Behind {@link aside}: as outside again, where no step was made. */
export function backFromAside(world: World, outside: Outside): void {
  if (outside.quietUntil !== null) world.quietStepsLeft -= world.steps - outside.steps;
  if (outside.quietUntil !== null || outside.trial) world.steps = outside.steps;
  world.quietUntil = outside.quietUntil;
  world.trial = outside.trial;
}

/** A part begins that only calls what nobody here knows: perhaps it does nothing. */
export function enterTrial(world: World): void {
  const length = traceLength(world);
  if (world.trial?.length !== length) world.trial = { steps: world.steps, length, isOver: null };
}

/** Runs a function's body: as a quiet part where it calls nothing, on trial where nobody here knows what it calls. */
export function asFarAsItActs<T>(world: World, acts: Acting, run: () => T): T {
  noteDoing(world);
  const outside = beforeQuiet(world);
  if (acts === 'never') enterQuiet(world);
  else if (acts === 'perhaps') enterTrial(world);
  const result = run();
  leaveQuiet(world, outside);
  return result;
}

/** Whether the part under trial has shown by now that it does nothing. */
function trialIsOver(world: World): boolean {
  return (
    world.trial !== null && world.steps - world.trial.steps > trialSteps && traceLength(world) === world.trial.length
  );
}

/** Grows with everything that CUDA sees, or might. */
function traceLength(world: World): number {
  return world.events.length + world.handles.length + world.allocations.length;
}

/** What is left of a part that calls what nobody here knows may wait for something; a loop inside it that only calculates does not. */
export function noteLeft(world: World): void {
  if (world.trial && world.trial.isOver !== null) world.unknownAt = world.events.length;
}

/** Whether the steps of the quiet part under way are spent. */
export function isUsedUp(world: World): boolean {
  return world.quietUntil !== null && world.steps > world.quietUntil;
}

/** Whether the quiet part under way has had its share. */
export function isGivenUp(world: World): boolean {
  const { trial } = world;
  if (world.quietUntil === null && trial && trialIsOver(world)) {
    enterQuiet(world);
    world.trial = { ...trial, isOver: world.events.length };
  } else if (trial && trial.isOver !== null && world.events.length !== trial.isOver) {
    // It did act after all, late.
    world.quietUntil = null;
    world.trial = null;
  }
  const isOver = isUsedUp(world);
  if (isOver) noteLeft(world);
  return isOver;
}
