/**
 * Coroutines of the program's own: a class with a `promise_type`, whose bodies run from one suspension to the next ([dcl.fct.def.coroutine]).
 * Where one is suspended it is left as a thread is that waits, and goes on when somebody calls `resume`.
 */

import type { Span } from '../../base/span.ts';
import { rememberedByProgram } from '../../program/consulted.ts';
import type { FunctionDefinition, TypeReference } from '../../program/program.ts';
import { typeNamed } from '../../program/type-named.ts';
import { someNode } from '../../program/walk.ts';
import type { Argument, CallResult } from '../calls/call.ts';
import { done, just } from '../calls/call-results.ts';
import { invokeMethod, ownerOfMethod } from '../calls/invoke.ts';
import { keptByRun } from '../kept-by-run.ts';
import { constructValue } from '../objects/construct.ts';
import { destroyValue } from '../objects/destroy.ts';
import { findClass, lastPart, resolveType } from '../program-table.ts';
import type { Scope } from '../scope.ts';
import { endScopes, ParkSignal, type Resume } from '../threads.ts';
import { substitute } from '../types/types.ts';
import { typeInClass } from '../types/types-in-classes.ts';
import {
  createCell,
  createRecord,
  numberValue,
  pointerTo,
  type RecordObject,
  truth,
  truthValue,
  unknownValue,
  type Value,
} from '../value.ts';
import type { World } from '../world.ts';

/** A call of a coroutine, until somebody ends it. */
export interface Frame {
  readonly number: number;
  readonly promise: RecordObject;
  readonly span: Span;
  /** Goes on where it is suspended; null while it runs, and when it has come to its end. */
  rest: (() => unknown) | null;
  hasBegun: boolean;
  isOver: boolean;
  /** What it has open where it is suspended. */
  scopes: readonly Scope[];
  /** Somebody has asked it to go on while it was still about to be suspended. */
  hasResumed: boolean;
  /** Its address was asked for: somebody who is not seen may go on with it. */
  isTakenAway: boolean;
  /** The suspension that a statement stood at which begins again, and the awaiter there. */
  passing: { readonly at: Span; readonly awaiter: RecordObject | null } | null;
}

export const handleClass = 'std::coroutine_handle';
const frameField = '(coroutine)';

interface Frames {
  readonly all: Frame[];
  /** Those under way inside one another; null stands for a generator of the library. */
  readonly running: (Frame | null)[];
  /** What the function that went on last has come to. */
  returned: Value;
}

const framesOf = keptByRun<Frames>(() => ({ all: [], running: [], returned: unknownValue }));

/** The coroutine under way; undefined where none is. */
export function frameUnderWay(world: World): Frame | undefined {
  return framesOf(world).running.at(-1) ?? undefined;
}

/** What is done between the steps of a generator of the library, or by such a one, which is no coroutine of the program's own. */
export function besideFrames<T>(world: World, isGenerator: boolean, work: () => T): T {
  const { running } = framesOf(world);
  const before = [...running];
  if (isGenerator) running.push(null);
  else running.pop();
  try {
    return work();
  } finally {
    running.splice(0, running.length, ...before);
  }
}

/** What a coroutine that was suspended has come to in the end. */
export function noteReturned(world: World, completion: ReturnType<Resume>): void {
  framesOf(world).returned = completion?.kind === 'return' ? completion.value : unknownValue;
}

const hasPromises = rememberedByProgram<object, boolean>();

/** The promise of a coroutine that a function of the program is; null where it is none. */
export function promiseOf(world: World, scope: Scope, definition: FunctionDefinition): TypeReference | null {
  const { program } = world;
  const { body, returnType } = definition;
  if (!body || returnType.pointers > 0 || returnType.isReference) return null;
  const isAny = hasPromises(program).get(program.classes, false, () =>
    [...program.classes.values()].some(
      ({ name, aliases }) => lastPart(name) === promiseName || aliases?.some(([alias]) => alias === promiseName),
    ),
  );
  if (!isAny) return null;
  const type = resolveType(program, substitute(returnType, scope));
  if (!findClass(program, type.name) || !isCoroutine(body.statements)) return null;
  const promise = typeInClass(world, scope, { ...typeNamed(`${type.name}::${promiseName}`), qualifier: type });
  if (!promise || !findClass(program, resolveType(program, promise).name)) return null;
  return { ...promise, arguments: promise.arguments.length > 0 ? promise.arguments : type.arguments };
}

const promiseName = 'promise_type';

function isCoroutine(statements: object): boolean {
  return someNode(
    statements,
    (node) =>
      node.kind === 'call' && node.callee.kind === 'name' && /^co_(?:await|yield|return)$/.test(node.callee.name),
  );
}

/** A coroutine is called: what `get_return_object` gives. `body` runs at once, or when somebody asks for it. */
export function beginCoroutine(
  world: World,
  scope: Scope,
  { returnType }: FunctionDefinition,
  promiseType: TypeReference,
  span: Span,
  body: () => CallResult,
): CallResult {
  const made = constructValue(world, scope, promiseType, [], span);
  const { all } = framesOf(world);
  if (made.kind !== 'record' || !ownerOfMethod(world, made.record.className, 'get_return_object')) return body();
  const frame: Frame = {
    number: all.length,
    promise: made.record,
    span,
    rest: () => finish(world, scope, frame, body().value),
    hasBegun: false,
    isOver: false,
    scopes: [scope],
    hasResumed: false,
    isTakenAway: false,
    passing: null,
  };
  all.push(frame);
  const object = invokeMethod(world, scope, frame.promise, 'get_return_object', [], span).value;
  const isHandle = object.kind === 'record' && object.record.className === handleClass;
  const result = isHandle
    ? constructValue(world, scope, returnType, [{ value: object, cell: null, span }], span)
    : object;
  if (!isSuspending(world, scope, frame, 'initial_suspend')) resume(world, frame);
  return { value: result, cell: null };
}

/** Whether what a method of the promise gives suspends the coroutine. An awaiter of the program's own is asked whether it is ready. */
function isSuspending(
  world: World,
  scope: Scope,
  frame: Frame,
  method: string,
  values: readonly Argument[] = [],
): boolean {
  const owner = ownerOfMethod(world, frame.promise.className, method);
  if (owner === undefined) return false;
  const awaiter = invokeMethod(world, scope, frame.promise, method, values, frame.span).value;
  const [definition] = world.program.functions.get(`${owner}::${method}`) ?? [];
  const type = definition ? lastPart(resolveType(world.program, definition.returnType).name) : '';
  if (type === 'suspend_never') return false;
  if (type === 'suspend_always' || awaiter.kind !== 'record') return true;
  return awaits(world, scope, frame, awaiter.record) !== 'goes on';
}

/**
 * What an awaiter does with the coroutine: it goes on at once, goes on with another one first, or is suspended. `unseen`: whoever goes
 * on with it is not seen.
 */
export function awaits(
  world: World,
  scope: Scope,
  frame: Frame,
  awaiter: RecordObject,
): 'goes on' | 'suspended' | 'unseen' {
  const { className } = awaiter;
  if (className === 'std::suspend_never') return 'goes on';
  if (className === 'std::suspend_always') return 'suspended';
  const has = (method: string): boolean => ownerOfMethod(world, className, method) !== undefined;
  const call = (method: string, values: readonly Argument[] = []): Value =>
    invokeMethod(world, scope, awaiter, method, values, frame.span).value;
  if (has('await_ready') && truth(call('await_ready')) === true) return 'goes on';
  frame.hasResumed = false;
  const gaps = world.gaps.size;
  const value = handleOf(frame);
  const result = has('await_suspend')
    ? call('await_suspend', [{ value, cell: createCell('handle', value), span: frame.span }])
    : unknownValue;
  const other = frameOf(world, result);
  if (other && other !== frame) resume(world, other);
  const isSeen = has('await_suspend') && world.gaps.size === gaps && !frame.isTakenAway;
  if (other === frame || frame.hasResumed || truthOfSuspension(result) === false) return 'goes on';
  return isSeen ? 'suspended' : 'unseen';
}

/** `bool await_suspend`: false goes on. */
function truthOfSuspension(result: Value): boolean | null {
  return result.kind === 'number' ? truth(result) : null;
}

/** The coroutine under way is left here. `behind`: what is done when it goes on, before anything else. */
export function suspend(frame: Frame, at: Span, awaiter: RecordObject | null, behind: () => unknown): never {
  frame.passing = { at, awaiter };
  const signal = new ParkSignal(() => {
    frame.passing = null;
    behind();
    return undefined;
  });
  signal.isResultAsked = true;
  signal.coroutine = frame;
  throw signal;
}

/** Whether a statement that was left at this suspension has begun again: the awaiter that it was left with. */
export function passed(frame: Frame, at: Span): Frame['passing'] {
  const { passing } = frame;
  if (passing?.at.file !== at.file || passing.at.start !== at.start) return null;
  frame.passing = null;
  return passing;
}

/** `co_yield value`: whether the coroutine is suspended there. */
export function yieldsTo(world: World, scope: Scope, frame: Frame, given: Argument): boolean {
  return isSuspending(world, scope, frame, 'yield_value', [given]);
}

/** `await_suspend` tells which coroutine goes on instead: whether that has come to its end. */
export function resumeOther(world: World, handle: Value): boolean {
  const frame = frameOf(world, handle);
  if (frame) resume(world, frame);
  return frame?.isOver === true;
}

/** Coroutines are given to somebody who is not seen, and who goes on with them, as often as they are suspended. */
export function resumeGiven(world: World, values: readonly Argument[]): void {
  if (framesOf(world).all.length === 0) return;
  for (const { value } of values)
    for (const frame of framesIn(world, value, 0)) {
      frame.isTakenAway = true;
      for (let times = 0; frame.rest && !frame.isOver && times < mostResumed; times++) resume(world, frame);
    }
}

const mostResumed = 24;

function framesIn(world: World, value: Value, depth: number): readonly Frame[] {
  const own = frameOf(world, value);
  if (own) return [own];
  const inner = value.kind === 'pointer' ? value.cell.value : value;
  if (depth > 2 || inner.kind !== 'record') return [];
  return [...inner.record.fields.values()].flatMap((field) => framesIn(world, field.value, depth + 1));
}

/** The program ends: what has not begun by then somebody has begun who was not seen. */
export function resumeLeft(world: World): void {
  for (const frame of framesOf(world).all) if (frame.rest && !frame.hasBegun && !frame.isOver) resume(world, frame);
}

/** Goes on with a coroutine, up to where it is suspended again. */
function resume(world: World, frame: Frame): void {
  const { rest } = frame;
  if (!rest) {
    frame.hasResumed = true;
    return;
  }
  const { running } = framesOf(world);
  const { quietUntil, trial, tryDepth, frames, returnType, statement } = world;
  const mark = world.temporaries.length;
  const depth = running.length;
  frame.rest = null;
  frame.hasBegun = true;
  running.push(frame);
  try {
    rest();
  } catch (signal) {
    if (!(signal instanceof ParkSignal) || signal.coroutine !== frame) throw signal;
    world.temporaries.length = mark;
    frame.scopes = signal.scopes;
    frame.rest = () => {
      world.quietUntil = null;
      world.trial = null;
      signal.resume();
      finish(world, world.globals, frame, framesOf(world).returned);
    };
  } finally {
    running.length = depth;
    Object.assign(world, { quietUntil, trial, tryDepth, frames, returnType, statement });
  }
}

/** The body has come to its end, with what it returns. */
function finish(world: World, scope: Scope, frame: Frame, value: Value): void {
  const { className } = frame.promise;
  frame.isOver = true;
  frame.scopes = [];
  const given: Argument = { value, cell: null, span: frame.span };
  if (ownerOfMethod(world, className, 'return_value'))
    invokeMethod(world, scope, frame.promise, 'return_value', [given], frame.span);
  else if (ownerOfMethod(world, className, 'return_void'))
    invokeMethod(world, scope, frame.promise, 'return_void', [], frame.span);
  if (!isSuspending(world, scope, frame, 'final_suspend')) end(world, frame);
}

function end(world: World, frame: Frame): void {
  frame.rest = null;
  frame.isOver = true;
  endScopes(world, frame.scopes);
  frame.scopes = [];
  destroyValue(world, { kind: 'record', record: frame.promise });
}

function handleOf(frame: Frame): Value {
  const record = createRecord(handleClass, true);
  record.fields.set(frameField, createCell(frameField, numberValue(frame.number)));
  // It is not null.
  record.fields.set('(pointer)', createCell('(pointer)', pointerTo(createCell('promise'))));
  return { kind: 'record', record };
}

function frameOf(world: World, value: Value): Frame | undefined {
  const number = value.kind === 'record' ? value.record.fields.get(frameField)?.value : undefined;
  return number?.kind === 'number' ? framesOf(world).all[number.value] : undefined;
}

/** A method of a handle of one of these coroutines; null for all else. */
export function frameMethod(world: World, value: Value, name: string): CallResult | null {
  const frame = frameOf(world, value);
  if (!frame) return null;
  switch (name) {
    case 'resume':
    case 'operator()':
      resume(world, frame);
      return done;
    case 'done':
      return just(truthValue(frame.isOver));
    case 'destroy':
      if (frame.rest || frame.isOver) end(world, frame);
      return done;
    case 'promise': {
      const promise: Value = { kind: 'record', record: frame.promise };
      return { value: promise, cell: createCell('promise', promise) };
    }
    case 'address':
      frame.isTakenAway = true;
      return just(pointerTo(createCell('coroutine', value)));
    default:
      return null;
  }
}

/** `std::coroutine_handle<P>::from_promise(promise)`; null where that is the promise of none. */
export function handleFromPromise(world: World, given: Value | undefined): Value | null {
  const promise = given?.kind === 'record' ? given.record : null;
  const frame = promise && framesOf(world).all.find((each) => each.promise === promise);
  return frame ? handleOf(frame) : null;
}

/** `std::coroutine_handle<>::from_address(p)` */
export function handleFromAddress(world: World, given: Value | undefined): Value | null {
  const inner = given?.kind === 'pointer' ? given.cell.value : undefined;
  return inner && frameOf(world, inner) ? inner : null;
}
