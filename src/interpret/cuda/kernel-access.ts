/** What a kernel does to the memory behind each pointer it is given: from its body, else from `const`. */

import { wholeArray } from '../../program/array-pointer.ts';
import { rememberedByProgram } from '../../program/consulted.ts';
import type { FunctionDefinition, LambdaExpression } from '../../program/program.ts';
import { retyped } from '../../program/retyped.ts';
import { typeNamed } from '../../program/type-named.ts';
import type { AccessMode } from '../../trace/event.ts';
import { findClass } from '../program-table.ts';
import type { World } from '../world.ts';
import { invoke } from './device-calls.ts';
import type { Local, MemoryUse, Reading } from './device-memory.ts';

import { isSymbolPath } from './device-symbols.ts';
import { createThing, type Given, givenThing, noPaths, type Thing } from './device-things.ts';

/** What a kernel does to the memory behind one pointer. */
export interface KernelUse {
  readonly mode: AccessMode;
  /** Only atomic operations touch it: two such kernels at once do not race. */
  readonly isAtomic: boolean;
  /** The memory among what it is given whose contents say which places it touches; null where some are touched whatever that holds. */
  readonly data: ReadonlySet<string> | null;
}

/** What an argument is, beyond what its parameter says: the name of an object's class, or a lambda. */
export type Shape = string | LambdaExpression | null;

/** Of a kernel that cannot be read. */
export const unknownUse: KernelUse = { mode: 'unknown', isAtomic: false, data: null };

type Uses = ReadonlyMap<string, MemoryUse>;

const noUses: Uses = new Map();

/** By program, because a kernel's accesses hang on the device functions it calls. */
const answers = rememberedByProgram<object, Uses>();

/**
 * Use of what `path` leads to: `0` for the first argument, `1.out` for a member of the second. A pointer to const is only read; without
 * a body a plain pointer is `unknown`.
 */
export function kernelUse(
  world: World,
  definition: FunctionDefinition,
  path: string,
  shapes: readonly Shape[],
): KernelUse {
  if (isSymbolPath(path)) return useAt(usesOf(world, definition, shapes, nothingGiven), path);
  const [first = '', ...members] = path.split('.');
  const index = Number(first);
  const parameter = definition.parameters[Math.min(index, definition.parameters.length - 1)];
  if (!parameter) return unknownUse;
  if (members.length === 0 && parameter.type.isConst && parameter.type.pointers > 0)
    return { mode: 'read', isAtomic: false, data: null };
  const uses = usesOf(world, definition, shapes, nothingGiven);
  // What somebody unseen does to an object it may do to all that is in it.
  for (let length = 0; length < members.length; length++)
    if (uses.get([first, ...members.slice(0, length)].join('.'))?.escapes) return unknownUse;
  return useAt(uses, path);
}

function useAt(uses: Uses, path: string): KernelUse {
  const use = uses.get(path);
  if (!use) return unknownUse;
  const isAtomic = (use.read || use.write) && !use.plain && !use.escapes;
  return { mode: modeOf(use), isAtomic, data: use.escapes ? null : (use.data ?? null) };
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
  return usesOf(world, definition, shapes, given).get(path)?.start ?? null;
}

const nothingGiven: Given = new Map();

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
  invoke(reading, definition, things, null);
  if (reading.steps <= 0) for (const use of reading.uses.values()) use.escapes = true;
  return reading.uses;
}

function thingFor(reading: Reading, definition: FunctionDefinition, index: number, shape: Shape): Thing {
  const { program } = reading.world;
  const written = definition.parameters[Math.min(index, definition.parameters.length - 1)]?.type ?? null;
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
    return createThing({ code: { lambda: shape, local } });
  }
  const isDeclared = !declared || findClass(program, declared.name) !== undefined || declared.pointers > 0;
  return givenThing(reading, `${index}`, !isDeclared && shape !== null ? typeNamed(shape) : declared);
}

const keys = new WeakMap<FunctionDefinition, Map<string, object>>();
const lambdaNumbers = new WeakMap<LambdaExpression, number>();
let lambdas = 0;

/** One object for each way in which a kernel is given something. */
function keyOf(definition: FunctionDefinition, shapes: readonly Shape[], given: Given): object {
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
