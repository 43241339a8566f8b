/** `std::stop_source`, `std::stop_token` and `std::stop_callback`: they share a place that says whether somebody has asked to stop. */

import type { Span } from '../../base/span.ts';
import type { TypeReference } from '../../program/program.ts';
import type { Argument, CallResult } from '../calls/call.ts';
import { done, just } from '../calls/call-results.ts';
import { callWith } from '../calls/callables.ts';
import type { Scope } from '../scope.ts';
import { wakeThreads } from '../threads.ts';
import {
  createCell,
  createRecord,
  numberValue,
  pointerTo,
  type RecordObject,
  unknownValue,
  type Value,
} from '../value.ts';
import type { World } from '../world.ts';

const source = 'std::stop_source';
const token = 'std::stop_token';
const callback = 'std::stop_callback';
const stateField = '(stop)';
const askedField = '(asked)';

/** Whether objects of the type have to do with being asked to stop. */
export function isStopType({ name, pointers }: TypeReference): boolean {
  return pointers === 0 && (name === source || name === token || name === callback);
}

/** A source of its own, a copy of what is given, or something that is called when somebody asks to stop. */
export function stopObject(
  world: World,
  scope: Scope,
  { name }: TypeReference,
  [given, callee]: readonly Argument[],
  span: Span,
): Value {
  const made = createRecord(name, true);
  const state = given?.value.kind === 'record' ? stopStateOf(given.value.record) : createRecord('', true);
  shareStop(made, state);
  if (made.className !== callback || !callee) return { kind: 'record', record: made };
  if (isStopAsked(state)) callWith(world, scope, callee.value, [], span);
  else {
    made.fields.set('(callback)', createCell('(callback)', callee.value));
    state.fields.set(`(callback ${state.fields.size})`, createCell('', { kind: 'record', record: made }));
  }
  return { kind: 'record', record: made };
}

/** The token that belongs to a thread or a source. */
export function stopTokenOf(record: RecordObject): Value {
  const made = createRecord(token, true);
  shareStop(made, stopStateOf(record));
  return { kind: 'record', record: made };
}

function shareStop(record: RecordObject, state: RecordObject): void {
  record.fields.set(stateField, createCell(stateField, pointerTo(createCell('', { kind: 'record', record: state }))));
}

/** The place that objects share. */
export function stopStateOf(record: RecordObject): RecordObject {
  const known = record.fields.get(stateField)?.value;
  if (known?.kind === 'pointer' && known.cell.value.kind === 'record') return known.cell.value.record;
  const state = createRecord('', true);
  shareStop(record, state);
  return state;
}

/** Whether somebody has asked to stop. */
export function isStopAsked(state: RecordObject): boolean {
  return state.fields.has(askedField);
}

/** Asks to stop: what is to be called then is called, and those who wait look again. */
export function askToStop(world: World, record: RecordObject, span: Span): void {
  const state = stopStateOf(record);
  if (isStopAsked(state)) return;
  const callbacks = [...state.fields.values()];
  state.fields.set(askedField, createCell(askedField, numberValue(1)));
  for (const { value } of callbacks) {
    const callee =
      value.kind === 'record' && !value.record.released ? value.record.fields.get('(callback)') : undefined;
    if (callee) callWith(world, world.globals, callee.value, [], span);
  }
  wakeThreads(world);
}

/** A method of one of these, or of a thread that can be asked to stop; null for any other object, or method. */
export function stopMethod(world: World, record: RecordObject, name: string, span: Span): CallResult | null {
  switch (name) {
    case 'request_stop':
      if (!canAsk(record)) return null;
      askToStop(world, record, span);
      return just(numberValue(1));
    case 'get_token':
    case 'get_stop_token':
      return canAsk(record) ? just(stopTokenOf(record)) : null;
    case 'get_stop_source':
      return canAsk(record) ? just({ kind: 'record', record: sourceOf(record) }) : null;
    case 'stop_requested':
      if (!canAsk(record) && record.className !== token) return null;
      // Before that another thread may ask at any time.
      return just(isStopAsked(stopStateOf(record)) ? numberValue(1) : unknownValue);
    case 'stop_possible':
      return record.className === token || record.className === source ? done : null;
    default:
      return null;
  }
}

function canAsk({ className }: RecordObject): boolean {
  return className === source || className === 'std::thread' || className === 'std::jthread';
}

function sourceOf(record: RecordObject): RecordObject {
  const made = createRecord(source, true);
  shareStop(made, stopStateOf(record));
  return made;
}
