/** Loops that take turns with what they go through: generators, coroutines and iterators of the program's own. */

import type { Statement } from '../../program/program.ts';
import { functionActs } from '../choices/acting.ts';
import { beforeQuiet } from '../choices/quiet.ts';
import { holdsHandle, type OwnEnds, operatorsOfSteps, stepsOfOwn } from '../library/own-ranges.ts';
import { createScope, type Scope } from '../scope.ts';
import type { Generator } from '../script/generators.ts';
import { ParkSignal, type Resume } from '../threads.ts';
import { type Cell, createCell, type Value } from '../value.ts';
import type { World } from '../world.ts';
import { type Completion, execute } from './execute.ts';
import { mostScriptRounds } from './loops.ts';

/** Runs the body for one element. */
type Round = (entry: Cell) => Completion;
/** Whether what a round ended with leaves more than the round. */
type Leaves = (result: NonNullable<Completion>) => boolean;

/** The body between the steps behind the first one, as far as these are known. `rest`: what is left of a round that waited. */
export function executeBetween(
  steps: Iterator<Cell | null, void>,
  first: Cell | null,
  body: Statement,
  run: Round,
  leaves: Leaves,
  rest: Resume | null = null,
): Completion {
  let left = rest;
  let next = first;
  let entry: Cell | null = null;
  try {
    for (let rounds = 0; rounds < mostScriptRounds; rounds++) {
      entry = left ? null : (next ?? steps.next().value ?? null);
      next = null;
      if (!left && !entry) break;
      const result = left ? left() : run(entry!);
      left = null;
      if (result && leaves(result)) return result;
      if (result?.kind === 'break') break;
    }
  } catch (signal) {
    if (signal instanceof ParkSignal)
      parkRound(signal, body, (inside) => executeBetween(steps, inside ? null : entry, body, run, leaves, inside));
    throw signal;
  }
  return undefined;
}

/**
 * What takes turns with the rounds of a loop: a coroutine of the program's own, whose body goes on between them, and an iterator whose
 * operators ask something of CUDA. Null for all else.
 */
export function stepsBetweenRounds(
  world: World,
  scope: Scope,
  range: Value,
  ends: OwnEnds | null,
): Iterator<Cell | null, void> | null {
  const isCoroutine = holdsHandle(range);
  if (!ends) return isCoroutine ? [][Symbol.iterator]() : null;
  const acts = operatorsOfSteps(world, ends.first.value).some(
    (each) => each.body && functionActs(world, each) !== 'never',
  );
  return isCoroutine || acts ? stepsOfOwn(world, scope, ends) : null;
}

/**
 * The body of a loop, in a round of its own. Where that is one statement, and waits for what somebody else finds out, it alone begins
 * again: what the loop asks before each round was asked.
 */
export function runBody(world: World, outer: Scope, body: Statement): Completion {
  try {
    return execute(world, createScope(outer), body);
  } catch (signal) {
    if (signal instanceof ParkSignal && signal.isResultAsked) {
      parkRound(signal, body, (inside) => (inside ? inside() : runBody(world, outer, body)));
    }
    throw signal;
  }
}

/** A round is left, and goes on later; where its only statement needs what somebody else finds out, it begins again. */
export function parkRound(signal: ParkSignal, body: Statement, goOn: (inside: Resume | null) => Completion): void {
  const isPlainCall = body.kind === 'expression' && body.expression.kind === 'call';
  const inside = signal.isResultAsked && !isPlainCall ? null : signal.resume;
  signal.isResultAsked = false;
  signal.resume = () => goOn(inside);
}

/** Goes through what a generator yields: its steps and the rounds of the loop take turns. */
export function executeSteps(world: World, generator: Generator, run: Round, leaves: Leaves): Completion {
  let completion: Completion;
  const outside = beforeQuiet(world);
  const { frames, returnType, statement } = world;
  let rounds = 0;
  generator.run((value) => {
    const inside = beforeQuiet(world);
    const own = { frames: world.frames, returnType: world.returnType, statement: world.statement };
    world.quietUntil = outside.quietUntil;
    world.trial = outside.trial;
    Object.assign(world, { frames, returnType, statement });
    const result = run(createCell('element', value));
    Object.assign(world, own);
    world.quietUntil = inside.quietUntil;
    world.trial = inside.trial;
    if (result && leaves(result)) completion = result;
    return ++rounds < mostScriptRounds && !completion && result?.kind !== 'break';
  });
  world.quietUntil = outside.quietUntil;
  world.trial = outside.trial;
  return completion;
}
