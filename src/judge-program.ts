/** Runs a program from all its entries and judges every path: findings, gaps, and what the runs reached. */

import type { Gap } from './base/finding.ts';
import type { SourceText } from './base/source-text.ts';
import type { Span } from './base/span.ts';
import { buildFacts, type Facts } from './checks/facts.ts';
import { checkPaths, type Report } from './checks/run.ts';
import { type Entry, findEntries, findPartlyRun, findUnentered } from './interpret/entries.ts';
import { explore, programSteps } from './interpret/explore.ts';
import type { ProgramTable } from './interpret/program-table.ts';
import { createReached, type Reached } from './interpret/reached.ts';
import { Cancelled } from './interpret/world.ts';
import type { ModelTable } from './models/model.ts';
import { sameTrace } from './trace/same-events.ts';

export interface Judgement {
  /** The ordinary path of each entry, in order. */
  readonly facts: Map<string, Facts>;
  readonly gaps: Map<string, Gap>;
  readonly reports: readonly Report[];
  readonly ran: ReadonlyMap<string, Entry>;
  readonly reached: Reached;
}

/** Throws {@link Cancelled} when `isCancelled` turns true. */
export function judgeProgram(
  program: ProgramTable,
  models: ModelTable,
  sources: ReadonlyMap<string, SourceText>,
  file: string,
  isCancelled: () => boolean,
): Judgement {
  const check = (): void => {
    if (isCancelled()) throw new Cancelled();
  };
  const facts = new Map<string, Facts>();
  const gaps = new Map<string, Gap>();
  const reports: Report[] = [];
  const reached = createReached();
  const allowance = { left: programSteps };
  const ran = new Map<string, Entry>();
  const run = (entry: Entry): void => {
    ran.set(entry.name, entry);
    const paths = explore(program, models, entry, { isCancelled, allowance, reached });
    const [ordinary] = paths;
    if (!ordinary) return;
    const checked = paths.flatMap((path) => {
      check();
      // A choice that made no difference to CUDA: all that can be said of this path is said of the ordinary one.
      if (path !== ordinary && sameTrace(path.trace, ordinary.trace)) return [];
      return [{ facts: buildFacts(path.trace), leavesEarly: path.leavesEarly }];
    });
    facts.set(entry.name, checked[0]!.facts);
    for (const gap of ordinary.trace.gaps) gaps.set(`${gap.kind} ${gap.name} ${gap.span.file}:${gap.span.start}`, gap);
    reports.push(...checkPaths(checked, sources));
  };
  for (const entry of findEntries(program, models)) run(entry);
  let further = 0;
  for (const next of findUnentered(program, models, reached.entered)) {
    if (further >= maximumFurtherEntries) break;
    if (next.definition && reached.entered.has(next.definition.span.start)) continue;
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
    run(facts.has(next.name) ? { ...next, name: `${next.name} (${further})` } : next);
  }
  const rest = { left: Math.min(restSteps, allowance.left) };
  for (const definition of findPartlyRun(program, models, reached)) {
    if (rest.left <= 0) break;
    check();
    const before = new Set(reached.called);
    const isNew = (span: Span): boolean =>
      [...reached.called].some((each) => !before.has(each) && encloses(each, span));
    const entry = { name: definition.name, definition };
    const paths = explore(program, models, entry, { isCancelled, allowance: rest, reached, mayFail: true });
    const [ordinary] = paths;
    const teaching = paths.filter(
      (path) => path !== ordinary && [...path.trace.called].some((span) => !before.has(span)),
    );
    if (!ordinary || teaching.length === 0) continue;
    for (const { trace } of teaching)
      for (const gap of trace.gaps)
        if (isNew(gap.span)) gaps.set(`${gap.kind} ${gap.name} ${gap.span.file}:${gap.span.start}`, gap);
    const checked = teaching.map((path) => ({ facts: buildFacts(path.trace), leavesEarly: true }));
    // What is wrong before such a path begins has been judged where the function was called.
    reports.push(
      ...checkPaths(checked, sources).filter(
        ({ finding }) => isNew(finding.span) && finding.related.every((each) => isNew(each.span)),
      ),
    );
  }
  return { facts, gaps, reports: uniqueReports(reports), ran, reached };
}

/** Steps for paths that only run when a call fails, or that the callers seen do not take. */
const restSteps = 150_000;

function encloses(outer: Span, inner: Span): boolean {
  return outer.file === inner.file && outer.start <= inner.start && inner.end <= outer.end;
}

/** Functions that nothing seen calls are run on their own, up to this many. */
const maximumFurtherEntries = 400;

/** A helper reached from two entries is reported once. */
function uniqueReports(reports: readonly Report[]): Report[] {
  const seen = new Map<string, Report>();
  for (const report of reports) {
    const { finding } = report;
    const key = `${finding.rule} ${finding.span.file}:${finding.span.start}:${finding.span.end} ${finding.message}`;
    if (!seen.has(key)) seen.set(key, report);
  }
  return [...seen.values()].sort((first, second) => first.finding.span.start - second.finding.span.start);
}
