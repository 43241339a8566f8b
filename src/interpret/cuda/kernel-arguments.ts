/** What a kernel is given: the memory of the device among its arguments, also in structures, arrays and lambdas passed by value. */

import type { FunctionDefinition } from '../../program/program.ts';
import { eachNode } from '../../program/walk.ts';
import type { Access, AccessMode, DevicePointer, HostGiven } from '../../trace/event.ts';
import type { TouchedBytes } from '../../trace/touched-bytes.ts';
import { isSymbolicPosition } from '../expressions/positions.ts';
import { isNamed, nameOf } from '../host-ends.ts';
import { findClass, resolveType } from '../program-table.ts';
import { isThunk, lookUp } from '../scope.ts';
import { type Cell, type RecordObject, unknownValue, type Value } from '../value.ts';
import { BudgetSignal, ExitSignal, ThrowSignal, type World } from '../world.ts';
import type { EffectContext } from './apply-model.ts';
import { symbolsTouched } from './device-symbols.ts';
import type { Given } from './device-things.ts';
import { pointerIn } from './effect-values.ts';
import { registeredPointer } from './host-objects.ts';
import {
  asOnlyElement,
  bytesBefore,
  type KernelUse,
  kernelUse,
  pathInKernel,
  type Shape,
  touchesSomewhere,
  unknownUse,
} from './kernel-access.ts';
import { type LaunchSize, surelyTouched } from './kernel-extents.ts';
import { noConstants } from './kernel-instances.ts';
import { talksToHost } from './kernel-talk.ts';
import { waitsForOthers } from './kernel-waits.ts';
import { noteManagedWrites } from './managed-variables.ts';
import { mayReachPageable } from './out-of-reach.ts';

/** What stands at one path: a number, 'address', the name of a class, or what is the same for all copies of a number that is not known. */
type Held = number | string | object;

/** What a launch gives a kernel, as it is then: the cells may hold something else when somebody asks. */
interface Launch {
  readonly world: World;
  readonly definition: FunctionDefinition;
  readonly shapes: readonly Shape[];
  readonly held: ReadonlyMap<string, Held>;
  readonly constants: Given;
  readonly addresses: readonly Passed[];
  /** Null where that is not known. */
  readonly size: LaunchSize | null;
}

/** Every device pointer among a kernel's arguments, also inside structures and arrays passed by value. */
export function addKernelAccesses(
  context: GivenIn,
  out: Access[],
  definition: FunctionDefinition | undefined,
  cells: readonly Cell[],
  size: LaunchSize | null = null,
  constants: Given = noConstants,
): void {
  let launch: Launch | null = null;
  const all: Passed[] = [];
  for (let index = 0; index < cells.length; index++) {
    const isAddress = (definition?.parameters[index]?.type.pointers ?? 0) > 0;
    all.push(...pointersIn(context, cells[index]!, `${index}`, 0, isAddress));
  }
  for (const { pointer, isConst, isTexture, path } of all) {
    if (isTexture) {
      out.push({ pointer, mode: 'read', startsAt: null, isSomewhere: true });
      continue;
    }
    if (isConst || !definition) {
      out.push({ pointer, mode: isConst ? 'read' : 'unknown' });
      continue;
    }
    launch ??= launchOf(context.world, definition, cells, all, size, constants);
    out.push(new KernelAccess(launch, path, pointer));
  }
  if (definition)
    for (const { path, pointer } of symbolsTouched(context.world, definition)) {
      launch ??= launchOf(context.world, definition, cells, all, size, constants);
      out.push(new KernelAccess(launch, path, pointer));
    }
  noteManagedWrites(context.world, out);
}

/** What a kernel does behind an argument that is an address. */
export function modeOfArgument(
  world: World,
  definition: FunctionDefinition | undefined,
  cells: readonly Cell[],
  index: number,
  constants: Given = noConstants,
): AccessMode {
  return definition ? kernelUse(world, definition, `${index}`, cells.map(shapeOf), constants).mode : 'unknown';
}

function launchOf(
  world: World,
  definition: FunctionDefinition,
  cells: readonly Cell[],
  addresses: readonly Passed[],
  size: LaunchSize | null,
  constants: Given,
): Launch {
  const held = new Map<string, Held>(constants);
  for (const [index, cell] of cells.entries()) addHeld(held, cell, `${index}`, 0);
  return { world, definition, shapes: cells.map(shapeOf), held, constants, addresses, size };
}

function addHeld(held: Map<string, Held>, cell: Cell, path: string, depth: number): void {
  const { value } = cell;
  if (value.kind === 'number') held.set(path, value.value);
  else if (value.kind === 'device') held.set(path, 'address');
  else if (value.kind === 'unknown') held.set(path, value.heldBy ?? (value === unknownValue ? cell : value));
  else if (value.kind === 'record' && depth < 3)
    for (const [name, field] of value.record.fields) addHeld(held, field, `${path}.${name}`, depth + 1);
  else if (value.kind === 'closure' && depth < 2)
    for (const [name, each] of captured(value)) addHeld(held, each, `${path}.${name}`, depth + 1);
}

/** Of the launch that was asked about last. */
let lastGiven: { readonly held: ReadonlyMap<string, Held>; readonly given: Given } | null = null;

/** The numbers and addresses among what is held, which a kernel's body is read with. */
function givenOf(held: ReadonlyMap<string, Held>): Given {
  if (lastGiven?.held === held) return lastGiven.given;
  const given = new Map<string, number | string>();
  for (const [path, each] of held) if (typeof each !== 'object') given.set(path, each);
  lastGiven = { held, given };
  return given;
}

type Closure = Value & { readonly kind: 'closure' };

function shapeOf({ type, value }: Cell): Shape {
  if (value.kind === 'record') return value.record.className;
  if (value.kind === 'device' && type && type.pointers > 0) return `${type.name}${'*'.repeat(type.pointers)}`;
  return value.kind === 'closure' ? value.lambda : null;
}

/** Reading a kernel's body costs more than all else about a launch, and where all is in one stream nobody asks. */
class KernelAccess implements Access {
  readonly pointer: DevicePointer;
  readonly #launch: Launch;
  readonly #path: string;
  /** Undefined as long as nobody has asked. */
  #start: number | null | undefined;

  constructor(launch: Launch, path: string, pointer: DevicePointer) {
    this.pointer = pointer;
    this.#launch = launch;
    this.#path = path;
  }

  get mode(): AccessMode {
    return this.#use().mode;
  }

  get isAtomic(): boolean {
    return this.#use().isAtomic;
  }

  get talksToHost(): boolean {
    return talksToHost(this.#launch.world, this.#launch.definition);
  }

  get waitsForOthers(): boolean {
    return waitsForOthers(this.#launch.world, this.#launch.definition);
  }

  get startsAt(): number | null {
    if (this.#start === undefined) this.#start = this.#findStart();
    return this.#start;
  }

  get isSomewhere(): boolean {
    const { world, definition, shapes, held } = this.#launch;
    return readKernel(() => touchesSomewhere(world, definition, this.#path, shapes, givenOf(held)), false);
  }

  get touched(): readonly TouchedBytes[] {
    const { world, definition, shapes, held, size } = this.#launch;
    if (size === null) return [];
    return readKernel(() => surelyTouched(world, definition, shapes, held, size).get(this.#path) ?? [], []);
  }

  get placesFrom(): readonly unknown[] | null {
    const { data } = this.#use();
    if (data === null) return null;
    // Numbers may say where in the lists it begins; other memory is only what is put there.
    const { held, addresses } = this.#launch;
    const lists = addresses.filter(({ path }) => data.has(pathInKernel(path)));
    return [
      ...lists.map(({ pointer }) => (pointer.offset === null ? pointer : `${pointer.allocation}+${pointer.offset}`)),
      ...[...held.values()].filter((each) => each !== 'address'),
    ];
  }

  #use(): KernelUse {
    const { world, definition, shapes, held, constants } = this.#launch;
    const useWith = (given: Given): KernelUse =>
      readKernel(() => kernelUse(world, definition, this.#path, shapes, given), unknownUse);
    const use = useWith(constants);
    // What may be one of several whatever it is launched with may be one with these numbers.
    if (!use.isOpen || held.size === constants.size) return use;
    const told = useWith(givenOf(held));
    return told.isOpen ? use : told;
  }

  get bytesBefore(): number | null {
    const { world, definition, shapes, held } = this.#launch;
    return readKernel(() => bytesBefore(world, definition, this.#path, shapes, givenOf(held)), null);
  }

  #findStart(): number | null {
    const { offset } = this.pointer;
    const before = offset === null ? null : this.bytesBefore;
    return offset === null || before === null ? null : offset + before;
  }
}

/** `otherwise`: where what stands in the kernel takes more than a run may, or throws. */
function readKernel<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch (signal) {
    if (signal instanceof BudgetSignal || signal instanceof ThrowSignal || signal instanceof ExitSignal)
      return otherwise;
    throw signal;
  }
}

/** A member that points at an object of a class with methods: an object of the host, as far as anybody can tell. */
function pointsAtObject(world: World, { type }: Cell): boolean {
  if (type?.pointers !== 1) return false;
  return (findClass(world.program, resolveType(world.program, type).name)?.methods.length ?? 0) > 0;
}

/** `keepsHost`: what is given is used when the call has returned, memory of the host that is not registered with CUDA, too. */
type GivenIn = Pick<EffectContext, 'world' | 'span'> & { readonly keepsHost?: boolean };

/** `isConst`: a member of a structure that says `const T *`. */
interface Passed {
  readonly pointer: DevicePointer;
  readonly isConst: boolean;
  /** Read through a texture object, wherever the kernel looks. */
  readonly isTexture?: boolean;
  /** `1.out`: a member of the second argument; `1.out[0]`: the first element of an array that it is. */
  readonly path: string;
}

function pointersIn(context: GivenIn, cell: Cell, path: string, depth: number, isAddress = false): readonly Passed[] {
  const { value } = cell;
  if (depth < 4 && value.kind === 'record') return memberPointers(context, value.record, path, depth);
  if (value.kind === 'sequence' && value.sequence.onDevice) {
    const { onDevice, elementType } = value.sequence;
    return [{ pointer: onDevice, isConst: elementType?.isConst === true, path }];
  }
  if (depth < 4 && value.kind === 'sequence' && value.sequence.cells.size < 64)
    return elementPointers(context, value.sequence.cells, path, depth);
  if (depth < 2 && value.kind === 'closure') return capturedPointers(context, value, path, depth);
  if (depth > 0 && value.kind === 'unknown' && pointsAtObject(context.world, cell)) return [];
  const pointer =
    pointerIn(context, cell, isAddress) ??
    (context.keepsHost || context.world.hostObjects.size > 0
      ? registeredPointer(context, cell, context.keepsHost)
      : null);
  const isConst = depth > 0 && cell.type !== null && cell.type.isConst && cell.type.pointers > 0;
  return pointer ? [{ pointer, isConst, path, isTexture: isTexture(context.world, cell) }] : [];
}

function memberPointers(context: GivenIn, { fields }: RecordObject, path: string, depth: number): readonly Passed[] {
  return [...fields].flatMap(([name, field]) => pointersIn(context, field, `${path}.${name}`, depth + 1));
}

function isTexture({ program }: World, { type }: Cell): boolean {
  const name = type && type.pointers === 0 ? resolveType(program, type).name : '';
  return name === 'cudaTextureObject_t' || name === 'CUtexObject';
}

/** Each element has a path of its own, but for the only one that leads anywhere. */
function elementPointers(
  context: GivenIn,
  cells: ReadonlyMap<number, Cell>,
  path: string,
  depth: number,
): readonly Passed[] {
  const all = [...cells].flatMap(([index, field]) => {
    const pointers = pointersIn(context, field, `${path}[${index}]`, depth + 1);
    return pointers.length === 0 ? [] : [{ index, field, pointers }];
  });
  const [first] = all;
  if (!first || all.length > 1) return all.flatMap(({ pointers }) => pointers);
  const [only] = first.pointers;
  return only?.path === `${path}[${first.index}]` && !isSymbolicPosition(first.index)
    ? [{ ...only, path: asOnlyElement(only.path) }]
    : pointersIn(context, first.field, path, depth + 1);
}

/** What a lambda takes along into the kernel. */
function capturedPointers(context: GivenIn, value: Closure, path: string, depth: number): readonly Passed[] {
  return captured(value).flatMap(([name, held]) =>
    held.value.kind === 'unknown' ? [] : pointersIn(context, held, `${path}.${name}`, depth + 1),
  );
}

/** The variables around a lambda that it names. */
function captured({ lambda, scope }: Closure): readonly (readonly [name: string, held: Cell])[] {
  const names = new Set<string>();
  const own = new Set(lambda.parameters.map(({ name }) => name));
  eachNode(lambda.bodyOnDevice?.() ?? lambda.body, (node) => {
    if (node.kind === 'name') names.add(node.name);
    if (node.kind === 'declare') for (const { name } of node.declarations) own.add(name);
  });
  return [...names].flatMap((name) => {
    if (own.has(name)) return [];
    const held = lookUp(scope, name);
    return held && !isThunk(held) ? [[name, held] as const] : [];
  });
}

/** The name of what a kernel surely works on though it is memory of the host's own: neither pinned nor registered, as far as that is certain. */
export function hostMemoryGiven(
  context: GivenIn,
  definition: FunctionDefinition | undefined,
  cells: readonly Cell[],
  constants: Given = noConstants,
): HostGiven | null {
  const { world } = context;
  for (const [index, cell] of cells.entries()) {
    const { value } = cell;
    const sequence = value.kind === 'pointer' || value.kind === 'sequence' ? value.sequence : undefined;
    const type = definition?.parameters[index]?.type;
    // A member lies where its object lies, which may have been made by anybody; what a container hands out may not be its own.
    if (!sequence?.storage || sequence.onDevice || sequence.memberOf || sequence.byValue) continue;
    if (!definition || !type || type.pointers === 0) continue;
    if (registeredPointer(context, cell) || mayReachPageable(world)) continue;
    const touches = (): boolean => touchesSomewhere(world, definition, `${index}`, cells.map(shapeOf), constants);
    if (!readKernel(touches, false)) continue;
    return { name: isNamed(sequence) ? sequence.name : nameOf(value, cell), isHeap: value.kind === 'pointer' };
  }
  return null;
}
