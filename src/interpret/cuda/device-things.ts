/**
 * What names and expressions stand for in code of the device: addresses in memory that the kernel was given, places there, objects of
 * its own. Memory goes by the path of the argument that leads to it: `0` for the first, `1.out` for a member of the second.
 */

import { lastPart } from '../../program/full-names.ts';
import type { ClassDefinition, LambdaExpression, TypeReference } from '../../program/program.ts';
import { pointee, retyped } from '../../program/retyped.ts';
import { findClass, type ProgramTable, resolveType } from '../program-table.ts';
import { memberPlaceIn } from '../types/class-layout.ts';
import { bytesOfType } from '../types/type-bytes.ts';
import type { World } from '../world.ts';
import type { Local } from './device-memory.ts';

/** Something that a name or an expression stands for. What it may hold only grows: the order of statements does not count. */
export interface Thing {
  /** Memory that it is, or holds, an address in. */
  readonly points: Set<string>;
  /** Memory that it is a place in: what is stored there is not followed. */
  readonly lies: ReadonlySet<string>;
  /** Objects on the stack whose address it is, or, of a place, that it may be. */
  readonly targets: Set<Thing>;
  readonly fields: Map<string, Thing>;
  /** Of what the kernel was given, or a member of it: its path. */
  readonly root: string | null;
  readonly type: TypeReference | null;
  /** Of an array: what stands for all its elements. */
  element: Thing | null;
  /** A lambda, and what it sees. */
  code: { readonly lambda: LambdaExpression; readonly local: Local } | null;
  /** Functions of the device of which it may be one, by name. */
  functions: ReadonlySet<string>;
  /** Of a template parameter: the class, or the function, that it stands for. */
  readonly stands: TypeReference | null;
  /** Of a pack: what is done to it is done to all that it holds. */
  readonly isEach: boolean;
  readonly pack: readonly Thing[] | null;
  /** Whoever touches it does so atomically: `cuda::atomic_ref`. */
  readonly isAtomic: boolean;
  /**
   * Of a number: the least that it is in any thread; of an address and a place: so many bytes it lies behind where the memory was given.
   * Null where that is not known. What hangs on the thread, or is read from memory, begins at 0.
   */
  first: number | null;
  /** It is that in every thread. */
  isSame: boolean;
  /** Memory whose contents it hangs on, as an index in a list does, or where it lies. */
  data: Paths;
}

type Paths = ReadonlySet<string>;

export function createThing(parts: Partial<Thing> = {}): Thing {
  const {
    points = new Set(),
    lies = noPaths,
    targets = new Set(),
    fields = new Map(),
    root = null,
    type = null,
  } = parts;
  const { element = null, code = null, isAtomic = false, first = 0, isSame = false, data = noPaths } = parts;
  const { functions = noPaths, stands = null, isEach = false, pack = null } = parts;
  const thing = { points, lies, targets, fields, root, type, element, code, isAtomic, first, isSame, data };
  return Object.assign(thing, { functions, stands, isEach, pack });
}

export const noPaths: Paths = new Set();

/** What hangs on both. */
export function both(one: Paths, other: Paths): Paths {
  if (one === other || other.size === 0) return one;
  return one.size === 0 ? other : new Set([...one, ...other]);
}

/**
 * What a launch gives by path: `0` is the first argument, `1.first` a member of the second, `<T` what a template parameter stands for: a
 * number, 'address', or of a template parameter the name of a class or a function.
 */
export type Given = ReadonlyMap<string, number | string>;

export interface Known {
  readonly program: ProgramTable;
  readonly given: Given;
}

/** Memory that is known to the kernel by a path, or a structure of such, or a number. */
export function givenThing(known: Known, path: string, type: TypeReference | null): Thing {
  const { program, given } = known;
  const number = given.get(path);
  const isAnAddress = number === 'address' || isAddress(program, type) === true;
  const first = isAnAddress ? 0 : typeof number === 'number' ? number : null;
  const thing = createThing({ points: new Set([path]), root: path, type, first, isSame: true });
  const element = type && elementOf(resolveType(program, type));
  if (element) thing.element = givenThing(known, path, element);
  return thing;
}

/** Of an array, also of `std::array`: what it is made of. */
function elementOf(meant: TypeReference): TypeReference | null {
  if (meant.extents.length > 0) return retyped(meant, { extents: meant.extents.slice(1) });
  const [element] = meant.arguments;
  return meant.pointers === 0 && /(?:^|::)array$/.test(meant.name) && element && 'pointers' in element ? element : null;
}

/** An array on the stack or in shared memory. */
export function arrayThing(type: TypeReference): Thing {
  const element = retyped(type, { extents: type.extents.slice(1) });
  return createThing({
    type,
    element: element.extents.length > 0 ? arrayThing(element) : createThing({ type: element }),
  });
}

function elementType(program: ProgramTable, type: TypeReference): TypeReference {
  const meant = resolveType(program, type);
  return retyped(meant, { extents: meant.extents.slice(1) });
}

/** A copy of its own: what is put into it later is not in the other. */
export function copied(thing: Thing, type: TypeReference | null = thing.type): Thing {
  const copy = createThing({ ...thing, points: new Set(thing.points), targets: new Set(thing.targets), type });
  for (const [name, field] of thing.fields) copy.fields.set(name, copied(field));
  return copy;
}

/** Puts what one holds into the other; whether that was anything new. */
export function mergeInto(thing: Thing, more: Thing, depth = 0): boolean {
  let isNew = false;
  const isFresh = thing.points.size === 0;
  for (const path of more.points) if (!thing.points.has(path)) isNew = Boolean(thing.points.add(path));
  if (isNew) thing.first = isFresh || thing.first === more.first ? more.first : null;
  const data = both(thing.data, more.data);
  if (data.size > thing.data.size) isNew = true;
  thing.data = data;
  for (const target of more.targets)
    if (target !== thing && !thing.targets.has(target)) isNew = Boolean(thing.targets.add(target));
  const functions = both(thing.functions, more.functions);
  if (functions.size > thing.functions.size) isNew = true;
  thing.functions = functions;
  if (more.code && !thing.code) {
    thing.code = more.code;
    isNew = true;
  }
  if (depth > 4) return isNew;
  if (more.element && thing.element && more.element !== thing.element)
    isNew = mergeInto(thing.element, more.element, depth + 1) || isNew;
  for (const [name, field] of more.fields) {
    const own = thing.fields.get(name);
    if (own === field) continue;
    if (own) isNew = mergeInto(own, field, depth + 1) || isNew;
    else {
      thing.fields.set(name, copied(field));
      isNew = true;
    }
  }
  return isNew;
}

/** The class of an object, where the program defines it. */
export function classOf(program: ProgramTable, thing: Thing): ClassDefinition | undefined {
  if (!thing.type) return undefined;
  const type = resolveType(program, thing.type);
  return type.pointers === 0 && type.extents.length === 0 ? findClass(program, type.name) : undefined;
}

/** A class and those it stands on, itself first. */
export function classesOf(program: ProgramTable, definition: ClassDefinition | undefined): readonly ClassDefinition[] {
  const all = definition ? [definition] : [];
  for (const each of all)
    for (const base of each.bases) {
      const found = all.length < 16 ? findClass(program, base) : undefined;
      if (found && !all.includes(found)) all.push(found);
    }
  return all;
}

/** A member of an object. */
export function memberOf(known: Known & { readonly world: World }, object: Thing, name: string): Thing {
  const own = object.fields.get(name);
  if (own) return own;
  const { program } = known;
  const classes = classesOf(program, classOf(program, object));
  const declared = classes.flatMap(({ fields }) => fields.find((field) => field.name === name) ?? [])[0]?.type ?? null;
  if (object.lies.size > 0)
    return createThing({
      lies: object.lies,
      type: declared,
      first: beginOf(known.world, object, name),
      data: object.data,
      isEach: object.isEach,
    });
  if (object.targets.size > 0 && object.points.size === 0) {
    const [first, ...others] = [...object.targets].map((target) => memberOf(known, target, name));
    if (first && others.length === 0) return first;
  }
  if (object.root !== null) {
    const member = givenThing(known, `${object.root}.${name}`, declared);
    object.fields.set(name, member);
    return member;
  }
  const member = declared && declared.extents.length > 0 ? arrayThing(declared) : createThing({ type: declared });
  // Of an object whose class nobody knows any member may be what it was made of.
  if (classes.length === 0) {
    const holder = member.element ?? member;
    for (const path of object.points) holder.points.add(path);
    holder.first = object.points.size > 0 ? null : holder.first;
  }
  object.fields.set(name, member);
  return member;
}

/** How far in a member of a structure in memory begins: with the structure, where nobody knows how that is laid out. */
function beginOf(world: World, { type, first }: Thing, name: string): number | null {
  const place = type && first !== null ? memberPlaceIn(world, type, name) : null;
  return place && first !== null ? first + place.offset : first;
}

/** Whether values of that type are addresses; null where nobody knows. */
export function isAddress(program: ProgramTable, type: TypeReference | null): boolean | null {
  if (!type || lastPart(type.name) === 'auto') return null;
  return resolveType(program, type).pointers > 0;
}

/** What is behind an address that is held, so many elements on, or the elements of an array. Places that hold addresses are to be read before. */
export function behind(known: Known & { readonly world: World }, thing: Thing, index: Thing | null): Thing {
  if (thing.element) return elementOfGiven(known, thing, index) ?? thing.element;
  const { program, world } = known;
  const type = thing.type ? resolveType(program, thing.type) : null;
  const data = index ? both(thing.data, index.data) : thing.data;
  if (thing.lies.size > 0) {
    const inner = type && type.extents.length > 0 ? elementType(program, type) : null;
    const first = movedOn(world, thing.first, index, inner);
    return createThing({ lies: thing.lies, type: inner, first, data, isEach: thing.isEach });
  }
  const [target] = thing.targets;
  if (target && thing.targets.size === 1 && thing.points.size === 0) return target.element ?? target;
  const behindIt = type && type.pointers > 0 ? pointee(type) : null;
  const first = movedOn(world, thing.first, index, behindIt);
  const { points: lies, targets, isEach } = thing;
  return createThing({ lies, targets, type: behindIt, first, data, isEach });
}

/** Of an array of addresses that the kernel is given: the one that is named by its number. */
function elementOfGiven(known: Known, array: Thing, index: Thing | null): Thing | null {
  if (array.root === null || !index?.isSame || index.first === null) return null;
  if (isAddress(known.program, array.element?.type ?? null) !== true) return null;
  const name = `[${index.first}]`;
  const own = array.fields.get(name) ?? givenThing(known, `${array.root}${name}`, array.element?.type ?? null);
  array.fields.set(name, own);
  return own;
}

/** So many elements of that type further on, in bytes; null for nobody knows how far. */
export function movedOn(world: World, at: number | null, by: Thing | null, type: TypeReference | null): number | null {
  if (by === null || by.first === 0 || at === null) return at;
  const bytes = by.first === null || !type ? null : bytesOfType(world, type);
  return bytes === null || by.first === null ? null : at + by.first * bytes;
}
