/** Runs every rule on every path and makes one report of them. */

import type { Certainty, Finding, RelatedLocation, Severity, WitnessStep } from '../base/finding.ts';
import type { SourceText } from '../base/source-text.ts';
import { positionAt } from '../base/source-text.ts';
import type { Span } from '../base/span.ts';
import type { Facts } from './facts.ts';
import { commonCalls, createPlaceFinder, type PlaceFinder } from './report-place.ts';
import type { Rule, Violation } from './rule.ts';
import { rules } from './rules/index.ts';

/** What is said before a message that does not hold on every path. */
export const sometimesPrefix = 'On some paths: ';

/** A path with what is needed to weigh what was found, or not found, on it. */
export interface CheckedPath {
  readonly facts: Facts;
  /** The path leaves early: that something is missing on it proves nothing. */
  readonly leavesEarly: boolean;
  /** How it was told to choose, where it was. */
  readonly preset?: ReadonlyMap<string, boolean>;
}

/** A finding with where it came from, for fixes. */
export interface Report {
  readonly finding: Finding;
  readonly violation: Violation;
  readonly facts: Facts;
  readonly rule: Rule;
}

interface Collected {
  readonly rule: Rule;
  readonly violation: Violation;
  readonly facts: Facts;
  readonly place: Span;
  readonly paths: Set<number>;
}

/** The ordinary path with these choices taken this way instead: none where that asks the same of CUDA, null where it could not be tried. */
export type TryOut = (choices: ReadonlyMap<string, boolean>) => readonly CheckedPath[] | null;

/** Choices tried out for what only holds if none of them makes a difference. */
const mostTriedOut = 8;

/** Further paths of an entry on which several choices are turned together: as many as cost so many steps, and no more than that. */
const mostTogether = 16;
const stepsTogether = 20_000;
/** Where a single one costs more than that. */
const leastTogether = 4;

/**
 * All reports, each mistake once, in order of position. `check` is called between the rules, and may throw to end it. `turned`: the
 * choices that were tried both ways, be it without making a difference; others are tried out where something hangs on them. `isShortOfSteps`:
 * the program is so large that they were not all turned: what lies behind one of those is not certain.
 */
export function checkPaths(
  paths: readonly CheckedPath[],
  sources: ReadonlyMap<string, SourceText>,
  check: () => void = () => undefined,
  turned: ReadonlySet<string> = new Set(),
  tryOut: TryOut = () => null,
  isShortOfSteps = false,
): readonly Report[] {
  const collected = new Map<string, Collected>();
  const finder = createPlaceFinder(paths.map((path) => path.facts.trace));
  const collect = (path: CheckedPath, index: number): void => {
    const found = rules.flatMap((rule) => {
      check();
      return rule.check(path.facts).map((violation) => ({ rule, violation }));
    });
    for (const { rule, violation } of withoutConsequences(found)) {
      const place = reportSpan(finder, path.facts, violation, violation.event, sources);
      const key = `${rule.id} ${place.file}:${place.start} ${violation.subject}`;
      const known = collected.get(key);
      if (known) known.paths.add(index);
      else if (index < paths.length)
        collected.set(key, { rule, violation, facts: path.facts, place, paths: new Set([index]) });
    }
  };
  paths.forEach(collect);
  const meantForAll = [...collected.values()].filter(
    (each) => each.violation.isMeantForAllPaths && certaintyOf(each, paths) === 'always',
  );
  const open = new Set(meantForAll.flatMap((each) => untried(each, turned)));
  const further = open.size === 0 || open.size > mostTriedOut ? null : turnedAlone(open, paths[0]!, tryOut);
  const all = [...paths];
  const add = (path: CheckedPath): void => collect(path, all.push(path) - 1);
  further?.forEach(add);
  const steps = paths[0]?.facts.trace.steps ?? 0;
  let left = Math.min(mostTogether, Math.max(leastTogether, stepsTogether / Math.max(1, steps)));
  const tryAndAdd: TryOut = (choices) => {
    const tried = left-- > 0 ? tryOut(choices) : null;
    tried?.forEach(add);
    return tried;
  };
  for (const each of collected.values()) if (isGrave(severityOf(each))) turnTogether(each, all, turned, tryAndAdd);
  const isForAll = (each: Collected): boolean =>
    meantForAll.includes(each) &&
    (further || untried(each, turned).length === 0) &&
    certaintyOf(each, all) === 'always';
  const reports = [...collected.values()].flatMap((each) => {
    if (each.violation.isMeantForAllPaths && !isForAll(each)) return [];
    if (isOfEdgesLeftOut(each, all)) return [];
    const isOpen = isShortOfSteps && untried(each, turned).length > 0;
    const certainty = isOpen ? 'sometimes' : certaintyOf(each, all);
    const report = toReport(each, certainty, finder, sources);
    const isRare = certainty === 'sometimes' && (isOfShortLoops(each, all) || isOfNothing(each, all));
    return [isRare ? asRare(report) : report];
  });
  return onePerPlace(reports).sort((first, second) => first.finding.span.start - second.finding.span.start);
}

function severityOf({ rule, violation }: { readonly rule: Rule; readonly violation: Violation }): Severity {
  return violation.severity ?? rule.severity;
}

/** What is only hinted at is not worth further runs. */
function isGrave(severity: Severity): boolean {
  return severity === 'error' || severity === 'warning';
}

/** Leaks that follow from another mistake with the same allocation are not reported beside it (precedence, 2.Z). */
function withoutConsequences(
  found: readonly { rule: Rule; violation: Violation }[],
): readonly { rule: Rule; violation: Violation }[] {
  const errors = found.filter((each) => severityOf(each) === 'error');
  if (errors.length === 0) return found;
  const mistaken = new Set(errors.map(({ violation }) => violation.subject));
  return found.filter(({ rule, violation }) => !leaks.has(rule.id) || !mistaken.has(violation.subject));
}

const leaks = new Set(['xgraph-alloc-leak', 'async-leak']);

/** The same rule on the same statement about several allocations is said once. */
function onePerPlace(reports: readonly Report[]): Report[] {
  const seen = new Map<string, Report>();
  for (const report of reports) {
    const key = `${report.rule.id} ${report.finding.span.file}:${report.finding.span.start} ${report.finding.message}`;
    if (!seen.has(key)) seen.set(key, report);
  }
  return [...seen.values()];
}

function reportSpan(
  finder: PlaceFinder,
  facts: Facts,
  violation: Violation,
  event: number,
  sources: ReadonlyMap<string, SourceText>,
): Span {
  const { span, statement } = finder(facts.trace.events[event]!, callsAround(facts, violation));
  const source = sources.get(span.file);
  if (!source || statement.file !== span.file || statement.start > span.start) return span;
  const sameLine = positionAt(source, statement.start).line === positionAt(source, span.start).line;
  return sameLine ? span : { file: span.file, start: statement.start, end: span.end };
}

/** Roles of what a mistake begins with: where it is named, all that the mistake takes is. */
const beginnings = new Set(['alloc', 'destroy', 'begin', 'inst', 'node', 'dependency', 'record']);

/** How many calls have all in them that a violation rests on. What is wrong in a graph is wrong wherever it is launched. */
function callsAround({ trace }: Facts, { event, related, restsOn, madeOf }: Violation): number {
  if (madeOf) return commonCalls(madeOf.map((each) => trace.events[each]!));
  if (!restsOn && !related.some(({ role }) => beginnings.has(role))) return 0;
  const named = related.filter(({ role }) => role !== 'launch');
  const all = [event, ...named.map((each) => each.event), ...(restsOn ?? [])];
  return commonCalls(all.map((each) => trace.events[each]!));
}

/** The choices in front of what was found that were not tried both ways. */
function untried({ facts, violation }: Collected, turned: ReadonlySet<string>): readonly string[] {
  return facts.trace.decisions.flatMap(({ key, at, isLoop, otherExits }) =>
    at > violation.event || isLoop || otherExits || turned.has(key) ? [] : [key],
  );
}

/** Each of these choices of the ordinary path turned, alone; null where not all could be tried. */
function turnedAlone(
  choices: ReadonlySet<string>,
  { facts }: CheckedPath,
  tryOut: TryOut,
): readonly CheckedPath[] | null {
  const paths: CheckedPath[] = [];
  for (const key of choices) {
    const choice = facts.trace.decisions.find((each) => each.key === key);
    const tried = choice ? tryOut(new Map([[key, !choice.taken]])) : null;
    if (!tried) return null;
    paths.push(...tried);
  }
  return paths;
}

/**
 * `if (a) free(p); if (b) free(p); free(p);`: what is found whichever choice is turned alone may rest on another one then. The choices
 * in front of it are turned one on top of the other, as long as it is found all the same.
 */
function turnTogether(
  collected: Collected,
  all: readonly CheckedPath[],
  turned: ReadonlySet<string>,
  tryOut: TryOut,
): void {
  const done = new Set<string>();
  let current = all[0]!;
  while (certaintyOf(collected, all) === 'always') {
    const open = current.facts.trace.decisions.filter(
      ({ key, at, isLoop, otherExits, isOfEnd }) =>
        !done.has(key) && !(isLoop || otherExits || isOfEnd) && at <= lastOf(collected, current.facts),
    );
    // `if (x) isQuick = true;` may decide about more than it does.
    const choice = open.find(({ acting }) => acting !== 'never') ?? open[0];
    if (!choice) return;
    done.add(choice.key);
    // What was asked goes the same way again, also where it is asked elsewhere first.
    const asked = current.facts.trace.decisions.map(({ key, taken }) => [key, taken] as const);
    const wanted = new Map([...asked, [choice.key, !choice.taken]]);
    const known = all.find((path) => isPathOf(path, wanted));
    // Tried alone, without making a difference.
    if (!known && current === all[0] && turned.has(choice.key) && choice.acting !== 'surely') continue;
    const tried = known ? [known] : tryOut(wanted);
    if (!tried) return;
    const [path] = tried;
    if (path && !path.leavesEarly && collected.paths.has(all.indexOf(path))) current = path;
  }
}

/** The last event of a path at the reported call. */
function lastOf({ facts, violation }: Collected, { trace }: Facts): number {
  const { start, file } = facts.trace.events[violation.event]!.span;
  return trace.events.findLastIndex(({ span }) => span.start === start && span.file === file);
}

/** Whether a path is the one on which these choices go so. */
function isPathOf({ facts, preset }: CheckedPath, choices: ReadonlyMap<string, boolean>): boolean {
  if (!preset || [...preset.keys()].some((key) => !choices.has(key))) return false;
  return facts.trace.decisions.every(({ key, taken }) => (choices.get(key) ?? taken) === taken);
}

function toReport(
  collected: Collected,
  certainty: Certainty,
  finder: PlaceFinder,
  sources: ReadonlyMap<string, SourceText>,
): Report {
  const { rule, violation, facts, place } = collected;
  const where = (event: number): Span => reportSpan(finder, facts, violation, event, sources);
  const related: RelatedLocation[] = violation.related.map((each) => ({
    role: each.role,
    message: each.message,
    span: where(each.event),
  }));
  const witness: WitnessStep[] = violation.witness.map((step) => ({ message: step.message, span: where(step.event) }));
  const finding: Finding = {
    rule: rule.id,
    severity: severityOf(collected),
    certainty: 'always',
    message: asSentence(violation.message),
    span: place,
    related,
    witness,
  };
  return { finding: certainty === 'sometimes' ? asSometimes(finding) : finding, violation, facts, rule };
}

/** What begins with an article begins large; names of code and of calls stay as they are. */
function asSentence(message: string): string {
  return /^(?:an?|the|one|another) /.test(message) ? `${message[0]!.toUpperCase()}${message.slice(1)}` : message;
}

/** The same, said of some paths only. */
export function asSometimes(finding: Finding): Finding {
  if (finding.certainty === 'sometimes') return finding;
  return {
    ...finding,
    severity: weaker(finding.severity),
    certainty: 'sometimes',
    message: `${sometimesPrefix}${finding.message}`,
  };
}

/** Always: on the ordinary path, and on every other that does not leave early. */
function certaintyOf(collected: Collected, paths: readonly CheckedPath[]): Certainty {
  if (collected.violation.certainty === 'sometimes') return 'sometimes';
  const everywhere = paths.every(
    (path, index) => collected.paths.has(index) || path.leavesEarly || !speaksAgainst(path, collected),
  );
  return collected.paths.has(0) && everywhere ? 'always' : 'sometimes';
}

/**
 * Whether a path without the finding runs the reported call, or turns the choice that the call hangs on after all that the
 * finding rests on: `free(p); if (x) free(p);`. One that does neither says nothing about it.
 */
function speaksAgainst(path: CheckedPath, { facts, violation }: Collected): boolean {
  const runs = (event: number): boolean => {
    const { span } = facts.trace.events[event]!;
    return path.facts.trace.events.some((each) => each.span.start === span.start && each.span.file === span.file);
  };
  if (cutsLoopShort(path.facts, facts)) return false;
  if (runs(violation.event)) return true;
  if (leavesOutLoop(path.facts, facts)) return false;
  return violation.related.length > 0 && violation.related.every(({ event }) => runs(event));
}

/**
 * `int rounds = argc > 1 ? atoi(argv[1]) : 4;`: whether a path leaves early a loop of which the other knows how often it runs.
 * A path of the same choices that goes round it more often speaks for both.
 */
function cutsLoopShort({ trace }: Facts, other: Facts): boolean {
  const asked = other.trace.decisions;
  return trace.decisions.some(
    ({ span: { start, file }, isLoop, taken }) =>
      isLoop && !taken && asked.every(({ span }) => span.start !== start || span.file !== file),
  );
}

/** Whether something is found only where a loop, of which an ordinary run knows how often it runs, is left early: `./program 0`. */
function isOfShortLoops(collected: Collected, paths: readonly CheckedPath[]): boolean {
  const ordinary = paths[0]!.facts;
  return [...collected.paths].every((index) => index > 0 && cutsLoopShort(paths[index]!.facts, ordinary));
}

/** Whether something is found only where a function leaves because a count is 0, which it is not in an ordinary run. */
function isOfNothing(collected: Collected, paths: readonly CheckedPath[]): boolean {
  const turned = ({ decisions }: Facts['trace']): boolean => decisions.some(({ isOfNothing }) => isOfNothing);
  return [...collected.paths].every((index) => index > 0 && turned(paths[index]!.facts.trace));
}

/**
 * `while (in >> a >> b) cudaGraphAddDependencies(…)`: whether something is found in a graph only where a loop brings it no edge. What
 * comes from outside gives the graph its shape, and a graph without one says nothing about the others.
 */
function isOfEdgesLeftOut({ violation, facts, paths: found }: Collected, paths: readonly CheckedPath[]): boolean {
  if (found.has(0)) return false;
  const graphs = new Set(
    [violation.event, ...violation.related.map(({ event }) => event)].flatMap((index) => {
      const event = facts.trace.events[index]!;
      return event.verb === 'node.add' ? [event.graph] : [];
    }),
  );
  if (graphs.size === 0) return false;
  const ordinary = paths[0]!.facts;
  const edges = ordinary.trace.events.filter((each) => each.verb === 'edges.add' && graphs.has(each.graph));
  if (edges.length === 0) return false;
  const lacksSome = ({ trace }: Facts): boolean => {
    const runs = new Set(trace.events.map(({ span }) => `${span.file}:${span.start}`));
    return edges.some(({ span }) => !runs.has(`${span.file}:${span.start}`));
  };
  return [...found].every((index) => leavesOutLoop(paths[index]!.facts, ordinary) && lacksSome(paths[index]!.facts));
}

function asRare(report: Report): Report {
  return { ...report, finding: { ...report.finding, severity: weaker(report.finding.severity) } };
}

/** Whether a path passes over a loop that the other goes through: an ordinary run has something to do there. */
function leavesOutLoop({ trace }: Facts, other: Facts): boolean {
  const passed = trace.decisions.filter(({ isLoop, taken }) => isLoop && !taken).map(({ key }) => key);
  return other.trace.decisions.some(({ key, isLoop, taken }) => isLoop && taken && passed.includes(key));
}

function weaker(severity: Severity): Severity {
  return severity === 'error' ? 'warning' : severity === 'warning' ? 'hint' : 'info';
}
