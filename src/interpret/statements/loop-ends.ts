/** Whether a loop goes on: what its condition says, and how many rounds are tried where nobody knows. */

import type { Expression, Statement } from '../../program/program.ts';
import type { Acting } from '../../trace/decision.ts';
import { asLoopCondition } from '../changed-by-threads.ts';
import { assignedIn } from '../choices/assigned.ts';
import { hasExit, mayLeave } from '../choices/conditions.ts';
import { decide } from '../choices/decisions.ts';
import { goesOnABit, mayHold, noteAnswer, noteUsualCount } from '../choices/implied.ts';
import { isQuestion } from '../choices/questions.ts';
import { isWorth, noteLeft } from '../choices/quiet.ts';
import { roundsLeft } from '../choices/rounds-left.ts';
import { roundsOfTurns } from '../choices/turns.ts';
import { noteUnseenWait, waitForCallbacks } from '../cuda/host-waits.ts';
import { fullCondition } from '../expressions/conditional.ts';
import { isTaken } from '../library/coroutines.ts';
import type { Scope } from '../scope.ts';
import { wakeThreads } from '../threads.ts';
import { truth, unknownValue, type Value } from '../value.ts';
import type { World } from '../world.ts';
import { unknownIterations } from './loop-elements.ts';
import { isSpinning } from './spinning.ts';
import { type BeforeTurns, mostTurnRounds, noteCount, takesTurns, walksThings } from './taking-turns.ts';
import { hasUsedElement } from './used-elements.ts';

/** Whether a loop has another round, as far as its condition tells. */
export function continues(
  world: World,
  scope: Scope,
  loop: Statement & { kind: 'loop' },
  iteration: number,
  acts: Acting,
  before: BeforeTurns,
  last: number,
): 'goes on' | 'ends' | 'taken to end' | 'passed over' | 'may go on' | 'waits' {
  // What a thread does until it waits has its end there, and a generator where no more of it is wanted.
  const hasEnd = world.threads.depth > 0 || hasExit(loop.body) || isTaken(world);
  const hasTurn = (): boolean =>
    iteration >= unknownIterations &&
    acts !== 'never' &&
    before.isCountOpen &&
    (iteration < roundsOfTurns(world) ||
      (iteration < mostTurnRounds && takesTurns(world, before, last) && !walksThings(world, scope, loop)));
  if (!loop.condition) return iteration < unknownIterations || hasEnd || hasTurn() ? 'goes on' : 'may go on';
  const condition = world.hasThreads
    ? besideThreads(world, scope, loop.condition)
    : fullCondition(world, scope, loop.condition);
  const known = truth(condition);
  if (known === false) return 'ends';
  if (known) return iteration === 1 && world.threads.depth > 0 && isSpinning(world, loop) ? 'waits' : 'goes on';
  if (!loop.update && iteration === 0) {
    if (acts === 'never' && onlyAsks(loop)) noteUnseenWait(world, loop.condition.span, true);
    else waitForCallbacks(world, loop.condition.span);
    if (world.threads.depth === 0) wakeThreads(world);
  }
  // Each round asks anew: what is asked may have changed in a way that is not seen.
  const asked = isQuestion(condition) && !isCounted(loop) ? unknownValue : condition;
  // `i < argc`: an ordinary run has no round, and what the loop sets is what it was.
  const isPassedOver = iteration === 0 && asked.kind === 'symbol' && asked.hint === 0;
  if (acts === 'never' && !isPassedOver) return iteration < 1 ? 'goes on' : 'may go on';
  if (iteration === 0) noteCount(world, before, asked);
  if (acts !== 'never' && hasUsedElement(world, scope, loop, asked)) return 'goes on';
  if (hasTurn() && mayGoOn(world, asked, iteration + 1)) return 'goes on';
  if (iteration >= unknownIterations && !(asked.kind === 'symbol' && goesOnABit(world, asked.size)))
    return 'taken to end';
  const goesOn = decide(world, asked, loop.condition.span, true, false, acts === 'never' ? 'perhaps' : acts, {
    whenTrue: loop.body,
    whenFalse: null,
    isLoop: true,
  });
  if (!goesOn) return isPassedOver ? 'passed over' : 'taken to end';
  if (asked.kind === 'symbol') noteUsualCount(world, asked.size, unknownIterations);
  return 'goes on';
}

function besideThreads(world: World, scope: Scope, condition: Expression): Value {
  return asLoopCondition(world, () => fullCondition(world, scope, condition));
}

/** Whether nothing known speaks against another round; then the number asked about is that high. */
export function mayGoOn(world: World, asked: Value, rounds: number): boolean {
  if (asked.kind !== 'symbol') return true;
  if (!mayHold(world, asked.size)) return false;
  noteAnswer(world, asked.size, true);
  noteUsualCount(world, asked.size, rounds);
  return true;
}

/** Whether a quiet loop, of which a round takes so many steps, can be run to its end: it is known when that is, and it gets them. */
export function isGivenRest(world: World, scope: Scope, loop: Statement & { kind: 'loop' }, steps: number): boolean {
  if (world.quietUntil === null) return false;
  const rounds = roundsLeft(world, scope, loop);
  return rounds !== null && isWorth(world, Math.ceil(rounds * steps));
}

/** Whether a loop is begun that will perhaps not be run to its end: nobody knows when that is, or it may leave early. */
export function isTried(world: World, scope: Scope, loop: Statement & { kind: 'loop' }): boolean {
  if (world.quietUntil === null || roundsLeft(world, scope, loop) === null || mayLeave(loop.body)) return true;
  noteLeft(world);
  return false;
}

/** `while (*flag == 0) pause();`: what it asks somebody else changes, perhaps the device. */
function onlyAsks(loop: Statement & { kind: 'loop' }): boolean {
  const { names, arrays, members } = assignedIn(loop);
  return names.size === 0 && arrays.length === 0 && members.length === 0;
}

/** `for (…; i < n; i++)`: each round asks something else, and the next such loop the same. */
function isCounted({ condition, update }: Statement & { kind: 'loop' }): boolean {
  return update !== null && condition?.kind === 'binary' && /^[<>]=?$/.test(condition.operator);
}
