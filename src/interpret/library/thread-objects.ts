/** Threads that are joined, and condition variables: who waits, and who is told to look again. */

import type { Span } from '../../base/span.ts';
import type { CallExpression, TypeReference } from '../../program/program.ts';
import type { Argument, CallResult } from '../calls/call.ts';
import { done, just } from '../calls/call-results.ts';
import { callWith } from '../calls/callables.ts';
import { takeUsed } from '../closure-holdings.ts';
import { noteUnseenWait, waitForCallbacks } from '../cuda/host-waits.ts';
import { destroyCell } from '../objects/destroy.ts';
import type { Scope } from '../scope.ts';
import { noteThread, ParkSignal, runThread, waitUntil, wakeThreads } from '../threads.ts';
import { createRecord, numberValue, type RecordObject, truth, unknownValue, type Value, zero } from '../value.ts';
import type { World } from '../world.ts';
import type { Builtin } from './builtin.ts';
import { callOnce } from './made-once.ts';
import { askToStop, isStopAsked, stopStateOf, stopTokenOf } from './stop-tokens.ts';

/** Whether objects of the type run a function in a thread. */
export function isThread({ name }: TypeReference): boolean {
  return /^(?:std::)?j?thread$/.test(name);
}

const plainThread = 'std::thread';
/** One that asks its function to stop, and waits for it, when it goes. */
const joiningThread = 'std::jthread';

/** A thread that runs a function: it runs when it is started, until it waits, which is one of the orders that are possible. */
export function threadRunning(
  world: World,
  scope: Scope,
  { name }: TypeReference,
  [run, ...given]: readonly Argument[],
  span: Span,
): Value {
  const record = createRecord(/jthread$/.test(name) ? joiningThread : plainThread, true);
  if (!run) return { kind: 'record', record };
  world.hasThreads = true;
  const other = run.value.kind === 'record' ? run.value.record : null;
  if (other?.className === plainThread || (other?.className === joiningThread && !run.isMoved)) return run.value;
  if (other?.className === joiningThread) {
    for (const [field, cell] of other.fields) record.fields.set(field, cell);
    other.released = true;
    return { kind: 'record', record };
  }
  const isAsked = record.className === joiningThread && takesToken(world, run.value, given.length);
  const values = isAsked ? [{ value: stopTokenOf(record), cell: null, span }, ...given] : given;
  runThread(world, () => {
    noteThread(world);
    return callWith(world, scope, run.value, values, span);
  });
  if (run.isOnItsWay) for (const cell of [...takeUsed(run.value)].reverse()) destroyCell(world, cell);
  return { kind: 'record', record };
}

/** Whether a function takes a `std::stop_token` in front of what it is given. */
function takesToken(world: World, callee: Value, given: number): boolean {
  if (callee.kind === 'closure') return isToken(callee.lambda.parameters, given);
  const name =
    callee.kind === 'function' ? callee.name : callee.kind === 'record' ? `${callee.record.className}::operator()` : '';
  return world.program.functions.get(name)?.some(({ parameters }) => isToken(parameters, given)) === true;
}

function isToken(parameters: readonly { readonly type: TypeReference }[], given: number): boolean {
  const name = parameters[0]?.type.name ?? '';
  return /^(?:std::)?stop_token$/.test(name) || (name === 'auto' && parameters.length === given + 1);
}

/** A thread goes. */
export function endThread(world: World, record: RecordObject): void {
  if (record.className !== joiningThread) return;
  askToStop(world, record, world.statement);
  joinThreads(world, world.statement);
}

function joinThreads(world: World, span: Span): void {
  wakeThreads(world);
  waitForCallbacks(world, span);
}

const conditions = new Set(['std::condition_variable', 'std::condition_variable_any']);

/** A method of a thread or of a condition variable; null for any other object, or method. */
export function threadMethod(
  world: World,
  scope: Scope,
  { className }: RecordObject,
  name: string,
  values: readonly Argument[],
  span: Span,
): CallResult | null {
  if ((className === plainThread || className === joiningThread) && name === 'join') {
    joinThreads(world, span);
    return done;
  }
  if (!conditions.has(className)) return null;
  if (name === 'notify_one' || name === 'notify_all') {
    wakeThreads(world);
    return done;
  }
  if (name !== 'wait' && name !== 'wait_for' && name !== 'wait_until') return null;
  waitForCallbacks(world, span);
  const last = values.at(-1);
  const token = values[1]?.value;
  if (last && token?.kind === 'record' && token.record.className === 'std::stop_token')
    return waitOrStop(world, scope, token.record, last, span);
  const isAsked = name === 'wait' ? values.length > 1 : values.length > 2;
  waitUntil(world, isAsked && last ? () => mayHold(world, scope, last, span) : nextTime());
  return name === 'wait' ? done : just(isAsked ? numberValue(1) : unknownValue);
}

/** Waits until the condition holds or somebody asks to stop; whether it holds. */
function waitOrStop(world: World, scope: Scope, token: RecordObject, condition: Argument, span: Span): CallResult {
  let isHolding = false;
  waitUntil(
    world,
    () => {
      isHolding = mayHold(world, scope, condition, span);
      return isHolding || isStopAsked(stopStateOf(token));
    },
    true,
  );
  return just(numberValue(isHolding ? 1 : 0));
}

/** Threads of C; where one takes its function from, and what it is called with, hangs on the library. */
export const threadFunctions: Readonly<Record<string, Builtin>> = {
  pthread_create: (world, scope, [, , callee, ...rest], { span }) => started(world, scope, callee, rest, span),
  thrd_create: (world, scope, [, callee, ...rest], { span }) => started(world, scope, callee, rest, span),
  ...namedAlike(['pthread_join', 'thrd_join'], joined),
  ...namedAlike(['call_once', 'pthread_once'], callOnce),
  ...namedAlike(['pthread_cond_wait', 'pthread_cond_timedwait', 'cnd_wait', 'cnd_timedwait'], waiting),
  ...namedAlike(['pthread_cond_signal', 'pthread_cond_broadcast', 'cnd_signal', 'cnd_broadcast'], told),
};

function namedAlike(names: readonly string[], builtin: Builtin): Readonly<Record<string, Builtin>> {
  return Object.fromEntries(names.map((name) => [name, builtin]));
}

function started(
  world: World,
  scope: Scope,
  callee: Argument | undefined,
  values: readonly Argument[],
  span: Span,
): Value {
  world.hasThreads = true;
  runThread(world, () => callWith(world, scope, callee?.value ?? unknownValue, values, span));
  return zero;
}

function joined(world: World, _scope: Scope, _values: readonly Argument[], { span }: CallExpression): Value {
  wakeThreads(world);
  noteUnseenWait(world, span, true);
  return zero;
}

function waiting(world: World, _scope: Scope, _values: readonly Argument[], { span }: CallExpression): Value {
  noteUnseenWait(world, span, true);
  waitUntil(world, nextTime());
  return zero;
}

function told(world: World): Value {
  wakeThreads(world);
  return zero;
}

/** Not before somebody has told those who wait. */
function nextTime(): () => boolean {
  let isTold = false;
  return () => {
    const wasTold = isTold;
    isTold = true;
    return wasTold;
  };
}

/** Whether a condition holds, or nobody knows. */
function mayHold(world: World, scope: Scope, condition: Argument, span: Span): boolean {
  world.threads.depth++;
  try {
    return truth(callWith(world, scope, condition.value, [], span).value) !== false;
  } catch (signal) {
    if (signal instanceof ParkSignal) return true;
    throw signal;
  } finally {
    world.threads.depth--;
  }
}
