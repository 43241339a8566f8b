/** What a name stands for: local, member, global, constant, macro, function, or something from outside. */

import type { Span } from '../../base/span.ts';
import { textMark } from '../../program/macro-definition.ts';
import type { Expression, TypeReference } from '../../program/program.ts';
import { typeNamed } from '../../program/type-named.ts';
import { noteHostAccess, noteReference, noteVariable } from '../cuda/host-accesses.ts';
import { fullName, functionKey } from '../function-names.ts';
import { libraryVariable } from '../library/command-line.ts';
import { renewView } from '../library/lazy-views.ts';
import { isPlainFunction } from '../library/plain-functions.ts';
import { orderingNamed } from '../library/three-way.ts';
import { viewNamed } from '../library/views.ts';
import { memberNamed, memberSeenAs } from '../objects/hidden-members.ts';
import { aliased, findClass, lastPart, resolveType } from '../program-table.ts';
import { bind, classAround, createScope, isThunk, lookUp, type Scope, type Thunk, typeStoodFor } from '../scope.ts';
import { classValue } from '../script/class-values.ts';
import { declareGlobal } from '../statements/declare.ts';
import { executeBlock } from '../statements/execute.ts';
import { constantOf, namedMember } from '../types/class-constants.ts';
import { templatedCell } from '../types/static-members.ts';
import { largest64 } from '../types/type-constants.ts';
import { typeInClass } from '../types/types-in-classes.ts';
import {
  type Cell,
  createCell,
  heldBy,
  noValue,
  numberValue,
  pointerTo,
  type RecordObject,
  statusValue,
  unknownValue,
  type Value,
} from '../value.ts';
import type { World } from '../world.ts';
import { textOfArgument } from './argument-text.ts';
import { evaluate } from './evaluate.ts';
import { functionNameBehind, lineNumber } from './line-numbers.ts';
import { fieldCell, type Place } from './locate.ts';
import { besideParameter, inMacro, inMacroArgument, standsFor } from './macro-parameters.ts';
import { memberOfInstance } from './static-variables.ts';
import { noteUnseenName } from './unseen-constants.ts';

/** A static member of the instance of a class template. */
function memberOfItself(world: World, self: RecordObject, name: string): Cell | null {
  if (!world.program.staticMembers.has(name)) return null;
  return constantOf(world, self, name) ?? memberOfInstance(world, self, name);
}

/** Locals, then members of `this`, then globals. */
export function findName(world: World, scope: Scope, name: string, mayBeAlias = true): Cell | Thunk | undefined {
  for (let current: Scope | null = scope; current && current !== world.globals; current = current.parent) {
    const found = current.names?.get(name);
    if (found) return found;
  }
  const { self } = scope;
  const field = self?.hidden ? memberHere(world, self, name) : self?.fields.get(name);
  if (field) return field;
  if (world.program.staticMembers.has(name)) {
    const constant = scope.self && memberOfItself(world, scope.self, name);
    if (constant) return constant;
    const className = scope.self?.className ?? classBegun(world) ?? classAround(scope) ?? classOfFrame(world);
    const own = className ? staticMemberSeen(world, className, name) : undefined;
    if (own) return own;
  }
  const last = name.lastIndexOf('::');
  const inBase = self && last > 0 ? memberNamed(world, self, name.slice(0, last), name.slice(last + 2)) : undefined;
  if (inBase) return inBase;
  // `Block::bytes` in a method of the template `Block`: that of the one that the method is of.
  const isOwn = self?.templates && last > 0 && self.className === name.slice(0, last);
  const own = isOwn ? memberOfItself(world, self, name.slice(last + 2)) : null;
  if (own) return own;
  const global = last > 0 && isParameter(world, scope, name.slice(0, last)) ? undefined : globalNamed(world, name);
  if (global) return global;
  if (last < 0) return usedEnumerator(world, name) ?? besideParameter(world, scope, name);
  const constant = last > 0 && mayBeAlias ? namedMember(world, scope, name) : null;
  if (constant) return constant;
  const inherited = isParameter(world, scope, name.slice(0, last)) ? undefined : ofBase(world, name, last);
  if (inherited) return inherited;
  const full = last > 0 && mayBeAlias ? withoutAlias(world, scope, name, true) : name;
  if (full !== name) return findName(world, scope, full, false);
  // `::name` in a macro whose parameter it is.
  const given = last === 0 ? lookUp(scope, name.slice(2)) : undefined;
  if (given && isThunk(given)) return given;
  // `Catalogue::all` is that function, also where there is a variable `all`.
  if (last > 0 && world.program.functions.has(name)) return undefined;
  const within = listedByPart(world, scope, name) ?? globalWithin(world, name);
  if (within !== undefined) return globalNamed(world, within);
  return name.startsWith('std::') ? undefined : usedEnumerator(world, name.slice(last + 2));
}

/** `Traits::Slot::count`, where a class has another name for an enumeration. */
function listedByPart(world: World, scope: Scope, name: string): string | null {
  const last = name.lastIndexOf('::');
  if (last <= 0 || !name.slice(0, last).includes('::') || isGlobal(world, name)) return null;
  const named = typeInClass(world, scope, typeNamed(name.slice(0, last)));
  return named && enumeratorMeant(world, named, name.slice(last));
}

function globalWithin(world: World, name: string): string | undefined {
  return endsOf(name).find((each) => isGlobal(world, each));
}

/** Of `a::B::c` what it is within `a`, `B::c`, then `c`. */
function endsOf(name: string): readonly string[] {
  const ends: string[] = [];
  for (let at = name.indexOf('::'); at >= 0; at = name.indexOf('::', at + 2)) ends.push(name.slice(at + 2));
  return ends;
}

function isGlobal(world: World, name: string): boolean {
  return world.pendingGlobals.has(name) || world.globals.names?.has(name) === true;
}

/** What goes by its plain name because of a `using enum E;` outside of functions. */
function usedEnumerator(world: World, name: string): Cell | Thunk | undefined {
  if (world.program.usedEnums.length === 0) return undefined;
  for (const used of world.program.usedEnums) {
    const found = globalNamed(world, `${used}::${name}`);
    if (found) return found;
  }
  return undefined;
}

/** `using enum E;` in a function: its enumerators go by their plain names. */
export function useEnumerators(world: World, scope: Scope, name: string): void {
  const start = `${lastPart(name)}::`;
  const names = [...world.pendingGlobals.keys(), ...(world.globals.names?.keys() ?? [])];
  for (const each of new Set(names)) {
    const found = each.startsWith(start) ? globalNamed(world, each) : undefined;
    if (found) bind(scope, each.slice(start.length), found);
  }
}

/** A member of an object in a method of its class, or of a base. */
function memberHere(world: World, self: RecordObject, name: string): Cell | undefined {
  const className = classBegun(world) ?? classOfFrame(world);
  return className === null ? self.fields.get(name) : memberSeenAs(world, self, lastPart(className), name);
}

/** `template <class Traits> struct Loop`, beside a class that is called `Traits`, too: inside, the name is the parameter's. */
function isParameter({ program }: World, scope: Scope, name: string): boolean {
  return program.classes.has(name) && typeStoodFor(scope, name) !== null;
}

/** What a name stands for; of `Pool<int>::count` the member that the class has for these arguments. */
export function namedEntry(
  world: World,
  scope: Scope,
  { name, template }: Expression & { kind: 'name' },
): Cell | Thunk | undefined {
  return (template && templatedCell(world, scope, name, template)) ?? findName(world, scope, name);
}

/** `Class::name`, where a class, or one that it derives from, has a static member of that name. */
export function staticMember(world: World, className: string, name: string, depth = 0): Cell | Thunk | undefined {
  if (!world.program.staticMembers.has(name)) return undefined;
  const own = globalNamed(world, `${className}::${name}`);
  if (own || depth > 8) return own;
  for (const base of findClass(world.program, className)?.bases ?? []) {
    const inherited = staticMember(world, lastPart(base), name, depth + 1);
    if (inherited) return inherited;
  }
  return undefined;
}

/** The same for a plain name in a method: a nested class sees the static members of those around it. */
function staticMemberSeen(world: World, className: string, name: string): Cell | Thunk | undefined {
  let owner: string | undefined = className;
  for (let step = 0; owner !== undefined && step < 8; step++) {
    const found = staticMember(world, owner, name);
    if (found) return found;
    owner = findClass(world.program, owner)?.enclosing;
  }
  return undefined;
}

/** `Config::rows`, which a base of `Config` declares. */
function ofBase(world: World, name: string, last: number): Cell | Thunk | undefined {
  const definition = world.program.staticMembers.has(name.slice(last + 2))
    ? findClass(world.program, name.slice(0, last))
    : undefined;
  return definition && staticMember(world, definition.name, name.slice(last + 2));
}

/** A global by its full name, declared now if it was waiting. */
function globalNamed(world: World, name: string): Cell | Thunk | undefined {
  const pending = world.pendingGlobals.get(name);
  if (pending) {
    world.pendingGlobals.delete(name);
    if (!world.globals.names?.has(name)) declareGlobal(world, pending);
  }
  return world.globals.names?.get(name);
}

/** The class of the static member that is given its first value just here. */
function classBegun({ memberBegun, frames }: World): string | null {
  return memberBegun?.depth === frames.length ? memberBegun.className : null;
}

/** The class whose static method runs, be it in a lambda. */
export function classOfFrame(world: World): string | null {
  const { frames } = world;
  let at = frames.length - 1;
  while (at > 0 && frames[at]?.name === 'lambda') at--;
  const name = frames[at]?.name;
  const end = name?.lastIndexOf('::') ?? -1;
  return name && end > 0 ? name.slice(0, end) : null;
}

/** As `place`, of a name that was found to stand for a variable. */
export function placeOfVariable(world: World, variable: Cell, expression: Expression & { kind: 'name' }): Place {
  if (world.watched !== null) noteVariable(world, variable, expression.span);
  if (variable.deviceAt) noteHostAccess(world, variable.deviceAt, null, expression);
  if (variable.value.kind === 'sequence') renewView(variable.value.sequence);
  return { value: variable.value, cell: variable };
}

const statusName = /^(?:::)?cuda(?:Success|Error[A-Z]\w*)$/;

/** What a name stands for; what nobody here defines is something from outside, and the same whenever it is named again. */
export function nameValue(world: World, scope: Scope, name: string, span: Span): Value {
  return knownNameValue(world, scope, name, span) ?? unseenCell(world, scope, name).value;
}

/** The same of a name that {@link findName} finds no variable for. */
export function valueOfNoVariable(world: World, scope: Scope, name: string, span: Span): Value {
  if (name === 'this') return nameValue(world, scope, name, span);
  return otherNameValue(world, scope, name, span) ?? unseenCell(world, scope, name).value;
}

/** As {@link nameValue}; null for what nobody here defines. */
export function knownNameValue(world: World, scope: Scope, name: string, span: Span): Value | null {
  if (name === 'this') {
    const self = scope.self;
    return self ? pointerTo(createCell('this', { kind: 'record', record: self })) : unknownValue;
  }
  const entry = findName(world, scope, name);
  if (!entry) return otherNameValue(world, scope, name, span);
  if (!isThunk(entry)) {
    if (world.watched !== null) noteVariable(world, entry, span);
    if (entry.deviceAt) noteReference(world, entry.deviceAt, span);
    if (entry.value.kind === 'sequence') renewView(entry.value.sequence);
    return entry.value;
  }
  const given = standsFor(world, scope, entry);
  return given ? inMacroArgument(world, scope, entry.scope, evaluate, given) : unknownValue;
}

/** What the name of a label begins with where its address is meant, as it is written: `&&label`. */
export const labelMark = '&&';

/** What a name stands for that no variable has: a constant, a macro, a function. Null for what nobody here defines. */
function otherNameValue(world: World, scope: Scope, name: string, span: Span): Value | null {
  if (name === 'std::nullopt' || name === 'nullopt') return noValue;
  if (name.startsWith('__')) {
    const place = name === '__LINE__' ? lineNumber(world, span) : functionNameBehind(world, name);
    if (place) return place;
  }
  if (name.startsWith(labelMark)) return { kind: 'function', name, receiver: null };
  const text = name.startsWith(textMark) ? textOfArgument(scope, name.slice(textMark.length)) : null;
  if (text) return text;
  const ofVariable = name.startsWith('decltype(') ? /^decltype\((\w+)\)::value$/.exec(name)?.[1] : undefined;
  if (ofVariable) return knownNameValue(world, scope, ofVariable, span);
  const ordering = orderingNamed(name);
  if (ordering) return ordering;
  const view = viewNamed(withoutAlias(world, scope, name));
  if (view) return view;
  const constant = world.models.constants.get(lastPart(name));
  if (constant !== undefined) return statusName.test(name) ? statusValue(constant) : constantValue(constant);
  if (world.program.macro(name)?.parameters === null) return expandObjectMacro(world, scope, name);
  const plain = functionKey(world, fullName(world, scope, name));
  if (world.program.functions.has(plain) || localFunction(scope, plain))
    return { kind: 'function', name: plain, receiver: null };
  if (scope.self && world.program.functions.has(`${scope.self.className}::${name}`))
    return { kind: 'function', name: `${scope.self.className}::${name}`, receiver: scope.self };
  if (world.models.rows.has(plain) || isPlainFunction(plain)) return { kind: 'function', name: plain, receiver: null };
  return classValue(world, scope, name);
}

/** `namespace rv = std::views;`: what the first part of a name stands for, put in its place; `ofClass`: where that is a class. */
export function withoutAlias(world: World, scope: Scope, name: string, ofClass = false): string {
  const end = name.indexOf('::');
  const first = end > 0 ? name.slice(0, end) : '';
  if (first === '' || first === 'std') return name;
  const given = typeStoodFor(scope, first);
  const isOfProgram = world.program.classes.has(first);
  if (isOfProgram && !given) return name;
  const written = given ?? world.program.aliases.get(first);
  const listed = written && enumeratorMeant(world, written, name.slice(end));
  if (listed) return listed;
  const target = written && resolveType(world.program, written);
  if (!target || target.pointers > 0 || target.name === first) return name;
  const isClass = findClass(world.program, target.name) !== undefined;
  const isMeant = isClass ? ofClass || isOfProgram : target.arguments.length === 0;
  return isMeant ? `${target.name}${name.slice(end)}` : name;
}

/** `Kind::count`, where `Kind` stands for an enumeration, which is a number, too: only by its own name it has what it lists. */
function enumeratorMeant(world: World, type: TypeReference, behind: string): string | null {
  let current: TypeReference | null = type;
  for (let step = 0; current && step < 16; step++) {
    const full = `${current.name}${behind}`;
    // It may stand in a class, and be named with the namespaces around that.
    const names = findClass(world.program, current.name) ? [] : [full, ...endsOf(full)];
    const listed = names.find((each) => each.includes('::') && isGlobal(world, each));
    if (listed) return listed;
    current = aliased(world.program, current);
  }
  return null;
}

/** A cell for a name that nobody here defines: in the methods of a class on top of a structure of a library, a member of that. */
export function unseenCell(world: World, scope: Scope, name: string): Cell {
  const { self } = scope;
  const isInherited = self?.open === true && !name.includes('::') && findClass(world.program, self.className);
  return (isInherited ? fieldCell(world, self, name) : null) ?? externalCell(world, name);
}

/** A cell for a name defined somewhere we cannot see, the same each time. */
export function externalCell(world: World, name: string): Cell {
  const plain = name.startsWith('::') ? name.slice(2) : name;
  const known = globalNamed(world, plain);
  if (known && !isThunk(known)) return known;
  const cell = createCell(plain, libraryVariable(plain));
  noteUnseenName(cell);
  heldBy(cell);
  bind(world.globals, plain, cell);
  return cell;
}

const maximumMacroDepth = 24;

function expandObjectMacro(world: World, scope: Scope, name: string): Value {
  const body = world.program.expand(name);
  if (!body || world.macroDepth > maximumMacroDepth) return unknownValue;
  if (body.kind === 'expression') return inMacro(world, scope, evaluate, body.expression);
  inMacro(world, createScope(scope), executeBlock, body.body);
  return unknownValue;
}

export function localFunction(scope: Scope, name: string): boolean {
  for (let current: Scope | null = scope; current; current = current.parent)
    if (current.functions?.has(name)) return true;
  return false;
}

/** A constant of the library; the largest of 64 bits is kept as -1, as all of their upper half is. */
function constantValue(constant: number): Value {
  if (constant > 2 ** 63) return numberValue(-1, 'u64');
  if (constant === 2 ** 63) return largest64;
  if (constant < -(2 ** 31)) return numberValue(constant, 'i64');
  return numberValue(constant, constant >= 2 ** 31 ? 'u32' : undefined);
}
