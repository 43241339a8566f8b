/** Running a function of the user's program: binding parameters, scopes, what comes back. */

import type { Span } from '../base/span.ts';
import type { Expression, FunctionDefinition, Parameter, TypeReference } from '../program/program.ts';
import { functionActs } from './acting.ts';
import { noteRecordedStep } from './answers.ts';
import { store } from './assign.ts';
import { type Argument, type CallResult, remembered } from './call.ts';
import { withTemplates } from './class-templates.ts';
import { constructValue } from './construct.ts';
import { evaluate } from './evaluate.ts';
import { executeBlock } from './execute.ts';
import { identified } from './identity.ts';
import { place } from './locate.ts';
import { isSmartPointer, ownerOf } from './owners.ts';
import { findClass, lastPart } from './program-table.ts';
import { beforeQuiet, enterQuiet, enterTrial, isGivenUp, leaveQuiet } from './quiet.ts';
import { bind, createScope, type Scope } from './scope.ts';
import { isType } from './type-arguments.ts';
import { defaultValue, isScalar } from './types.ts';
import { type Cell, copyValue, createCell, noteShared, type RecordObject, unknownValue, type Value } from './value.ts';
import { handleTypeOf, noteGap, type World } from './world.ts';

/** Calls of one function inside itself that are followed. */
const maximumRecursion = 8;

type TemplateArguments = readonly (TypeReference | Expression)[];

/** The definition that fits the arguments best; by count, then by kind of value. */
export function chooseOverload(
  world: World,
  scope: Scope,
  name: string,
  values: readonly Argument[],
): FunctionDefinition | undefined {
  for (let current: Scope | null = scope; current; current = current.parent) {
    const local = current.functions?.get(lastPart(name));
    if (local) return local;
  }
  const candidates = world.program.functions.get(name) ?? world.program.functions.get(lastPart(name)) ?? [];
  let best: FunctionDefinition | undefined;
  let bestScore = -1;
  for (const candidate of candidates) {
    const score = overloadScore(candidate, values);
    if (score > bestScore) {
      best = candidate;
      bestScore = score;
    }
  }
  return best;
}

function overloadScore(candidate: FunctionDefinition, values: readonly Argument[]): number {
  const required = candidate.parameters.filter(
    (parameter) => parameter.defaultValue === null && !parameter.isPack,
  ).length;
  const isVariadic = candidate.parameters.some((parameter) => parameter.isPack);
  if (values.length < required || (values.length > candidate.parameters.length && !isVariadic)) return 0;
  let score = 100 + (candidate.body ? 50 : 0);
  values.forEach((value, index) => {
    const parameter = candidate.parameters[Math.min(index, candidate.parameters.length - 1)];
    if (parameter) score += fitScore(value.value, parameter);
  });
  return score;
}

function fitScore(value: Value, parameter: Parameter): number {
  const type = parameter.type;
  const handle = handleTypeOf(type);
  switch (value.kind) {
    case 'handle':
      return handle === value.type ? 4 : type.pointers > 0 ? -2 : 0;
    case 'device':
    case 'pointer':
      return type.pointers > 0 ? 3 : handle ? -2 : 0;
    case 'record':
      return lastPart(type.name) === lastPart(value.record.className) ? 4 : 0;
    case 'string':
      return type.pointers > 0 || /string/.test(type.name) ? 2 : -1;
    case 'number':
      return handle || type.pointers > 0 ? (value.value === 0 ? 1 : -2) : 2;
    default:
      return 0;
  }
}

export function invokeMethod(
  world: World,
  scope: Scope,
  self: RecordObject,
  method: string,
  values: readonly Argument[],
  span: Span,
  templateArguments: TemplateArguments = [],
): CallResult {
  const owner = ownerOfMethod(world, self.className, lastPart(method));
  const name = `${owner ?? self.className}::${lastPart(method)}`;
  const definition = chooseOverload(world, scope, name, values);
  if (!definition?.body) {
    noteGap(world, 'unknown method', name, span);
    return values.length === 0 ? remembered(self.fields, `${lastPart(method)}()`) : { value: unknownValue, cell: null };
  }
  return invokeFunction(world, definition, values, self, span, templateArguments, scope);
}

/** The class that defines a method, among this one and its bases. */
export function ownerOfMethod(world: World, className: string, method: string, depth = 0): string | undefined {
  if (world.program.functions.has(`${className}::${method}`)) return className;
  if (depth > 8) return undefined;
  for (const base of findClass(world.program, className)?.bases ?? []) {
    const found = ownerOfMethod(world, lastPart(base), method, depth + 1);
    if (found) return found;
  }
  return undefined;
}

export function invokeFunction(
  world: World,
  definition: FunctionDefinition,
  values: readonly Argument[],
  self: RecordObject | null,
  span: Span,
  templateArguments: TemplateArguments,
  callerScope: Scope,
): CallResult {
  if (world.frames.length >= world.budget.depth) {
    noteGap(world, 'budget', `${definition.name}: calls nest too deeply`, span);
    return { value: unknownValue, cell: null };
  }
  if (world.frames.filter((frame) => frame.name === definition.name).length >= maximumRecursion) {
    noteGap(world, 'budget', `${definition.name}: recursion deeper than ${maximumRecursion} calls`, span);
    return { value: unknownValue, cell: null };
  }
  if (isGivenUp(world)) return { value: unknownValue, cell: null };
  noteRecordedStep(world, definition, values);
  world.entered.add(definition.span);
  const scope = createScope(world.globals, self);
  if (self?.templates) withTemplates(scope, self.templates);
  bindTemplates(world, scope, callerScope, definition, values, templateArguments);
  bindParameters(world, scope, callerScope, definition.parameters, values);
  const outside = beforeQuiet(world);
  const acts = functionActs(world, definition);
  if (acts === 'never') enterQuiet(world);
  else if (acts === 'perhaps') enterTrial(world);
  const result = runBody(world, scope, definition, self, span);
  leaveQuiet(world, outside);
  return result;
}

function runBody(
  world: World,
  scope: Scope,
  definition: FunctionDefinition,
  self: RecordObject | null,
  span: Span,
): CallResult {
  return inFrame(world, definition.name, span, () => {
    runMemberInitializers(world, scope, definition, self);
    const completion = executeBlock(world, scope, definition.body?.statements ?? []);
    const result = completion?.kind === 'return' ? completion : null;
    if (!result) return { value: unknownValue, cell: null };
    if (
      handleTypeOf(definition.returnType) === null &&
      definition.returnType.name === 'bool' &&
      result.value.kind === 'handle'
    )
      return { value: { kind: 'number', value: 1 }, cell: null };
    return {
      value: typedResult(world, scope, definition.returnType, result.value),
      // What is not known yet keeps its place: the next call of this getter must give the same thing.
      cell: definition.returnType.isReference || result.value.kind === 'unknown' ? result.cell : null,
    };
  });
}

/** A braced list returned from a function becomes an object of the return type. */
function typedResult(world: World, scope: Scope, type: TypeReference, value: Value): Value {
  const isList = value.kind === 'sequence' && value.sequence.name === 'list';
  const isBareRecord = value.kind === 'record' && value.record.className === '';
  if ((!isList && !isBareRecord) || type.name === '' || type.name === 'auto' || (type.pointers > 0 && !isList))
    return value;
  if (isScalar(world.program, type) && !isList) return value;
  const cell = createCell('return', defaultValue(world, scope, type, 'return'), type);
  store(world, scope, cell, value);
  return cell.value;
}

function inFrame(world: World, name: string, span: Span, work: () => CallResult): CallResult {
  const statement = world.statement;
  const depth = world.macroDepth;
  const outer = world.frames;
  world.frames = [...outer, { name, call: span, statement }];
  world.macroDepth = 0;
  try {
    return work();
  } finally {
    world.frames = outer;
    world.statement = statement;
    world.macroDepth = depth;
  }
}

function runMemberInitializers(
  world: World,
  scope: Scope,
  definition: FunctionDefinition,
  self: RecordObject | null,
): void {
  if (!self) return;
  for (const initializer of definition.memberInitializers) {
    const field = self.fields.get(initializer.name);
    if (field) {
      if (initializer.arguments.length === 1) {
        const source = place(world, scope, initializer.arguments[0]!);
        // A reference is the thing itself, not a copy of it.
        if (field.type?.isReference && source.cell) self.fields.set(initializer.name, source.cell);
        else store(world, scope, field, identified(world, source, field.type));
      } else if (initializer.arguments.length === 0 && field.value.kind === 'unknown')
        field.value = { kind: 'number', value: 0 };
      else if (initializer.arguments.length > 1)
        store(
          world,
          scope,
          field,
          evaluate(world, scope, {
            kind: 'construct',
            type: field.type!,
            arguments: initializer.arguments,
            isNew: false,
            span: definition.span,
          }),
        );
      continue;
    }
    const base = findClass(world.program, initializer.name);
    if (base) {
      const values = initializer.arguments.map((each) => ({
        value: evaluate(world, scope, each),
        cell: null,
        span: each.span,
      }));
      const chosen = chooseOverload(world, scope, `${base.name}::${base.name}`, values);
      if (chosen?.body) invokeFunction(world, chosen, values, self, definition.span, [], scope);
    }
  }
}

function bindParameters(
  world: World,
  scope: Scope,
  callerScope: Scope,
  parameters: readonly Parameter[],
  values: readonly Argument[],
): void {
  parameters.forEach((parameter, index) => {
    if (parameter.isPack) {
      const rest = values.slice(index);
      const names = rest.map((_, position) => `${parameter.name} #${position}`);
      rest.forEach((value, position) => {
        bind(scope, names[position]!, value.cell ?? createCell(parameter.name, value.value));
      });
      bind(scope, parameter.name, {
        kind: 'thunk',
        scope,
        expressions: names.map((name, position): Expression => ({ kind: 'name', name, span: rest[position]!.span })),
      });
      return;
    }
    const value = values[index];
    if (value && parameter.type.isReference && value.cell) {
      bind(scope, parameter.name, value.cell);
      return;
    }
    const own = value && !parameter.type.isReference ? ownParameter(world, callerScope, parameter, value) : null;
    if (own) {
      bind(scope, parameter.name, own);
      scope.owned.push(own);
      return;
    }
    const cell = createCell(parameter.name, unknownValue, parameter.type);
    const given = value
      ? identified(world, value, parameter.type)
      : parameter.defaultValue
        ? evaluate(world, callerScope, parameter.defaultValue)
        : unknownValue;
    if (given.kind === 'sequence' && given.sequence.name === 'list' && parameter.type.pointers === 0)
      cell.value = defaultValue(world, scope, parameter.type, parameter.name);
    if (given.kind === 'record' && given.record.className === '' && !isScalar(world.program, parameter.type))
      cell.value = defaultValue(world, scope, parameter.type, parameter.name);
    const isList =
      (given.kind === 'sequence' && given.sequence.name === 'list') ||
      (given.kind === 'record' && given.record.className === '');
    if (parameter.type.isReference && !(isList && cell.value.kind === 'record')) cell.value = given;
    else store(world, scope, cell, copyValue(given), world.frames.length + 1);
    bind(scope, parameter.name, cell);
  });
}

/**
 * An object that is passed by value and that something happens to when it goes: the parameter is an object of its own, made by
 * the class's constructor where there is one, and the function's to destroy. Null for everything else.
 */
function ownParameter(world: World, callerScope: Scope, parameter: Parameter, given: Argument): Cell | null {
  const { value } = given;
  if (value.kind !== 'record' || parameter.type.pointers > 0) return null;
  const { record } = value;
  if (isSmartPointer(value)) {
    if (given.isMoved || !given.cell) {
      const held = ownerOf(record, record.fields.get('(pointer)')?.value ?? unknownValue);
      if (held.kind === 'record' && record.shares) held.record.shares = record.shares;
      record.released = true;
      return createCell(parameter.name, held, parameter.type);
    }
    if (record.className === 'std::unique_ptr') return null;
    const copy = copyValue(value);
    noteShared(copy);
    return createCell(parameter.name, copy, parameter.type);
  }
  if (lastPart(parameter.type.name) !== record.className) return null;
  if (!world.program.functions.get(`${record.className}::~${record.className}`)?.some((each) => each.body)) return null;
  if (!given.cell) return createCell(parameter.name, value, parameter.type);
  const constructors = world.program.functions.get(`${record.className}::${record.className}`) ?? [];
  const isCopied = constructors.some(
    (each) => each.body && each.parameters.length === 1 && lastPart(each.parameters[0]!.type.name) === record.className,
  );
  if (!isCopied) return null;
  return createCell(
    parameter.name,
    constructValue(world, callerScope, parameter.type, [given], given.span),
    parameter.type,
  );
}

function templateTypesOf(scope: Scope): Map<string, TypeReference> {
  scope.templateTypes ??= new Map();
  return scope.templateTypes;
}

function bindTemplates(
  world: World,
  scope: Scope,
  callerScope: Scope,
  definition: FunctionDefinition,
  values: readonly Argument[],
  given: TemplateArguments,
): void {
  definition.templateParameters.forEach((name, index) => {
    const argument = given[index];
    if (argument && isType(argument)) {
      const plain = lastPart(argument.name);
      if (world.program.functions.has(plain) || world.models.rows.has(plain))
        bind(scope, name, createCell(name, { kind: 'function', name: plain, receiver: null }));
      else templateTypesOf(scope).set(name, argument);
      return;
    }
    if (argument && !isType(argument)) {
      bind(scope, name, createCell(name, evaluate(world, callerScope, argument)));
      return;
    }
    definition.parameters.forEach((parameter, position) => {
      const type = values[position]?.cell?.type;
      if (type && parameter.type.name === name && !scope.templateTypes?.has(name))
        templateTypesOf(scope).set(name, {
          ...type,
          pointers: Math.max(0, type.pointers - parameter.type.pointers),
          isReference: false,
        });
    });
  });
}

export function invokeClosure(
  world: World,
  closure: Value & { kind: 'closure' },
  values: readonly Argument[],
  span: Span,
): CallResult {
  if (world.frames.length >= world.budget.depth) return { value: unknownValue, cell: null };
  const scope = createScope(closure.scope);
  bindParameters(world, scope, closure.scope, closure.lambda.parameters, values);
  return inFrame(world, 'lambda', span, () => {
    const completion = executeBlock(world, scope, closure.lambda.body);
    return completion?.kind === 'return'
      ? { value: completion.value, cell: completion.cell }
      : { value: unknownValue, cell: null };
  });
}
