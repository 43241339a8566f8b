/**
 * What goes wrong between the methods of a class: each is run on an object that was made for it, and that ends behind it. Said is
 * what hangs on memory and handles alone; in which order captures and launches are asked for is the caller's affair.
 */

import { spanEncloses } from '../base/span.ts';
import { asSometimes, checkPaths, type Report } from '../checks/run.ts';
import type { Entry } from '../interpret/entries.ts';
import type { Allowance } from '../interpret/explore.ts';
import { findLives } from '../interpret/object-lives.ts';
import type { EntryResult } from './entry-result.ts';
import { explored, type Judging, keptOrRun } from './judging.ts';

/** Steps for all of them. */
const lifeSteps = 50_000;

/** Rules of groups other than M that hang on nothing but the members' lives. */
const ofMembers = new Set(['handle-use-after-destroy', 'async-double-free', 'async-use-after-free']);

/** Rules of group M that are about where memory is: of that the constructor's caller decides. */
const ofPlaces = new Set(['host-dereferences-device']);

/** One result a life that was looked at. */
export function judgeLives(judging: Judging): readonly EntryResult[] {
  const { program, models, check } = judging;
  const allowance = { left: Math.min(lifeSteps, judging.allowance.left) };
  if (allowance.left <= 0) return [];
  return findLives(program, models, check).flatMap((entry): EntryResult[] => {
    if (allowance.left <= 0) return [];
    check();
    return [keptOrRun(judging, entry, allowance, (steps) => runLife(judging, entry, steps))];
  });
}

function runLife(judging: Judging, entry: Entry, allowance: Allowance): EntryResult {
  const { checked, turned, steps, tryOut } = explored(judging, entry, allowance);
  const reports = checkPaths(checked, judging.sources, judging.check, turned, tryOut)
    .filter((report) => isOfMembers(report, entry))
    .map((report) => asFarAsKnown(report, entry));
  return {
    entry,
    findings: reports.map((report) => report.finding),
    gaps: [],
    reached: { called: [], entered: [] },
    turned: { same: [], other: [] },
    steps: steps(),
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

/** It is about what a member of the object holds, or an element of it. Of what members with functions have in turn, their own classes' lives tell. */
function isOfMembers({ rule, violation: { thing } }: Report, { life }: Entry): boolean {
  if (!life || thing === undefined || ofPlaces.has(rule.id)) return false;
  if (rule.group !== 'M' && !ofMembers.has(rule.id)) return false;
  if (life.members.has(thing) || life.parts.has(thing.slice(thing.lastIndexOf('.') + 1))) return true;
  return [...life.members].some((member) => thing.startsWith(`${member}[`));
}
