/** What a kernel does to the memory behind each pointer it is given: from its body, else from `const`. */

import { Attached } from '../../base/attached.ts';
import { wholeArray } from '../../program/array-pointer.ts';
import { rememberedByProgram } from '../../program/consulted.ts';
import type { FunctionDefinition, LambdaExpression, TypeReference } from '../../program/program.ts';
import { retyped } from '../../program/retyped.ts';
import { typeNamed } from '../../program/type-named.ts';
import type { AccessMode } from '../../trace/event.ts';
import { findClass, type ProgramTable, resolveType } from '../program-table.ts';
import type { World } from '../world.ts';
import { invoke } from './device-calls.ts';
import type { Local, MemoryUse, Reading } from './device-memory.ts';

import { isSymbolPath } from './device-symbols.ts';
import { createThing, type Given, givenThing, noPaths, type Thing } from './device-things.ts';
import { templateParameterAt } from './kernel-instances.ts';

/** What a kernel does to the memory behind one pointer. */
export interface KernelUse {
  readonly mode: AccessMode;
  /** Somebody unseen has the memory, or it is one of several that it may be. */
  readonly isOpen: boolean;
  /** Only atomic operations touch it: two such kernels at once do not race. */
  readonly isAtomic: boolean;
  /** The memory among what it is given whose contents say which places it touches; null where some are touched whatever that holds. */
  readonly data: ReadonlySet<string> | null;
}

/** What an argument is, beyond what its parameter says: the name of an object's class, `float*` of an address, or a lambda. */
export type Shape = string | LambdaExpression | null;

/** The type of what is given for a parameter: of an address whose parameter hangs on a template, what the address points at. */
export function typeGiven(
  program: ProgramTable,
  { templateParameters, parameters }: FunctionDefinition,
  index: number,
  shape: Shape | undefined,
): TypeReference | null {
  const declared = parameters[Math.min(index, parameters.length - 1)]?.type ?? null;
  if (typeof shape !== 'string') return declared;
  const [, name = '', stars = ''] = /^([^*]*)(\**)$/.exec(shape) ?? [];
  if (!declared) return retyped(typeNamed(name), { pointers: stars.length });
  if (stars === '') return declared.pointers > 0 || findClass(program, declared.name) ? declared : typeNamed(name);
  const meant = resolveType(program, declared);
  const isOpen = meant.pointers === 0 && meant.extents.length === 0 && !findClass(program, declared.name);
  if (!isOpen && !templateParameters.includes(declared.name)) return declared;
  return retyped(declared, { name, arguments: [], pointers: stars.length });
}

/** Of a kernel that cannot be read. */
export const unknownUse: KernelUse = { mode: 'unknown', isOpen: true, isAtomic: false, data: null };

type Uses = ReadonlyMap<string, MemoryUse>;

const noUses: Uses = new Map();

/** By program, because a kernel's accesses hang on the device functions it calls. */
const answers = rememberedByProgram<object, Uses>();

/**
 * Use of what `path` leads to: `0` for the first argument, `1.out` for a member of the second. A pointer to const is only read; without
 * a body a plain pointer is `unknown`. `constants`: what its template parameters stand for.
 */
export function kernelUse(
  world: World,
  definition: FunctionDefinition,
  path: string,
  shapes: readonly Shape[],
  constants: Given,
): KernelUse {
  if (isSymbolPath(path)) return useAt(usesOf(world, definition, shapes, constants), path);
  const [first = '', ...members] = path.split('.');
  const index = Number.parseInt(first, 10);
  const parameter = definition.parameters[Math.min(index, definition.parameters.length - 1)];
  if (!parameter) return unknownUse;
  if (members.length === 0 && parameter.type.isConst && parameter.type.pointers > 0)
    return { mode: 'read', isOpen: false, isAtomic: false, data: null };
  const uses = usesOf(world, definition, shapes, constants);
  // What somebody unseen does to an object it may do to all that is in it.
  for (let length = 0; length < members.length; length++)
    if (uses.get([first, ...members.slice(0, length)].join('.'))?.escapes) return unknownUse;
  return useAt(uses, path);
}

/** The path of an element of an array whose other elements lead nowhere. */
export function asOnlyElement(path: string): string {
  return `${path}${only}`;
}

const only = '!';

/** The path by which a kernel's body knows what `path` leads to. */
export function pathInKernel(path: string): string {
  return path.endsWith(only) ? path.slice(0, -only.length) : path;
}

/** Of one of several addresses in an array, `0.of[1]`: what is done to it, and to any of them. Of the only one: what is done to all. */
function usedAt(uses: Uses, path: string): MemoryUse | undefined {
  const isOnly = path.endsWith(only);
  const own = uses.get(pathInKernel(path));
  if (!isOnly && !path.endsWith(']')) return own;
  const anyOf = uses.get(path.slice(0, path.lastIndexOf('[')));
  if (!anyOf) return own;
  // What is written may be another one.
  if (!own) return isOnly ? anyOf : { ...anyOf, escapes: anyOf.escapes || anyOf.write };
  const { read, write, escapes, plain } = own;
  const isOpen = escapes || anyOf.escapes || (anyOf.write && !write && !isOnly);
  const isWritten = write || (isOnly && anyOf.write);
  return {
    read: read || anyOf.read,
    write: isWritten,
    escapes: isOpen,
    plain: plain || anyOf.plain,
    start: null,
    data: null,
  };
}

function useAt(uses: Uses, path: string): KernelUse {
  const use = usedAt(uses, path);
  if (!use) return unknownUse;
  const isAtomic = (use.read || use.write) && !use.plain && !use.escapes;
  return { mode: modeOf(use), isOpen: use.escapes, isAtomic, data: use.escapes ? null : (use.data ?? null) };
}

/**
 * Bytes behind the address that `path` leads to at which the kernel begins to touch that memory, with the numbers that a launch gives it:
 * `a[first + i]` begins at `first`, and what stands behind `if (rank == 0)` is touched by one rank only. Null where that is not known.
 */
export function bytesBefore(
  world: World,
  definition: FunctionDefinition,
  path: string,
  shapes: readonly Shape[],
  given: Given,
): number | null {
  if (!definition.body) return 0;
  return usedAt(usesOf(world, definition, shapes, given), path)?.start ?? null;
}

/** Whether the kernel, with the numbers that a launch gives it, surely reads or writes what `path` leads to, wherever that is. */
export function touchesSomewhere(
  world: World,
  definition: FunctionDefinition,
  path: string,
  shapes: readonly Shape[],
  given: Given,
): boolean {
  const use = usedAt(usesOf(world, definition, shapes, given), path);
  return use !== undefined && !use.escapes && (use.read || use.write);
}

function modeOf(use: MemoryUse): AccessMode {
  if (use.escapes) return use.write ? 'readwrite' : 'unknown';
  if (use.read && use.write) return 'readwrite';
  if (use.write) return 'write';
  return use.read ? 'read' : 'unknown';
}

/** Statements and expressions that are looked at in one kernel. */
const maximumSteps = 40_000;

function usesOf(world: World, definition: FunctionDefinition, shapes: readonly Shape[], given: Given): Uses {
  const key = keyOf(definition, shapes, given);
  return answers(world.program).get(key, noUses, () => readKernel(world, definition, shapes, given));
}

function readKernel(world: World, definition: FunctionDefinition, shapes: readonly Shape[], given: Given): Uses {
  if (!definition.body) return noUses;
  const reading: Reading = {
    world,
    program: world.program,
    given,
    uses: new Map(),
    active: [],
    steps: maximumSteps,
    learned: 0,
    choices: 0,
    loops: 0,
    sifted: noPaths,
  };
  const things = shapes.map((shape, index) => thingFor(reading, definition, index, shape));
  invoke(reading, definition, things, null, constantThings(given));
  if (reading.steps <= 0) for (const use of reading.uses.values()) use.escapes = true;
  return reading.uses;
}

function thingFor(reading: Reading, definition: FunctionDefinition, index: number, shape: Shape): Thing {
  const written = typeGiven(reading.world.program, definition, index, shape);
  // `float a[][4]` is a pointer to rows.
  const declared =
    written && written.extents.length > 1
      ? { ...wholeArray(retyped(written, { extents: written.extents.slice(1) })), pointers: 1 }
      : written;
  if (shape !== null && typeof shape !== 'string') {
    const local: Local = {
      names: new Map(),
      parent: null,
      self: null,
      results: [],
      returnsPlaces: false,
      given: (name) => givenThing(reading, `${index}.${name}`, null),
    };
    const callable = createThing({ code: { lambda: shape, local } });
    return isGivenAddress(definition, index) ? addressOf(callable, written) : callable;
  }
  if (!isAddressOf(reading, definition, index, shape)) return givenThing(reading, `${index}`, declared);
  return addressOf(givenThing(reading, `${index}`, typeNamed(shape)), declared);
}

function addressOf(object: Thing, type: TypeReference | null): Thing {
  return createThing({ targets: new Set([object]), type });
}

/** A function that the host runs is given the address of an object: `void *` leads to its members. */
function isAddressOf(
  { program }: Reading,
  definition: FunctionDefinition,
  index: number,
  shape: Shape,
): shape is string {
  return typeof shape === 'string' && isGivenAddress(definition, index) && findClass(program, shape) !== undefined;
}

function isGivenAddress({ isKernel, parameters }: FunctionDefinition, index: number): boolean {
  return !isKernel && (parameters[index]?.type.pointers ?? 0) > 0;
}

/** What the template parameters stand for, by name. */
function constantThings(given: Given): ReadonlyMap<string, Thing> {
  const things = new Map<string, Thing>();
  for (const [path, value] of given) {
    const name = templateParameterAt(path);
    if (name === null) continue;
    const isNumber = typeof value === 'number';
    things.set(name, createThing(isNumber ? { first: value, isSame: true } : { stands: typeNamed(value) }));
  }
  return things;
}

const keys = new Attached<FunctionDefinition, Map<string, object>>();
const lambdaNumbers = new Attached<LambdaExpression, number>();
let lambdas = 0;

interface Asked {
  readonly definition: FunctionDefinition;
  readonly shapes: readonly Shape[];
  readonly given: Given;
  readonly key: object;
}

/** What was asked for last: for each of a launch's arguments the same is, one after the other. */
let asked: Asked | null = null;

/** One object for each way in which a kernel is given something. */
function keyOf(definition: FunctionDefinition, shapes: readonly Shape[], given: Given): object {
  if (asked?.shapes === shapes && asked.given === given && asked.definition === definition) return asked.key;
  const key = keyByName(definition, shapes, given);
  asked = { definition, shapes, given, key };
  return key;
}

function keyByName(definition: FunctionDefinition, shapes: readonly Shape[], given: Given): object {
  const known = keys.get(definition) ?? new Map<string, object>();
  keys.set(definition, known);
  const name =
    shapes.map((shape) => (shape === null || typeof shape === 'string' ? shape : numberOf(shape))).join() +
    [...given].join(';');
  let key = known.get(name);
  if (!key) {
    key = {};
    known.set(name, key);
  }
  return key;
}

function numberOf(lambda: LambdaExpression): number {
  const known = lambdaNumbers.get(lambda) ?? ++lambdas;
  lambdaNumbers.set(lambda, known);
  return known;
}
