/** Runs a program from all its entries and judges every path: findings, gaps, and what the runs reached. */

import type { Gap } from '../base/finding.ts';
import { once } from '../base/once.ts';
import type { SourceText } from '../base/source-text.ts';
import type { Facts } from '../checks/facts.ts';
import { checkPaths } from '../checks/run.ts';
import { createClosureTable } from '../interpret/closure.ts';
import { type Entry, findEntries, findUnentered } from '../interpret/entries.ts';
import { type Allowance, programSteps } from '../interpret/explore.ts';
import type { ProgramTable } from '../interpret/program-table.ts';
import { createReached, type Reached } from '../interpret/reached.ts';
import { nothingTurned, type Uneventful, withTurned } from '../interpret/uneventful.ts';
import { Cancelled } from '../interpret/world.ts';
import type { ModelTable } from '../models/model.ts';
import { graphsBuilt } from '../scene/function-summaries.ts';
import { definitionsByBody, uneventfulIn } from './bodies.ts';
import type { EntryResult } from './entry-result.ts';
import { judgeFailingCalls } from './failing-calls.ts';
import { explored, type Judging, keptOrRun } from './judging.ts';
import { judgeLives } from './object-lives.ts';
import type { ResultCache } from './result-cache.ts';

export interface Judgement {
  /** One an entry, in order. */
  readonly results: readonly EntryResult[];
  /** What was found on paths that the callers seen do not take. */
  readonly rest: readonly EntryResult[];
  readonly gaps: Map<string, Gap>;
  readonly reached: Reached;
}

/** Throws {@link Cancelled} when `isCancelled` turns true. `cache`: what an earlier text of the same file gave; null when no later text is to come. */
export function judgeProgram(
  program: ProgramTable,
  models: ModelTable,
  sources: ReadonlyMap<string, SourceText>,
  file: string,
  isCancelled: () => boolean,
  cache: ResultCache | null,
): Judgement {
  const check = (): void => {
    if (isCancelled()) throw new Cancelled();
  };
  const allowance = { left: programSteps };
  const closures = cache && createClosureTable(program, cache.closures, check);
  const judging: Judging = { program, models, sources, allowance, closures, cache, check, isCancelled };
  const results: EntryResult[] = [];
  const reached = createReached();
  const gaps = new Map<string, Gap>();
  const note = (gap: Gap): void => {
    gaps.set(`${gap.kind} ${gap.name} ${gap.span.file}:${gap.span.start}`, gap);
  };
  let uneventful = nothingTurned;
  const byBody = once(() => definitionsByBody(program));
  const run = (entry: Entry): void => {
    check();
    const before = uneventful;
    const leftOutIn = once(() => uneventfulIn(byBody, before));
    const result = keptOrRun(
      judging,
      entry,
      allowance,
      (steps) => runEntry(judging, entry, steps, before),
      (bodies) => leftOutIn()(bodies),
    );
    uneventful = withTurned(before, result.turned);
    results.push(result);
    for (const gap of result.gaps) note(gap);
    reached.called.addAll(result.reached.called);
    reached.entered.addAll(result.reached.entered);
  };
  for (const entry of findEntries(program, models, check)) run(entry);
  allowance.left = Math.max(allowance.left, stepsLeftForUnentered);
  const names = new Set(results.map(({ entry }) => entry.name));
  let further = 0;
  for (const next of findUnentered(program, models, reached.entered)) {
    if (further >= maximumFurtherEntries) break;
    if (next.definition && reached.entered.has(next.definition.span)) continue;
    if (allowance.left <= 0) {
      const { span } = next.definition ?? { span: { file, start: 0, end: 0 } };
      gaps.set('budget', {
        kind: 'budget',
        name: `the program is too large: from ${next.name} on, functions that nothing here calls were not looked at`,
        span,
      });
      break;
    }
    further++;
    const name = names.has(next.name) ? `${next.name} (${further})` : next.name;
    names.add(name);
    run({ ...next, name });
  }
  const rest = judgeFailingCalls(judging, reached, results);
  for (const result of rest) for (const gap of result.gaps) note(gap);
  return { results, rest: [...rest, ...judgeLives(judging)], gaps, reached };
}

function runEntry(judging: Judging, entry: Entry, allowance: Allowance, uneventful: Uneventful): EntryResult {
  const { checked, turned, choices, reached, steps, tryOut, isShortOfSteps } = explored(
    judging,
    entry,
    allowance,
    uneventful,
  );
  const { facts } = checked[0]!;
  const reports = checkPaths(checked, judging.sources, judging.check, turned, tryOut, isShortOfSteps);
  return {
    entry,
    findings: reports.map((report) => report.finding),
    gaps: [...facts.trace.gaps, ...cutShort(entry, facts)],
    reached: { called: [...reached.called], entered: [...reached.entered] },
    turned: choices,
    steps: steps(),
    built: graphsBuilt(facts),
    full: () => ({ facts, reports }),
  };
}

/** Work of a run that is not ordered any more is not judged. */
function cutShort({ name }: Entry, { order, trace }: Facts): readonly Gap[] {
  if (order.cutAt === null) return [];
  return [
    { kind: 'budget', name: `${name}: too much work: the rest was not judged`, span: trace.events[order.cutAt]!.span },
  ];
}

/** However much a long `main` has spent, functions that it did not come to are begun with. */
const stepsLeftForUnentered = 8_000;

/** Functions that nothing seen calls are run on their own, up to this many. */
const maximumFurtherEntries = 400;
