/** Declarations of variables: static locals once, objects with their constructor, all else with its initialiser. */

import type { Declaration, Expression, TypeReference } from '../../program/program.ts';
import { retyped } from '../../program/retyped.ts';
import { typeNamed } from '../../program/type-named.ts';
import { evaluateArguments } from '../calls/arguments.ts';
import { noteSeenAs, seenThrough } from '../calls/seen-as.ts';
import { identified } from '../choices/identity.ts';
import { forgetInitialGlobal } from '../choices/outside.ts';
import { aside, backFromAside } from '../choices/quiet.ts';
import { arriveFrom, leaveMembers, takeIn } from '../closure-holdings.ts';
import { noteShared } from '../copied-values.ts';
import { forgetVariable } from '../cuda/host-accesses.ts';
import { managedCell } from '../cuda/managed-variables.ts';
import { isUnsetHandle, unsetHandle } from '../cuda/unset-handles.ts';
import { isMove, store } from '../expressions/assign.ts';
import { deviceElement } from '../expressions/device-elements.ts';
import { place } from '../expressions/locate.ts';
import { findName } from '../expressions/names.ts';
import { ordinaryNumber } from '../expressions/ordinary-numbers.ts';
import { instanceText } from '../expressions/static-variables.ts';
import { unseenNameOf } from '../expressions/unseen-constants.ts';
import { beginAsZero } from '../expressions/zeroes.ts';
import { wrapped } from '../library/reference-wrappers.ts';
import { holdsBits } from '../library/truth-vectors.ts';
import { nameHeldAfter } from '../library-holders.ts';
import { construct, constructValue } from '../objects/construct.ts';
import { constructElements, isArray } from '../objects/constructors.ts';
import { holdsNoObject, leaveNoText } from '../objects/copies.ts';
import { beginEmpty, isSmartPointer } from '../objects/owners.ts';
import { noteTakenOverIn } from '../objects/unseen-views.ts';
import { resolveType } from '../program-table.ts';
import { bind, isThunk, namesOf, type Scope } from '../scope.ts';
import { noteVariable } from '../storage.ts';
import { defaultValue, holdsElements, holdsFunction, isScalar, substitute } from '../types/types.ts';
import { meantType } from '../types/types-in-classes.ts';
import { asWritten } from '../types/written-types.ts';
import { type Cell, changedSequence, createCell, createRecord, unknownValue, type Value } from '../value.ts';
import type { World } from '../world.ts';
import { castTypeOf, decayed, isMadeOfParts, withLengthOf } from './declared-types.ts';
import { withElementsOf } from './deduced-containers.ts';
import { isWiderThanInt, namesItself } from './initialisers.ts';
import { isGivenAway, moveFrom, staysBeside } from './moved-from.ts';
import { isCount, symbolFor } from './outside-numbers.ts';
import { makesTemporary, noteTemporary } from './temporaries.ts';
import { copied, madeFrom, wholeFrom } from './whole-values.ts';

/** Declares a variable: static locals once, objects with their constructor, everything else with its initialiser. */
export function declare(world: World, scope: Scope, declaration: Declaration): void {
  const key = declaration.isStatic && scope !== world.globals ? placeOf(world, scope, declaration) : null;
  const own = declaration.isElsewhere === 'thread' ? world.threads.own : null;
  const statics = own ? namesOf(own) : world.statics;
  if (key !== null) {
    const known = statics.get(key);
    if (known) {
      bind(scope, declaration.name, known);
      return;
    }
  }
  const elsewhere =
    declaration.isElsewhere && scope !== world.globals ? findName(world, world.globals, declaration.name) : undefined;
  if (elsewhere) {
    bind(scope, declaration.name, elsewhere);
    return;
  }
  const isLasting = declaration.isStatic || scope === world.globals;
  const cell = isLasting ? lastingCell(world, scope, declaration) : declaredCell(world, scope, declaration);
  bind(scope, declaration.name, cell);
  if (cell.value.kind === 'record') cell.value.record.name ??= declaration.name;
  nameHeldAfter(world, cell);
  if (declaration.initializer && !isPlace(declaration.initializer)) noteTakenOverIn(world, cell, declaration.span);
  if (!declaration.type.isReference) noteVariable(cell);
  if (key !== null) statics.set(key, cell);
  const owner = own ?? (key === null ? scope : world.isWholeProgram ? world.globals : null); // a static's end is main's
  if (owner && !declaration.type.isReference && mayEnd(world, cell, declaration)) owner.owned.push(cell);
  if (declaration.initializer && !declaration.type.isReference) arriveFrom(cell.value, declaration.initializer.kind);
}

/** Tells a static local from all others, and each use of a macro, and each instance of a template, from the others. */
function placeOf(world: World, scope: Scope, { span }: Declaration): string {
  let place = `${span.file}:${span.start}`;
  if (world.macroDepth > 0)
    for (let current: Scope | null = scope; current; current = current.parent)
      if (current.macro) place += ` in ${current.macro.span.file}:${current.macro.span.start}`;
  return `${place}${instanceText(world, scope)}`;
}

/** An object, or what may own some: a lambda, or a place for one. */
function mayEnd(world: World, { value: { kind } }: Cell, { type }: Declaration): boolean {
  if (kind === 'record' || kind === 'sequence' || kind === 'closure') return true;
  return kind === 'number' && holdsFunction(resolveType(world.program, type));
}

/** Declares a variable of the program or of a class. */
export function declareGlobal(world: World, declaration: Declaration): void {
  const { memberBegun } = world;
  const end = declaration.name.lastIndexOf('::');
  world.memberBegun = end > 0 ? { className: declaration.name.slice(0, end), depth: world.frames.length } : null;
  try {
    declare(world, world.globals, declaration);
  } finally {
    world.memberBegun = memberBegun;
  }
  const cell = world.globals.names?.get(declaration.name);
  if (cell && !isThunk(cell)) forgetInitialGlobal(world, declaration, cell);
}

/** The same of a variable that an instance of a template has for itself. `scope`: what the parameters stand for. */
export function declareOfInstance(world: World, scope: Scope, declaration: Declaration): Cell {
  const cell = lastingCell(world, scope, declaration);
  bind(world.globals, declaration.name, cell);
  if (!declaration.type.isReference && mayEnd(world, cell, declaration)) world.globals.owned.push(cell);
  forgetInitialGlobal(world, declaration, cell);
  return cell;
}

/** Of a static or global variable. */
function lastingCell(world: World, scope: Scope, declaration: Declaration): Cell {
  world.lastingDepth++;
  const outside = aside(world);
  try {
    const cell = declaredCell(world, scope, declaration);
    if (world.isWholeProgram && !declaration.initializer && !declaration.isElsewhere && !declaration.type.isReference)
      beginAsZero(world, cell);
    return managedCell(world, scope, declaration, cell);
  } finally {
    world.lastingDepth--;
    backFromAside(world, outside);
  }
}

function declaredCell(world: World, scope: Scope, declaration: Declaration): Cell {
  // What it is given to may have a `T` of its own.
  const written = substitute(meantType(world, scope, declaration.type), scope);
  const type = withElementsOf(world, scope, written, declaration);
  const { initializer } = declaration;
  if (initializer && type.name === asWritten)
    return isNamed(initializer)
      ? deducedCell(world, scope, declaration, initializer, typeNamed('auto'))
      : referredCell(world, scope, declaration, initializer, { ...typeNamed('auto'), isReference: true });
  if (initializer && type.isReference) return referredCell(world, scope, declaration, initializer, type);
  if (initializer && type.name === 'auto') return deducedCell(world, scope, declaration, initializer, type);
  if (declaration.constructorArguments)
    return constructedCell(world, scope, declaration, declaration.constructorArguments, type);
  return initializer
    ? initialisedCell(world, scope, declaration, initializer, type)
    : emptyCell(world, scope, declaration, type);
}

/** `T &x = …`: what it refers to, or what was made and lives as long as the reference. */
function referredCell(
  world: World,
  scope: Scope,
  declaration: Declaration,
  initializer: Expression,
  type: TypeReference,
): Cell {
  const element = deviceElement(world, scope, initializer);
  if (element) return element;
  const target = place(world, scope, initializer);
  // `T &x = wrapper`.
  if (target.value.kind === 'pointer' && target.value.isWrapper && type.name !== 'auto') return target.value.cell;
  seenThrough(world, scope, declaration.name, type, initializer, target.value);
  if (target.cell) {
    forgetVariable(world, target.cell, initializer.span);
    return target.cell;
  }
  const own = createCell(declaration.name, target.value, type);
  // `const T &x = T(…)`, `auto &&x = f()`: what was made lives as long as the reference.
  if (makesTemporary(initializer, target) && !declaration.isStatic) scope.owned.push(own);
  return own;
}

/** `auto x = …`: of the type that the initialiser has. */
function deducedCell(
  world: World,
  scope: Scope,
  declaration: Declaration,
  initializer: Expression,
  type: TypeReference,
): Cell {
  const source = place(world, scope, initializer);
  // `auto *c = unknown.context();`: what is behind it is the same for both.
  if (source.value.kind === 'unknown' && source.cell && (type.pointers > 0 || type.isConst)) {
    if (source.cell.type === null) source.cell.isDeduced = true;
    return source.cell;
  }
  const holder = initializer.kind === 'index' && source.cell?.madeIn?.elementType?.name === 'bool';
  if (source.cell && holder && holdsBits(world, place(world, scope, initializer.object).cell, source.cell))
    return source.cell;
  const copy = copied(world, scope, initializer, source);
  if (copy && type.isConst)
    noteSeenAs(world, scope, declaration.name, retyped(source.cell?.type ?? type, { isConst: true }), copy);
  if (copy) return createCell(declaration.name, copy, source.cell?.type ?? null);
  const sourceType = source.cell?.type;
  const value = identified(world, source, sourceType ?? null);
  const deduced = sourceType
    ? decayed(sourceType)
    : (castTypeOf(world, initializer, value) ?? (type.pointers > 0 ? type : null));
  const own = createCell(declaration.name, unknownValue, deduced);
  const cell = deduced || value.kind !== 'unknown' ? own : { ...own, isDeduced: true };
  store(world, scope, cell, value);
  // What was made for it is gone; what its members had, the variable's have.
  if (cell.value !== value && makesTemporary(initializer, source)) leaveMembers(value);
  if (staysBeside(initializer, source)) noteShared(cell.value);
  moveFrom(world, initializer, source, value, cell.value);
  return cell;
}

/** `T x(a, b)`. */
function constructedCell(
  world: World,
  scope: Scope,
  declaration: Declaration,
  given: readonly Expression[],
  type: TypeReference,
): Cell {
  const values = evaluateArguments(world, scope, given);
  const cell = createCell(declaration.name, unknownValue, type);
  const reference = values.length === 1 ? wrapped(world, type, values[0]!.value, values[0]!.cell) : null;
  if (reference) cell.value = reference;
  else if (values.length === 1 && holdsNoObject(world, type)) store(world, scope, cell, values[0]!.value);
  else {
    cell.value = constructValue(world, scope, type, values, declaration.span);
    renameSequence(cell, declaration.name);
  }
  if (values[0]?.isOnItsWay) takeIn(cell, values[0].value);
  moveFrom(world, given[0], values[0] ?? null, values[0]?.value, cell.value);
  return cell;
}

/** `T x;` */
function emptyCell(world: World, scope: Scope, declaration: Declaration, type: TypeReference): Cell {
  const cell = createCell(declaration.name, unknownValue, type);
  if (scope !== world.globals && !declaration.isStatic && isUnsetHandle(world, type)) {
    cell.value = unsetHandle;
    return cell;
  }
  const isObject = isObjectType(world, type);
  cell.value =
    isObject && type.extents.length === 0 && isMadeOfParts(type)
      ? constructValue(world, scope, type, [], declaration.span)
      : defaultValue(world, scope, type, declaration.name);
  if (scope !== world.globals && !declaration.isStatic) beginEmpty(cell.value);
  if (isObject && cell.value.kind === 'sequence' && isArray(world, cell))
    constructElements(world, scope, cell.value.sequence, declaration.span);
  renameSequence(cell, declaration.name);
  return cell;
}

function isObjectType(world: World, type: TypeReference): boolean {
  return !isScalar(world.program, type) || type.extents.length > 0;
}

/** `T x = …`, `T x{…}`. In `T *p = get(n * sizeof *p)` the name means the new variable already. */
function initialisedCell(
  world: World,
  scope: Scope,
  declaration: Declaration,
  initializer: Expression,
  written: TypeReference,
): Cell {
  const type = withLengthOf(initializer, written);
  const isObject = isObjectType(world, type);
  const cell = createCell(declaration.name, unknownValue, type);
  // `struct list head = { &head, &head };`
  if (scope !== world.globals || !world.globals.names?.has(declaration.name)) bind(scope, declaration.name, cell);
  // `struct node ring[2] = { { &ring[1] }, { &ring[0] } };`: its elements are there before the list is read.
  const isThere = isObject && type.extents.length > 0 && namesItself(declaration.name, initializer);
  if (isThere) cell.value = defaultValue(world, scope, type, declaration.name);
  const isMade = isObject && initializer.kind === 'list' && type.extents.length === 0 && !holdsElements(type);
  const source = isMade ? null : place(world, scope, initializer);
  const whole = source && wholeFrom(world, scope, initializer, source, type, isObject);
  if (whole) {
    cell.value = whole;
    return cell;
  }
  const value = source
    ? identified(world, source, type)
    : construct(world, scope, {
        kind: 'construct',
        type,
        arguments: [initializer],
        isNew: false,
        span: initializer.span,
      });
  if (declaration.isEnumerator && value.kind === 'number' && isWiderThanInt(value))
    return createCell(declaration.name, value, typeNamed('long long'));
  // What a temporary was converted to stays; the temporary goes with the statement.
  if (source?.value.kind === 'record' && value !== source.value) noteTemporary(world, initializer, source);
  const isOfClass = value.kind === 'record' && value.record.className !== '';
  if (isObject && !isOfClass && !isThere) cell.value = defaultValue(world, scope, type, declaration.name);
  if (isOfClass && !isNamed(initializer) && !(isSmartPointer(value) && source && staysBeside(initializer, source)))
    cell.value =
      source?.cell && isGivenAway(initializer, source, value)
        ? madeFrom(world, scope, initializer, { value, cell: source.cell, isMoved: true })
        : value;
  else if (unseenNameOf(value)) cell.value = value;
  else if (value.kind === 'unknown' && cell.value.kind === 'record' && cell.value.record.open) {
    if (isSmartPointer(cell.value)) cell.value.record.fields.set('(pointer)', createCell('(pointer)', value));
    else cell.value = unseenObject(cell.value.record.className);
  } else store(world, scope, cell, value);
  // What a condition has asked about stays what was asked about.
  if (value.kind === 'unknown' && isCount(world, type) && !world.questions.has(value))
    cell.value = symbolFor(world, declaration, source?.cell ?? null, ordinaryNumber(world, scope, initializer));
  if (source && staysBeside(initializer, source)) noteShared(cell.value);
  moveFrom(world, initializer, source, value, cell.value);
  if (source?.cell && isMove(initializer)) leaveNoText(source.cell);
  return cell;
}

function isNamed({ kind }: Expression): boolean {
  return kind === 'name' || kind === 'member';
}

/** What is made of it is beside it. */
function isPlace({ kind }: Expression): boolean {
  return kind === 'name' || kind === 'member' || kind === 'index' || kind === 'unary';
}

/** What a function without a body returned by value: an object with members of its own, of which nothing is known. */
function unseenObject(className: string): Value {
  const record = createRecord(className, true);
  record.released = true;
  return { kind: 'record', record };
}

function renameSequence(cell: Cell, name: string): void {
  if (cell.value.kind === 'sequence' && cell.value.sequence.name === '')
    cell.value = { kind: 'sequence', sequence: changedSequence(cell.value.sequence, { name }) };
}
