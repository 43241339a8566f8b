/**
 * Paths that the callers seen do not take: functions in which calls remain that no run has reached are run on their own, where
 * calls of CUDA may also fail. Only what is found in the new calls is reported.
 */

import { once } from '../base/once.ts';
import type { SourceText } from '../base/source-text.ts';
import { type Span, spanEncloses } from '../base/span.ts';
import { buildFacts } from '../checks/facts.ts';
import { checkPaths } from '../checks/run.ts';
import type { ClosureTable } from '../interpret/closure.ts';
import { type Entry, findPartlyRun } from '../interpret/entries.ts';
import { type Allowance, explore, programSteps } from '../interpret/explore.ts';
import type { ProgramTable } from '../interpret/program-table.ts';
import { callsNotRun, createReached, type Reached, reachedWithout } from '../interpret/reached.ts';
import type { ModelTable } from '../models/model.ts';
import { bodiesOf, consulting, createConsulted } from '../program/consulted.ts';
import type { FunctionDefinition } from '../program/program.ts';
import type { EntryDetails, EntryResult } from './entry-result.ts';
import type { ItemsFor, ResultCache } from './result-cache.ts';

/** Steps for all of them. */
const restSteps = 250_000;

interface FailingCalls {
  readonly program: ProgramTable;
  readonly models: ModelTable;
  readonly sources: ReadonlyMap<string, SourceText>;
  /** By all runs so far; grows. */
  readonly reached: Reached;
  readonly allowance: Allowance;
  readonly closures: ClosureTable | null;
  readonly cache: ResultCache | null;
  readonly check: () => void;
  readonly isCancelled: () => boolean;
}

/** One result a function; its gaps and findings are those of the new calls only. */
export function judgeFailingCalls(input: FailingCalls): readonly EntryResult[] {
  const { program, models, reached, closures, cache, check } = input;
  const allowance = { left: Math.min(restSteps, input.allowance.left) };
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
    check();
    const itemsFor: ItemsFor = (bodies) => closures?.of(definition, bodies) ?? null;
    const entry = { name: `${definition.name} when calls fail`, definition };
    const again = (): EntryDetails =>
      runFailing(input, entry, reachedWithout(reached, result.reached), { left: programSteps }).full();
    const kept = cache?.find(entry, itemsFor, again, leftIn) ?? null;
    const consulted = createConsulted();
    const result = kept ?? consulting(consulted, () => runFailing(input, entry, reached, allowance));
    if (kept) allowance.left -= kept.steps;
    else if (cache && allowance.left > 0) {
      const bodies = bodiesOf(consulted);
      const items = itemsFor(bodies);
      if (items) cache.keep(result, bodies, items, leftIn(bodies));
    }
    reached.called.addAll(result.reached.called);
    reached.entered.addAll(result.reached.entered);
    results.push(result);
  }
  return results;
}

/** `before`: what was reached by others. */
function runFailing(
  { program, models, sources, check, isCancelled }: FailingCalls,
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
  // What is wrong before such a path begins has been judged where the function was called.
  const reports = checkPaths(checked, sources, check).filter(
    ({ finding }) => isNew(finding.span) && finding.related.every((each) => isNew(each.span)),
  );
  return {
    entry,
    findings: reports.map((report) => report.finding),
    gaps: teaching.flatMap(({ trace }) => trace.gaps.filter((gap) => isNew(gap.span))),
    reached: { called, entered: [...reached.entered] },
    steps: stepsBefore - allowance.left,
    built: [],
    full: once(() => ({ facts: checked[0]?.facts ?? buildFacts(paths[0]!.trace), reports })),
  };
}

/** Functions that the host runs, by the identity of their bodies. */
function definitionsByBody(program: ProgramTable): ReadonlyMap<object, readonly FunctionDefinition[]> {
  const all = new Map<object, readonly FunctionDefinition[]>();
  for (const definition of program.allFunctions()) {
    const { body, isKernel, isDevice } = definition;
    if (body && !isKernel && !isDevice) all.set(body.identity, [...(all.get(body.identity) ?? []), definition]);
  }
  return all;
}
