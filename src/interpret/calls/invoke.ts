/** Running a function of the user's program: binding parameters, scopes, what comes back. */

import type { Span } from '../../base/span.ts';
import type { ClassDefinition, FunctionDefinition, Statement, TypeReference } from '../../program/program.ts';
import { typeNamed } from '../../program/type-named.ts';
import { noteRecordedStep } from '../answers.ts';
import { placeInText } from '../called-from.ts';
import { constructorActs, functionActs, lambdaActs } from '../choices/acting.ts';
import { forgetCall, forgetClosure } from '../choices/forgetting.ts';
import { asFarAsItActs, isGivenUp, isQuietSpent } from '../choices/quiet.ts';
import { isPartOf } from '../expressions/conversions.ts';
import { noteInstance } from '../expressions/static-variables.ts';
import { noteReturned } from '../library/coroutine-frames.ts';
import { runAsCalled } from '../library/coroutines.ts';
import { initialised } from '../objects/copies.ts';
import { asReturned } from '../objects/implicit.ts';
import { type BegunParts, beginMembers, endBegun } from '../objects/member-initializers.ts';
import { beginUnseen } from '../objects/unseen-class.ts';
import { findClass, lastPart, resolveType } from '../program-table.ts';
import { beginFunction, createScope, type Scope } from '../scope.ts';
import { executeHandled } from '../statements/exceptions.ts';
import { type Completion, executeBlock, type Returned } from '../statements/execute.ts';
import { hasEnd } from '../statements/temporaries.ts';
import { ParkSignal, type Resume } from '../threads.ts';
import { withNamesOf, withTemplates } from '../types/class-templates.ts';
import { substitute } from '../types/types.ts';
import { asWritten } from '../types/written-types.ts';
import type { RecordObject, Value } from '../value.ts';
import { noteGap, ThrowSignal, type World } from '../world.ts';
import type { Argument, CallResult } from './call.ts';
import { done } from './call-results.ts';
import { fitness } from './fitness.ts';
import { withObject } from './object-parameters.ts';
import { onlyOverride } from './only-override.ts';
import { runningIn } from './other-function.ts';
import { chooseOverload } from './overloads.ts';
import { bindParameters, bindTemplates, type TemplateArguments } from './parameters.ts';
import { noteTooDeep, recursionLimit } from './recursion.ts';
import { noteMethod } from './seen-as.ts';
import { isOtherThan, isVirtualMethod, overriding } from './seen-classes.ts';
import { unknownCall, unknownMethod } from './unknown-call.ts';

export function invokeMethod(
  world: World,
  scope: Scope,
  self: RecordObject,
  method: string,
  values: readonly Argument[],
  span: Span,
  templateArguments: TemplateArguments = [],
  isOfMoved = false,
  seenAs: TypeReference | null = null,
): CallResult {
  const owner = ownerOfMethod(world, self.className, lastPart(method));
  const view = seenAs && methodSeen(world, scope, self, lastPart(method), values, owner, seenAs, templateArguments);
  if (view?.body) return invokeFunction(world, view, values, self, span, templateArguments, scope);
  const name = `${owner ?? self.className}::${lastPart(method)}`;
  const chosen = chooseOverload(world, scope, name, values, templateArguments, isOfMoved, false, self.templates);
  const definition = fittingBest(world, scope, self.className, owner, lastPart(method), values, chosen);
  const override = definition?.body ? null : onlyOverride(world, scope, self, definition);
  if (override)
    return invokeFunction(world, override.definition, values, override.self, span, templateArguments, scope);
  if (!definition?.body) return unknownMethod(world, self, definition ?? { name, parameters: [] }, values, span);
  return invokeFunction(world, definition, values, self, span, templateArguments, scope);
}

/**
 * The method that is meant for an object that is seen as that: the one of a base where it is not virtual there, the one for `const`
 * objects, or the object's own with the default arguments that the base has. Null where it is the object's own as it is.
 */
function methodSeen(
  world: World,
  scope: Scope,
  { className }: RecordObject,
  method: string,
  values: readonly Argument[],
  owner: string | undefined,
  { name, isConst }: TypeReference,
  templateArguments: TemplateArguments,
): FunctionDefinition | undefined {
  const choose = (of: string): FunctionDefinition | undefined =>
    chooseOverload(world, scope, `${of}::${method}`, values, templateArguments, false, isConst);
  const plain = lastPart(resolveType(world.program, substitute(typeNamed(name), scope)).name);
  const above = plain === className ? undefined : ownerOfMethod(world, plain, method);
  const isBase = above !== undefined && above !== owner && isPartOf(world, className, above, 0);
  if (!isBase) return owner && isConst ? choose(owner) : undefined;
  const seen = choose(above);
  if (!isVirtualMethod(world.program, above, method)) return seen;
  const best = owner === undefined ? undefined : choose(owner);
  // What takes other arguments hides the other, and does not override it: `SetUp()` calls the `SetUp(options)` of its own class.
  const own = best && seen && isOtherThan(best, seen) ? overriding(world.program, className, method, seen) : best;
  if (best && !own) return seen;
  return own && seen ? withDefaultsOf(own, seen) : own;
}

/** A virtual method, called with the default arguments of the class that it is called through. */
function withDefaultsOf(own: FunctionDefinition, seen: FunctionDefinition): FunctionDefinition {
  if (own === seen || own.parameters.length !== seen.parameters.length) return own;
  if (own.parameters.every((each, index) => each.defaultValue === seen.parameters[index]!.defaultValue)) return own;
  return {
    ...own,
    parameters: own.parameters.map((each, index) => ({
      ...each,
      defaultValue: seen.parameters[index]!.defaultValue,
    })),
  };
}

/** `using A::go; using B::go;`: what several bases define, by what it is called with. `first`: of the first that does. */
function fittingBest(
  world: World,
  scope: Scope,
  className: string,
  owner: string | undefined,
  method: string,
  values: readonly Argument[],
  first: FunctionDefinition | undefined,
): FunctionDefinition | undefined {
  const takenOver = owner === undefined ? [] : basesBehind(findClass(world.program, owner), method);
  const several = owner === className ? [] : (findClass(world.program, className)?.bases ?? []);
  const bases = several.length > 1 ? several : takenOver;
  if (bases.length === 0 || !first) return first;
  let [best, bestScore] = [first, fitness(first.parameters, values)];
  for (const base of bases) {
    const inBase = ownerOfMethod(world, lastPart(base), method);
    const other = inBase && chooseOverload(world, scope, `${inBase}::${method}`, values);
    const score = other ? fitness(other.parameters, values) : 0;
    if (other && score > bestScore) [best, bestScore] = [other, score];
  }
  return best;
}

/** `using Base::f;`: the bases whose functions of a name a class has beside its own. */
function basesBehind(definition: ClassDefinition | undefined, method: string): readonly string[] {
  if (!definition?.takesOver) return [];
  return definition.takesOver.flatMap((each) => (lastPart(each) === method ? [each.slice(0, -method.length - 2)] : []));
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

/**
 * The method that runs when one of that name is called: itself, or the `do_allocate` that an unseen base's `allocate` calls, as bases of
 * the library do. Null when the class has neither.
 */
export function methodBehind(world: World, className: string, method: string): string | null {
  if (ownerOfMethod(world, className, method)) return method;
  const own = `do_${method}`;
  const bases = findClass(world.program, className)?.bases ?? [];
  return bases.length > 0 && ownerOfMethod(world, className, own) ? own : null;
}

export function invokeFunction(
  world: World,
  definition: FunctionDefinition,
  values: readonly Argument[],
  self: RecordObject | null,
  span: Span,
  templateArguments: TemplateArguments,
  callerScope: Scope,
  constructs: ClassDefinition | null = null,
): CallResult {
  if (world.frames.length >= world.budget.depth) {
    noteGap(world, 'budget', `${definition.name}: calls nest too deeply`, span);
    noteTooDeep(world, definition.name);
    return leftOut(world, definition, values, self, span);
  }
  const acts = constructs ? constructorActs(world, definition, constructs) : functionActs(world, definition);
  const limit = recursionLimit(world, definition.name, acts === 'never');
  if (limit !== null) {
    noteGap(world, 'budget', `${definition.name}: recursion deeper than ${limit} calls`, span);
    return leftOut(world, definition, values, self, span);
  }
  if (isGivenUp(world) || (acts === 'never' && isQuietSpent(world))) {
    forgetCall(world, definition, values, self);
    return done;
  }
  noteRecordedStep(world, definition, values);
  world.entered.add(definition.span);
  const around = definition.isLocal && definition.className ? world.classScopes.get(definition.className) : undefined;
  const scope = createScope(around ?? world.globals, self);
  if (self?.templates) {
    withTemplates(scope, self.templates);
    if (definition.className) withNamesOf(world, scope, definition.className, self);
  }
  const { taking, given } = withObject(definition, values, self && { kind: 'record', record: self }, span);
  bindTemplates(world, scope, callerScope, taking, given, templateArguments);
  if (definition.templateParameters.length > 0) noteInstance(scope, definition);
  bindParameters(world, scope, callerScope, taking.parameters, given);
  beginFunction(scope, definition.className);
  if (self) noteMethod(world, scope, definition, self);
  return runAsCalled(world, scope, definition, span, (meant) =>
    asFarAsItActs(world, acts, () => runBody(world, scope, meant, self, constructs, span)),
  );
}

/** What a call that is not followed may have done: as one of a function that is not seen. */
function leftOut(
  world: World,
  definition: FunctionDefinition,
  values: readonly Argument[],
  self: RecordObject | null,
  span: Span,
): CallResult {
  if (self) return unknownMethod(world, self, definition, values, span);
  return unknownCall(world, lastPart(definition.name), values, span);
}

function runBody(
  world: World,
  scope: Scope,
  definition: FunctionDefinition,
  self: RecordObject | null,
  constructs: ClassDefinition | null,
  span: Span,
): CallResult {
  const work = (): CallResult => {
    const statements = definition.body?.statements ?? [];
    if (!self && definition.memberInitializers.length > 0) beginUnseen(world, scope, definition);
    const completion =
      self && (constructs || definition.memberInitializers.length > 0 || definition.isTried)
        ? runConstructorBody(world, scope, definition, self, constructs, statements)
        : executeBlock(world, scope, statements);
    if (completion?.kind === 'goto') noteGap(world, 'syntax', 'goto into a block', completion.span);
    const result = completion?.kind === 'return' ? completion : null;
    if (!result) return done;
    if (definition.returnType.name === 'bool' && result.value.kind === 'handle')
      return { value: { kind: 'number', value: 1 }, cell: null };
    const isReference = givesPlace(definition.returnType, result);
    const returned = isReference ? result.value : ownResult(world, scope, result, span);
    return {
      value: asReturned(world, scope, definition.returnType, returned, span),
      // What is not known yet keeps its place: the next call of this getter must give the same thing.
      cell: isReference || result.value.kind === 'unknown' ? result.cell : null,
      ...(definition.returnType.takesMoved ? { isMoved: true } : {}),
    };
  };
  const running = runningIn(world);
  running.push(definition);
  try {
    return inFrame(world, definition, span, work);
  } finally {
    running.pop();
  }
}

/** A constructor on an object that is there: what stands before its body, then that. Where it throws, what it has begun of the object ends. */
export function runConstructorBody(
  world: World,
  scope: Scope,
  definition: FunctionDefinition,
  self: RecordObject,
  constructs: ClassDefinition | null,
  statements: readonly Statement[],
): Completion {
  const [tried] = statements;
  if (definition.isTried && tried?.kind === 'try') {
    const inside = { ...definition, isTried: false };
    const body = tried.body.kind === 'block' ? tried.body.body : [tried.body];
    const run = (): Completion => runConstructorBody(world, createScope(scope), inside, self, constructs, body);
    return executeHandled(world, scope, tried, run);
  }
  const begun: BegunParts = { bases: [], fields: [], isHandedOver: false };
  try {
    beginMembers(world, scope, definition, self, constructs, begun);
    return executeBlock(world, scope, statements);
  } catch (signal) {
    if (constructs && signal instanceof ThrowSignal) endBegun(world, self, constructs, begun);
    throw signal;
  }
}

/** Whether what is returned is the place itself, by the type that a function gives back. */
function givesPlace(type: TypeReference, { isNamed }: Returned): boolean {
  return type.isReference || (type.name === asWritten && isNamed !== true);
}

/** An object that is returned by value, and that is not the function's own, is copied: something happens when it goes. */
function ownResult(
  world: World,
  scope: Scope,
  { value, cell, isLocal, isMoved, isNamed }: Returned,
  span: Span,
): Value {
  if (cell === null || isLocal || (!(isNamed === false && isOfProgram(world, value)) && !hasEnd(world.program, value)))
    return value;
  return initialised(world, scope, { value, cell, span, isMoved: isMoved === true }, span);
}

/** `return *this;` by value: what the caller changes of that is not this object. Of what is not seen, a copy would lose what it is. */
function isOfProgram(world: World, value: Value): boolean {
  if (value.kind !== 'record' || value.record.open || value.record.isShared) return false;
  return findClass(world.program, value.record.className) !== undefined;
}

function inFrame(
  world: World,
  called: FunctionDefinition | (Value & { kind: 'closure' }),
  span: Span,
  work: () => CallResult,
  usedAt: Span | null = null,
): CallResult {
  const { returnType, statement, macroDepth, frames: outer } = world;
  const isLambda = 'lambda' in called;
  const call = placeInText(world, span);
  const frame = isLambda
    ? { name: 'lambda', lambda: called.lambda.span, made: called.made, call, statement }
    : { name: called.name, at: called.nameSpan, call, statement };
  world.frames = [...outer, frame];
  world.askedBefore.push(world.asked);
  world.returnType = isLambda ? null : called.returnType;
  world.macroDepth = usedAt ? 1 : 0;
  if (usedAt) world.statement = usedAt;
  try {
    return work();
  } catch (signal) {
    if (signal instanceof ParkSignal) {
      const { resume } = signal;
      signal.isResultAsked = true;
      signal.resume = () => goOnInFrame(world, called, span, resume, usedAt, outer);
    }
    throw signal;
  } finally {
    world.returnType = returnType;
    world.frames = outer;
    world.askedBefore.pop();
    world.statement = statement;
    world.macroDepth = macroDepth;
  }
}

/** A function goes on in which a thread waited; nobody asks for what it returns any more. */
function goOnInFrame(
  world: World,
  called: FunctionDefinition | (Value & { kind: 'closure' }),
  span: Span,
  resume: Resume,
  usedAt: Span | null,
  outer: World['frames'],
): Completion {
  const { frames } = world;
  world.frames = outer;
  const work = (): CallResult => {
    noteReturned(world, resume());
    return done;
  };
  inFrame(world, called, span, work, usedAt);
  world.frames = frames;
  return undefined;
}

export function invokeClosure(
  world: World,
  closure: Value & { kind: 'closure' },
  values: readonly Argument[],
  span: Span,
  self: RecordObject | null = closure.scope.self,
  templateArguments: TemplateArguments = [],
  callerScope: Scope = closure.scope,
  object: Value = closure,
): CallResult {
  if (world.frames.length >= world.budget.depth) {
    noteGap(world, 'budget', 'calls nest too deeply', span);
    return done;
  }
  const acts = closure.lambda.isScript ? 'surely' : lambdaActs(world, closure.lambda);
  if (acts !== 'surely' && (isGivenUp(world) || (acts === 'never' && isQuietSpent(world)))) {
    forgetClosure(world, closure, values);
    return done;
  }
  const scope = createScope(closure.scope, self);
  const { taking, given } = withObject(closure.lambda, values, object, span);
  const { parameters, templateParameters, templateDefaults } = taking;
  if (templateParameters) {
    const template = { parameters, templateParameters, ...(templateDefaults ? { templateDefaults } : {}) };
    bindTemplates(world, scope, callerScope, template, given, templateArguments);
  }
  bindParameters(world, scope, closure.scope, parameters, given);
  scope.parameterCount = scope.owned.length;
  const run = (): CallResult => {
    const completion = executeBlock(world, scope, closure.lambda.body);
    if (completion?.kind !== 'return') return done;
    const { returnType, isScript } = closure.lambda;
    if (isScript || (returnType && givesPlace(returnType, completion)))
      return { value: completion.value, cell: completion.cell };
    const own = ownResult(world, scope, completion, span);
    const value = returnType ? asReturned(world, scope, returnType, own, span) : own;
    return { value, cell: completion.value.kind === 'unknown' ? completion.cell : null };
  };
  return asFarAsItActs(world, acts, () => inFrame(world, closure, span, run, closure.usedAt));
}
