/**
 * A piece of the program that is not run, or not to its end: the numbers that it may have changed are unknown afterwards.
 * What has an identity (memory, handles, objects) stays as it is.
 */

import type { Span } from '../../base/span.ts';
import type { CallExpression, Expression, FunctionDefinition, TypeReference } from '../../program/program.ts';
import { someNode } from '../../program/walk.ts';
import type { Argument } from '../calls/call.ts';
import { forgetArguments } from '../calls/escape.ts';
import { place } from '../expressions/locate.ts';
import { findName } from '../expressions/names.ts';
import { keptByRun } from '../kept-by-run.ts';
import { lastPart, methodsOf } from '../program-table.ts';
import { createScope, isThunk, type Scope } from '../scope.ts';
import { type Cell, type RecordObject, unknownValue, type Value } from '../value.ts';
import type { World } from '../world.ts';
import { assignedIn, forgetElements, isScalarValue } from './assigned.ts';

/** Calls within calls that are followed. */
const deepest = 3;

/** Variables and members by their names; null for all. */
type Only = ReadonlySet<string> | null;

/** What one forgetting is about, and which functions it has gone through, for which objects, from how deep on. */
interface Forgetting {
  readonly only: Only;
  readonly done: Map<FunctionDefinition, Map<RecordObject | null, number>>;
}

function forgettingOf(only: Only): Forgetting {
  return { only, done: new Map() };
}

/**
 * Forgets what `piece`, a statement or a list of them, assigns in what `scope` can see; variables of its own are left alone,
 * and with `only` whatever is called otherwise.
 */
export function forgetAssigned(world: World, scope: Scope, piece: object, only: Only = null): void {
  forget(world, scope, piece, 0, none, forgettingOf(only));
}

/**
 * `for (i = 1; i < argc; i++) if (is(argv[i], "--fast")) fast = true;`, which an ordinary run passes over: the flags, and numbers of which
 * there is none yet, that `piece` may set are what they were there, and may be something else elsewhere. A text that is not there yet is
 * one that the program cannot go on without, or asks for before it is used.
 */
export function openFlags(world: World, scope: Scope, piece: object): void {
  const { names, members, declared } = assignedIn(piece);
  const open = (cell: Cell | null | undefined, name: string, span: Span): void => {
    if (!cell) return;
    const { value, type } = cell;
    if (isNoText(value, type)) cell.value = unknownValue;
    if (value.kind !== 'number' || !type || type.pointers > 0) return;
    if (type.name !== 'bool' && value.value > 0) return;
    world.symbols.set(name, span);
    cell.value = { kind: 'symbol', size: { kind: 'symbol', name }, hint: value.value };
  };
  for (const name of names) {
    const entry = declared.has(name) ? undefined : findName(world, scope, name);
    if (entry && !isThunk(entry)) open(entry, name, world.statement);
  }
  for (const member of members)
    if (member.kind === 'member') open(seen(world, scope, member, declared)?.cell, member.name, member.span);
}

function isNoText(value: Value, type: TypeReference | null): boolean {
  if (value.kind === 'string') return value.value === '';
  return value.kind === 'number' && value.value === 0 && type?.pointers === 1 && type.name === 'char';
}

/** Forgets what a function of the program that is called, but not run, may have stored. */
export function forgetCall(
  world: World,
  definition: FunctionDefinition,
  values: readonly Argument[],
  self: RecordObject | null,
): void {
  forgetArguments(
    values,
    definition.parameters.map((parameter) => parameter.type),
  );
  if (!definition.isConst) forgetByBody(world, createScope(world.globals, self), definition, 0, forgettingOf(null));
}

/** The same of a lambda. */
export function forgetClosure(
  world: World,
  { lambda, scope }: Value & { kind: 'closure' },
  values: readonly Argument[],
): void {
  forgetArguments(
    values,
    lambda.parameters.map((parameter) => parameter.type),
  );
  forget(world, scope, lambda.body, 0, none, forgettingOf(null));
}

/** Forgets what a function may store that runs at a time of its own and is given `data`: globals, and what `data` points at. */
export function forgetLater(world: World, definition: FunctionDefinition, data: Value, depth = 0): void {
  const { body } = definition;
  if (!body || depth >= deepest) return;
  forgetByBody(world, createScope(world.globals), definition, depth, forgettingOf(null));
  if (data.kind !== 'pointer') return;
  const { members, arrays, others, calls } = assignedIn(body.statements);
  const methods = calls.flatMap(({ callee }) => (callee.kind === 'member' ? [callee] : []));
  const { value } = data.cell;
  if (value.kind === 'record') {
    const changed = methods.flatMap(({ name, object }) => (changing.has(name) ? [object] : []));
    for (const place of [...members, ...arrays, ...changed]) forgetField(value.record, place);
    for (const { name } of methods) forgetByMethod(world, value.record, name, depth, forgettingOf(null));
  } else if (arrays.length > 0 || others || methods.some(({ name }) => changing.has(name))) {
    if (isScalarValue(value)) data.cell.value = unknownValue;
    forgetElements(data);
  }
  for (const { callee } of calls)
    for (const called of callee.kind === 'name' ? (world.program.functions.get(callee.name) ?? []) : [])
      if (called.parameters.length > 0) forgetLater(world, called, data, depth + 1);
}

/** The member of that name, whatever leads to the object. */
function forgetField(record: RecordObject, place: Expression): void {
  const field = place.kind === 'member' ? record.fields.get(place.name) : undefined;
  if (!field) return;
  if (isScalarValue(field.value)) field.value = unknownValue;
  else if (field.value.kind === 'sequence' && field.value.sequence.byValue) field.value.sequence.length = null;
  forgetElements(field.value);
}

const none: ReadonlySet<string> = new Set();

/** `own`: names that mean something else inside than in `scope`. */
function forget(
  world: World,
  scope: Scope,
  piece: object,
  depth: number,
  own: ReadonlySet<string>,
  forgetting: Forgetting,
): void {
  const { only } = forgetting;
  const { names, arrays, members, fields, calls, declared: inside } = assignedIn(piece);
  const declared = own.size === 0 ? inside : new Set([...own, ...inside]);
  for (const name of names) {
    if (only?.has(name) === false || (depth > 0 && declared.has(name))) continue;
    const entry = findName(world, scope, name);
    if (entry && !isThunk(entry) && isScalarValue(entry.value)) entry.value = unknownValue;
  }
  for (const array of arrays) {
    if (!isAmong(only, array)) continue;
    const found = seen(world, scope, array, declared);
    if (found) forgetElements(found.value, fields);
  }
  for (const member of members) {
    if (!isAmong(only, member)) continue;
    const found = seen(world, scope, member, declared);
    if (found?.cell && isScalarValue(found.value)) found.cell.value = unknownValue;
  }
  for (const call of calls) forgetByCall(world, scope, call, declared, depth, forgetting);
}

function isAmong(only: Only, expression: Expression): boolean {
  return (
    only === null ||
    someNode(expression, (node) => (node.kind === 'name' || node.kind === 'member') && only.has(node.name))
  );
}

/** What an expression names, when asking changes nothing: variables from outside the piece, their members and fixed elements. */
function seen(world: World, scope: Scope, expression: Expression, declared: ReadonlySet<string>): Argument | null {
  if (!isPlain(world, scope, expression, declared)) return null;
  return { span: expression.span, ...place(world, scope, expression) };
}

function isPlain(world: World, scope: Scope, expression: Expression, declared: ReadonlySet<string>): boolean {
  switch (expression.kind) {
    case 'name': {
      if (declared.has(expression.name) || expression.template) return false;
      const entry = findName(world, scope, expression.name);
      return entry ? !isThunk(entry) : expression.name === 'this' && scope.self !== null;
    }
    case 'member':
      return isPlain(world, scope, expression.object, declared);
    case 'index':
      return expression.index.kind === 'number' && isPlain(world, scope, expression.object, declared);
    case 'unary':
      return /^[&*]$/.test(expression.operator) && isPlain(world, scope, expression.operand, declared);
    default:
      return false;
  }
}

/** Methods of the library after which a container holds another number of elements, and an atomic another number. */
const changing = new Set([
  'store',
  'exchange',
  'fetch_add',
  'fetch_sub',
  'fetch_or',
  'fetch_and',
  'fetch_xor',
  'push_back',
  'emplace_back',
  'push_front',
  'emplace_front',
  'pop_back',
  'pop_front',
  'push',
  'pop',
  'emplace',
  'insert',
  'erase',
  'clear',
  'resize',
  'assign',
  'append',
]);

function forgetByCall(
  world: World,
  scope: Scope,
  { callee, arguments: given }: CallExpression,
  declared: ReadonlySet<string>,
  depth: number,
  forgetting: Forgetting,
): void {
  const { only } = forgetting;
  if (callee.kind === 'member') {
    const object = seen(world, scope, callee.object, declared);
    if (!object) return;
    const value = object.value.kind === 'pointer' ? object.value.cell.value : object.value;
    if (value.kind === 'record') {
      forgetByMethod(world, value.record, callee.name, depth, forgetting);
      for (const method of methodsNamed(world, value.record, callee.name))
        forgetParameters(world, scope, method, given, declared, only);
    } else if (changing.has(callee.name) && isAmong(only, callee.object)) forgetLength(value, object);
  } else if (callee.kind === 'name') {
    const name = callee.name.startsWith('::') ? lastPart(callee.name) : callee.name;
    const functions = world.program.functions.get(name) ?? [];
    for (const definition of functions) forgetByBody(world, createScope(world.globals), definition, depth, forgetting);
    if (scope.self) forgetByMethod(world, scope.self, callee.name, depth, forgetting);
    const methods = scope.self ? methodsNamed(world, scope.self, callee.name) : [];
    for (const definition of [...functions, ...methods])
      forgetParameters(world, scope, definition, given, declared, only);
  }
}

/** Methods of that name: the object's class's own, else those of any class. */
function methodsNamed(world: World, self: RecordObject, name: string): readonly FunctionDefinition[] {
  const named = methodsOf(world.program).get(name) ?? [];
  const own = named.filter((method) => method.className === self.className);
  return own.length > 0 ? own : named;
}

function forgetByMethod(world: World, self: RecordObject, name: string, depth: number, forgetting: Forgetting): void {
  for (const method of methodsNamed(world, self, name))
    if (!method.isConst) forgetByBody(world, createScope(world.globals, self), method, depth, forgetting);
}

function forgetLength(value: Value, { cell }: Argument): void {
  if (value.kind === 'sequence') value.sequence.length = null;
  else if (cell && isScalarValue(value)) cell.value = unknownValue;
}

/** What a call may store through its parameters. */
function forgetParameters(
  world: World,
  scope: Scope,
  { parameters }: FunctionDefinition,
  given: readonly Expression[],
  declared: ReadonlySet<string>,
  only: Only,
): void {
  given.forEach((expression, index) => {
    if (!isAmong(only, expression)) return;
    const type = parameters[index]?.type;
    if (!type || type.isConst || !(type.isReference || type.pointers > 0)) return;
    const argument = seen(world, scope, expression, declared);
    if (argument) forgetArguments([argument], [type]);
  });
}

/** Members of its object and globals that a function assigns. */
function forgetByBody(
  world: World,
  scope: Scope,
  definition: FunctionDefinition,
  depth: number,
  forgetting: Forgetting,
): void {
  const { body, parameters } = definition;
  if (!body || depth >= deepest || isDone(forgetting, definition, scope.self, depth)) return;
  const { statements } = body;
  if (isTooMuch(world, statements)) {
    forgetWholly(world, scope.self, forgetting.only);
    return;
  }
  forget(world, scope, statements, depth + 1, new Set(parameters.map(({ name }) => name)), forgetting);
}

/** Whether a function has been gone through for that object, at least as far as from this depth; from now on it has. */
function isDone(
  { done }: Forgetting,
  definition: FunctionDefinition,
  self: RecordObject | null,
  depth: number,
): boolean {
  const depths = done.get(definition) ?? new Map<RecordObject | null, number>();
  done.set(definition, depths);
  const before = depths.get(self);
  if (before !== undefined && before <= depth) return true;
  depths.set(self, depth);
  return false;
}

/** What a run has gone through this way: how many calls, and the variables that anything there assigns. */
const workOf = keptByRun(() => ({ calls: 0, names: new Set<string>() }));
/** About a quarter of a second's worth. */
const mostCalls = 100_000;

/** Whether what bodies assign is not worked out any more: functions of a parser call each other everywhere. */
function isTooMuch(world: World, statements: object): boolean {
  const work = workOf(world);
  const { calls, names } = assignedIn(statements);
  work.calls += calls.length + 1;
  if (work.calls > mostCalls) return true;
  for (const name of names) work.names.add(name);
  return false;
}

/** All numbers in an object, whoever may have stored any, and the globals that anything gone through before assigns. */
function forgetWholly(world: World, self: RecordObject | null, only: Only): void {
  const cells = [...(self?.fields ?? [])];
  for (const name of workOf(world).names) {
    const entry = world.globals.names?.get(name);
    if (entry && !isThunk(entry)) cells.push([name, entry]);
  }
  for (const [name, cell] of cells) {
    if (only?.has(name) === false) continue;
    if (isScalarValue(cell.value)) cell.value = unknownValue;
    else if (cell.value.kind === 'sequence' && cell.value.sequence.byValue) cell.value.sequence.length = null;
    forgetElements(cell.value);
  }
}
