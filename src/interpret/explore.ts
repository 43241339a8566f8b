/**
 * The paths through a program that are looked at.
 *
 * The first run takes every open choice as an ordinary run would. Then each choice is turned once, alone; choices that
 * only appear on a turned path are turned too while the budget lasts.
 */

import type { ModelTable } from '../models/model.ts';
import type { Trace } from '../trace/event.ts';
import type { Entry } from './entries.ts';
import type { ProgramTable } from './program-table.ts';
import { runEntry } from './run.ts';

export interface Path {
  readonly trace: Trace;
  /** The choice turned, null on the ordinary path. */
  readonly turned: string | null;
  /** The turn leaves early (an error path): what is missing there proves nothing. */
  readonly leavesEarly: boolean;
}

/** Most paths looked at from one entry. */
const maximumPaths = 12;

export function explore(
  program: ProgramTable,
  models: ModelTable,
  entry: Entry,
  isCancelled: () => boolean,
): readonly Path[] {
  const ordinary = runEntry(program, models, entry, new Map(), isCancelled);
  const paths: Path[] = [{ trace: ordinary, turned: null, leavesEarly: false }];
  if (ordinary.events.length === 0 && ordinary.decisions.length === 0) return paths;
  const seen = new Set<string>();
  const queue: { preset: Map<string, boolean>; turned: string; leavesEarly: boolean }[] = [];
  const enqueue = (trace: Trace, preset: ReadonlyMap<string, boolean>): void => {
    for (const decision of trace.decisions) {
      if (seen.has(decision.key)) continue;
      seen.add(decision.key);
      queue.push({
        preset: new Map([...preset, [decision.key, !decision.taken]]),
        turned: decision.key,
        leavesEarly: decision.otherExits,
      });
    }
  };
  enqueue(ordinary, new Map());
  const budget = ordinary.events.length > 1500 ? 4 : maximumPaths;
  while (queue.length > 0 && paths.length < budget) {
    const next = queue.shift()!;
    const trace = runEntry(program, models, entry, next.preset, isCancelled);
    paths.push({ trace, turned: next.turned, leavesEarly: next.leavesEarly || trace.end !== 'complete' });
    enqueue(trace, next.preset);
  }
  return paths;
}
