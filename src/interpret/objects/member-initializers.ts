/** What a constructor runs before its body: bases, then members in the order of their declaration, as it says or as they begin by themselves. */

import type { MemberInitializer } from '../../program/member-initializer.ts';
import type { ClassDefinition, Expression, FunctionDefinition } from '../../program/program.ts';
import { evaluateArguments } from '../calls/arguments.ts';
import type { Argument } from '../calls/call.ts';
import { identified } from '../choices/identity.ts';
import { arriveFrom } from '../closure-holdings.ts';
import { isMove, store } from '../expressions/assign.ts';
import { evaluate } from '../expressions/evaluate.ts';
import { place } from '../expressions/locate.ts';
import { namedBase } from '../library/container-bases.ts';
import { isLibraryException, saysWhat } from '../library/library-exceptions.ts';
import { wrapped } from '../library/reference-wrappers.ts';
import { nameHeldAfter } from '../library-holders.ts';
import { findClass, lastPart, resolveType, typeNamedIn } from '../program-table.ts';
import { referTo } from '../referred-parts.ts';
import type { Scope } from '../scope.ts';
import { makesTemporary } from '../statements/temporaries.ts';
import { containerOf } from '../types/types.ts';
import type { Cell, RecordObject, Value } from '../value.ts';
import type { World } from '../world.ts';
import { constructValue, isOfThreads } from './construct.ts';
import { beginMember, constructBase, fillArray, isArray, makeVirtualBases } from './constructors.ts';
import { initialised } from './copies.ts';
import { destroyCell, endPart } from './destroy.ts';
import { fieldKey } from './hidden-members.ts';
import { fillUnseen } from './unseen-structures.ts';
import { isVirtualBase, virtualBasesOf } from './virtual-bases.ts';
import { weakIn } from './weak-pointers.ts';

/** `constructs`: the class whose part of the object is made; null where the constructor is called as any function. */
export function beginMembers(
  world: World,
  scope: Scope,
  definition: FunctionDefinition,
  self: RecordObject,
  constructs: ClassDefinition | null,
  begun: BegunParts,
): void {
  const initializers = definition.memberInitializers;
  const span = definition.span;
  const run = (initializer: MemberInitializer): void => initialise(world, scope, definition, self, initializer);
  // A constructor that hands over to another leaves everything to it.
  const [first] = initializers;
  if (constructs && first && lastPart(first.name) === lastPart(constructs.name)) {
    const values = evaluateArguments(world, scope, first.arguments);
    constructBase(world, scope, self, constructs, values, span);
    begun.isHandedOver = true;
    return;
  }
  if (!constructs) {
    initializers.forEach(run);
    return;
  }
  const own = new Set(constructs.fields.map(({ name }) => name));
  const named = initializers.map((each) => (own.has(each.name) ? each : underOwnName(world, constructs, each)));
  const left = new Map(named.map((each) => [lastPart(each.name), each]));
  const take = (name: string): MemberInitializer | undefined => {
    const taken = left.get(name);
    left.delete(name);
    return taken;
  };
  makeVirtualBases(world, self, constructs, (base) => {
    const initializer = take(lastPart(base.name));
    if (initializer) run(initializer);
    else constructBase(world, scope, self, base, [], span);
  });
  for (const base of virtualBasesOf(world.program, constructs)) left.delete(lastPart(base.name));
  for (const [index, name] of constructs.bases.entries()) {
    // The class of the whole object has said how it begins.
    if (isVirtualBase(constructs, index)) continue;
    const base = findClass(world.program, name);
    const initializer = take(base ? lastPart(base.name) : lastPart(name));
    if (initializer) run(initializer);
    else if (base && base !== constructs) constructBase(world, scope, self, base, [], span);
    if (base && base !== constructs) begun.bases.push(base);
  }
  // Bases by other names; in TypeScript the members, too, in the order in which they are listed.
  const isListed = world.program.isScript;
  for (const [name, initializer] of left) if (isListed || !own.has(name)) run(initializer);
  for (const field of constructs.fields) {
    if (field.isStatic) continue;
    const initializer = take(field.name);
    if (initializer) {
      if (!isListed) run(initializer);
    } else beginMember(world, scope, self, constructs, field, span);
    const cell = self.fields.get(fieldKey(self, constructs.name, field.name));
    if (cell) nameHeldAfter(world, cell);
    begun.fields.push(field.name);
  }
}

/** `Base(x)` where `using Base = Owner;` stands in the class: what it says of `Owner`. */
function underOwnName(
  world: World,
  { name, bases, basesAsWritten }: ClassDefinition,
  initializer: MemberInitializer,
): MemberInitializer {
  if (findClass(world.program, initializer.name)) return initializer;
  const at = basesAsWritten?.findIndex((each) => each === initializer.name || each.endsWith(`__${initializer.name}`));
  const known = at === undefined ? undefined : bases[at];
  if (known !== undefined) return { ...initializer, name: known };
  const stands = typeNamedIn(world.program, name, initializer.name);
  const base = stands && findClass(world.program, resolveType(world.program, stands).name);
  return base ? { ...initializer, name: base.name } : initializer;
}

/** What a constructor has begun of an object. */
export interface BegunParts {
  readonly bases: ClassDefinition[];
  readonly fields: string[];
  /** Another constructor has made all of it. */
  isHandedOver: boolean;
}

/** Ends what a constructor had begun when it threw, last first. */
export function endBegun(world: World, self: RecordObject, constructs: ClassDefinition, begun: BegunParts): void {
  if (begun.isHandedOver) {
    endPart(world, self, constructs, new Set(), 0);
    return;
  }
  for (const name of begun.fields.reverse()) {
    const cell = self.fields.get(fieldKey(self, constructs.name, name));
    if (cell && !cell.type?.isReference) destroyCell(world, cell);
  }
  for (const base of begun.bases.reverse()) endPart(world, self, base, new Set(), 0);
}

function initialise(
  world: World,
  scope: Scope,
  { span, className }: FunctionDefinition,
  self: RecordObject,
  initializer: MemberInitializer,
): void {
  const field = self.fields.get(fieldKey(self, lastPart(className ?? ''), initializer.name));
  if (field) {
    initialiseField(world, scope, self, field, initializer, span);
    return;
  }
  const container = namedBase(world, self, initializer.name);
  const base = container?.type ? null : findClass(world.program, initializer.name);
  const isException = !base && isLibraryException(initializer.name);
  if (!base && !container?.type && !isException && !world.models.structures.has(lastPart(initializer.name))) return;
  const values = evaluateArguments(world, scope, initializer.arguments);
  if (isException) saysWhat(self, values[0]?.value);
  if (base) constructBase(world, scope, self, base, values, span);
  else if (container?.type && !initializer.isList)
    container.value = constructValue(world, scope, container.type, values, span);
  else if (container) fillArray(world, scope, container, valuesOf(values), span);
  else fillUnseen(world, scope, self, initializer.name, valuesOf(values));
}

function valuesOf(given: readonly Argument[]): Value[] {
  return given.map(({ value }) => value);
}

function initialiseField(
  world: World,
  scope: Scope,
  self: RecordObject,
  field: Cell,
  { name, arguments: written, isList }: MemberInitializer,
  span: FunctionDefinition['span'],
): void {
  const only = written.length === 1 ? written[0]! : null;
  if (only && !isExpansion(only)) {
    const source = place(world, scope, only);
    const given: Argument = {
      value: source.value,
      cell: source.cell,
      span,
      isMoved: source.isMoved === true || isMove(only),
      isTemporary: makesTemporary(only, source),
    };
    const wrapper = wrapped(world, field.type, source.value, source.cell);
    // A reference is the thing itself, not a copy of it.
    if (wrapper) field.value = wrapper;
    else if (field.type?.isReference && source.cell) referTo(self, name, source.cell);
    // `rows{{1, 2}}`: of what one element is made.
    else if (isList && only.kind === 'list' && (field.type?.extents.length ?? 0) > 0)
      fillArray(world, scope, field, [source.value], span);
    else if (source.value.kind !== 'sequence' && (isArray(world, field) || (isList && isContainer(world, field))))
      fillArray(world, scope, field, [source.value], span);
    else if (field.type && isMadeAnew(world, field, given))
      field.value = constructValue(world, scope, field.type, [given], span);
    else {
      store(world, scope, field, heldBy(world, scope, field, given));
      if (field.value === source.value) arriveFrom(field.value, only.kind);
    }
  } else if (written.length === 0 && field.value.kind === 'unknown') field.value = { kind: 'number', value: 0 };
  else if (isArray(world, field) || (isList && written.length > 0 && isContainer(world, field)))
    fillArray(world, scope, field, valuesOf(evaluateArguments(world, scope, written)), span);
  else if (field.type && isObjectOfProgram(world, field))
    field.value = constructValue(world, scope, field.type, evaluateArguments(world, scope, written), span);
  else if (field.type && written.length > 0)
    store(
      world,
      scope,
      field,
      evaluate(world, scope, { kind: 'construct', type: field.type, arguments: written, isNew: false, span }),
    );
}

/** A `vector` or another container with elements in a row: braces hold its elements, as in a declaration. */
function isContainer(world: World, { value, type }: Cell): boolean {
  const isRow = value.kind === 'sequence' && value.sequence.byValue;
  return isRow && type !== null && containerOf(resolveType(world.program, type)) === 'vector';
}

function heldBy(world: World, scope: Scope, field: Cell, given: Argument): Value {
  const weak = given.isMoved ? null : weakIn(world, field.type, given.value);
  if (weak) return weak;
  if (given.cell && (given.value.kind === 'record' || given.value.kind === 'sequence'))
    return initialised(world, scope, given, given.span);
  return identified(world, given, field.type);
}

/** A member that its one argument does not simply become: a vector of that many, a thread, an object of a class of the program. */
function isMadeAnew(world: World, field: Cell, { value }: Argument): boolean {
  if (field.value.kind === 'sequence') return field.value.sequence.byValue && value.kind !== 'sequence';
  if (field.type && isOfThreads(world, field.type)) return true;
  if (!isObjectOfProgram(world, field)) return false;
  const isList = value.kind === 'sequence' && value.sequence.name === 'list';
  // A function where an object is made was read for something else.
  const isKnown = value.kind !== 'unknown' && value.kind !== 'function';
  return isKnown && !isList && !(value.kind === 'record' && value.record.className === '');
}

function isObjectOfProgram(world: World, { value, type }: Cell): boolean {
  if (value.kind !== 'record' || type === null || type.pointers > 0 || type.isReference) return false;
  return !value.record.className.startsWith('std::') && findClass(world.program, value.record.className) !== undefined;
}

/** `values...`: as many as the pack has. */
function isExpansion(expression: Expression): boolean {
  return expression.kind === 'unary' && expression.operator === '...';
}
