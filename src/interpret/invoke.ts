/** Running a function of the user's program: binding parameters, scopes, what comes back. */

import type { Span } from '../base/span.ts';
import type { Expression, FunctionDefinition, TypeReference } from '../program/program.ts';
import { functionActs } from './acting.ts';
import { noteRecordedStep } from './answers.ts';
import { isMove, store } from './assign.ts';
import { type Argument, type CallResult, evaluateArguments } from './call.ts';
import { withTemplates } from './class-templates.ts';
import { constructValue } from './construct.ts';
import { constructBase, fillArray, isArray } from './constructors.ts';
import { namedBase } from './container-bases.ts';
import { initialised, leaveEmpty } from './copies.ts';
import { evaluate } from './evaluate.ts';
import { executeBlock, type Returned } from './execute.ts';
import { forgetCall } from './forgetting.ts';
import { identified } from './identity.ts';
import { asReturned } from './implicit.ts';
import { type Place, place } from './locate.ts';
import { chooseOverload } from './overloads.ts';
import { bindParameters, bindTemplates, type TemplateArguments } from './parameters.ts';
import { constructorOf, findClass, lastPart } from './program-table.ts';
import { beforeQuiet, enterQuiet, enterTrial, isGivenUp, isQuietSpent, leaveQuiet } from './quiet.ts';
import { createScope, type Scope } from './scope.ts';
import { hasEnd } from './temporaries.ts';
import { unknownMethod } from './unknown-call.ts';
import { type Cell, noteShared, type RecordObject, unknownValue, type Value } from './value.ts';
import { handleTypeOf, noteGap, placeInText, type World } from './world.ts';

/** Calls of one function inside itself that are followed. */
const maximumRecursion = 8;
/** A function that has been that deep more often than this, as one that calls itself twice without an end, is followed less deep. */
const mostEndless = 32;
const deepestWhenEndless = 2;

export function invokeMethod(
  world: World,
  scope: Scope,
  self: RecordObject,
  method: string,
  values: readonly Argument[],
  span: Span,
  templateArguments: TemplateArguments = [],
  isOfMoved = false,
): CallResult {
  const owner = ownerOfMethod(world, self.className, lastPart(method));
  const name = `${owner ?? self.className}::${lastPart(method)}`;
  const definition = chooseOverload(world, scope, name, values, templateArguments, isOfMoved);
  if (!definition?.body) return unknownMethod(world, self, definition ?? { name, parameters: [] }, values, span);
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
  const endless = world.endless.get(definition.name) ?? 0;
  const deepest = endless > mostEndless ? deepestWhenEndless : maximumRecursion;
  if (world.frames.filter((frame) => frame.name === definition.name).length >= deepest) {
    world.endless.set(definition.name, endless + 1);
    noteGap(world, 'budget', `${definition.name}: recursion deeper than ${maximumRecursion} calls`, span);
    return { value: unknownValue, cell: null };
  }
  const acts = functionActs(world, definition);
  if (isGivenUp(world) || (acts === 'never' && isQuietSpent(world))) {
    forgetCall(world, definition, values, self);
    return { value: unknownValue, cell: null };
  }
  noteRecordedStep(world, definition, values);
  world.entered.add(definition.span);
  const around = definition.isLocal && definition.className ? world.classScopes.get(definition.className) : undefined;
  const scope = createScope(around ?? world.globals, self);
  if (self?.templates) withTemplates(scope, self.templates);
  bindTemplates(world, scope, callerScope, definition, values, templateArguments);
  bindParameters(world, scope, callerScope, definition.parameters, values);
  const outside = beforeQuiet(world);
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
  return inFrame(world, definition.name, definition.returnType, span, () => {
    runMemberInitializers(world, scope, definition, self);
    const completion = executeBlock(world, scope, definition.body?.statements ?? []);
    if (completion?.kind === 'goto') noteGap(world, 'syntax', 'goto into a block', completion.span);
    const result = completion?.kind === 'return' ? completion : null;
    if (!result) return { value: unknownValue, cell: null };
    if (
      handleTypeOf(definition.returnType) === null &&
      definition.returnType.name === 'bool' &&
      result.value.kind === 'handle'
    )
      return { value: { kind: 'number', value: 1 }, cell: null };
    const returned = definition.returnType.isReference ? result.value : ownResult(world, scope, result, span);
    return {
      value: asReturned(world, scope, definition.returnType, returned, span),
      // What is not known yet keeps its place: the next call of this getter must give the same thing.
      cell: definition.returnType.isReference || result.value.kind === 'unknown' ? result.cell : null,
      ...(definition.returnType.takesMoved ? { isMoved: true } : {}),
    };
  });
}

/** An object that is returned by value, and that is not the function's own, is copied: something happens when it goes. */
function ownResult(world: World, scope: Scope, { value, cell, isLocal }: Returned, span: Span): Value {
  if (cell === null || isLocal || !hasEnd(world.program, value)) return value;
  return initialised(world, scope, { value, cell, span }, span);
}

function inFrame(
  world: World,
  name: string,
  returnType: TypeReference | null,
  span: Span,
  work: () => CallResult,
  usedAt: Span | null = null,
): CallResult {
  const outerType = world.returnType;
  const statement = world.statement;
  const depth = world.macroDepth;
  const outer = world.frames;
  world.frames = [...outer, { name, call: placeInText(world, span), statement }];
  world.returnType = returnType;
  world.macroDepth = usedAt ? 1 : 0;
  if (usedAt) world.statement = usedAt;
  try {
    return work();
  } finally {
    world.returnType = outerType;
    world.frames = outer;
    world.statement = statement;
    world.macroDepth = depth;
  }
}

/** A member that its one argument does not simply become: a vector of that many, an object that is copied or moved by its class. */
function isMadeAnew(world: World, field: Cell, { value, cell }: Place): boolean {
  if (field.value.kind === 'sequence') return field.value.sequence.byValue && value.kind !== 'sequence';
  if (value.kind !== 'record' || !cell || field.value.kind !== 'record') return false;
  const { className } = value.record;
  return (
    field.value.record.className === className &&
    (world.program.functions.get(constructorOf(className)) ?? []).some(
      (each) => each.body && each.parameters.length === 1 && lastPart(each.parameters[0]!.type.name) === className,
    )
  );
}

/** `values...`: as many as the pack has. */
function isExpansion(expression: Expression): boolean {
  return expression.kind === 'unary' && expression.operator === '...';
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
      const only = initializer.arguments.length === 1 ? initializer.arguments[0]! : null;
      if (only && !isExpansion(only)) {
        const source = place(world, scope, only);
        const isMoved = isMove(only);
        // A reference is the thing itself, not a copy of it.
        if (field.type?.isReference && source.cell) self.fields.set(initializer.name, source.cell);
        else if (isArray(world, field) && source.value.kind !== 'sequence')
          fillArray(world, scope, field, [source.value], definition.span);
        else if (field.type && isMadeAnew(world, field, source))
          field.value = constructValue(
            world,
            scope,
            field.type,
            [{ ...source, span: definition.span, isMoved }],
            definition.span,
          );
        else {
          store(world, scope, field, identified(world, source, field.type));
          if (isMoved) leaveEmpty(source.value);
          else if (source.cell) noteShared(source.value);
        }
      } else if (initializer.arguments.length === 0 && field.value.kind === 'unknown')
        field.value = { kind: 'number', value: 0 };
      else if (isArray(world, field)) {
        const values = evaluateArguments(world, scope, initializer.arguments);
        fillArray(
          world,
          scope,
          field,
          values.map(({ value }) => value),
          definition.span,
        );
      } else if (initializer.arguments.length > 0)
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
    const container = namedBase(world, self, initializer.name);
    if (container?.type) {
      const values = evaluateArguments(world, scope, initializer.arguments);
      if (!initializer.isList) container.value = constructValue(world, scope, container.type, values, definition.span);
      else
        fillArray(
          world,
          scope,
          container,
          values.map(({ value }) => value),
          definition.span,
        );
      continue;
    }
    const base = findClass(world.program, initializer.name);
    if (base) {
      const values = evaluateArguments(world, scope, initializer.arguments);
      constructBase(world, scope, self, base, values, definition.span);
    }
  }
}

export function invokeClosure(
  world: World,
  closure: Value & { kind: 'closure' },
  values: readonly Argument[],
  span: Span,
  self: RecordObject | null = closure.scope.self,
): CallResult {
  if (world.frames.length >= world.budget.depth) {
    if (closure.lambda.isScript) noteGap(world, 'budget', 'calls nest too deeply', span);
    return { value: unknownValue, cell: null };
  }
  const scope = createScope(closure.scope, self);
  bindParameters(world, scope, closure.scope, closure.lambda.parameters, values);
  const run = (): CallResult => {
    const completion = executeBlock(world, scope, closure.lambda.body);
    if (completion?.kind !== 'return') return { value: unknownValue, cell: null };
    const { returnType } = closure.lambda;
    const value = returnType ? asReturned(world, scope, returnType, completion.value, span) : completion.value;
    return { value, cell: value === completion.value ? completion.cell : null };
  };
  return inFrame(world, 'lambda', null, span, run, closure.usedAt);
}
