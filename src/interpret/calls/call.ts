/** Calls: who is meant, with what arguments. Macros, the user's functions, models, containers, the unknown. */

import type { Span } from '../../base/span.ts';
import { findRow } from '../../models/model.ts';
import type { CallExpression, Expression, TypeReference } from '../../program/program.ts';
import { typeNamed } from '../../program/type-named.ts';
import { isDeclaredEndless, isEndOfProgram } from '../choices/decisions.ts';
import { applyRow } from '../cuda/apply-model.ts';
import { noteHostUses } from '../cuda/host-accesses.ts';
import { libraryRow, methodRow } from '../cuda/library-calls.ts';
import { noteDoing } from '../doings.ts';
import { isMove } from '../expressions/assign.ts';
import { castValue } from '../expressions/cast.ts';
import { firstOfArray } from '../expressions/elements.ts';
import { evaluate } from '../expressions/evaluate.ts';
import { behindArrow, objectNamed, type Place, place } from '../expressions/locate.ts';
import { calledByArgument } from '../expressions/macro-parameters.ts';
import { findName, localFunction, withoutAlias } from '../expressions/names.ts';
import { forgetRead } from '../expressions/reading.ts';
import { baseBehind } from '../expressions/static-variables.ts';
import { fullName, functionsNamed } from '../function-names.ts';
import { notePause } from '../library/chrono.ts';
import { inheritedMethod } from '../library/container-bases.ts';
import { callMethod } from '../library/containers.ts';
import { methodOfNumber } from '../library/error-codes.ts';
import { checkCallable } from '../library/library-exceptions.ts';
import { behindPointer } from '../library/ranges.ts';
import { referredIn } from '../library/reference-wrappers.ts';
import { isUnknownText, sameAnswer, unknownTextMethod } from '../library/same-answers.ts';
import { standardFunction } from '../library/standard-functions.ts';
import { methodOfText } from '../library/text-ranges.ts';
import { constructValue } from '../objects/construct.ts';
import { destroyValue, endUsed } from '../objects/destroy.ts';
import { lastPart, resolveType } from '../program-table.ts';
import { calledByMacro } from '../renamed-calls.ts';
import { isThunk, type Scope, typeStoodFor } from '../scope.ts';
import { scriptCall } from '../script/calls.ts';
import { addTemporary, makesTemporary, noteTemporary } from '../statements/temporaries.ts';
import { ownerNamed, staticOfInstance } from '../types/class-constants.ts';
import { namesClass } from '../types/specialisations.ts';
import { instanceOf, ownerBehind } from '../types/static-members.ts';
import { typeConstant } from '../types/type-constants.ts';
import { isScalar } from '../types/types.ts';
import { type Cell, unknownValue, type Value } from '../value.ts';
import { ExitSignal, type World } from '../world.ts';
import { callAllocator, isOfAllocator } from './allocator-traits.ts';
import { evaluateArguments } from './arguments.ts';
import { baseMethod, baseNamed, calledByTemplate, isElsewhere, isUsed, methodOfBase, withNames } from './call-names.ts';
import { directObject, isOutside, isUnsetMember, isWayOfNobody, objectsAsked } from './call-objects.ts';
import { just } from './call-results.ts';
import { callWith, isCallable } from './callables.ts';
import { forgetGone } from './escape.ts';
import { remembered } from './getters.ts';
import { invokeClosure, invokeFunction, invokeMethod, methodBehind, ownerOfMethod } from './invoke.ts';
import { chosenByMacro, expandCall, isInItself } from './macro-calls.ts';
import { cannotTake, chooseOverload, isViable } from './overloads.ts';
import { endProgram } from './program-ends.ts';
import { objectSeenAs, partBeingMade, selfSeenAs } from './seen-as.ts';
import { constructed, madeInClass } from './type-calls.ts';
import { isOfLibrary, noteStreamsGiven, typeOfResult, unknownCall, unknownLibraryMethod } from './unknown-call.ts';

/** An argument: its value, the cell it names when it names one, and where it stands. */
export interface Argument {
  readonly value: Value;
  readonly cell: Cell | null;
  readonly span: Span;
  /** As it was written; absent where a call was made up. */
  readonly expression?: Expression;
  /** It was given away with `std::move`. */
  readonly isMoved?: boolean;
  /** It was made for the call. */
  readonly isTemporary?: boolean;
  /** What was written says of what type it is: a cast, an object that is made, a text of C's. */
  readonly type?: TypeReference | undefined;
  /** It may not be changed by who is given it; noted only where that makes a difference. */
  readonly isConst?: boolean;
  /** The base that an object is seen as; noted only where that makes a difference. */
  readonly base?: string;
  /** A lambda that owns something: who puts it into a place has to say that it has arrived. */
  readonly isOnItsWay?: boolean;
}

export interface CallResult {
  readonly value: Value;
  /** The cell returned by reference, when there is one. */
  readonly cell: Cell | null;
  /** It was returned as `T &&`: what is made from it may take what it has. */
  readonly isMoved?: boolean;
}

const nothing: CallResult = { value: unknownValue, cell: null };

export function call(world: World, scope: Scope, expression: CallExpression): CallResult {
  noteDoing(world);
  const callee = expression.callee;
  if (callee.kind === 'name') {
    const qualifier = callee.template?.qualifier;
    const owner = qualifier ? ownerBehind(world, scope, callee.name, qualifier) : ownerNamed(world, scope, callee.name);
    return (
      (owner && callStatic(world, scope, expression, owner, callee.name)) ??
      callName(world, scope, expression, callee.name)
    );
  }
  if (callee.kind === 'member') return callMember(world, scope, ...calledByArgument(world, scope, expression, callee));
  const chosen = chosenByMacro(world, scope, callee);
  if (chosen) return callName(world, scope, { ...expression, callee: chosen }, chosen.name);
  const value = evaluate(world, scope, callee);
  return endUsed(world, callee, value, callValue(world, scope, value, expression));
}

function callName(world: World, scope: Scope, expression: CallExpression, written: string): CallResult {
  const name = withoutAlias(world, scope, written);
  const entry = findName(world, scope, name);
  const macro = world.program.macro(name);
  // `#define row(i) (row + (i) * pitch)`: what stands in front of a parenthesis is the macro, whatever else has the name.
  const mayBeMacro = macro?.parameters !== null && macro !== undefined && !expression.isBracketed;
  const isMacro = mayBeMacro && !isInItself(scope, name);
  if (entry && !(isMacro && !isThunk(entry))) {
    if (!isThunk(entry)) {
      checkCallable(world, entry);
      return callValue(world, scope, entry.value, expression);
    }
    const target = entry.expressions[0];
    if (target?.kind === 'name') {
      // `CALL(times<4>, x)`
      const own = expression.templateArguments.length > 0 ? expression.templateArguments : target.template?.arguments;
      return callName(
        world,
        entry.scope === scope ? scope : withNames(entry.scope, scope),
        { ...expression, callee: target, templateArguments: own ?? [] },
        target.name,
      );
    }
    return target ? callValue(world, scope, evaluate(world, entry.scope, target), expression) : nothing;
  }
  if (isMacro) return expandCall(world, scope, expression, name);
  const renamed = macro?.parameters === null ? calledByMacro(world.program, name) : null;
  if (renamed?.kind === 'name') return callName(world, scope, { ...expression, callee: renamed }, renamed.name);
  if (renamed) return callValue(world, scope, evaluate(world, scope, renamed), expression);
  const plain = lastPart(name);
  const base = scope.self && name.includes('::') ? baseNamed(world, scope, scope.self.className, name) : undefined;
  if (base && scope.self) {
    const values = evaluateArguments(world, scope, expression.arguments);
    return invokeFunction(world, base, values, scope.self, expression.span, expression.templateArguments, scope);
  }
  const isOwn =
    !name.includes('::') ||
    name
      .slice(0, -plain.length - 2)
      .split('::')
      .at(-1) === scope.self?.className;
  const own =
    scope.self && isOwn && !isUsed(scope, name) ? ownerOfMethod(world, scope.self.className, plain) : undefined;
  const part = own && scope.self && !name.includes('::') ? partBeingMade(world, scope.self.className) : null;
  if (part && scope.self) {
    const values = evaluateArguments(world, scope, expression.arguments);
    const definition = chooseOverload(world, scope, `${ownerOfMethod(world, part, plain)}::${plain}`, values);
    if (definition?.body) return invokeFunction(world, definition, values, scope.self, expression.span, [], scope);
  }
  // `Tensor(…)` in a method of `Tensor` makes another.
  if (own && scope.self && lastPart(own) !== plain)
    return invokeMethod(
      world,
      scope,
      scope.self,
      plain,
      evaluateArguments(world, scope, expression.arguments),
      expression.span,
      expression.templateArguments,
      false,
      selfSeenAs(world, scope),
    );
  const inherited = inheritedMethod(scope.self, name);
  const given = inherited ? evaluateArguments(world, scope, expression.arguments) : [];
  const result = inherited ? callMethod(world, scope, inherited, plain, given, expression) : null;
  if (result) return result;
  const full = fullName(world, scope, name);
  const named = functionsNamed(world, full);
  const functions = named && isElsewhere(world, name, named) ? undefined : named;
  if (functions?.some((definition) => definition.body !== null) || localFunction(scope, plain)) {
    const values = evaluateArguments(world, scope, expression.arguments);
    const definition = chooseOverload(world, scope, full, values, expression.templateArguments);
    // `using std::swap; swap(a, b)`: the program's own is for its classes.
    const standard =
      definition && !isViable(world, definition, values)
        ? standardFunction(world, scope, expression, plain, name, values)
        : null;
    if (standard) return standard;
    if (!definition)
      return (
        standardFunction(world, scope, expression, plain, name, values) ??
        callLibrary(world, scope, plain, values, expression, full)
      );
    if (cannotTake(world, definition, values)) return callLibrary(world, scope, plain, values, expression);
    const self = baseBehind(world, scope, name, definition);
    if (definition.body && !definition.isKernel)
      return invokeFunction(world, definition, values, self, expression.span, expression.templateArguments, scope);
    return unknownCall(world, plain, values, expression.span);
  }
  if (isEndOfProgram(name)) return endProgram(world, scope, name, expression);
  if (isDeclaredEndless(world, name)) {
    evaluateArguments(world, scope, expression.arguments);
    throw new ExitSignal(false);
  }
  const standard = standardFunction(world, scope, expression, plain, name);
  if (standard) return standard;
  if (namesClass(world, name)) {
    const type = typeNamed(name, expression.templateArguments);
    const given = evaluateArguments(world, scope, expression.arguments);
    return { value: constructValue(world, scope, type, given, expression.span), cell: null };
  }
  const values = evaluateArguments(world, scope, expression.arguments);
  const stoodFor = typeStoodFor(scope, written);
  const type = stoodFor && resolveType(world.program, stoodFor);
  // `T(x)` casts to a number or a pointer, and makes an object of a class.
  if (type && values.length === 1 && (type.isReference || isScalar(world.program, type)))
    return { value: castValue(world, scope, type, values[0]!.value), cell: null };
  const made = constructed(world, scope, name, values, expression);
  return made ? { value: made, cell: null } : callLibrary(world, scope, plain, values, expression, full);
}

/** `Class<int>::f(…)`: a static function of a class template, for these arguments. Null when the program has none. */
function callStatic(
  world: World,
  scope: Scope,
  expression: CallExpression,
  owner: TypeReference,
  name: string,
): CallResult | null {
  const limit =
    expression.arguments.length === 0 && lastPart(owner.name) === 'numeric_limits'
      ? typeConstant(world, scope, owner, lastPart(name))
      : null;
  if (limit) return { value: limit, cell: null };
  if (isOfAllocator(owner, name)) {
    const values = evaluateArguments(world, scope, expression.arguments);
    return (
      callAllocator(world, scope, name, values, expression.span) ??
      callLibrary(world, scope, lastPart(name), values, expression)
    );
  }
  const ofBase = methodOfBase(world, scope, resolveType(world.program, owner), lastPart(name));
  if (ofBase && scope.self) {
    const values = evaluateArguments(world, scope, expression.arguments);
    const { templateArguments: given, span } = expression;
    const method = chooseOverload(world, scope, ofBase, values, given);
    if (method?.body) return invokeFunction(world, method, values, scope.self, span, given, scope);
    return unknownCall(world, lastPart(name), values, span);
  }
  const self = instanceOf(world, scope, owner);
  // `Traits<T>::destroy(handle)`, where that is a constant which stands for a function.
  const held = self && staticOfInstance(world, self, lastPart(name))?.value;
  if (held && isCallable(world, held)) return callValue(world, scope, held, expression);
  if (!self) return null;
  if (!ownerOfMethod(world, self.className, lastPart(name))) return madeInClass(world, scope, expression, owner, name);
  const values = evaluateArguments(world, scope, expression.arguments);
  return invokeMethod(world, scope, self, lastPart(name), values, expression.span, expression.templateArguments);
}

function callLibrary(
  world: World,
  scope: Scope,
  plain: string,
  values: readonly Argument[],
  expression: CallExpression,
  full = plain,
): CallResult {
  for (let index = 0; index < values.length; index++) {
    const given = values[index]!;
    if (given.isTemporary) addTemporary(world, given.value);
  }
  noteHostUses(world, plain, values);
  const row = libraryRow(world, expression, plain, values.length);
  if (row) return { value: applyRow(world, scope, row, values, expression.span), cell: null };
  const target = expression.templateArguments.length > 0 ? calledByTemplate(world, expression) : null;
  if (target) return callName(world, scope, { ...expression, templateArguments: [] }, lastPart(target.name));
  if (world.models.pure.has(plain) && !world.program.functions.has(plain)) {
    world.called.add(expression.span);
    notePause(world);
    forgetRead(world, plain, values);
    return world.models.lookups.has(plain) ? just(sameAnswer(world, plain, values)) : nothing;
  }
  const type = typeOfResult(world, full, values.length);
  const { callee, span } = expression;
  const result = unknownCall(world, plain, values, span, callee.kind === 'name' ? callee.name : plain, type);
  // `currentStream()` is the same thing each time.
  return values.length === 0 ? remembered(world.externalResults, `${type ? full : plain}()`, type) : result;
}

function callMember(
  world: World,
  scope: Scope,
  expression: CallExpression,
  callee: Expression & { kind: 'member' },
): CallResult {
  const given: Place =
    callee.object.kind === 'name' && callee.object.name === 'this' && scope.self
      ? { value: { kind: 'record', record: scope.self }, cell: null }
      : place(world, scope, callee.object);
  const holder = callee.isArrow ? firstOfArray(given) : given;
  const known = callee.isScript ? scriptCall(world, scope, holder, callee, expression) : null;
  if (known) return known;
  if (isWayOfNobody(world, callee, holder)) throw new ExitSignal(false);
  noteTemporary(world, callee.object, holder);
  // `f.operator()<int>()` is a call of the lambda.
  if (holder.value.kind === 'closure' && callee.name === 'operator()')
    return callValue(world, scope, holder.value, expression);
  if (isUnknownText(holder, callee.name))
    return unknownTextMethod(world, holder, callee.name, evaluateArguments(world, scope, expression.arguments));
  const object = behindArrow(world, scope, objectNamed(world, scope, holder, callee.object), callee);
  // `owner->size()` asks what is owned, not the owner.
  const direct = callee.isArrow && holder.value.kind === 'record' ? null : directObject(holder.value);
  const candidates = objectsAsked(direct, object);
  if (callee.name.startsWith('~') && object && !callee.isScript) {
    destroyValue(world, object);
    return nothing;
  }
  for (const candidate of candidates) {
    if (candidate.kind !== 'record') continue;
    const field = candidate.record.fields.get(callee.name);
    if (field?.value.kind === 'closure' && field.value.lambda.hasThis)
      return invokeClosure(
        world,
        field.value,
        evaluateArguments(world, scope, expression.arguments),
        expression.span,
        candidate.record,
      );
    if (field && isCallable(world, field.value)) return callValue(world, scope, field.value, expression);
    const qualified = callee.name.includes('::')
      ? baseMethod(world, candidate.record.className, callee.name)
      : undefined;
    if (qualified) {
      const values = evaluateArguments(world, scope, expression.arguments);
      return invokeFunction(world, qualified, values, candidate.record, expression.span, [], scope);
    }
    const method = methodBehind(world, candidate.record.className, callee.name);
    if (method !== null)
      return invokeMethod(
        world,
        scope,
        candidate.record,
        method,
        evaluateArguments(world, scope, expression.arguments),
        expression.span,
        expression.templateArguments,
        isGivenAway(callee.object, holder),
        objectSeenAs(world, scope, callee.object, callee.isArrow === true, candidate),
      );
  }
  const values = evaluateArguments(world, scope, expression.arguments);
  for (const candidate of candidates) {
    const result = callMethod(world, scope, candidate, callee.name, values, expression);
    if (result) return result;
  }
  const pointed = values.length === 0 ? behindPointer(holder.value, callee.name) : null;
  if (pointed) return { value: pointed, cell: null };
  const referred = callee.name === 'get' ? referredIn(holder.value, callee.isArrow === true) : null;
  if (referred) return { value: referred.value, cell: referred };
  const ofText =
    holder.value.kind === 'string' ? methodOfText(world, holder.value.value, holder, callee.name, values) : null;
  if (ofText) return ofText;
  const ofNumber = methodOfNumber(world, scope, holder, callee.name, values);
  if (ofNumber) return ofNumber;
  const plain = callee.object.kind === 'name' && isOutside(holder.value);
  const row =
    methodRow(world, callee, holder.value, values.length) ??
    (plain || candidates.some((each) => isUnsetMember(each, callee.name))
      ? findRow(world.models, callee.name, values.length)
      : undefined);
  if (row) return { value: applyRow(world, scope, row, values, expression.span), cell: null };
  const full = callee.object.kind === 'name' ? `${callee.object.name}.${callee.name}` : callee.name;
  if (world.models.pure.has(callee.name) || world.models.pure.has(full)) return nothing;
  const container = candidates.find((each) => isOfLibrary(each));
  if (container) return unknownLibraryMethod(world, container, callee.name, values, expression.span);
  const name = world.models.callbacks.has(full) ? full : callee.name;
  noteStreamsGiven(world, name, [holder.value], expression.span);
  const result = unknownCall(world, name, values, expression.span);
  forgetGone(
    world,
    candidates.map((value) => ({ value, cell: null })),
    null,
  );
  if (values.length > 0) return result;
  // `stream.get()` is the same thing each time.
  const owner = candidates.find((candidate) => candidate.kind === 'record');
  return owner?.kind === 'record' ? remembered(owner.record.fields, `${callee.name}()`) : result;
}

/** `std::move(o).f()`, `make().f()`. */
function isGivenAway(object: Expression, holder: Place): boolean {
  return holder.isMoved === true || isMove(object) || makesTemporary(object, holder);
}

function callValue(world: World, scope: Scope, value: Value, expression: CallExpression): CallResult {
  const values = evaluateArguments(world, scope, expression.arguments);
  const name = expression.callee.kind === 'name' ? expression.callee.name : undefined;
  return callWith(world, scope, value, values, expression.span, name, expression.templateArguments);
}
