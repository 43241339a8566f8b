/** One object made from another: copied or moved, by its class where that says how. */

import type { Span } from '../../base/span.ts';
import type { ClassDefinition, Expression, FunctionDefinition, TypeReference } from '../../program/program.ts';
import { typeNamed } from '../../program/type-named.ts';
import type { Argument } from '../calls/call.ts';
import { leavePlace } from '../closure-holdings.ts';
import { copyValue, noteShared } from '../copied-values.ts';
import { isStandardArray } from '../expressions/zeroes.ts';
import { clearMap, isMap } from '../library/map-entries.ts';
import { noText } from '../library/strings.ts';
import { constructorOf, destructorOf, findClass, lastPart, resolveType } from '../program-table.ts';
import { ownParts } from '../referred-parts.ts';
import type { Scope } from '../scope.ts';
import { addTemporary } from '../statements/temporaries.ts';
import { argumentsInOrder } from '../types/deduction.ts';
import { holdsFunction, isScalar } from '../types/types.ts';
import {
  anyRoom,
  type Cell,
  createCell,
  isHolder,
  pointedAt,
  type RecordObject,
  type Sequence,
  type TemplateBindings,
  type Value,
  zero,
} from '../value.ts';
import type { World } from '../world.ts';
import { constructValue } from './construct.ts';
import { constructBase } from './constructors.ts';
import { isSmartPointer } from './owners.ts';

/** What an object of its own holds when it is initialised with the argument: what was made for it, or a copy of what was named. */
export function initialised(world: World, scope: Scope, given: Argument, span: Span): Value {
  const { value, cell, isMoved } = given;
  if (value.kind !== 'record' && value.kind !== 'sequence') return value;
  if (cell === null) return given.isTemporary ? fromTemporary(world, scope, given, span) : value;
  if (value.kind === 'record' && !value.record.className.startsWith('std::') && value.record.className !== '')
    return constructValue(world, scope, typeOfObject(world, value.record), [given], span);
  const isArray = isStandardArray(world, cell.type);
  return copiedWithParts(world, scope, value, { isMoved: isMoved === true, isArray, span });
}

/** What is made from a temporary that a function of the library was given; the temporary goes with the full expression. */
function fromTemporary(world: World, scope: Scope, given: Argument, span: Span): Value {
  const { value } = given;
  if (!isMadeAnew(world, value)) return value;
  const named: Argument = { value, cell: createCell('', value), span: given.span, isMoved: true };
  const made = initialised(world, scope, named, span);
  addTemporary(world, value);
  return made;
}

/** Whether a copy of an object is one that its class makes, or that ends as the object itself does. */
export function isMadeAnew(world: World, value: Value): boolean {
  return isCopiedByConstructor(world, value, 0) || isCopiedAndEnds(world, value, 0);
}

/** Whether an object, or a part of it, is only copied, and ends by a destructor that is seen: what it is made from does the same once more. */
function isCopiedAndEnds(world: World, value: Value, depth: number): boolean {
  if (depth > 4 || value.kind !== 'record' || value.record.className.startsWith('std::')) return false;
  const { className } = value.record;
  const ends = world.program.functions.get(destructorOf(className)) ?? [];
  if (ends.some(({ body }) => body) && isOnlyCopied(world, className)) return true;
  for (const cell of ownParts(value.record)) if (isCopiedAndEnds(world, cell.value, depth + 1)) return true;
  return false;
}

interface Copying {
  readonly isMoved: boolean;
  /** It is a `std::array`, whose elements are its own: those of a vector change hands together. */
  readonly isArray?: boolean;
  readonly span: Span;
}

/** A copy of an object, or what it becomes where it is moved to, of which each part is made as its own class says. */
export function copiedWithParts(world: World, scope: Scope, original: Value, how: Copying): Value {
  const copy = copyValue(original);
  if (copy === original) return copy;
  if (copy.kind === 'record' && original.kind === 'record')
    remakeParts(world, scope, copy.record, original.record, how);
  else if (copy.kind === 'sequence' && original.kind === 'sequence')
    remakeElements(world, scope, copy.sequence, original.sequence, how);
  return copy;
}

function remakeParts(world: World, scope: Scope, copy: RecordObject, original: RecordObject, asked: Copying): void {
  const how = asked.isMoved && isOnlyCopied(world, original.className) ? { ...asked, isMoved: false } : asked;
  const value: Value = { kind: 'record', record: original };
  const isPointer = isSmartPointer(value) || original.className === 'std::weak_ptr';
  const isPlain = original.className.startsWith('std::') && !isHolder(original) && !isTuple(original);
  if (how.isMoved && (isPointer || isPlain || isMovedUnseen(world, original.className))) {
    leaveEmpty(value);
    return;
  }
  if (isPointer) {
    noteShared({ kind: 'record', record: copy });
    return;
  }
  const bases = basesWithSay(world, original.className, 0);
  const theirs = new Set(bases.flatMap((base) => fieldsOf(world, base, 0)));
  const given: Argument = { value, cell: createCell('', value), span: how.span, isMoved: how.isMoved };
  for (const base of bases) constructBase(world, scope, copy, base, [given], how.span);
  for (const [name, cell] of original.fields) {
    const own = theirs.has(name) ? undefined : copy.fields.get(name);
    if (own && own !== cell) remakePart(world, scope, own, cell, how);
  }
}

/** The bases of a class that say how they are copied: each sees to its part. */
function basesWithSay(world: World, className: string, depth: number): readonly ClassDefinition[] {
  if (depth > 8) return [];
  return (findClass(world.program, className)?.bases ?? []).flatMap((name) => {
    const base = findClass(world.program, name);
    if (!base || base.name === className) return [];
    return saysHowItIsMoved(world, base.name) ? [base] : basesWithSay(world, base.name, depth + 1);
  });
}

function fieldsOf(world: World, { name, fields, bases }: ClassDefinition, depth: number): readonly string[] {
  const inherited = bases.flatMap((each) => {
    const base = depth > 8 ? undefined : findClass(world.program, each);
    return base && base.name !== name ? fieldsOf(world, base, depth + 1) : [];
  });
  return [...fields.map((field) => field.name), ...inherited];
}

function remakeElements(world: World, scope: Scope, copy: Sequence, original: Sequence, how: Copying): void {
  if (how.isMoved && original.byValue && !how.isArray) {
    leaveEmpty({ kind: 'sequence', sequence: original });
    return;
  }
  if (original.elementType && holdsNoObject(world, original.elementType)) return;
  for (const [index, cell] of original.cells) {
    const own = copy.cells.get(index);
    if (own) remakePart(world, scope, own, cell, how);
  }
}

/** Numbers, pointers and handles; a function may be an object that can be called. */
export function holdsNoObject(world: World, type: TypeReference): boolean {
  return isScalar(world.program, type) && !holdsFunction(resolveType(world.program, type));
}

/** `own` holds a plain copy of the part. */
function remakePart(world: World, scope: Scope, own: Cell, original: Cell, how: Copying): void {
  const { value, type } = original;
  if (how.isMoved) leaveNoText(original);
  if (value.kind === 'record' && own.value.kind === 'record') {
    if (saysHowItIsMoved(world, value.record.className)) {
      const given: Argument = { value, cell: createCell('', value), span: how.span, isMoved: how.isMoved };
      own.value = constructValue(world, scope, typeOfObject(world, value.record), [given], how.span);
    } else remakeParts(world, scope, own.value.record, value.record, how);
  } else if (value.kind === 'sequence' && own.value.kind === 'sequence')
    remakeElements(world, scope, own.value.sequence, value.sequence, {
      ...how,
      isArray: isStandardArray(world, type),
    });
}

/** A text that was given away is empty. */
export function leaveNoText(cell: Cell): void {
  if (cell.value.kind === 'string' && cell.type !== null && /(?:^|::)string$/.test(cell.type.name)) cell.value = noText;
}

/** Whether a value is an object of just that class, or a container as that one, of which a variable of that type becomes a copy. */
export function isOfKind(world: World, type: TypeReference, value: Value): boolean {
  const { name } = resolveType(world.program, type);
  if (value.kind === 'record') return value.record.className === lastPart(name) || value.record.className === name;
  if (value.kind !== 'sequence' || value.sequence.name === 'list' || !value.sequence.byValue) return false;
  return /^std::(?:vector|deque|list|array)$/.test(name);
}

export function isTuple({ className }: RecordObject): boolean {
  return className === 'std::pair' || className === 'std::tuple';
}

/** Whether what a move leaves of the object is not seen: its class is not, or not its constructor. */
function isMovedUnseen(world: World, className: string): boolean {
  if (className.startsWith('std::')) return false;
  if (!findClass(world.program, className)) return true;
  const constructors = world.program.functions.get(constructorOf(className)) ?? [];
  return constructors.some(
    ({ isDefaulted, body, parameters: [first] }) =>
      !body && !isDefaulted && first && lastPart(first.type.name) === className,
  );
}

/** Whether giving away an object of a class copies it: it says how it ends, or how it is copied, and not how it is moved. */
export function isOnlyCopied(world: World, className: string): boolean {
  const { functions } = world.program;
  const isOf = ({ parameters: [first] }: FunctionDefinition): boolean =>
    first !== undefined && lastPart(first.type.name) === lastPart(className) && first.type.pointers === 0;
  const made = [
    ...(functions.get(constructorOf(className)) ?? []),
    ...(functions.get(`${className}::operator=`) ?? []),
  ].filter(isOf);
  if (made.some(({ parameters: [first] }) => first?.type.takesMoved)) return false;
  return made.length > 0 || functions.has(destructorOf(className));
}

/** Whether objects of a class are copied or moved by a constructor of its own, which sees to what is left of the other. */
export function saysHowItIsMoved(world: World, className: string): boolean {
  const constructors = world.program.functions.get(constructorOf(className)) ?? [];
  return constructors.some(
    ({ body, parameters }) => body && parameters.length >= 1 && lastPart(parameters[0]!.type.name) === className,
  );
}

/** Whether a constructor runs where the object is copied: of its class, or of one of its parts. */
export function isCopiedByConstructor(world: World, value: Value, depth: number): boolean {
  if (depth > 4) return false;
  if (value.kind === 'sequence')
    return [...value.sequence.cells.values()].some((cell) => isCopiedByConstructor(world, cell.value, depth + 1));
  if (value.kind !== 'record') return false;
  if (saysHowItIsMoved(world, value.record.className)) return true;
  for (const cell of ownParts(value.record)) if (isCopiedByConstructor(world, cell.value, depth + 1)) return true;
  return false;
}

/** What is left of an object that was moved from: one of the library has nothing any more, and so have the members of others. */
export function leaveEmpty(value: Value): void {
  if (value.kind === 'record' && isMap(value.record)) clearMap(value.record);
  else if (value.kind === 'record') {
    value.record.released = true;
    if (pointedAt(value.record)) value.record.fields.set('(pointer)', createCell('(pointer)', zero));
    else if (!value.record.className.startsWith('std::'))
      for (const [name, field] of value.record.fields) {
        if (value.record.refersTo?.has(name)) continue;
        const { value: member, owner } = field;
        if (member.kind === 'closure') leavePlace(field);
        else if (owner === value.record || owner === null) leaveEmpty(member);
      }
  }
  if (value.kind === 'sequence' && value.sequence.byValue) {
    for (const cell of value.sequence.cells.values()) if (cell.value.kind === 'closure') leavePlace(cell);
    value.sequence.cells.clear();
    value.sequence.length = 0;
    if (value.sequence.room !== undefined) value.sequence.room = anyRoom;
  }
}

/** The class of an object, with what its template parameters stand for. */
export function typeOfObject(world: World, { className, templates }: RecordObject): TypeReference {
  const names = findClass(world.program, className)?.templateParameters ?? [];
  const withPacks = templates && names.some((name) => name.endsWith('...')) ? argumentsInOrder(templates) : null;
  if (withPacks) return typeNamed(className, withPacks);
  const given = templates ? names.flatMap((name) => argumentFor(world, templates, name) ?? []) : [];
  const isWhole = given.length === names.length;
  return typeNamed(className, isWhole ? given : []);
}

/** What a parameter of the class was given: a type, or a number or function as the text would name it. */
function argumentFor(
  { statement: span }: World,
  { types, values }: TemplateBindings,
  parameter: string,
): TypeReference | Expression | null {
  const type = types.get(parameter);
  if (type) return type;
  const value = values.get(parameter);
  if (value?.kind === 'function' && value.receiver === null) return { kind: 'name', name: value.name, span };
  return value?.kind === 'number' ? { kind: 'number', value: value.value, span } : null;
}
