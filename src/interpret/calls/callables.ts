/** Calling a value: a lambda, a function by its name, a function object, a member through a pointer, what `std::bind` made. */

import type { Span } from '../../base/span.ts';
import { findRow } from '../../models/model.ts';
import type { TypeReference } from '../../program/program.ts';
import { typeNamed } from '../../program/type-named.ts';
import { copyValue } from '../copied-values.ts';
import { applyRow } from '../cuda/apply-model.ts';
import { stored } from '../expressions/arithmetic.ts';
import { fieldCell, objectAt } from '../expressions/locate.ts';
import { combine } from '../expressions/operators.ts';
import { comparedByOrder } from '../library/comparators.ts';
import { handleMethod } from '../library/coroutines.ts';
import { functionObjects, ofOne } from '../library/function-objects.ts';
import { callTask } from '../library/futures.ts';
import { isPlainFunction, plainFunction } from '../library/plain-functions.ts';
import { projectionIn } from '../library/projections.ts';
import { lastPart, type ProgramTable, resolveType } from '../program-table.ts';
import type { Scope } from '../scope.ts';
import {
  type Cell,
  createCell,
  createRecord,
  numberValue,
  type RecordObject,
  truth,
  unknownValue,
  type Value,
  zero,
} from '../value.ts';
import type { World } from '../world.ts';
import type { Argument, CallResult } from './call.ts';
import { fitness } from './fitness.ts';
import { invokeClosure, invokeFunction, invokeMethod, ownerOfMethod } from './invoke.ts';
import { chooseOverload } from './overloads.ts';
import type { TemplateArguments } from './parameters.ts';
import { unknownCall } from './unknown-call.ts';

/** Of the lambdas that a class derives from, the one whose parameters fit best. */
function chooseLambda(
  parts: ReadonlyMap<string, Cell>,
  values: readonly Argument[],
): (Value & { kind: 'closure' }) | null {
  let best: (Value & { kind: 'closure' }) | null = null;
  let bestScore = -1;
  for (const [name, { value }] of parts) {
    if (!name.startsWith('(base ') || value.kind !== 'closure') continue;
    const score = fitness(value.lambda.parameters, values);
    if (score > bestScore) {
      best = value;
      bestScore = score;
    }
  }
  return best;
}

function calculated(className: string, values: readonly Argument[]): Value {
  const given = values.map(({ value }) => value);
  const [left = unknownValue, right = unknownValue] = given.length === 1 ? [zero, ...given] : given;
  return combine(functionObjects[lastPart(className)] ?? '', left, right);
}

/** A function that is no method, called on an object: its `this`. */
function callPlain(
  world: World,
  scope: Scope,
  name: string,
  self: RecordObject,
  values: readonly Argument[],
  span: Span,
  templateArguments: TemplateArguments,
): CallResult {
  const definition = chooseOverload(world, scope, name, values, templateArguments);
  return definition?.body
    ? invokeFunction(world, definition, values, self, span, templateArguments, scope)
    : callNamed(world, scope, name, values, span, templateArguments);
}

/** `f.bind(o, a)` of TypeScript's: the function with what it is given first. */
const scriptBinding = '(bound)';

export function partlyGiven(callee: Value, values: readonly Argument[]): Value {
  const record = createRecord(scriptBinding, true);
  for (const [index, value] of [callee, ...values.map((each) => each.value)].entries())
    record.fields.set(String(index), createCell('', value));
  return { kind: 'record', record };
}

function callPartlyGiven(
  world: World,
  scope: Scope,
  { fields }: RecordObject,
  given: readonly Argument[],
  span: Span,
): CallResult {
  const [callee, ...first] = fields.values();
  const values = [...first.map((cell): Argument => ({ value: cell.value, cell, span })), ...given];
  return callWith(world, scope, callee?.value ?? unknownValue, values, span);
}

/** What `std::bind` makes: the function, and the arguments that it is called with. */
const binding = 'std::bind';

/** What `std::not_fn` makes of a predicate. */
const negation = 'std::not_fn';

export function negated(predicate: Value): Value {
  const record = createRecord(negation, true);
  record.fields.set('0', createCell('', predicate));
  return { kind: 'record', record };
}

/** Whether a member holds something to be called: `m.run_(x)`. Objects whose class is not seen are left to what stands behind. */
export function isCallable(world: World, value: Value): boolean {
  if (value.kind === 'closure' || value.kind === 'function') return true;
  if (value.kind !== 'record') return false;
  const { className, fields } = value.record;
  return (
    className === binding ||
    className === scriptBinding ||
    className === negation ||
    fields.has('(base 0)') ||
    projectionIn(value.record) !== null ||
    ownerOfMethod(world, className, 'operator()') !== undefined
  );
}

/** Calls `callee`; `name` is what a gap calls it when nobody knows what it is. */
export function callWith(
  world: World,
  scope: Scope,
  callee: Value,
  values: readonly Argument[],
  span: Span,
  name = 'call through a value',
  templateArguments: TemplateArguments = [],
): CallResult {
  switch (callee.kind) {
    case 'closure':
      return invokeClosure(world, callee, values, span, callee.scope.self, templateArguments, scope);
    case 'function':
      if (callee.takes) {
        const { takes, ...plain } = callee;
        return callWith(world, scope, plain, asTaken(world, scope, takes, values), span, name, templateArguments);
      }
      if (callee.given) {
        const { given, ...plain } = callee;
        const all = templateArguments.length > 0 ? templateArguments : given;
        return callWith(world, scope, plain, values, span, name, all);
      }
      if (callee.receiver && !callee.name.includes('::'))
        return callPlain(world, scope, callee.name, callee.receiver, values, span, templateArguments);
      if (callee.receiver) {
        // `(o.*m)()`: of the class that the pointer names, where the method is not virtual there.
        const seen = ownerIn(callee.name);
        const { receiver, name: full } = callee;
        return invokeMethod(world, scope, receiver, lastPart(full), values, span, templateArguments, false, seen);
      }
      return callNamed(world, scope, callee.name, values, span, templateArguments);
    case 'number':
      // `std::integral_constant<int, 3>{}()`.
      if (values.length === 0) return { value: callee, cell: null };
      break;
    case 'pointer':
      return callWith(world, scope, callee.cell.value, values, span, name, templateArguments);
    case 'record': {
      const own =
        handleMethod(world, callee.record, 'operator()') ?? callTask(world, scope, callee.record, values, span);
      if (own) return own;
      if (
        callee.record.className.startsWith('std::') &&
        values.length === (ofOne.has(lastPart(callee.record.className)) ? 1 : 2) &&
        Object.hasOwn(functionObjects, lastPart(callee.record.className))
      )
        return { value: calculated(callee.record.className, values), cell: null };
      const compared = comparedByOrder(
        callee.record,
        values.map(({ value }) => value),
      );
      if (compared) return { value: compared, cell: null };
      const projected = projectionIn(callee.record);
      if (projected) {
        const { test, wanted, asItIs } = projected;
        const parts = values.map((value) =>
          value.value === asItIs ? value : { ...callWith(world, scope, projected.by, [value], span), span },
        );
        const given = wanted ? [...parts, { value: wanted, cell: null, span }] : parts;
        return callWith(world, scope, test, given, span);
      }
      if (callee.record.className === scriptBinding) return callPartlyGiven(world, scope, callee.record, values, span);
      if (callee.record.className === negation) {
        const [predicate] = callee.record.fields.values();
        const holds = truth(callWith(world, scope, predicate?.value ?? unknownValue, values, span).value);
        return { value: holds === null ? unknownValue : numberValue(holds ? 0 : 1), cell: null };
      }
      if (callee.record.className === binding) return callBound(world, scope, callee.record.fields, values, span);
      if (ownerOfMethod(world, callee.record.className, 'operator()'))
        return invokeMethod(world, scope, callee.record, 'operator()', values, span, templateArguments);
      if (callee.record.fields.has('(base 0)')) {
        const chosen = chooseLambda(callee.record.fields, values);
        // What such a lambda calls itself is the whole object.
        if (chosen) return invokeClosure(world, chosen, values, span, chosen.scope.self, [], chosen.scope, callee);
      }
    }
  }
  const row = callee.kind === 'unknown' ? findRow(world.models, name, values.length) : undefined;
  if (row) return { value: applyRow(world, scope, row, values, span), cell: null };
  return unknownCall(world, name, values, span);
}

/** Numbers as a pointer to a function takes them, whatever the functions are that share its name. */
function asTaken(
  world: World,
  scope: Scope,
  takes: readonly TypeReference[],
  values: readonly Argument[],
): readonly Argument[] {
  return values.map((given, index) => {
    const type = takes[index];
    if (!type || given.value.kind !== 'number' || type.isReference || type.pointers > 0) return given;
    const value = stored(world.program, type, scope, given.value);
    return value === given.value ? given : { ...given, value, cell: null };
  });
}

/** A pointer to a function, of which a type says what it takes. */
export function pointerOfType(program: ProgramTable, value: Value, type: TypeReference | null): Value {
  if (value.kind !== 'function' || value.takes || !type || (program.functions.get(value.name)?.length ?? 0) < 2)
    return value;
  const takes = type.takes ?? resolveType(program, type).takes;
  return takes ? { ...value, takes } : value;
}

/** A function by the name that a pointer or template argument holds; `&Class::member` with the object first. */
function callNamed(
  world: World,
  scope: Scope,
  name: string,
  values: readonly Argument[],
  span: Span,
  templateArguments: TemplateArguments,
): CallResult {
  const [object, ...rest] = values;
  if (name === 'std::invoke' && object) return callWith(world, scope, object.value, rest, span);
  const member =
    object && name.includes('::') ? throughMember(world, scope, object, name, rest, span, templateArguments) : null;
  if (member) return member;
  const definition = chooseOverload(world, scope, name, values, templateArguments);
  if (definition?.body && !definition.isKernel)
    return invokeFunction(world, definition, values, null, span, templateArguments, scope);
  const row = findRow(world.models, name, values.length);
  if (row) return { value: applyRow(world, scope, row, values, span), cell: null };
  if (isPlainFunction(name)) {
    const made = values.map(({ value }) => value);
    return { value: plainFunction(name, made), cell: null };
  }
  return world.models.pure.has(name) ? { value: unknownValue, cell: null } : unknownCall(world, name, values, span);
}

/** A method or a field of the object; null when it has none of that name, or `name` is a static function of its class. */
function throughMember(
  world: World,
  scope: Scope,
  object: Argument,
  name: string,
  values: readonly Argument[],
  span: Span,
  given: TemplateArguments,
): CallResult | null {
  const methods = world.program.functions.get(name);
  if (methods?.every((each) => each.isStatic)) return null;
  const target = objectAt(world, scope, object);
  if (target?.kind !== 'record') return null;
  if (methods && ownerOfMethod(world, target.record.className, lastPart(name)))
    return invokeMethod(world, scope, target.record, lastPart(name), values, span, given, false, ownerIn(name));
  const field = methods ? null : fieldCell(world, target.record, lastPart(name));
  return field ? { value: field.value, cell: field } : null;
}

/** The class in `Class::method`, as what an object is seen as. */
function ownerIn(name: string): TypeReference {
  return typeNamed(name.slice(0, -lastPart(name).length - 2));
}

/** `std::bind(f, a, _1)`. */
export function bound(values: readonly Argument[]): Value {
  const record = createRecord(binding, true);
  for (const [index, { value, cell }] of values.entries())
    record.fields.set(String(index), createCell(cell?.name ?? '', value, cell?.type ?? null));
  return { kind: 'record', record };
}

function callBound(
  world: World,
  scope: Scope,
  parts: ReadonlyMap<string, Cell>,
  given: readonly Argument[],
  span: Span,
): CallResult {
  const [callee, ...kept] = parts.values();
  const values = kept.map((cell): Argument => {
    const place = /^(?:std::)?(?:placeholders::)?_(\d+)$/.exec(cell.name);
    const { value: inner } = cell;
    // `bind(less, bind(&Item::bytes, _1), bind(&Item::bytes, _2))`: the inner ones are called with the same.
    if (inner.kind === 'record' && inner.record.className === binding)
      return { ...callBound(world, scope, inner.record.fields, given, span), span };
    return (place ? given[Number(place[1]) - 1] : undefined) ?? { value: cell.value, cell, span };
  });
  return callWith(world, scope, callee?.value ?? unknownValue, values, span);
}

/** The member of an object that `o.*m` and `p->*m` name: a method bound to it, or a field. */
export function memberThrough(world: World, scope: Scope, object: Argument, member: Value): CallResult | null {
  const target = objectAt(world, scope, object);
  if (member.kind !== 'function' || target?.kind !== 'record') return null;
  if (world.program.functions.has(member.name)) return { value: { ...member, receiver: target.record }, cell: null };
  const field = fieldCell(world, target.record, lastPart(member.name));
  return field ? { value: field.value, cell: field } : null;
}

/** A lambda that changes what it captured is copied when it is handed in. */
export function withOwnState(given: Argument): Argument {
  const { value } = given;
  return value.kind === 'closure' && value.lambda.isMutable ? { ...given, value: copyValue(value) } : given;
}
