/** Generators of TypeScript's: they run while somebody goes through what they yield. */

import type { Span } from '../../base/span.ts';
import { invokeClosure } from '../calls/invoke.ts';
import { createShared, nothingThere, type RecordObject, unknownValue, type Value } from '../value.ts';
import { LeaveSignal, noteGap, type World } from '../world.ts';
import { booleanValue, iterated, objectWith } from './values.ts';

/** Is given a value, and says whether it wants another. */
export type Taker = (value: Value) => boolean;

/** What a generator function gives back. */
export interface Generator {
  /** Runs it from its beginning; what it returns, or null where it was left before its end. */
  readonly run: (taker: Taker) => Value | null;
  /** What it yields, where it was run before it was asked. */
  ahead: Ahead | null;
}

interface Ahead {
  readonly values: readonly Value[];
  readonly result: Value | null;
  /** How many values have been asked for. */
  at: number;
  /** Calls of CUDA up to then, where it made some itself; those of others would stand between its own. */
  readonly events: number | null;
}

/** Values that a generator yields before it is asked for them. */
const mostAhead = 400;

/** Who takes what is yielded, by the object that stands for them. */
const takers = new WeakMap<RecordObject, Taker>();

/** The generator that runs this body. */
export function generatorOf(world: World, body: Value, span: Span): Value {
  if (body.kind !== 'closure') return { kind: 'unknown' };
  const run = (taker: Taker): Value | null => {
    const receiver = createShared('(receiver)');
    const enough = new LeaveSignal();
    takers.set(receiver, (value) => {
      if (!taker(value)) throw enough;
      return true;
    });
    try {
      return invokeClosure(world, body, [{ value: { kind: 'record', record: receiver }, cell: null, span }], span)
        .value;
    } catch (signal) {
      if (signal !== enough) throw signal;
      return null;
    }
  };
  return { kind: 'record', record: { ...createShared('(generator)'), generator: { run, ahead: null } } };
}

/** `yield value`, `yield* values`: each is taken before the next is made. */
export function yieldTo(receiver: Value, value: Value, isMany: boolean): Value {
  const taker = receiver.kind === 'record' ? takers.get(receiver.record) : undefined;
  if (!taker) return { kind: 'unknown' };
  if (!isMany) {
    taker(value);
    return nothingThere;
  }
  const inner = value.kind === 'record' ? value.record.generator : undefined;
  if (inner && !inner.ahead) return inner.run(taker) ?? nothingThere;
  for (const each of iterated(value) ?? [unknownValue]) taker(each);
  return nothingThere;
}

function runAhead(generator: Generator, world: World | null): Ahead {
  const values: Value[] = [];
  const before = world?.events.length;
  const result = generator.run((value) => values.push(value) < mostAhead);
  const events = world && world.events.length !== before ? world.events.length : null;
  generator.ahead = { values, result, at: 0, events };
  return generator.ahead;
}

/** What it has not been asked for yet; null where that does not end. */
export function restOf(generator: Generator): readonly Value[] | null {
  const ahead = generator.ahead ?? runAhead(generator, null);
  const rest = ahead.values.slice(ahead.at);
  ahead.at = ahead.values.length;
  return ahead.result === null ? null : rest;
}

/** `steps.next()`; its calls of CUDA come all at once, at the first one. What it would do with something that it is sent is not known. */
export function nextOf(world: World, generator: Generator, isSent: boolean, span: Span): Value {
  const isBegun = generator.ahead !== null;
  const before = generator.ahead ?? runAhead(generator, world);
  const ahead = isSent && isBegun ? { ...before, values: before.values.slice(0, before.at), result: null } : before;
  generator.ahead = ahead;
  if (ahead !== before) noteGap(world, 'syntax', 'a generator that is sent something', span);
  if (ahead.events !== null && ahead.events !== world.events.length)
    noteGap(world, 'syntax', 'a generator that is asked step by step', span);
  const value = ahead.values[ahead.at];
  const isOver = value === undefined && ahead.result !== null;
  ahead.at++;
  const given = value ?? (isOver && ahead.at === ahead.values.length + 1 ? ahead.result : null);
  const done: Value = value ? booleanValue(false) : isOver ? booleanValue(true) : { kind: 'unknown' };
  const record = objectWith([
    ['value', given ?? (isOver ? nothingThere : { kind: 'unknown' })],
    ['done', done],
  ]);
  return { kind: 'record', record };
}
