/**
 * The paths through a program that are looked at.
 *
 * The first run takes every open choice as an ordinary run would. Then each choice is turned once, alone: those between
 * different calls of CUDA first, before all those that lead to calls which no run has reached, then those that leave early, then those that only choose a value. Choices that only appear
 * on a turned path are turned too while the budget lasts.
 */

import { spanEncloses } from '../base/span.ts';
import type { ModelTable } from '../models/model.ts';
import type { Decision } from '../trace/decision.ts';
import type { Trace } from '../trace/event.ts';
import { isBeginning, sameTrace } from '../trace/same-events.ts';
import { defaultBudget } from './budget.ts';
import { assignedIn } from './choices/assigned.ts';
import type { Entry } from './entries.ts';
import type { ProgramTable } from './program-table.ts';
import { createReached, decidersOfNew, leadsToNew, type Reached } from './reached.ts';
import { runEntry } from './run.ts';
import { type ChoicePlaces, isUneventful, nothingTurned, type Uneventful } from './uneventful.ts';

export interface Path {
  readonly trace: Trace;
  /** The choice turned, null on the ordinary path. */
  readonly turned: string | null;
  /** Where in the text that choice is asked about; empty where it was not turned to see whether it makes a difference. */
  readonly places: ChoicePlaces;
  /** The turn leaves early (an error path): what is missing there proves nothing. */
  readonly leavesEarly: boolean;
  /** It asks the same of CUDA as an earlier path: all that can be said of it has been said. */
  readonly isRepeat: boolean;
  /** How it was told to choose. */
  readonly preset: ReadonlyMap<string, boolean>;
}

/** Steps that may still be spent on a program, over all its entries and paths. */
export interface Allowance {
  left: number;
}

/** What one program may cost: about a second, where its steps are not dear. */
export const programSteps = 100_000;

/** Choices of one path that are followed up. */
const maximumChoices = 120;

/** Steps for all paths but the ordinary one; as many as its own if that is more. */
const leastPathSteps = 12_000;
/** The same when a program has spent half of what it may, however long its own is; with a quarter left there are none. */
const leastPathStepsLate = 4_000;

/** Steps from which on a run is long. */
const longRun = 2_000;
/** Turns of which CUDA saw nothing, beyond those of which it saw something, after which lesser ones are left: in a short run, in a long one. */
const mostUneventful = 4;
const mostUneventfulInLongRun = 2;

/** Most paths looked at from one entry. */
const maximumPaths = 12;
/** Further ones, for what no path has reached. */
const maximumFurtherPaths = 32;

export interface ExploreOptions {
  readonly isCancelled: () => boolean;
  /** Shared by the entries of a program. */
  readonly allowance?: Allowance;
  readonly reached?: Reached;
  /** What calls return is open, too. */
  readonly mayFail?: boolean;
  /** What other entries have turned without a difference is left out. */
  readonly uneventful?: Uneventful;
}

/** Choices of helpers that are turned for the calls that remain in one function. */
const mostOfHelpers = 8;

interface Turn {
  readonly preset: ReadonlyMap<string, boolean>;
  readonly turned: string;
  readonly places: ChoicePlaces;
  readonly leavesEarly: boolean;
  /** 0: between calls of CUDA, 1: leaves early, 2: between calls that nobody here knows, 3: chooses a value. */
  readonly rank: 0 | 1 | 2 | 3;
  /** What would run then. */
  readonly arm: object | null;
}

export function explore(
  program: ProgramTable,
  models: ModelTable,
  entry: Entry,
  options: ExploreOptions,
): readonly Path[] {
  const { allowance = { left: programSteps }, reached = createReached(), mayFail = false } = options;
  const { uneventful: known = nothingTurned } = options;
  const run = runner(program, models, entry, options, allowance, reached);
  const first = run(new Map(), defaultBudget.steps);
  const way = guessedIntoEnd(first, (preset) => run(preset, Math.max(first.steps * 2, otherWaySteps)));
  const ordinary = way?.isBetter ? way.trace : first;
  const paths: Path[] = [
    {
      trace: ordinary,
      turned: null,
      places: [],
      leavesEarly: false,
      isRepeat: false,
      preset: way?.isBetter ? way.preset : new Map(),
    },
  ];
  if (way) {
    const trace = way.isBetter ? first : way.trace;
    const leavesEarly = trace.end !== 'complete';
    const preset = way.isBetter ? new Map<string, boolean>() : way.preset;
    paths.push({ trace, turned: way.turned, places: [], leavesEarly, isRepeat: sameTrace(ordinary, trace), preset });
  }
  if (ordinary.events.length === 0 && ordinary.decisions.length === 0) return paths;
  const seen = new Set<string>();
  const turns: Turn[] = [];
  const enqueue = (trace: Trace, preset: ReadonlyMap<string, boolean>): void => {
    for (const { key, places, taken, otherExits, acting, isOfEnd } of trace.decisions.slice(0, maximumChoices)) {
      // `return isRight ? EXIT_SUCCESS : EXIT_FAILURE;` in `main`: nothing comes behind it.
      if (isOfEnd || seen.has(key) || seen.size > maximumChoices) continue;
      seen.add(key);
      turns.push({
        preset: new Map([...preset, [key, !taken]]),
        turned: key,
        places,
        leavesEarly: otherExits,
        rank: acting === 'surely' ? 0 : otherExits ? 1 : acting === 'perhaps' ? 2 : 3,
        arm: trace.untaken.get(key) ?? null,
      });
    }
  };
  const take = (wanted: (turn: Turn) => boolean): Turn | undefined => {
    const index = turns.findIndex(wanted);
    return index < 0 ? undefined : turns.splice(index, 1)[0];
  };
  // What was reached stays reached: a turn that leads to nothing new never will.
  const old = new Set<Turn>();
  const isNew = (turn: Turn): boolean => {
    if (turn.arm === null || old.has(turn)) return false;
    if (leadsToNew(program, models, turn.arm, reached)) return true;
    old.add(turn);
    return false;
  };
  // `if (!succeeded(cudaFree(p))) …`: where calls may fail, a helper's answer says which way its caller goes.
  const caller = mayFail ? entry.definition : null;
  let ofHelpers = 0;
  const takeInHelper = (): Turn | undefined => {
    if (!caller?.body || ofHelpers >= mostOfHelpers) return undefined;
    if (!leadsToNew(program, models, caller.body.statements, reached)) return undefined;
    ofHelpers++;
    return take(({ places }) => places.every((place) => !spanEncloses(caller.span, place)));
  };
  // `if (argc > 1) width = atoi(argv[1]);`, where nothing is launched for a `width` of one.
  let deciding = mayFail ? 0 : mostDeciding;
  let deciders: ReadonlySet<string> | null = null;
  const takeDeciding = (): Turn | undefined => {
    if (deciding === 0 || !turns.some(({ arm }) => arm && assignsAny(arm, null))) return undefined;
    deciders ??= decidersOfNew(program, models, ordinary.entered, reached);
    const found = take(({ arm }) => arm !== null && assignsAny(arm, deciders));
    if (found) deciding--;
    return found;
  };
  for (const key of way?.preset.keys() ?? []) seen.add(key);
  enqueue(ordinary, paths[0]!.preset);
  if (way) enqueue(way.isBetter ? first : way.trace, way.isBetter ? new Map() : way.preset);
  let stepsLeft = stepsForOtherPaths(allowance, ordinary);
  const most = mayFail ? 1 : ordinary.events.length > 1500 ? 4 : ordinary.events.length > 400 ? 6 : maximumPaths;
  const patience = ordinary.steps > longRun ? mostUneventfulInLongRun : mostUneventful;
  let uneventful = 0;
  let leftOut = 0;
  // Where an ordinary run asks CUDA for nothing, as without options, how long another is it does not tell.
  const stepsOfTurn = ordinary.events.length === 0 ? otherWaySteps : ordinary.steps * 2 + minimumSteps;
  while (paths.length < most + maximumFurtherPaths && allowance.left > 0 && stepsLeft > 0) {
    const next =
      take((turn) => turn.rank === 0 && isNew(turn)) ??
      take(isNew) ??
      takeInHelper() ??
      takeDeciding() ??
      (paths.length + leftOut < most
        ? (take((turn) => turn.rank === 0) ??
          (uneventful < patience
            ? (take((turn) => turn.rank === 1) ?? take((turn) => turn.rank === 2) ?? take((turn) => turn.rank === 3))
            : undefined))
        : undefined);
    if (!next) break;
    if (isUneventful(known, next.places)) {
      // As if it had been tried here, too.
      leftOut++;
      stepsLeft -= ordinary.steps;
      if (next.rank > 0) uneventful++;
      continue;
    }
    const trace = run(next.preset, stepsOfTurn);
    stepsLeft -= trace.steps;
    const leavesEarly = next.leavesEarly || trace.end !== 'complete';
    const isRepeat = paths.some(
      (path) => !path.isRepeat && (leavesEarly || !path.leavesEarly) && sameTrace(path.trace, trace),
    );
    paths.push({ trace, turned: next.turned, places: next.places, leavesEarly, isRepeat, preset: next.preset });
    if (next.rank > 0) {
      const isUneventful = isRepeat || (leavesEarly && isBeginning(trace, ordinary));
      uneventful = Math.max(0, uneventful + (isUneventful ? 1 : -1));
    }
    enqueue(trace, next.preset);
  }
  return paths;
}

/** Turns of which nothing is known but that they assign what decides about calls that no run has made. */
const mostDeciding = 3;

/** Whether it assigns one of these; anything at all where there are none. */
function assignsAny(arm: object, names: ReadonlySet<string> | null): boolean {
  const { names: variables, fields } = assignedIn(arm);
  return [...variables, ...fields].some((name) => names?.has(name) ?? true);
}

/** Once little is left, functions come first that have not been looked at yet. */
function stepsForOtherPaths({ left }: Allowance, ordinary: Trace): number {
  if (left >= programSteps / 2) return Math.max(leastPathSteps, ordinary.steps);
  return left >= programSteps / 4 ? leastPathStepsLate : 0;
}

type Run = (preset: ReadonlyMap<string, boolean>, most: number) => Trace;

function runner(
  program: ProgramTable,
  models: ModelTable,
  entry: Entry,
  { isCancelled, mayFail = false }: ExploreOptions,
  allowance: Allowance,
  reached: Reached,
): Run {
  return (preset, most) => {
    const steps = Math.max(minimumSteps, Math.min(most, allowance.left));
    const trace = runEntry(program, models, entry, preset, isCancelled, { ...defaultBudget, steps }, null, mayFail);
    allowance.left -= trace.steps;
    reached.called.addAll(trace.called);
    reached.entered.addAll(trace.entered);
    return trace;
  };
}

/**
 * The ordinary path with these choices taken this way instead, of which some may only come up where others are taken so; null where
 * nothing is left to run it with.
 */
export function takenThisWay(
  program: ProgramTable,
  models: ModelTable,
  entry: Entry,
  options: ExploreOptions & { readonly allowance: Allowance; readonly reached: Reached },
  { trace: ordinary, preset }: Path,
  choices: ReadonlyMap<string, boolean>,
): Path | null {
  const { allowance, reached } = options;
  if (allowance.left <= 0) return null;
  const run = runner(program, models, entry, options, allowance, reached);
  const all = new Map([...preset, ...choices]);
  const trace = run(all, ordinary.steps * 2 + minimumSteps);
  const leavesEarly = trace.end !== 'complete';
  const turned = [...choices.keys()].at(-1) ?? null;
  return { trace, turned, places: [], leavesEarly, isRepeat: sameTrace(ordinary, trace), preset: all };
}

interface OtherWay {
  /** It comes to the end and asks for more. */
  readonly isBetter: boolean;
  readonly trace: Trace;
  readonly turned: string;
  readonly preset: ReadonlyMap<string, boolean>;
}

/** Steps for one of them, where the run that ended took fewer: how long the rest is it does not tell. */
const otherWaySteps = 50_000;
/** Runs made to get past an end that a run guessed its way into. */
const mostOtherWays = 4;

/**
 * A run that ends early where nothing was left open, or before it asked CUDA for anything, came there by the choices before: by one in
 * whose arm it ended, inner ones first, by the latest that was no check, or by entering the latest open loop, as over arguments. That one
 * goes the other way on the ordinary path, where the run comes to the end and asks for more; where it only comes further, the same is done
 * of the end it comes to. So does one that passed over a loop.
 */
function guessedIntoEnd(first: Trace, run: (preset: ReadonlyMap<string, boolean>) => Trace): OtherWay | null {
  let tried: OtherWay | null = null;
  let [last, preset]: [Trace, ReadonlyMap<string, boolean>] = [first, new Map()];
  let guesses = guessesBehind(first, preset);
  for (let made = 0; made < mostOtherWays; made++) {
    const guess = guesses.shift();
    if (!guess) break;
    const turned = new Map([...preset, [guess.key, !guess.taken]]);
    const trace = run(turned);
    const isFurther = trace.events.length > last.events.length;
    const isBetter = isFurther && trace.end !== 'exited' && trace.end !== 'budget';
    const way = { trace, turned: guess.key, preset: turned, isBetter };
    if (isBetter) return way;
    tried ??= way;
    if (!isFurther || trace.end !== 'exited') continue;
    [last, preset, guesses] = [trace, turned, guessesBehind(trace, turned)];
  }
  return tried;
}

function guessesBehind(trace: Trace, preset: ReadonlyMap<string, boolean>): Decision[] {
  // `if (count == 0) report("none");` in front of all that is done with so many.
  if (trace.end === 'complete') return trace.decisions.filter(({ key, passesOver }) => passesOver && !preset.has(key));
  if (trace.end !== 'exited' && !(trace.end === 'ended' && trace.events.length === 0)) return [];
  const isGuess = ({ key, isLoop, otherExits }: Decision): boolean => !isLoop && !otherExits && !preset.has(key);
  const around = (trace.endedWithin ?? []).flatMap((key) => trace.decisions.find((each) => each.key === key) ?? []);
  const latest = trace.decisions.findLast(isGuess);
  const loop = trace.decisions.findLast(({ key, isLoop, taken }) => isLoop && taken && !preset.has(key));
  return [...new Set([...around.filter(isGuess).reverse(), ...[latest, loop].filter((each) => each !== undefined)])];
}

/** Enough to start with, however little is left. */
const minimumSteps = 2_000;
