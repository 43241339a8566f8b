/** Objects of TypeScript's program that say themselves what `for … of` and `...` find in them. */

import type { Span } from '../../base/span.ts';
import type { CallResult } from '../calls/call.ts';
import { callWith } from '../calls/callables.ts';
import { invokeClosure, invokeMethod, ownerOfMethod } from '../calls/invoke.ts';
import { throughPointers } from '../expressions/through-pointers.ts';
import { containerIn } from '../library/container-bases.ts';
import type { Scope } from '../scope.ts';
import { createShared, nothingThere, type RecordObject, truth, type Value } from '../value.ts';
import type { World } from '../world.ts';
import { iterated } from './values.ts';

/** Steps of an iterator that are followed. */
const mostSteps = 400;

/** Calls a method that an object has by its name, or by its class; null when there is none. */
export function calledByName(
  world: World,
  scope: Scope,
  record: RecordObject,
  name: string,
  span: Span,
): CallResult | null {
  const own = record.fields.get(name)?.value;
  if (own?.kind === 'closure') return invokeClosure(world, own, [], span, own.lambda.hasThis ? record : own.scope.self);
  if (own?.kind === 'function') return callWith(world, scope, own, [], span);
  if (!ownerOfMethod(world, record.className, name)) return null;
  return invokeMethod(world, scope, record, name, [], span);
}

/** What is gone through instead of the value: what its `[Symbol.iterator]` gives, or the value itself. */
export function iteratorOf(world: World, scope: Scope, value: Value, span: Span): Value {
  const target = throughPointers(value);
  if (target?.kind !== 'record' || target.record.generator) return target ?? value;
  const found =
    calledByName(world, scope, target.record, '[Symbol.iterator]', span) ??
    calledByName(world, scope, target.record, '[Symbol.asyncIterator]', span);
  const iterator = found && throughPointers(found.value);
  if (!iterator) return containerIn(target);
  return iterator.kind === 'record' && !iterator.record.generator
    ? stepped(world, scope, iterator.record, span)
    : iterator;
}

/** What a loop over the value, or `...value`, sees; null when that is not known. */
export function elementsOf(world: World, scope: Scope, value: Value, span: Span): readonly Value[] | null {
  return iterated(value.kind === 'record' || value.kind === 'pointer' ? iteratorOf(world, scope, value, span) : value);
}

/** An object with `next()`, asked until it is done. */
function stepped(world: World, scope: Scope, iterator: RecordObject, span: Span): Value {
  const run = (taker: (value: Value) => boolean): Value | null => {
    for (let step = 0; step < mostSteps; step++) {
      const result = calledByName(world, scope, iterator, 'next', span);
      const answer = result && throughPointers(result.value);
      if (answer?.kind !== 'record') return null;
      const done = answer.record.fields.get('done');
      const isDone = done ? truth(done.value) : false;
      const value = answer.record.fields.get('value')?.value ?? nothingThere;
      if (isDone === true) return value;
      if (isDone === null || !taker(value)) return null;
    }
    return null;
  };
  return { kind: 'record', record: { ...createShared('(generator)'), generator: { run, ahead: null } } };
}
