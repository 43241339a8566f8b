/**
 * Paths that the callers seen do not take: functions in which calls remain that no run has reached are run on their own, where
 * calls of CUDA may also fail. Only what is found in the new calls is reported.
 */

import { once } from '../base/once.ts';
import { type Span, spanEncloses } from '../base/span.ts';
import { buildFacts } from '../checks/facts.ts';
import { asSometimes, checkPaths, type Report } from '../checks/run.ts';
import { type Entry, findPartlyRun } from '../interpret/entries.ts';
import { type Allowance, explore } from '../interpret/explore.ts';
import { callsNotRun, createReached, type Reached, reachedWithout } from '../interpret/reached.ts';
import { definitionsByBody } from './bodies.ts';
import type { EntryResult } from './entry-result.ts';
import { type Judging, keptOrRun } from './judging.ts';

/** Steps for all of them. */
const restSteps = 40_000;

/** What has cost so many steps on the ways it usually goes is not run once more. */
const dearSteps = 40_000;

/** `ran`: the entries run so far. One result a function; its gaps and findings are those of the new calls only. `reached`: by all runs so far; grows. */
export function judgeFailingCalls(
  judging: Judging,
  reached: Reached,
  ran: readonly EntryResult[],
): readonly EntryResult[] {
  const { program, models, check } = judging;
  const allowance = { left: Math.min(restSteps, judging.allowance.left) };
  const dear = new Set(ran.flatMap(({ entry, steps }) => (steps > dearSteps ? [entry.definition] : [])));
  const byBody = once(() => definitionsByBody(program));
  /** Which calls in these bodies no run has reached: what is new hangs on it. */
  const leftIn = (bodies: ReadonlySet<object>): string =>
    [...bodies]
      .map((body) => (byBody().get(body) ?? []).flatMap((each) => callsNotRun(program, models, each, reached)))
      .map((calls) => calls.map(({ from }) => from).join(' '))
      .join(',');
  const results: EntryResult[] = [];
  for (const definition of findPartlyRun(program, models, reached, check)) {
    if (allowance.left <= 0) break;
    if (dear.has(definition)) continue;
    check();
    const entry = { name: `${definition.name} when calls fail`, definition };
    const run = (steps: Allowance, before: EntryResult | null): EntryResult =>
      runFailing(judging, entry, before ? reachedWithout(reached, before.reached) : reached, steps);
    const result = keptOrRun(judging, entry, allowance, run, leftIn);
    reached.called.addAll(result.reached.called);
    reached.entered.addAll(result.reached.entered);
    results.push(result);
  }
  return results;
}

/** `before`: what was reached by others. */
function runFailing(
  { program, models, sources, check, isCancelled }: Judging,
  entry: Entry,
  before: Reached,
  allowance: Allowance,
): EntryResult {
  const stepsBefore = allowance.left;
  const reached = createReached(before);
  const paths = explore(program, models, entry, { isCancelled, allowance, reached, mayFail: true });
  const [ordinary] = paths;
  const teaching = paths.filter(
    (path) => path !== ordinary && [...path.trace.called].some((span) => !before.called.has(span)),
  );
  const called = [...reached.called];
  const isNew = (span: Span): boolean => called.some((each) => spanEncloses(each, span));
  const checked = teaching.map((path) => ({ facts: buildFacts(path.trace, check), leavesEarly: true }));
  // What is wrong before such a path begins has been judged where the function was called; what is freed on it is wrong for all behind.
  const reports = checkPaths(checked, sources, check).flatMap((report): readonly Report[] => {
    const { finding } = report;
    const { span, related } = finding;
    if (isNew(span)) return related.length === 0 || related.some((each) => isNew(each.span)) ? [report] : [];
    const isOfNewFree = related.some((each) => each.role === 'free' && isNew(each.span));
    return isOfNewFree ? [{ ...report, finding: asSometimes(finding) }] : [];
  });
  return {
    entry,
    findings: reports.map((report) => report.finding),
    gaps: teaching.flatMap(({ trace }) => trace.gaps.filter((gap) => isNew(gap.span))),
    reached: { called, entered: [...reached.entered] },
    turned: { same: [], other: [] },
    steps: stepsBefore - allowance.left,
    built: [],
    full: once(() => ({ facts: checked[0]?.facts ?? buildFacts(paths[0]!.trace), reports })),
  };
}
