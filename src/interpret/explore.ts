/**
 * The paths through a program that are looked at.
 *
 * The first run takes every open choice as an ordinary run would. Then each choice is turned once, alone: those between
 * different calls of CUDA first, then those that leave early, then those that only choose a value. Choices that only appear
 * on a turned path are turned too while the budget lasts.
 */

import type { ModelTable } from '../models/model.ts';
import type { Trace } from '../trace/event.ts';
import type { Entry } from './entries.ts';
import type { ProgramTable } from './program-table.ts';
import { runEntry } from './run.ts';
import { defaultBudget } from './world.ts';

export interface Path {
  readonly trace: Trace;
  /** The choice turned, null on the ordinary path. */
  readonly turned: string | null;
  /** The turn leaves early (an error path): what is missing there proves nothing. */
  readonly leavesEarly: boolean;
}

/** Steps that may still be spent on a program, over all its entries and paths. */
export interface Allowance {
  left: number;
}

/** What one program may cost: about a second. */
export const programSteps = 700_000;

/** Choices of one path that are followed up. */
const maximumChoices = 40;

/** Steps for all paths but the ordinary one; three times its own if that is more. */
const leastPathSteps = 20_000;

/** Steps from which on a run is long, and choices that only make a value are mostly left as they are. */
const longRun = 2_000;
const mostValueChoices = 3;

/** Most paths looked at from one entry. */
const maximumPaths = 12;

export function explore(
  program: ProgramTable,
  models: ModelTable,
  entry: Entry,
  isCancelled: () => boolean,
  allowance: Allowance = { left: programSteps },
): readonly Path[] {
  const run = (preset: ReadonlyMap<string, boolean>, most: number): Trace => {
    const steps = Math.max(minimumSteps, Math.min(most, allowance.left));
    const trace = runEntry(program, models, entry, preset, isCancelled, { ...defaultBudget, steps });
    allowance.left -= trace.steps;
    return trace;
  };
  const ordinary = run(new Map(), defaultBudget.steps);
  const paths: Path[] = [{ trace: ordinary, turned: null, leavesEarly: false }];
  if (ordinary.events.length === 0 && ordinary.decisions.length === 0) return paths;
  const seen = new Set<string>();
  const queues: { preset: Map<string, boolean>; turned: string; leavesEarly: boolean }[][] = [[], [], []];
  const enqueue = (trace: Trace, preset: ReadonlyMap<string, boolean>): void => {
    for (const decision of trace.decisions.slice(0, maximumChoices)) {
      if (seen.has(decision.key) || seen.size > maximumChoices) continue;
      seen.add(decision.key);
      queues[decision.acts ? 0 : decision.otherExits ? 1 : 2]!.push({
        preset: new Map([...preset, [decision.key, !decision.taken]]),
        turned: decision.key,
        leavesEarly: decision.otherExits,
      });
    }
  };
  enqueue(ordinary, new Map());
  let stepsLeft = Math.max(leastPathSteps, ordinary.steps * 3);
  const most = ordinary.events.length > 1500 ? 4 : ordinary.events.length > 400 ? 6 : maximumPaths;
  let values = ordinary.steps > longRun ? mostValueChoices : maximumPaths;
  while (paths.length < most && allowance.left > 0 && stepsLeft > 0) {
    const queue = queues.find((each) => each.length > 0);
    const next = queue?.shift();
    if (!next || (queue === queues[2] && values-- <= 0)) break;
    const trace = run(next.preset, ordinary.steps * 2 + minimumSteps);
    stepsLeft -= trace.steps;
    paths.push({
      trace,
      turned: next.turned,
      leavesEarly: next.leavesEarly || trace.end !== 'complete',
    });
    enqueue(trace, next.preset);
  }
  return paths;
}

/** Enough to start with, however little is left. */
const minimumSteps = 2_000;
