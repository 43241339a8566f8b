/** What judging an entry takes, whichever runs it is judged by: all that belongs to the program, and what earlier texts gave. */

import type { SourceText } from '../base/source-text.ts';
import { buildFacts } from '../checks/facts.ts';
import type { CheckedPath, TryOut } from '../checks/run.ts';
import type { ClosureTable } from '../interpret/closure.ts';
import type { Entry } from '../interpret/entries.ts';
import { type Allowance, explore, type Path, programSteps, takenThisWay } from '../interpret/explore.ts';
import type { ProgramTable } from '../interpret/program-table.ts';
import { createReached, type Reached } from '../interpret/reached.ts';
import { nothingTurned, type TurnedChoices, type Uneventful } from '../interpret/uneventful.ts';
import type { ModelTable } from '../models/model.ts';
import { bodiesOf, consulting, createConsulted } from '../program/consulted.ts';
import type { EntryDetails, EntryResult } from './entry-result.ts';
import type { ItemsFor, LeftIn, ResultCache } from './result-cache.ts';

export interface Judging {
  readonly program: ProgramTable;
  readonly models: ModelTable;
  readonly sources: ReadonlyMap<string, SourceText>;
  readonly allowance: Allowance;
  readonly closures: ClosureTable | null;
  readonly cache: ResultCache | null;
  /** Called now and then; may throw to end it all. */
  readonly check: () => void;
  readonly isCancelled: () => boolean;
}

/**
 * What an entry gives: kept from an earlier text, or found by `run` now and kept for later ones. `run` is called again, with the
 * result that it gave before, for who wants more than the findings. Either way its steps are taken from the allowance.
 */
export function keptOrRun(
  { cache, closures }: Judging,
  entry: Entry,
  allowance: Allowance,
  run: (allowance: Allowance, before: EntryResult | null) => EntryResult,
  leftIn: LeftIn = () => '',
): EntryResult {
  const itemsFor: ItemsFor = (bodies) => closures && entry.definition && closures.of(entry.definition, bodies);
  const again = (): EntryDetails => run({ left: programSteps }, result).full();
  const kept = cache?.find(entry, itemsFor, again, leftIn) ?? null;
  const consulted = createConsulted();
  const result = kept ?? consulting(consulted, () => run(allowance, null));
  if (kept) allowance.left -= kept.steps;
  else if (cache && allowance.left > 0) {
    const bodies = bodiesOf(consulted);
    const items = itemsFor(bodies);
    if (items) cache.keep(result, bodies, items, leftIn(bodies));
  }
  return result;
}

/** The paths of an entry that say something of their own, and what its runs tried, reached and cost. */
export interface Explored {
  readonly checked: readonly CheckedPath[];
  readonly turned: ReadonlySet<string>;
  readonly choices: TurnedChoices;
  readonly reached: Reached;
  /** What was spent so far. */
  readonly steps: () => number;
  readonly tryOut: TryOut;
  /** So little was left that choices may not have been turned. */
  readonly isShortOfSteps: boolean;
}

export function explored(
  { program, models, check, isCancelled }: Judging,
  entry: Entry,
  allowance: Allowance,
  uneventful: Uneventful = nothingTurned,
): Explored {
  const before = allowance.left;
  const reached = createReached();
  const options = { isCancelled, allowance, reached, uneventful };
  const paths = explore(program, models, entry, options);
  const checkable = ({ trace, leavesEarly, isRepeat, preset }: Path): readonly CheckedPath[] => {
    check();
    return isRepeat ? [] : [{ facts: buildFacts(trace, check), leavesEarly, preset }];
  };
  const tried = paths.filter(({ places }) => places.length > 0);
  const isShortOfSteps = allowance.left < programSteps / 4;
  // A run that was cut off for want of steps shows nothing of what lies behind its choice.
  const shown = isShortOfSteps ? paths.filter(({ trace }) => trace.end !== 'budget') : paths;
  return {
    checked: paths.flatMap(checkable),
    turned: new Set(shown.flatMap((path) => path.turned ?? [])),
    choices: {
      same: tried.filter(({ isRepeat }) => isRepeat).map(({ places }) => places),
      other: tried.filter(({ isRepeat }) => !isRepeat).map(({ places }) => places),
    },
    reached,
    steps: () => before - allowance.left,
    tryOut: (choices) => {
      const path = takenThisWay(program, models, entry, options, paths[0]!, choices);
      return path && checkable(path);
    },
    isShortOfSteps,
  };
}
