/**
 * `std::counting_semaphore`, `std::latch` and `std::barrier`: numbers that threads wait for. A number that is not known lets those who
 * wait go on when somebody has changed it.
 */

import type { Span } from '../../base/span.ts';
import type { TypeReference } from '../../program/program.ts';
import type { Argument, CallResult } from '../calls/call.ts';
import { done, just } from '../calls/call-results.ts';
import { callWith } from '../calls/callables.ts';
import { waitForCallbacks } from '../cuda/host-waits.ts';
import { findClass } from '../program-table.ts';
import type { Scope } from '../scope.ts';
import { waitUntil, wakeThreads } from '../threads.ts';
import {
  createCell,
  createRecord,
  numberValue,
  type RecordObject,
  truthValue,
  unknownValue,
  type Value,
} from '../value.ts';
import type { World } from '../world.ts';

type CounterMethod = (use: Use, values: readonly Argument[]) => CallResult | null;

/** A method that is called on an object. */
interface Use {
  readonly world: World;
  readonly scope: Scope;
  readonly record: RecordObject;
  readonly span: Span;
}

const countField = '(count)';
/** Of a barrier: how many have to come in each round, the rounds that are over, and what is called when one is. */
const expectedField = '(expected)';
const roundsField = '(rounds)';
const completionField = '(completion)';
/** How often the number was changed: somebody who waits for an unknown one goes on then. */
const changesField = '(changes)';

const semaphore: Readonly<Record<string, CounterMethod>> = {
  acquire: (use) => {
    take(use);
    return done;
  },
  release: (use, [by]) => {
    change(use, by ? by.value : numberValue(1), 1);
    return done;
  },
  try_acquire: (use) => {
    const count = numberIn(use.record, countField);
    if (count === null) return just(unknownValue);
    if (count > 0) setNumber(use.record, countField, count - 1);
    return just(truthValue(count > 0));
  },
  // Somebody who waits for a time gets what he waits for.
  try_acquire_for: (use) => {
    take(use);
    return just(numberValue(1));
  },
  try_acquire_until: (use) => {
    take(use);
    return just(numberValue(1));
  },
};

const latch: Readonly<Record<string, CounterMethod>> = {
  count_down: (use, [by]) => {
    change(use, by ? by.value : numberValue(1), -1);
    return done;
  },
  wait: (use) => {
    waitForNone(use);
    return done;
  },
  arrive_and_wait: (use, [by]) => {
    change(use, by ? by.value : numberValue(1), -1);
    waitForNone(use);
    return done;
  },
  try_wait: ({ record }) => {
    const count = numberIn(record, countField);
    return just(count === null ? unknownValue : truthValue(count <= 0));
  },
};

const barrier: Readonly<Record<string, CounterMethod>> = {
  arrive: (use) => just(arrive(use)),
  wait: (use, [round]) => {
    waitForRound(use, round?.value ?? unknownValue);
    return done;
  },
  arrive_and_wait: (use) => {
    waitForRound(use, arrive(use));
    return done;
  },
  arrive_and_drop: (use) => {
    const expected = numberIn(use.record, expectedField);
    if (expected !== null) setNumber(use.record, expectedField, expected - 1);
    arrive(use);
    return done;
  },
};

const methods: Readonly<Record<string, Readonly<Record<string, CounterMethod>>>> = {
  'std::counting_semaphore': semaphore,
  'std::binary_semaphore': semaphore,
  'std::latch': latch,
  'std::barrier': barrier,
};

/** Whether objects of the type are numbers that threads wait for. */
export function isCounter(world: World, { name, pointers }: TypeReference): boolean {
  return pointers === 0 && Object.hasOwn(methods, name) && !findClass(world.program, name);
}

/** One that begins with the number it is given, and of a barrier what it calls. */
export function counterMadeOf({ name }: TypeReference, [count, completion]: readonly Argument[]): Value {
  const record = createRecord(name, true);
  const value = count?.value ?? unknownValue;
  for (const field of [countField, expectedField]) record.fields.set(field, createCell(field, value));
  for (const field of [roundsField, changesField]) record.fields.set(field, createCell(field, numberValue(0)));
  if (completion) record.fields.set(completionField, createCell(completionField, completion.value));
  return { kind: 'record', record };
}

/** A method of such an object; null for any other object, or method. */
export function counterMethod(
  world: World,
  scope: Scope,
  record: RecordObject,
  name: string,
  values: readonly Argument[],
  span: Span,
): CallResult | null {
  if (!Object.hasOwn(methods, record.className)) return null;
  const own = methods[record.className] ?? {};
  const method = Object.hasOwn(own, name) ? own[name] : undefined;
  return method ? method({ world, scope, record, span }, values) : null;
}

function numberIn({ fields }: RecordObject, field: string): number | null {
  const value = fields.get(field)?.value;
  return value?.kind === 'number' ? value.value : null;
}

function setNumber({ fields }: RecordObject, field: string, value: number | null): void {
  fields.set(field, createCell(field, value === null ? unknownValue : numberValue(value)));
}

/** The number grows or shrinks, and those who wait look again. */
function change({ world, record, span }: Use, by: Value, sign: 1 | -1): void {
  const count = numberIn(record, countField);
  setNumber(record, countField, count === null || by.kind !== 'number' ? null : count + sign * by.value);
  setNumber(record, changesField, (numberIn(record, changesField) ?? 0) + 1);
  waitForCallbacks(world, span);
  wakeThreads(world);
}

/** Whether the number has been changed since this was asked for. */
function changedSince(record: RecordObject): () => boolean {
  const before = numberIn(record, changesField);
  return () => numberIn(record, changesField) !== before;
}

/** Waits until there is one, and takes it. */
function take({ world, record, span }: Use): void {
  waitForCallbacks(world, span);
  const isChanged = changedSince(record);
  let isTaken = false;
  const tryToTake = (): boolean => {
    const count = numberIn(record, countField);
    isTaken = count === null ? isChanged() : count > 0;
    if (isTaken && count !== null) setNumber(record, countField, count - 1);
    return isTaken;
  };
  waitUntil(world, tryToTake);
  // The program's own thread has let the others go on.
  if (!isTaken) tryToTake();
  waitForCallbacks(world, span);
}

function waitForNone({ world, record, span }: Use): void {
  waitForCallbacks(world, span);
  const isChanged = changedSince(record);
  waitUntil(world, () => {
    const count = numberIn(record, countField);
    return count === null ? isChanged() : count <= 0;
  });
}

/** One has come to a barrier; the round that is waited for. */
function arrive({ world, scope, record, span }: Use): Value {
  const count = numberIn(record, countField);
  const rounds = numberIn(record, roundsField) ?? 0;
  if (count === null || count > 1) {
    setNumber(record, countField, count === null ? null : count - 1);
    return numberValue(rounds);
  }
  const completion = record.fields.get(completionField)?.value;
  if (completion) callWith(world, scope, completion, [], span);
  setNumber(record, countField, numberIn(record, expectedField));
  setNumber(record, roundsField, rounds + 1);
  wakeThreads(world);
  return numberValue(rounds);
}

function waitForRound({ world, record, span }: Use, round: Value): void {
  waitForCallbacks(world, span);
  waitUntil(
    world,
    () =>
      round.kind !== 'number' ||
      record.fields.get(countField)?.value.kind !== 'number' ||
      (numberIn(record, roundsField) ?? 0) > round.value,
  );
}
