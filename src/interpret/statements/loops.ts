/** Loops: known bounds repeat, unknown ones run none, once or twice, and what cannot act is not run to its end. */

import { rememberedByProgram } from '../../program/consulted.ts';
import type { Statement, TypeReference } from '../../program/program.ts';
import type { Acting } from '../../trace/decision.ts';
import { noteElement } from '../calls/seen-as.ts';
import { acting } from '../choices/acting.ts';
import { isScalarValue } from '../choices/assigned.ts';
import { carriedBy } from '../choices/carried.ts';
import { mayLeave } from '../choices/conditions.ts';
import { forgetAssigned, openFlags } from '../choices/forgetting.ts';
import { forgetAdded, lengthsBehind } from '../choices/growth.ts';
import { identified } from '../choices/identity.ts';
import { forgetUsualCounts } from '../choices/implied.ts';
import { beforeQuiet, enterQuiet, enterTrial, isGivenUp, isUsedUp, isWorth, leaveQuiet } from '../choices/quiet.ts';
import { noteShortened, repeats, wasShortened } from '../choices/repeat.ts';
import { finalValue, roundsLeft } from '../choices/rounds-left.ts';
import { enterTurns, leaveTurns } from '../choices/turns.ts';
import { copyValue } from '../copied-values.ts';
import { waitForCallbacks } from '../cuda/host-waits.ts';
import { marksOf } from '../doings.ts';
import { place } from '../expressions/locate.ts';
import { findName } from '../expressions/names.ts';
import { containerIn } from '../library/container-bases.ts';
import { holdsHandle, ownEnds, ownRange } from '../library/own-ranges.ts';
import { holdsBits } from '../library/truth-vectors.ts';
import { bind, createScope, isThunk, type Scope } from '../scope.ts';
import { iteratorOf } from '../script/iterators.ts';
import { ParkSignal, type Resume } from '../threads.ts';
import { type Cell, createCell, nothingThere, type Value } from '../value.ts';
import { noteGap, type World } from '../world.ts';
import { evaluateBetween, parkBetween, waitsBetween } from './between-rounds.ts';
import { givenParts } from './destructure.ts';
import { type Completion, endScope, execute } from './execute.ts';
import { lastAlike, mayBeAlike, passOverAlike } from './idle-rounds.ts';
import { goesFurther, hasLaterRound, type LaterRounds } from './later-rounds.ts';
import { copiedPart, type Elements, elements, listed, referent, unknownIterations } from './loop-elements.ts';
import { continues, isGivenRest, isTried } from './loop-ends.ts';
import { executeBetween, executeSteps, parkRound, runBody, stepsBetweenRounds } from './loops-over-coroutines.ts';
import { beforeTurns, isPlainData, mostTurnRounds, takesTurns } from './taking-turns.ts';
import { addTemporary, endingIn, endTemporaries, noteTemporary } from './temporaries.ts';
import { openRest } from './used-elements.ts';

/** Iterations after which a loop is asked whether it only repeats itself. */
const repeatedIterations = 24;
/** The same of a loop that was left for that before: how often it goes round is not counted any more. */
const repeatedIterationsAgain = 3;
/** Iterations in a row that make no handle and no allocation, after which a loop is left. */
const uneventfulIterations = 100;
/** The same of a `while` in which no choice hangs on the rounds before. */
const uneventfulRounds = 24;
/** The same of a loop that has cost this many steps. */
const dearRounds = 8;
const dearSteps = 15_000;
/** Elements of a list of TypeScript's, which may grow while a loop goes through it, that a loop is shown. */
export const mostScriptRounds = 400;

export function executeLoop(world: World, scope: Scope, loop: Statement & { kind: 'loop' }): Completion {
  if (isOnce(loop)) {
    const completion = execute(world, createScope(scope), loop.body);
    return completion && leavesLoop(loop, completion) ? completion : undefined;
  }
  const outer = createScope(scope);
  if (loop.initializer) execute(world, outer, loop.initializer);
  return executeRounds(world, outer, loop, false, null);
}

/** A loop that is entered in the middle of a round; `rest` runs that round to its end. */
export function enterLoop(world: World, outer: Scope, loop: Statement & { kind: 'loop' }, rest: Resume): Completion {
  if (!isOnce(loop)) return executeRounds(world, outer, loop, true, rest);
  const completion = rest();
  return completion && leavesLoop(loop, completion) ? completion : undefined;
}

/** `isLeft`: the loop goes on in a thread that waited, with the rest of a round or with the next one. */
function executeRounds(
  world: World,
  outer: Scope,
  loop: Statement & { kind: 'loop' },
  isLeft: boolean,
  rest: Resume | null,
): Completion {
  try {
    return goRound(world, outer, loop, isLeft, rest);
  } catch (signal) {
    if (signal instanceof ParkSignal && waitsBetween(signal))
      parkBetween(signal, outer, () => executeRounds(world, outer, loop, true, null));
    else if (signal instanceof ParkSignal) {
      const inside = signal.isResultAsked ? null : signal.resume;
      signal.isResultAsked = false;
      signal.scopes.push(outer);
      signal.resume = () => executeRounds(world, outer, loop, true, inside);
    }
    throw signal;
  }
}

function goRound(
  world: World,
  outer: Scope,
  loop: Statement & { kind: 'loop' },
  isLeft: boolean,
  rest: Resume | null,
): Completion {
  const acts = loopActs(world, loop);
  const outside = beforeQuiet(world);
  if (acts === 'never') enterQuiet(world);
  else if (acts === 'perhaps') enterTrial(world);
  let completion: Completion;
  let previous = 0;
  const counts = world.usualCounts.size;
  const turns = enterTurns(world);
  const before = beforeTurns(world);
  const first = world.events.length;
  const firstStep = world.steps;
  let start = first;
  let things = world.thingsMade;
  let lastMade = 0;
  let isPromised = false;
  const later: LaterRounds = { isTried: false, left: 0 };
  const isLong = wasShortened(world, loop.span) && (roundsLeft(world, outer, loop) ?? Infinity) > repeatedIterations;
  const enough = isLong ? repeatedIterationsAgain : repeatedIterations;
  const isSearch = mayBeAlike(loop);
  for (let iteration = 0; ; iteration++) {
    const isBegun = iteration === 0 && (isLeft ? rest !== null : loop.bodyFirst);
    const isLater = hasLaterRound(world, outer, loop, later);
    let next = isBegun || isLater ? 'goes on' : continues(world, outer, loop, iteration, acts, before, start);
    if (next === 'taken to end' && iteration >= unknownIterations && goesFurther(world, outer, loop, acts, later))
      next = 'goes on';
    if (next === 'waits') throw new ParkSignal(() => undefined);
    if (next === 'may go on') forgetAssigned(world, outer, loop);
    if (next === 'passed over') openFlags(world, outer, loop);
    if (next === 'taken to end' && acts !== 'never') forgetAdded(world, outer, loop, acts === 'surely');
    if (next === 'taken to end') openRest(world, outer, loop);
    if (next !== 'goes on') break;
    if (iteration > enough && start > previous && repeats(world, previous, start) && carriedBy(world, loop).isSteady) {
      summarise(world, outer, loop, false, carriedBy(world, loop).changing);
      noteShortened(world, loop.span);
      break;
    }
    previous = start;
    start = world.events.length;
    const spent = world.steps - firstStep;
    if (iteration === 1) isPromised = isGivenRest(world, outer, loop, spent);
    // Later rounds took more steps than the first: those of elements that are made when they are first touched.
    else if (isPromised && isUsedUp(world)) isPromised = isGivenRest(world, outer, loop, spent / iteration);
    const isOver = isGivenUp(world) || (iteration === 1 && !isPromised && !isTried(world, outer, loop));
    const isQuiet = world.quietUntil !== null;
    const made = world.thingsMade;
    if (made > things) lastMade = iteration;
    things = made;
    const uneventful = iteration - lastMade;
    const isTooLong =
      iteration >= world.budget.iterations ||
      uneventful > uneventfulIterations ||
      (uneventful > uneventfulRounds && !loop.update && carriedBy(world, loop).isSteady) ||
      (uneventful > dearRounds && world.steps - firstStep > dearSteps) ||
      world.events.length - first > world.budget.loopEvents;
    if (isQuiet ? isOver : isTooLong && !isLater && !goesFurther(world, outer, loop, acts, later)) {
      summarise(world, outer, loop, !isQuiet);
      break;
    }
    const marks = isSearch ? marksOf(world) : null;
    const result = isBegun && rest ? rest() : runBody(world, outer, loop.body);
    if (result && leavesLoop(loop, result)) {
      completion = result;
      break;
    }
    if (result?.kind === 'break') break;
    if (marks) passOverAlike(world, outer, loop, marks);
    if (loop.update) evaluateBetween(world, outer, loop.update);
  }
  forgetUsualCounts(world, counts);
  leaveTurns(world, turns);
  leaveQuiet(world, outside);
  endScope(world, outer);
  return completion;
}

/** It ends more than this loop, or a round of it: also `continue` of a loop around it. */
function leavesLoop({ label }: { readonly label?: string }, result: NonNullable<Completion>): boolean {
  if (result.kind === 'return' || result.kind === 'goto') return true;
  return result.loop !== undefined && result.loop !== label;
}

/** `do { … } while (0)`: how a macro becomes one statement. */
function isOnce({ bodyFirst, condition, initializer, update }: Statement & { kind: 'loop' }): boolean {
  return bodyFirst && condition?.kind === 'number' && condition.value === 0 && !initializer && !update;
}

const answers = rememberedByProgram<Statement, Acting>();

function loopActs(world: World, loop: Statement & { kind: 'loop' }): Acting {
  return answers(world.program).get(loop, 'never', () => {
    const parts = [loop.body, loop.condition, loop.update].flatMap((part) => (part ? [acting(world, part)] : []));
    return parts.includes('surely') ? 'surely' : parts.includes('perhaps') ? 'perhaps' : 'never';
  });
}

/** Gives up on a loop: what it assigns, or only what is `changing`, is unknown afterwards, and if it acts that is a gap. */
function summarise(
  world: World,
  scope: Scope,
  loop: Statement & { kind: 'loop' },
  acts: boolean,
  changing: ReadonlySet<string> | null = null,
): void {
  if (acts) noteGap(world, 'budget', 'a loop with more iterations than are followed', loop.span);
  else waitForCallbacks(world, loop.span);
  const giveLengths = lengthsBehind(world, scope, loop);
  forgetAssigned(world, scope, loop, changing);
  giveLengths();
  const { condition } = loop;
  if (condition?.kind !== 'binary' || condition.left.kind !== 'name') return;
  const counter = findName(world, scope, condition.left.name);
  const last = finalValue(world, scope, loop);
  if (last && counter && !isThunk(counter) && isScalarValue(counter.value)) counter.value = last;
}

export function executeForEach(world: World, scope: Scope, loop: Statement & { kind: 'forEach' }): Completion {
  const mark = world.temporaries.length;
  const source = place(world, scope, loop.range);
  noteTemporary(world, loop.range, source);
  let range = containerIn(source.value.kind === 'pointer' ? source.value.cell.value : source.value);
  if (range.kind === 'sequence' && range.sequence.name === 'list' && !source.cell)
    for (const { value } of endingIn(world.program, range, true)) addTemporary(world, value);
  if (loop.over === 'values' && range.kind === 'record') range = iteratorOf(world, scope, range, loop.range.span);
  const generator = range.kind === 'record' ? range.record.generator : undefined;
  const leaves = (result: NonNullable<Completion>): boolean => leavesLoop(loop, result);
  if (generator && !generator.ahead) {
    const completion = executeSteps(world, generator, (entry) => executeRound(world, scope, loop, entry), leaves);
    generator.ahead = { values: [], result: nothingThere, at: 0, events: null };
    endTemporaries(world, mark);
    return completion;
  }
  const ends = ownEnds(world, scope, range, source.cell);
  const steps = stepsBetweenRounds(world, scope, range, ends);
  // An iterator of which nobody knows whether it is at its end goes through elements that nobody knows.
  const begun = steps && !holdsHandle(range) ? steps.next() : null;
  if (steps && (!begun || begun.done || begun.value)) {
    const run = (entry: Cell): Completion => executeRound(world, scope, loop, entry, source.cell);
    const first = begun?.value ?? null;
    const completion = begun?.done ? undefined : executeBetween(steps, first, loop.body, run, leaves);
    endTemporaries(world, mark);
    return completion;
  }
  const acts = acting(world, loop.body);
  const shown = (): Elements => {
    const own = steps ? null : ownRange(world, scope, range, source.cell, ends);
    return own ? listed(own) : elements(world, range, loop, acts);
  };
  const completion = goThrough(world, scope, loop, { acts, shown, range: source.cell, leaves }, 0, null);
  endTemporaries(world, mark);
  return completion;
}

/** What a loop goes through, and how. */
interface Through {
  readonly acts: Acting;
  readonly shown: () => Elements;
  readonly range: Cell | null;
  readonly leaves: (result: NonNullable<Completion>) => boolean;
}

/** The rounds from one on; `rest`: of that one, what is left where a thread waited or a coroutine was suspended. */
function goThrough(
  world: World,
  scope: Scope,
  loop: Statement & { kind: 'forEach' },
  through: Through,
  from: number,
  rest: Resume | null,
): Completion {
  const { acts, leaves } = through;
  const outside = beforeQuiet(world);
  if (acts === 'never') enterQuiet(world);
  else if (acts === 'perhaps') enterTrial(world);
  const counts = world.usualCounts.size;
  const shown = through.shown();
  let completion: Completion;
  let round = from;
  const firstStep = world.steps;
  const before = beforeTurns(world);
  let last = before.events;
  // Of elements that nobody knows there may be as many as it takes until the first slot of a ring has its turn again.
  const hasTurn = (): boolean =>
    !shown.isAll &&
    acts !== 'never' &&
    round >= unknownIterations &&
    round < mostTurnRounds &&
    isPlainData(shown.at(0).value) &&
    takesTurns(world, before, last);
  try {
    for (; ; round++) {
      const count = Math.min(shown.count, loop.over ? mostScriptRounds : shown.count);
      if (round >= count && !hasTurn()) {
        if (count < shown.count && acts !== 'never')
          noteGap(world, 'budget', 'a loop with more iterations than are followed', loop.span);
        if (!shown.isAll && acts === 'never') forgetAssigned(world, scope, loop);
        if (!shown.isAll && acts !== 'never') forgetAdded(world, scope, loop, acts === 'surely');
        break;
      }
      const further = (count - 1) * (world.steps - firstStep);
      if (isGivenUp(world) || (round === 1 && !isWorth(world, further) && !mayLeave(loop.body))) {
        forgetAssigned(world, scope, loop);
        break;
      }
      last = world.events.length;
      const marks = shown.isAll ? marksOf(world) : null;
      const left = round === from ? rest : null;
      const result = left ? left() : executeRound(world, scope, loop, shown.at(round), through.range);
      if (result && leaves(result)) {
        completion = result;
        break;
      }
      if (result?.kind === 'break') break;
      if (marks) round = lastAlike(world, loop.body, marks, round, count, shown.at);
    }
  } catch (signal) {
    if (signal instanceof ParkSignal)
      parkRound(signal, loop.body, (inside) =>
        goThrough(world, scope, loop, { ...through, shown: () => shown }, round, inside),
      );
    throw signal;
  }
  forgetUsualCounts(world, counts);
  leaveQuiet(world, outside);
  return completion;
}

/** The body, for one element of what the loop goes through. */
function executeRound(
  world: World,
  scope: Scope,
  loop: Statement & { kind: 'forEach' },
  entry: Cell,
  range: Cell | null = null,
): Completion {
  const inner = createScope(scope);
  if (loop.declaration) {
    const { isReference, isConst } = loop.declaration.type;
    const element = referent(entry, loop.declaration.type);
    if (isConst) noteElement(world, inner, loop.declaration, entry);
    const isBit = loop.declaration.type.name === 'auto' && holdsBits(world, range, entry);
    bind(
      inner,
      loop.declaration.name,
      isReference || isBit
        ? element
        : createCell(loop.declaration.name, copyValue(elementOf(world, element, loop.declaration.type)), element.type),
    );
  }
  const { value } = entry;
  const count = loop.names.length;
  const own = count > 0 && value.kind === 'record' ? givenParts(world, scope, value.record, count, loop.span) : null;
  loop.names.forEach((name, index) => {
    const field = own
      ? own[index]
      : value.kind === 'record'
        ? [...value.record.fields.values()][index]
        : value.kind === 'sequence'
          ? value.sequence.cells.get(index)
          : undefined;
    const part = field && loop.isOfCopies ? copiedPart(world, value, name, field) : field;
    bind(inner, name, part ?? createCell(name));
  });
  return execute(world, inner, loop.body);
}

/** The element of an unseen container is the same handle in every loop over it. */
function elementOf(world: World, entry: Cell, declared: TypeReference): Value {
  const type = declared.name === 'auto' ? entry.type : declared;
  return identified(world, { value: entry.value, cell: entry }, type);
}
