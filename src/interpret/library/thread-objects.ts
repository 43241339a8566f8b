/** Threads that are joined, and condition variables: who waits, and who is told to look again. */

import type { Span } from '../../base/span.ts';
import type { CallExpression, TypeReference } from '../../program/program.ts';
import type { Argument, CallResult } from '../calls/call.ts';
import { done, just } from '../calls/call-results.ts';
import { callWith } from '../calls/callables.ts';
import { noteUnseenWait, waitForCallbacks } from '../cuda/host-waits.ts';
import type { Scope } from '../scope.ts';
import { ParkSignal, runThread, waitUntil, wakeThreads } from '../threads.ts';
import { numberValue, type RecordObject, truth, unknownValue, type Value, zero } from '../value.ts';
import type { World } from '../world.ts';
import type { Builtin } from './builtin.ts';

/** Whether objects of the type run a function in a thread. */
export function isThread({ name }: TypeReference): boolean {
  return /^(?:std::)?j?thread$/.test(name);
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
  if (className === 'std::thread' && name === 'join') {
    wakeThreads(world);
    waitForCallbacks(world, span);
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
  const isAsked = name === 'wait' ? values.length > 1 : values.length > 2;
  waitUntil(world, isAsked && last ? () => mayHold(world, scope, last, span) : nextTime());
  return name === 'wait' ? done : just(isAsked ? numberValue(1) : unknownValue);
}

/** Threads of C; where one takes its function from, and what it is called with, hangs on the library. */
export const threadFunctions: Readonly<Record<string, Builtin>> = {
  pthread_create: (world, scope, [, , callee, ...rest], { span }) => started(world, scope, callee, rest, span),
  thrd_create: (world, scope, [, callee, ...rest], { span }) => started(world, scope, callee, rest, span),
  ...namedAlike(['pthread_join', 'thrd_join'], joined),
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
