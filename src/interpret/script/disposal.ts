/** What is disposed of at the end of a block: objects that say how, and stacks of them. */

import type { Span } from '../../base/span.ts';
import type { Argument } from '../calls/call.ts';
import { callWith } from '../calls/callables.ts';
import { throughPointers } from '../expressions/through-pointers.ts';
import type { Scope } from '../scope.ts';
import { createShared, nothingThere, type RecordObject, unknownValue, type Value } from '../value.ts';
import type { World } from '../world.ts';
import { calledByName } from './iterators.ts';

/** What a stack calls, with what; without a function the value is disposed of. */
interface Entry {
  readonly callee: Value | null;
  readonly value: Value;
}

const stacks = new WeakMap<RecordObject, Entry[]>();

/** `new DisposableStack()`. */
export function disposableStack(entries: readonly Entry[] = []): Value {
  const record = createShared('(disposables)');
  stacks.set(record, [...entries]);
  return { kind: 'record', record };
}

/** Disposes of a value as it says itself; of anything else there is nothing to do. */
export function dispose(world: World, scope: Scope, value: Value, span: Span): void {
  const target = throughPointers(value);
  if (target?.kind !== 'record') return;
  const entries = stacks.get(target.record);
  for (let entry = entries?.pop(); entry; entry = entries?.pop()) {
    const given = [{ value: entry.value, cell: null, span }];
    if (entry.callee) callWith(world, scope, entry.callee, given, span);
    else dispose(world, scope, entry.value, span);
  }
  if (entries) return;
  if (!calledByName(world, scope, target.record, '[Symbol.dispose]', span))
    calledByName(world, scope, target.record, '[Symbol.asyncDispose]', span);
}

/** A method of a stack; null for any other object. */
export function stackMethod(
  world: World,
  scope: Scope,
  record: RecordObject,
  name: string,
  values: readonly Argument[],
  span: Span,
): Value | null {
  const entries = stacks.get(record);
  if (!entries) return null;
  const [first = unknownValue, second = unknownValue] = values.map(({ value }) => value);
  switch (name) {
    case 'use':
      entries.push({ callee: null, value: first });
      return first;
    case 'adopt':
      entries.push({ callee: second, value: first });
      return first;
    case 'defer':
      entries.push({ callee: first, value: nothingThere });
      return nothingThere;
    case 'move':
      return disposableStack(entries.splice(0));
    default:
      dispose(world, scope, { kind: 'record', record }, span);
      return nothingThere;
  }
}
