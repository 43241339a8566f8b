/** Runs a program from all its entries and judges every path: findings, gaps, and what the runs reached. */

import type { Gap } from '../base/finding.ts';
import type { SourceText } from '../base/source-text.ts';
import { buildFacts } from '../checks/facts.ts';
import { checkPaths } from '../checks/run.ts';
import { createClosureTable } from '../interpret/closure.ts';
import { type Entry, findEntries, findUnentered } from '../interpret/entries.ts';
import { explore, programSteps } from '../interpret/explore.ts';
import type { ProgramTable } from '../interpret/program-table.ts';
import { createReached, type Reached } from '../interpret/reached.ts';
import { Cancelled } from '../interpret/world.ts';
import type { ModelTable } from '../models/model.ts';
import { bodiesOf, consulting, createConsulted } from '../program/consulted.ts';
import { graphsBuilt } from '../scene/function-summaries.ts';
import type { EntryDetails, EntryResult } from './entry-result.ts';
import { judgeFailingCalls } from './failing-calls.ts';
import { judgeLives } from './object-lives.ts';
import type { ItemsFor, ResultCache } from './result-cache.ts';

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
  const gaps = new Map<string, Gap>();
  const note = (gap: Gap): void => {
    gaps.set(`${gap.kind} ${gap.name} ${gap.span.file}:${gap.span.start}`, gap);
  };
  const results: EntryResult[] = [];
  const reached = createReached();
  const allowance = { left: programSteps };
  const closures = cache && createClosureTable(program, cache.closures, check);
  const names = new Set<string>();
  const run = (entry: Entry): void => {
    names.add(entry.name);
    check();
    const { definition } = entry;
    const itemsFor: ItemsFor = (bodies) => closures && definition && closures.of(definition, bodies);
    const kept = cache?.find(entry, itemsFor, () => runEntryFully(entry, { left: programSteps }).details) ?? null;
    const consulted = createConsulted();
    const result = kept ?? consulting(consulted, () => freshResult(entry));
    if (cache && !kept && allowance.left > 0) {
      const bodies = bodiesOf(consulted);
      const items = itemsFor(bodies);
      if (items) cache.keep(result, bodies, items);
    }
    if (kept) allowance.left -= kept.steps;
    results.push(result);
    for (const gap of result.gaps) note(gap);
    reached.called.addAll(result.reached.called);
    reached.entered.addAll(result.reached.entered);
  };
  const runEntryFully = (entry: Entry, left: { left: number }) => {
    const own = createReached();
    const before = left.left;
    const paths = explore(program, models, entry, { isCancelled, allowance: left, reached: own });
    const checked = paths.flatMap((path) => {
      check();
      return path.isRepeat ? [] : [{ facts: buildFacts(path.trace, check), leavesEarly: path.leavesEarly }];
    });
    const turned = new Set(paths.flatMap((path) => path.turned ?? []));
    const details: EntryDetails = { facts: checked[0]!.facts, reports: checkPaths(checked, sources, check, turned) };
    return { details, own, steps: before - left.left };
  };
  const freshResult = (entry: Entry): EntryResult => {
    const { details, own, steps } = runEntryFully(entry, allowance);
    return {
      entry,
      findings: details.reports.map((report) => report.finding),
      gaps: details.facts.trace.gaps,
      reached: { called: [...own.called], entered: [...own.entered] },
      steps,
      built: graphsBuilt(details.facts),
      full: () => details,
    };
  };
  for (const entry of findEntries(program, models, check)) run(entry);
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
    run(names.has(next.name) ? { ...next, name: `${next.name} (${further})` } : next);
  }
  const rest = judgeFailingCalls({ program, models, sources, reached, allowance, closures, cache, check, isCancelled });
  for (const result of rest) for (const gap of result.gaps) note(gap);
  const lives = judgeLives({ program, models, sources, allowance, closures, cache, check, isCancelled });
  return { results, rest: [...rest, ...lives], gaps, reached };
}

/** Functions that nothing seen calls are run on their own, up to this many. */
const maximumFurtherEntries = 400;
