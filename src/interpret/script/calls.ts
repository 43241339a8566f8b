/** Methods of TypeScript's values that are no objects of a class: texts, numbers, functions, promises, lists from outside. */

import type { CallExpression, Expression } from '../../program/program.ts';
import { evaluateArguments } from '../calls/arguments.ts';
import type { Argument, CallResult } from '../calls/call.ts';
import { just } from '../calls/call-results.ts';
import { callWith, partlyGiven } from '../calls/callables.ts';
import { invokeClosure } from '../calls/invoke.ts';
import type { Place } from '../expressions/locate.ts';
import { throughPointers } from '../expressions/through-pointers.ts';
import type { Scope } from '../scope.ts';
import { createScope } from '../scope.ts';
import { type Cell, nothingThere, type RecordObject, unknownValue, type Value } from '../value.ts';
import type { World } from '../world.ts';
import { arrayMethod, isCallingMethod } from './array-methods.ts';
import { classIn } from './class-values.ts';
import { stackMethod } from './disposal.ts';
import { type Generator, nextOf, restOf } from './generators.ts';
import { isPattern, patternMethod, textWithPattern } from './patterns.ts';
import { hasProperty } from './properties.ts';
import { numberMethod, textMethod } from './texts.ts';
import { arrayOf, isNothing, iterated, unknownArray } from './values.ts';

type FunctionValue = Extract<Value, { kind: 'function' | 'closure' }>;

/** What comes of `holder.name(…)`; null when the object itself must say. */
export function scriptCall(
  world: World,
  scope: Scope,
  holder: Place,
  callee: Expression & { kind: 'member' },
  expression: CallExpression,
): CallResult | null {
  const { value } = holder;
  const { name } = callee;
  if (callee.isOptional && isLeftOut(value, name)) return just(nothingThere);
  const arguments_ = (): Argument[] => evaluateArguments(world, scope, expression.arguments);
  switch (value.kind) {
    case 'string': {
      const given = arguments_();
      const [first, second] = given.map((each) => each.value);
      const run = (values: readonly Value[]): Value => calledWith(world, scope, second, values, expression);
      if (isPattern(first)) {
        const result = textWithPattern(value.value, name, first, second, run);
        if (result) return just(result);
      }
      const text = textMethod(
        value.value,
        name,
        given.map((each) => each.value),
      );
      return text && just(text);
    }
    case 'function':
    case 'closure':
      if (value.kind === 'function' && world.program.functions.has(`${value.name}::${name}`))
        return staticCall(world, scope, value.name, name, arguments_(), expression);
      if (name === 'bind' || name === 'call' || name === 'apply')
        return calledOn(world, scope, value, name, arguments_(), expression);
      return null;
    case 'unknown':
      // A list from outside: there is something in it, in an ordinary run.
      return holder.cell && isCallingMethod(name) && expression.arguments[0]?.kind === 'lambda'
        ? ofUnseen(world, scope, holder.cell, name, arguments_(), expression)
        : null;
    case 'record':
      if (isPattern(value)) {
        const result = patternMethod(value, name, arguments_()[0]?.value);
        if (result) return just(result);
      }
      if (value.record.generator)
        return generatorMethod(world, scope, value.record.generator, name, arguments_(), expression);
      if (value.record.className === '(disposables)') {
        const result = stackMethod(world, scope, value.record, name, arguments_(), expression.span);
        if (result) return just(result);
      }
      if (name === 'hasOwnProperty' && !value.record.fields.has(name))
        return just(hasProperty(value, arguments_()[0]?.value ?? unknownValue));
      if (isClassObject(value) && world.program.functions.has(`${classIn(world, scope, value)}::${name}`))
        return staticCall(world, scope, classIn(world, scope, value) ?? '', name, arguments_(), expression);
      return isPromiseMethod(value, name) ? afterwards(world, scope, value, name, arguments_(), expression) : null;
    default:
      if (value.kind === 'number' && (name === 'toString' || name === 'toFixed')) {
        const text = numberMethod(
          value.value,
          name,
          arguments_().map((each) => each.value),
        );
        return text && just(text);
      }
      return isPromiseMethod(value, name) ? afterwards(world, scope, value, name, arguments_(), expression) : null;
  }
}

function isClassObject(value: Value): boolean {
  return value.kind === 'record' && value.record.fields.has('(class)');
}

/** `made.create(…)` where a class is what the variable holds. */
function staticCall(
  world: World,
  scope: Scope,
  className: string,
  name: string,
  values: readonly Argument[],
  { span }: CallExpression,
): CallResult {
  return callWith(world, scope, { kind: 'function', name: `${className}::${name}`, receiver: null }, values, span);
}

function calledWith(
  world: World,
  scope: Scope,
  callee: Value | undefined,
  values: readonly Value[],
  { span }: CallExpression,
): Value {
  const given = values.map((value): Argument => ({ value, cell: null, span }));
  return callWith(world, scope, callee ?? { kind: 'unknown' }, given, span).value;
}

/** `steps.next()`, and what an array of what it yields has. */
function generatorMethod(
  world: World,
  scope: Scope,
  generator: Generator,
  name: string,
  values: readonly Argument[],
  { span }: CallExpression,
): CallResult {
  if (name === 'next') return just(nextOf(world, generator, values.length > 0, span));
  const list = restOf(generator);
  if (name === 'return') return just(nothingThere);
  const array = list ? arrayOf(list) : unknownArray();
  if (name === 'toArray' || array.kind !== 'sequence') return just(array);
  return just(arrayMethod(world, scope, array.sequence, name, values, span) ?? { kind: 'unknown' });
}

function ofUnseen(
  world: World,
  scope: Scope,
  cell: Cell,
  name: string,
  values: readonly Argument[],
  { span }: CallExpression,
): CallResult | null {
  const list = unknownArray();
  cell.value = list;
  const result = list.kind === 'sequence' ? arrayMethod(world, scope, list.sequence, name, values, span) : null;
  return result && just(result);
}

/** `o?.f()` and `o.f?.()` where there is no `o`, or no `f`. */
function isLeftOut(value: Value, name: string): boolean {
  if (isNothing(value) === true) return true;
  const target = throughPointers(value);
  if (target?.kind !== 'record' || target.record.className !== '' || !target.record.isShared) return false;
  const own = target.record.fields.get(name);
  if (own) return isNothing(own.value) === true;
  const known = hasProperty(target, { kind: 'string', value: name });
  return known.kind === 'number' && known.value === 0;
}

/** A promise is what it comes to. */
function isPromiseMethod(value: Value, name: string): boolean {
  if (name !== 'then' && name !== 'catch' && name !== 'finally') return false;
  const target = throughPointers(value);
  return target?.kind !== 'record' || target.record.isShared === true;
}

function afterwards(
  world: World,
  scope: Scope,
  value: Value,
  name: string,
  [callee]: readonly Argument[],
  { span }: CallExpression,
): CallResult {
  if (name === 'catch' || !callee) return just(value);
  const given = name === 'then' ? [{ value, cell: null, span }] : [];
  const result = callWith(world, scope, callee.value, given, span);
  return name === 'then' ? result : just(value);
}

/** `f.bind(o)`, `f.call(o, a)`, `f.apply(o, [a])`. */
function calledOn(
  world: World,
  scope: Scope,
  callee: FunctionValue,
  name: 'bind' | 'call' | 'apply',
  [self, ...rest]: readonly Argument[],
  { span }: CallExpression,
): CallResult {
  const object = self ? throughPointers(self.value) : null;
  const own = withReceiver(callee, object?.kind === 'record' ? object.record : null);
  if (name === 'bind') return just(rest.length === 0 ? own : partlyGiven(own, rest));
  const list = name === 'apply' ? iterated(rest[0]?.value ?? unknownValue) : null;
  const values =
    name === 'call' ? rest : (list ?? [unknownValue]).map((value): Argument => ({ value, cell: null, span }));
  return own.kind === 'closure' ? invokeClosure(world, own, values, span) : callWith(world, scope, own, values, span);
}

/** The function as it is called on that object. */
function withReceiver(callee: FunctionValue, self: RecordObject | null): FunctionValue {
  if (!self) return callee;
  if (callee.kind === 'function') return { ...callee, receiver: self };
  return callee.lambda.hasThis ? { ...callee, scope: createScope(callee.scope, self) } : callee;
}
