/**
 * Coroutines ([expr.await]): their bodies run where they are called, and `co_await` does what its awaiter says. Where that does not go on with
 * the coroutine itself, somebody unseen does, when what it waits for has happened.
 */

import type { Span } from '../../base/span.ts';
import type { CallExpression, FunctionDefinition } from '../../program/program.ts';
import { typeNamed } from '../../program/type-named.ts';
import { someNode } from '../../program/walk.ts';
import type { Argument, CallResult } from '../calls/call.ts';
import { done } from '../calls/call-results.ts';
import { invokeFunction, invokeMethod, ownerOfMethod } from '../calls/invoke.ts';
import { noteUnseenWait } from '../cuda/host-waits.ts';
import { keptByRun } from '../kept-by-run.ts';
import { findClass, lastPart } from '../program-table.ts';
import type { Scope } from '../scope.ts';
import type { Taker } from '../script/generators.ts';
import {
  createCell,
  createRecord,
  nothingThere,
  numberValue,
  pointerTo,
  type RecordObject,
  truth,
  unknownValue,
  type Value,
  zero,
} from '../value.ts';
import { emit, LeaveSignal, noteGap, type World } from '../world.ts';
import type { Builtin } from './builtin.ts';
import {
  awaits,
  beginCoroutine,
  besideFrames,
  type Frame,
  frameMethod,
  frameUnderWay,
  handleClass,
  handleFromAddress,
  handleFromPromise,
  passed,
  promiseOf,
  resumeOther,
  suspend,
  yieldsTo,
} from './coroutine-frames.ts';

const resumed = '(resumed)';

/** `co_await what` */
function awaited(
  world: World,
  scope: Scope,
  [asked]: readonly Argument[],
  { arguments: [written], span }: CallExpression,
): Value | CallResult {
  const frame = frameUnderWay(world);
  const left = frame && passed(frame, span);
  const given = left?.awaiter
    ? { value: { kind: 'record', record: left.awaiter } as const, cell: null, span }
    : asked && awaiterOf(world, scope, frame, asked);
  const awaiter = given?.value.kind === 'record' ? given.value.record : null;
  if (frame && left && !awaiter) return nothingThere;
  if (frame && awaiter && /^std::suspend_(?:always|never)$/.test(awaiter.className)) {
    if (!left && awaiter.className === 'std::suspend_always') suspend(frame, span, awaiter, () => undefined);
    return nothingThere;
  }
  const has = (method: string): boolean =>
    awaiter !== null && ownerOfMethod(world, awaiter.className, method) !== undefined;
  if (!awaiter || !has('await_resume')) {
    // A coroutine that is called here has run.
    if (written?.kind === 'call' && written.callee.kind === 'name' && isSeen(world, written.callee.name))
      return given ?? unknownValue;
    noteGap(world, 'unknown function', 'co_await', span);
    suspended(world, span);
    return given ?? unknownValue;
  }
  const call = (method: string, values: readonly Argument[] = []): CallResult =>
    invokeMethod(world, scope, awaiter, method, values, span);
  if (frame) {
    const how = left ? 'goes on' : awaits(world, scope, frame, awaiter);
    if (how === 'suspended') suspend(frame, span, awaiter, () => call('await_resume'));
    if (how === 'unseen') suspended(world, span);
    return call('await_resume');
  }
  if (truth(call('await_ready').value) !== true) {
    // Copies of the handle are of one coroutine.
    const hasResumed = createCell(resumed, zero);
    const record = createRecord(handleClass, true);
    record.fields.set(resumed, createCell(resumed, pointerTo(hasResumed)));
    const value: Value = { kind: 'record', record };
    const other = has('await_suspend')
      ? call('await_suspend', [{ value, cell: createCell('handle', value), span }]).value
      : unknownValue;
    if (!resumeOther(world, other) && hasResumed.value === zero) suspended(world, span);
  }
  return call('await_resume');
}

/** What the promise makes of what is awaited, and that of itself. */
function awaiterOf(world: World, scope: Scope, frame: Frame | undefined, asked: Argument): Argument {
  const { span } = asked;
  const made =
    frame && ownerOfMethod(world, frame.promise.className, 'await_transform') !== undefined
      ? { ...invokeMethod(world, scope, frame.promise, 'await_transform', [asked], span), span }
      : asked;
  const record = made.value.kind === 'record' ? made.value.record : null;
  if (!record) return made;
  if (ownerOfMethod(world, record.className, ofAwaiter) !== undefined)
    return { ...invokeMethod(world, scope, record, ofAwaiter, [], span), span };
  const [free] = world.program.functions.get(ofAwaiter) ?? [];
  return free?.body && free.parameters.length === 1
    ? { ...invokeFunction(world, free, [made], null, span, [], scope), span }
    : made;
}

const ofAwaiter = 'operatorco_await';

/** Somebody goes on with it later, after whatever that waits for. */
function suspended(world: World, span: Span): void {
  noteUnseenWait(world, span, true);
  emit(world, 'wait', span, [], { verb: 'host.mayWait', ofAll: true });
}

function isSeen(world: World, name: string): boolean {
  return world.program.functions.get(name)?.some(({ body }) => body !== null) === true;
}

/** A function of the program is called: as a generator of the library, as a coroutine of the program's own, or as any other. */
export function runAsCalled(
  world: World,
  scope: Scope,
  definition: FunctionDefinition,
  span: Span,
  run: (definition: FunctionDefinition) => CallResult,
): CallResult {
  if (isGenerator(world, definition)) return generatorRunning(world, () => run(definition));
  const promise = promiseOf(world, scope, definition);
  if (!promise) return run(definition);
  // What it returns it gives to its promise.
  const inside = { ...definition, returnType: typeNamed('auto') };
  return beginCoroutine(world, scope, definition, promise, span, () => run(inside));
}

/** Who takes what is yielded, of the generators under way: the innermost is the last. */
const takersOf = keptByRun<Taker[]>(() => []);

/** Whether a call makes a generator of the library, `std::generator<int>`, whose body runs while somebody goes through it. */
function isGenerator({ program }: World, { returnType, body }: FunctionDefinition): boolean {
  if (body === null || lastPart(returnType.name) !== 'generator' || findClass(program, returnType.name)) return false;
  return someNode(
    body.statements,
    (node) => node.kind === 'call' && node.callee.kind === 'name' && node.callee.name === 'co_yield',
  );
}

/** What a call of such a function gives: `body` runs when somebody goes through it. */
function generatorRunning(world: World, body: () => unknown): CallResult {
  const takers = takersOf(world);
  const run = (taker: Taker): Value | null => {
    const enough = new LeaveSignal();
    const depth = takers.length;
    takers.push((value) => besideFrames(world, false, () => taker(value)) || leave(enough));
    try {
      besideFrames(world, true, body);
    } catch (signal) {
      if (signal !== enough) throw signal;
      return null;
    } finally {
      takers.length = depth;
    }
    return nothingThere;
  };
  const record: RecordObject = { ...createRecord('std::generator', true), generator: { run, ahead: null } };
  return { value: { kind: 'record', record }, cell: null };
}

/** Whether somebody goes through what is yielded here, and may want no more of it. */
export function isTaken(world: World): boolean {
  return takersOf(world).length > 0;
}

function leave(signal: LeaveSignal): never {
  throw signal;
}

/** `co_yield what`, `co_yield std::ranges::elements_of(others)`: whoever asks for it goes on in between. */
function yielded(
  world: World,
  scope: Scope,
  [given]: readonly Argument[],
  { span }: CallExpression,
): Value | CallResult {
  const frame = frameUnderWay(world);
  if (frame && given && ownerOfMethod(world, frame.promise.className, 'yield_value') !== undefined) {
    const isSuspended = !passed(frame, span) && yieldsTo(world, scope, frame, given);
    if (isSuspended) suspend(frame, span, null, () => undefined);
    return nothingThere;
  }
  const takers = takersOf(world);
  const taker = takers.pop();
  const value = given?.value ?? unknownValue;
  const inner = value.kind === 'record' ? value.record.generator : undefined;
  if (!taker || inner?.ahead) {
    noteGap(world, 'unknown function', 'co_yield', span);
    suspended(world, span);
    return unknownValue;
  }
  // What is asked for meanwhile is asked by others.
  if (inner) inner.run(taker);
  else taker(value);
  takers.push(taker);
  return nothingThere;
}

/** A method of the handle that an awaiter is given; null for other objects. */
export function handleMethod(world: World, record: RecordObject, name: string): CallResult | null {
  if (record.className !== handleClass) return null;
  const ofFrame = frameMethod(world, { kind: 'record', record }, name);
  if (ofFrame) return ofFrame;
  const state = record.fields.get(resumed)?.value;
  if (state?.kind === 'pointer' && (name === 'resume' || name === 'operator()')) state.cell.value = numberValue(1);
  return done;
}

/** Words of coroutines, and how handles are found, as functions. */
export const coroutineFunctions: Readonly<Record<string, Builtin>> = {
  co_await: awaited,
  co_yield: yielded,
  co_return: (_world, _scope, [given]) => given ?? unknownValue,
  from_promise: (world, _scope, [promise]) => handleFromPromise(world, promise?.value) ?? unknownValue,
  from_address: (world, _scope, [address]) => handleFromAddress(world, address?.value) ?? unknownValue,
};
