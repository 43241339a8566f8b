/**
 * What goes wrong between the methods of a class: each is run on an object that was made for it, and that ends behind it. Said is
 * what hangs on memory and handles alone; in which order captures and launches are asked for is the caller's affair.
 */

import type { SourceText } from '../base/source-text.ts';
import { spanEncloses } from '../base/span.ts';
import { buildFacts } from '../checks/facts.ts';
import { asSometimes, checkPaths, type Report } from '../checks/run.ts';
import type { ClosureTable } from '../interpret/closure.ts';
import type { Entry } from '../interpret/entries.ts';
import { type Allowance, explore, programSteps } from '../interpret/explore.ts';
import { findLives } from '../interpret/object-lives.ts';
import type { ProgramTable } from '../interpret/program-table.ts';
import { createReached } from '../interpret/reached.ts';
import type { ModelTable } from '../models/model.ts';
import { bodiesOf, consulting, createConsulted } from '../program/consulted.ts';
import type { EntryDetails, EntryResult } from './entry-result.ts';
import type { ItemsFor, ResultCache } from './result-cache.ts';

/** Steps for all of them. */
const lifeSteps = 50_000;

/** Rules of groups other than M that hang on nothing but the members' lives. */
const ofMembers = new Set(['handle-use-after-destroy', 'async-double-free', 'async-use-after-free']);

interface ObjectLives {
  readonly program: ProgramTable;
  readonly models: ModelTable;
  readonly sources: ReadonlyMap<string, SourceText>;
  readonly allowance: Allowance;
  readonly closures: ClosureTable | null;
  readonly cache: ResultCache | null;
  readonly check: () => void;
  readonly isCancelled: () => boolean;
}

/** One result a life that was looked at. */
export function judgeLives(input: ObjectLives): readonly EntryResult[] {
  const { program, models, closures, cache, check } = input;
  const allowance = { left: Math.min(lifeSteps, input.allowance.left) };
  if (allowance.left <= 0) return [];
  return findLives(program, models, check).flatMap((entry): EntryResult[] => {
    if (allowance.left <= 0) return [];
    check();
    const itemsFor: ItemsFor = (bodies) => closures?.of(entry.definition!, bodies) ?? null;
    const again = (): EntryDetails => runLife(input, entry, { left: programSteps }).full();
    const kept = cache?.find(entry, itemsFor, again) ?? null;
    const consulted = createConsulted();
    const result = kept ?? consulting(consulted, () => runLife(input, entry, allowance));
    if (kept) allowance.left -= kept.steps;
    else if (cache && allowance.left > 0) {
      const bodies = bodiesOf(consulted);
      const items = itemsFor(bodies);
      if (items) cache.keep(result, bodies, items);
    }
    return [result];
  });
}

function runLife(
  { program, models, sources, check, isCancelled }: ObjectLives,
  entry: Entry,
  allowance: Allowance,
): EntryResult {
  const before = allowance.left;
  const paths = explore(program, models, entry, { isCancelled, allowance, reached: createReached() });
  const checked = paths.flatMap(({ trace, leavesEarly, isRepeat }) =>
    isRepeat ? [] : [{ facts: buildFacts(trace, check), leavesEarly }],
  );
  const turned = new Set(paths.flatMap((path) => path.turned ?? []));
  const reports = checkPaths(checked, sources, check, turned)
    .filter((report) => isOfMembers(report, entry))
    .map((report) => asFarAsKnown(report, entry));
  return {
    entry,
    findings: reports.map((report) => report.finding),
    gaps: [],
    reached: { called: [], entered: [] },
    steps: before - allowance.left,
    built: [],
    full: () => ({ facts: checked[0]!.facts, reports }),
  };
}

/** Objects may end without the method that this one was given. */
function asFarAsKnown(report: Report, { definition, life }: Entry): Report {
  const { finding } = report;
  const isCertain = life?.destructor === definition || (definition && spanEncloses(definition.span, finding.span));
  return isCertain ? report : { ...report, finding: asSometimes(finding) };
}

/** Of what members of the object have in turn, their own classes' lives tell. */
function isOfMembers({ rule, finding }: Report, { life }: Entry): boolean {
  if (rule.group !== 'M' && !ofMembers.has(rule.id)) return false;
  return [...(life?.members ?? [])].some((member) =>
    [`\`${member}\``, `\`${member}[`].some((name) => finding.message.includes(name)),
  );
}
