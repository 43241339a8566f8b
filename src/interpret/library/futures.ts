/**
 * `std::async`, `std::packaged_task`, `std::promise` and `std::future`. What runs in another thread has run when it is started; what
 * waits until it is asked for runs then. A future and what fills it share a place for the result.
 */

import type { Span } from '../../base/span.ts';
import type { CallExpression, Expression, TypeReference } from '../../program/program.ts';
import type { Argument, CallResult } from '../calls/call.ts';
import { done, just } from '../calls/call-results.ts';
import { bound, callWith } from '../calls/callables.ts';
import { waitForCallbacks } from '../cuda/host-waits.ts';
import { lastPart, resolveType } from '../program-table.ts';
import { isThunk, lookUp, type Scope } from '../scope.ts';
import { runThread, wakeThreads } from '../threads.ts';
import { createCell, createRecord, pointerTo, type RecordObject, type Value } from '../value.ts';
import type { World } from '../world.ts';

const future = 'std::future';
const shared = 'std::shared_future';
const task = 'std::packaged_task';
const promise = 'std::promise';

/** `std::async(f, …)`; `written`: its arguments, of which the first may say that it waits. */
export function asynchronous(
  world: World,
  scope: Scope,
  values: readonly Argument[],
  written: readonly Expression[],
  span: Span,
): Value {
  const at = values.findIndex(({ value }) => isCallable(value));
  const state = createRecord('', true);
  const given = values.slice(at);
  const [callee, ...rest] = at < 0 ? [] : given;
  const [policy] = written;
  const waits = at > 0 && policy?.kind === 'name' && lastPart(policy.name) === 'deferred';
  if (waits) state.fields.set('(task)', createCell('(task)', bound(given)));
  else if (callee) runThread(world, () => keepResult(state, callWith(world, scope, callee.value, rest, span).value));
  return futureOf(state);
}

/** A function, or an object that may be called like one, also by `std::ref`. */
function isCallable(value: Value): boolean {
  const { kind } = value;
  return (
    kind === 'closure' || kind === 'function' || kind === 'record' || (kind === 'pointer' && value.isWrapper === true)
  );
}

/** `std::packaged_task<int()>(f)`; null for any other type. */
export function taskMadeOf({ name, pointers }: TypeReference, values: readonly Argument[]): Value | null {
  const [callee] = values;
  if (!isTask(name) || pointers > 0 || callee?.value.kind === undefined) return null;
  // One that is moved stays what it is.
  if (callee.value.kind === 'record' && callee.value.record.className === task) return callee.value;
  const record = createRecord(task, true);
  record.fields.set('(function)', createCell('(function)', callee.value));
  return { kind: 'record', record };
}

export function isTask(name: string): boolean {
  return name === task;
}

/** Calls a task; null for any other object. */
export function callTask(
  world: World,
  scope: Scope,
  record: RecordObject,
  values: readonly Argument[],
  span: Span,
): CallResult | null {
  const callee = record.className === task ? record.fields.get('(function)') : undefined;
  if (!callee) return null;
  keepResult(stateOf(record), callWith(world, scope, callee.value, values, span).value);
  return done;
}

/** Methods of tasks, promises and futures; null for any other object, or method. */
export function futureMethod(
  world: World,
  scope: Scope,
  record: RecordObject,
  name: string,
  [given]: readonly Argument[],
  expression: CallExpression,
): CallResult | null {
  const { span } = expression;
  if (record.className === task || record.className === promise) {
    if (name === 'get_future') return just(futureOf(stateOf(record)));
    if (record.className !== promise || !name.startsWith('set_value')) return null;
    if (given) keepResult(stateOf(record), given.value);
    return done;
  }
  if (record.className !== future && record.className !== shared) return null;
  wakeThreads(world);
  waitForCallbacks(world, span);
  switch (name) {
    case 'get':
    case 'wait': {
      const asked = isDeclaredShared(world, scope, expression) ? sharedFrom(record) : record;
      return resultOf(world, scope, asked, name === 'get', span);
    }
    case 'share':
      return just({ kind: 'record', record: sharedFrom(record) });
    case 'valid':
    case 'wait_for':
    case 'wait_until':
      return done;
    default:
      return null;
  }
}

/** What is asked is a variable that shares its result: `std::shared_future<T> f = std::async(…)` holds the future itself here. */
function isDeclaredShared(world: World, scope: Scope, { callee }: CallExpression): boolean {
  const variable = callee.kind === 'member' && callee.object.kind === 'name' ? lookUp(scope, callee.object.name) : null;
  if (!variable || isThunk(variable) || !variable.type) return false;
  return resolveType(world.program, variable.type).name === shared;
}

/** What is there once what waited has run. */
function resultOf(world: World, scope: Scope, record: RecordObject, isTaken: boolean, span: Span): CallResult {
  const state = stateOf(record);
  const waiting = state.fields.get('(task)');
  if (waiting) {
    state.fields.delete('(task)');
    keepResult(state, callWith(world, scope, waiting.value, [], span).value);
  }
  const result = state.fields.get('(value)');
  if (!isTaken || !result) return done;
  // One that is shared keeps what it gives, for whoever asks next.
  const isKept = result.value.kind === 'unknown' || record.className === shared;
  return { value: result.value, cell: isKept ? result : null };
}

function keepResult(state: RecordObject, value: Value): void {
  state.fields.set('(value)', createCell('(value)', value));
}

function futureOf(state: RecordObject): Value {
  const record = createRecord(future, true);
  record.fields.set('(state)', stateCell(state));
  return { kind: 'record', record };
}

/** One that shares the result of a future. */
function sharedFrom(record: RecordObject): RecordObject {
  const other = createRecord(shared, true);
  other.fields.set('(state)', stateCell(stateOf(record)));
  return other;
}

/** What an object shares with others for the same result. */
function stateOf(record: RecordObject): RecordObject {
  const known = record.fields.get('(state)')?.value;
  if (known?.kind === 'pointer' && known.cell.value.kind === 'record') return known.cell.value.record;
  const state = createRecord('', true);
  record.fields.set('(state)', stateCell(state));
  return state;
}

function stateCell(state: RecordObject): ReturnType<typeof createCell> {
  return createCell('(state)', pointerTo(createCell('(result)', { kind: 'record', record: state })));
}
