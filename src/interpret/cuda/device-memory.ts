/** What is noted while code of the device is read: what is done to memory, and what names stand for. */

import { lastPart } from '../../program/full-names.ts';
import type { TypeReference } from '../../program/program.ts';
import { retyped } from '../../program/retyped.ts';
import type { World } from '../world.ts';
import { both, classesOf, classOf, createThing, type Known, memberOf, mergeInto, type Thing } from './device-things.ts';

/** What is done to the memory that one path leads to. */
export interface MemoryUse {
  read: boolean;
  write: boolean;
  /** Somebody has it who is not followed, or it is one of several that a place may be in. */
  escapes: boolean;
  /** Something other than an atomic operation reads or writes it. */
  plain: boolean;
  /** So many bytes behind where it was given it is touched first; null where that is not known, undefined where it is not touched. */
  start: number | null | undefined;
  /** Memory whose contents say which places are touched; null where some place is touched whatever it holds. */
  data: ReadonlySet<string> | null | undefined;
}

/** One reading of a kernel. */
export interface Reading extends Known {
  readonly world: World;
  readonly uses: Map<string, MemoryUse>;
  /** Functions that are being read. */
  readonly active: object[];
  /** Statements and expressions that may still be looked at. */
  steps: number;
  /** How often something new was learned. */
  learned: number;
  /** How many choices and loops lie around what is looked at. */
  choices: number;
  loops: number;
  /** Memory whose contents say whether what is looked at is done. */
  sifted: ReadonlySet<string>;
}

/** Names of a block; the function's results are its outermost block's. */
export interface Local {
  readonly names: Map<string, Thing>;
  readonly parent: Local | null;
  /** The object whose method it is. */
  readonly self: Thing | null;
  readonly results: Thing[];
  /** The function's results are places. */
  readonly returnsPlaces: boolean;
  /** Of a lambda that the kernel is given: what the names stand for that it captures. */
  readonly given?: (name: string) => Thing;
}

export function blockIn(parent: Local): Local {
  const { self, results, returnsPlaces } = parent;
  return { names: new Map(), parent, self, results, returnsPlaces };
}

export function useOf(reading: Reading, path: string): MemoryUse {
  let use = reading.uses.get(path);
  if (!use) {
    use = { read: false, write: false, escapes: false, plain: false, start: undefined, data: undefined };
    reading.uses.set(path, use);
  }
  return use;
}

/** Memory is read or written. Of several that are no pack that it may be nobody can say which. */
export function touch(
  reading: Reading,
  paths: ReadonlySet<string>,
  how: 'r' | 'w' | 'x',
  {
    first,
    isAtomic,
    data,
    isEach = false,
  }: Pick<Thing, 'first' | 'isAtomic' | 'data'> & Partial<Pick<Thing, 'isEach'>>,
): void {
  const hangsOn = both(data, reading.sifted);
  for (const path of paths) {
    const use = useOf(reading, path);
    use.start = earlier(use.start, first);
    use.data = hangsOn.size === 0 || use.data === null ? null : both(use.data ?? hangsOn, hangsOn);
    if (paths.size > 1 && !isEach) use.escapes = true;
    else {
      if (how !== 'w') use.read = true;
      if (how !== 'r') use.write = true;
      if (!isAtomic) use.plain = true;
    }
  }
}

/** Where all touch the beginning, it does not matter that nobody knows where some begin. */
function earlier(start: number | null | undefined, first: number | null): number | null {
  if (start === undefined || start === first || first === 0) return first;
  return start === 0 ? 0 : start === null || first === null ? null : Math.min(start, first);
}

/** Somebody unseen has the value. */
export function giveAway(reading: Reading, thing: Thing, depth = 0): void {
  for (const path of thing.points) useOf(reading, path).escapes = true;
  if (depth > 3) return;
  for (const inner of [...thing.fields.values(), ...thing.targets]) giveAway(reading, inner, depth + 1);
  if (thing.element) giveAway(reading, thing.element, depth + 1);
}

/** The value of a place. What memory of the device holds is not followed. */
export function load(reading: Reading, thing: Thing): Thing {
  if (thing.lies.size === 0) return thing;
  touch(reading, thing.lies, 'r', thing);
  return createThing({ type: thing.type, data: both(thing.data, thing.lies) });
}

export function learn(reading: Reading, thing: Thing, more: Thing): void {
  if (mergeInto(thing, more)) reading.learned++;
}

/** Stores a value in a place. */
export function store(reading: Reading, place: Thing, value: Thing, how: 'w' | 'x' = 'w'): void {
  if (place.lies.size > 0) touch(reading, place.lies, how, place);
  else {
    learn(reading, place.element ?? place, value);
    if (!place.element) storeNumber(reading, place, value, how);
  }
  if (place.lies.size > 0) for (const target of place.targets) learn(reading, target, value);
}

/** What a variable is from here on: in a loop it begins with what it was before, behind a choice nobody knows which it is. */
function storeNumber(reading: Reading, place: Thing, value: Thing, how: 'w' | 'x'): void {
  if (place.first === value.first && place.isSame === value.isSame) return;
  if (reading.loops > 0) {
    place.isSame = false;
    return;
  }
  place.first = how === 'x' || reading.choices > 0 ? null : value.first;
  place.isSame = value.isSame;
  if (reading.choices === 0 && how === 'w') place.data = value.data;
}

export function find(reading: Reading, local: Local, name: string): Thing | null {
  for (let current: Local | null = local; current; current = current.parent) {
    const known = current.names.get(name);
    if (known) return known;
    if (current.given) {
      const given = current.given(name);
      current.names.set(name, given);
      return given;
    }
    const self: Thing | null = current.self;
    if (self && current.parent?.self !== self) {
      if (name === 'this') return createThing({ targets: new Set([self]) });
      const { program } = reading.world;
      if (classesOf(program, classOf(program, self)).some(({ fields }) => fields.some((field) => field.name === name)))
        return memberOf(reading, self, name);
    }
  }
  return null;
}

/** A type as it is written, where a template parameter is named in it the class that stands for it. */
export function typeIn(reading: Reading, local: Local, type: TypeReference): TypeReference {
  const stands = type.arguments.length === 0 ? find(reading, local, type.name)?.stands : null;
  return stands ? retyped(type, { name: stands.name, arguments: stands.arguments }) : type;
}

/** `Policy::size` is a name of the class that stands for a template parameter. */
export function nameIn(reading: Reading, local: Local, name: string): string {
  const end = name.indexOf('::');
  const stands = end > 0 ? find(reading, local, name.slice(0, end))?.stands : null;
  return stands ? `${lastPart(stands.name)}${name.slice(end)}` : name;
}
