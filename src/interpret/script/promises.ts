/** Promises of TypeScript's: a promise is what it comes to. */

import type { Span } from '../../base/span.ts';
import type { LambdaExpression } from '../../program/program.ts';
import { typeNamed } from '../../program/type-named.ts';
import type { Argument } from '../calls/call.ts';
import { callWith } from '../calls/callables.ts';
import { bind, createScope, type Scope } from '../scope.ts';
import { createCell, createShared, type Value } from '../value.ts';
import type { World } from '../world.ts';
import { whileOpen } from './registered-callbacks.ts';
import { objectWith } from './values.ts';

const settled = '(promise)';

/** `new Promise((resolve) => …)`: what it is settled with, timers that it sets included. */
export function promiseOf(world: World, scope: Scope, executor: Value | undefined, span: Span): Value {
  const promise = createShared(settled);
  const inner = createScope(scope);
  bind(inner, settled, createCell(settled, { kind: 'record', record: promise }));
  const settle: Value = { kind: 'closure', lambda: settling(span), scope: inner, made: [], usedAt: null };
  const given = [settle, { kind: 'unknown' } as const].map((value): Argument => ({ value, cell: null, span }));
  if (executor) whileOpen(world, () => callWith(world, scope, executor, given, span));
  return promise.fields.get('value')?.value ?? { kind: 'unknown' };
}

/** `(value) => (settle)(promise, value)`. */
function settling(span: Span): LambdaExpression {
  const type = typeNamed('auto');
  const name = (each: string) => ({ kind: 'name', name: each, span }) as const;
  const value = {
    kind: 'call',
    callee: name('(settle)'),
    templateArguments: [],
    arguments: [name(settled), name('value')],
    span,
  } as const;
  return {
    kind: 'lambda',
    parameters: [
      { name: 'value', type, defaultValue: { kind: 'number', value: 0, isNothing: true, span }, isPack: false, span },
    ],
    body: [{ kind: 'return', value, span }],
    capturesByReference: [],
    capturesByValue: [],
    ownVariables: [],
    isScript: true,
    span,
  };
}

/** The first value that a promise is settled with is what it comes to. */
export function settle(promise: Value | undefined, value: Value): void {
  if (promise?.kind !== 'record' || promise.record.fields.has('value')) return;
  promise.record.fields.set('value', createCell('value', value, null, promise.record));
}

/** An element of `Promise.allSettled`. */
export function settledWith(value: Value): Value {
  const status: Value = { kind: 'string', value: 'fulfilled' };
  const record = objectWith([
    ['status', status],
    ['value', value],
  ]);
  return { kind: 'record', record };
}
