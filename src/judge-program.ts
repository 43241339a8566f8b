/** Runs a program from all its entries and judges every path: findings, gaps, and what the runs reached. */

import type { Finding, Gap } from './base/finding.ts';
import type { SourceText } from './base/source-text.ts';
import { type Span, spanEncloses } from './base/span.ts';
import { SpanSet } from './base/span-set.ts';
import { buildFacts, type Facts } from './checks/facts.ts';
import { checkPaths, type Report } from './checks/run.ts';
import { createClosureTable } from './interpret/closure.ts';
import { type Entry, findEntries, findPartlyRun, findUnentered } from './interpret/entries.ts';
import { explore, programSteps } from './interpret/explore.ts';
import type { ProgramTable } from './interpret/program-table.ts';
import { createReached, type Reached } from './interpret/reached.ts';
import { Cancelled } from './interpret/world.ts';
import type { ModelTable } from './models/model.ts';
import type { ResultCache } from './result-cache.ts';
import { type BuiltGraph, graphsBuilt } from './scene/function-summaries.ts';

/** What was found from one entry. */
export interface EntryResult {
  readonly entry: Entry;
  readonly findings: readonly Finding[];
  readonly gaps: readonly Gap[];
  /** What its runs reached. */
  readonly reached: { readonly called: readonly Span[]; readonly entered: readonly Span[] };
  readonly steps: number;
  readonly built: readonly BuiltGraph[];
  /** Everything about it. Kept from the run, or made anew when it is asked for: few ever ask, and it is large. */
  readonly full: () => EntryDetails;
}

export interface EntryDetails {
  /** The ordinary path. */
  readonly facts: Facts;
  readonly reports: readonly Report[];
}

export interface Judgement {
  /** One an entry, in order. */
  readonly results: readonly EntryResult[];
  /** Found on paths that the callers seen do not take. */
  readonly rest: readonly Report[];
  readonly gaps: Map<string, Gap>;
  readonly reached: Reached;
}

/** Throws {@link Cancelled} when `isCancelled` turns true. `cache`: what an earlier text of the same file gave. */
export function judgeProgram(
  program: ProgramTable,
  models: ModelTable,
  sources: ReadonlyMap<string, SourceText>,
  file: string,
  isCancelled: () => boolean,
  cache: ResultCache,
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
  const closures = createClosureTable(program, cache.closures, check);
  const names = new Set<string>();
  const run = (entry: Entry): void => {
    names.add(entry.name);
    check();
    const key = entry.definition ? closures.of(entry.definition) : null;
    const kept = key ? cache.find(entry, key, () => runEntryFully(entry, { left: programSteps }).details) : null;
    const result = kept ?? freshResult(entry);
    if (!kept && key && allowance.left > 0) cache.keep(result, key);
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
    const details: EntryDetails = { facts: checked[0]!.facts, reports: checkPaths(checked, sources, check) };
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
  for (const entry of findEntries(program, models)) run(entry);
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
  const rest = { left: Math.min(restSteps, allowance.left) };
  const reports: Report[] = [];
  for (const definition of findPartlyRun(program, models, reached, check)) {
    if (rest.left <= 0) break;
    check();
    const before = new SpanSet();
    before.addAll(reached.called);
    const entry = { name: definition.name, definition };
    const paths = explore(program, models, entry, { isCancelled, allowance: rest, reached, mayFail: true });
    const [ordinary] = paths;
    const teaching = paths.filter(
      (path) => path !== ordinary && [...path.trace.called].some((span) => !before.has(span)),
    );
    if (!ordinary || teaching.length === 0) continue;
    const calledNow = [...reached.called].filter((span) => !before.has(span));
    const isNew = (span: Span): boolean => calledNow.some((each) => spanEncloses(each, span));
    for (const { trace } of teaching) for (const gap of trace.gaps) if (isNew(gap.span)) note(gap);
    const checked = teaching.map((path) => ({ facts: buildFacts(path.trace, check), leavesEarly: true }));
    // What is wrong before such a path begins has been judged where the function was called.
    reports.push(
      ...checkPaths(checked, sources, check).filter(
        ({ finding }) => isNew(finding.span) && finding.related.every((each) => isNew(each.span)),
      ),
    );
  }
  return { results, rest: reports, gaps, reached };
}

/** Steps for paths that only run when a call fails, or that the callers seen do not take. */
const restSteps = 250_000;

/** Functions that nothing seen calls are run on their own, up to this many. */
const maximumFurtherEntries = 400;
