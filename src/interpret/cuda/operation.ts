/** What a node or stream operation does, from the paths of its effect. */

import type { ModelEffect } from '../../models/model.ts';
import type { FunctionDefinition } from '../../program/program.ts';
import type {
  Access,
  AllocationProperties,
  DevicePointer,
  HostGiven,
  HostMemory,
  Operation,
  OperationKind,
} from '../../trace/event.ts';
import { elementsOf } from '../expressions/elements.ts';
import { noteGivenToCallback } from '../keepers.ts';
import { lastPart } from '../program-table.ts';
import { type Cell, createCell, isNull, unknownValue, type Value } from '../value.ts';
import { noteGap, type World } from '../world.ts';
import { noteEmptyAddresses } from './addresses-to-come.ts';
import type { EffectContext } from './apply-model.ts';
import { argumentsInBuffer } from './argument-buffers.ts';
import { callOfCuda } from './callback-calls.ts';
import { noteCallback } from './callbacks.ts';
import { reachBehindHost } from './copies-behind-host.ts';
import { misdirected } from './copy-directions.ts';
import { endOfRows, spanOfBox, spanOfRows, startOfBox } from './copy-reaches.ts';
import { symbolAccesses } from './device-symbols.ts';
import { beginsEarly, kernelStart } from './early-start.ts';
import { contextAt, devicePointer, handle, number, pathOf, pathsOf, pointerIn, product } from './effect-values.ts';
import { freesWhatItIsGiven } from './freed-by-callbacks.ts';
import { accessesOfHostFunction } from './host-functions.ts';
import { hostMemoryOf, isForGraph, registeredArguments, registeredPointer } from './host-objects.ts';
import { forgetResults } from './host-results.ts';
import { addKernelAccesses, hostMemoryGiven, modeOfArgument } from './kernel-arguments.ts';
import type { LaunchSize } from './kernel-extents.ts';
import { constantsOf } from './kernel-instances.ts';
import { launchSize } from './launch-size.ts';
import { pathCell, pathValue } from './paths.ts';
import { toldPlaces } from './told-places.ts';

export function operationOf(context: EffectContext, effect: ModelEffect): Operation {
  const kind = pathOf(effect, 'kind') as OperationKind;
  const ofHost: OfHost = { registered: [], own: null };
  const bytes = product(context, effect['bytes']);
  // What copies or sets nothing touches nothing, wherever it points.
  const isOfNothing = bytes?.kind === 'number' && bytes.value === 0;
  const accesses = isOfNothing ? [] : accessesOf(context, effect, ofHost);
  const common = {
    kind,
    label: labelOf(context, effect),
    accesses,
    bytes,
    ...(effect['cooperative'] === true ? { cooperative: true } : {}),
    ...(kind === 'kernel' ? startOf(context, effect) : {}),
    ...(ofHost.registered.length > 0 ? { hostMemory: ofHost.registered } : {}),
    ...(ofHost.own === null ? {} : { ofHost: ofHost.own }),
  };
  switch (kind) {
    case 'host':
      accesses.push(...accessesOfHostFunction(context, effect));
      noteCallback(context, effect);
      return withHostMemory(context, effect, withHostCall(context, effect, common));
    case 'memcpy': {
      if (isOfNothing) return common;
      const beyondHost = reachBehindHost(context, effect);
      const misled = misdirected(context, effect);
      Object.assign(common, beyondHost ? { beyondHost } : {}, misled ? { misdirected: misled } : {});
      const copy = withHostMemory(context, effect, common);
      forgetResults(context, effect);
      return copy;
    }
    case 'memFree': {
      const path = pathOf(effect, 'free');
      const freed = devicePointer(context, path);
      const value = pathValue(context, path);
      if (!freed && value.kind === 'unknown') noteGap(context.world, 'unknown pointer', context.row.name, context.span);
      return Object.assign(common, { freed, freesForeign: !freed && value.kind !== 'unknown' });
    }
    case 'memAlloc':
      return effect['properties']
        ? Object.assign(common, { properties: propertiesOf(context, pathOf(effect, 'properties')) })
        : common;
    case 'semaphoreSignal':
    case 'semaphoreWait':
    case 'batchMemOp':
      return Object.assign(common, toldPlaces(context, effect));
    case 'eventRecord':
    case 'eventWait': {
      const event = handle(context, effect, 'event', 'event');
      return event === null ? common : Object.assign(common, { event });
    }
    case 'child': {
      const child = handle(context, effect, 'child', 'graph');
      const moved = effect['moved'] ? number(context, effect, 'moved') === 1 : false;
      return child === null ? common : Object.assign(common, { child, moved });
    }
    default:
      return common;
  }
}

function withHostMemory(context: EffectContext, effect: ModelEffect, operation: Operation): Operation {
  const hostMemory = hostMemoryOf(context, effect);
  return hostMemory.length === 0 ? operation : Object.assign(operation, { hostMemory });
}

function withHostCall(context: EffectContext, effect: ModelEffect, operation: Operation): Operation {
  const called = pathValue(context, pathOf(effect, 'function'));
  const hostCall = callOfCuda(context.world, called);
  if (hostCall) noteGivenToCallback(context.world, [called, pathValue(context, pathOf(effect, 'userData'))]);
  const freesHost = freesWhatItIsGiven(context.world, called);
  return Object.assign(operation, hostCall ? { hostCall } : {}, freesHost ? { freesHost } : {});
}

/** Of a kernel: whether it may begin early, and what its body says about that. */
function startOf(context: EffectContext, effect: ModelEffect): Pick<Operation, 'start' | 'beginsEarly'> {
  const name = effect['function'] ? functionName(pathValue(context, pathOf(effect, 'function'))) : null;
  const start = kernelStart(context.world, kernelDefinition(context.world, name));
  return { ...(start ? { start } : {}), ...(beginsEarly(context, effect) ? { beginsEarly: true } : {}) };
}

/** What an allocation node's parameters ask for beyond the size. */
function propertiesOf(context: EffectContext, params: string): AllocationProperties {
  const read = (path: string): number | null => {
    const value = pathValue(context, path);
    return value.kind === 'number' ? value.value : null;
  };
  const count = read(`${params}.accessDescCount`);
  return {
    allocationType: read(`${params}.poolProps.allocType`),
    handleTypes: read(`${params}.poolProps.handleTypes`),
    location: {
      locationType: read(`${params}.poolProps.location.type`),
      device: read(`${params}.poolProps.location.id`),
    },
    access: descriptorsAt(context, `${params}.accessDescs`, count),
    ...((count ?? 0) > 0 && isNull(pathValue(context, `${params}.accessDescs`)) ? { lacksDescriptors: true } : {}),
  };
}

/** The access descriptors in an array; one that says nothing where nobody knows them. */
export function descriptorsAt(
  context: EffectContext,
  path: string,
  count: number | null,
): AllocationProperties['access'] {
  if (count === 0) return [];
  const cells = elementsOf(pathValue(context, path), count);
  return cells ? cells.map((cell) => descriptorOf(context, cell)) : [unknownDescriptor];
}

const unknownDescriptor = { locationType: null, device: null, flags: null };

function descriptorOf(context: EffectContext, cell: Cell): AllocationProperties['access'][number] {
  const inner = contextAt(context, cell);
  const read = (path: string): number | null => {
    const value = pathValue(inner, path);
    return value.kind === 'number' ? value.value : null;
  };
  return { locationType: read('arg0.location.type'), device: read('arg0.location.id'), flags: read('arg0.flags') };
}

/** Work of a library: it uses the pointers it is given, how is not known. */
export function opaqueOperation(context: EffectContext): Operation {
  const accesses: Access[] = [];
  addKernelAccesses(
    context,
    accesses,
    undefined,
    context.arguments.map((argument) => argument.cell ?? createCell('', argument.value)),
  );
  return {
    kind: 'kernel',
    label: context.row.name,
    accesses,
    bytes: null,
    opaque: true,
  };
}

function labelOf(context: EffectContext, effect: ModelEffect): string {
  if (typeof effect['label'] === 'string') return effect['label'];
  const path = pathOf(effect, 'function');
  const kind = pathOf(effect, 'kind');
  if (path) {
    const holder = pathCell(context, path)?.name;
    return functionName(pathValue(context, path)) ?? (holder && !/^(?:func|fn)$/.test(holder) ? holder : kind);
  }
  const target = pathOf(effect, 'event') || pathOf(effect, 'child') || pathOf(effect, 'free');
  const cell = target ? pathCell(context, target) : null;
  return cell?.name ? cell.name : kind;
}

/** The function a value names, however it was cast. */
export function functionName(value: Value): string | null {
  if (value.kind === 'function') return lastPart(value.name);
  if (value.kind === 'closure') return 'lambda';
  if (value.kind === 'pointer') return functionName(value.cell.value);
  if (value.kind === 'unknown') return value.text ?? null;
  return value.kind === 'string' ? value.value : null;
}

const listModes = [
  ['read', 'readLists'],
  ['write', 'writeLists'],
  ['unknown', 'touchLists'],
] as const;

/** What a kernel is given of memory of the host: what is registered with CUDA, and the name of what is not. */
interface OfHost {
  readonly registered: HostMemory[];
  own: HostGiven | null;
}

/** `ofHost`: gets what there is of it. */
function accessesOf(context: EffectContext, effect: ModelEffect, ofHost: OfHost): Access[] {
  const given = (definition: FunctionDefinition | undefined, cells: readonly Cell[]): void => {
    ofHost.own ??= hostMemoryGiven(context, definition, cells);
    ofHost.registered.push(
      ...registeredArguments(context, cells, (index) => modeOfArgument(context.world, definition, cells, index)),
    );
  };
  const out: Access[] = [];
  // Of several factors the first is the width of a row.
  const row = product(context, pathsOf(effect['bytes']).slice(0, 1));
  const extent = row?.kind === 'number' ? { extent: row.value } : {};
  for (const mode of ['reads', 'writes', 'touches'] as const) {
    for (const path of pathsOf(effect[mode])) {
      const pointer = devicePointer(context, path) ?? hostMemoryAt(context, effect, path);
      if (!pointer) continue;
      const at = pathsOf(effect[`${mode}At`]);
      const start = startOfBox(context, pointer, at);
      const pitch = pathOf(effect, `${mode}Pitch`);
      const span = at.length ? spanOfBox(context, at, effect['bytes']) : spanOfRows(context, pitch, effect['bytes']);
      out.push({
        pointer,
        mode: mode === 'reads' ? 'read' : mode === 'writes' ? 'write' : 'unknown',
        ...extent,
        ...start,
        ...span,
        ...endOfRows(context, pointer, at, pitch, effect['bytes']),
      });
    }
  }
  if (effect['symbolReads'] || effect['symbolWrites']) out.push(...symbolAccesses(context, effect, extent));
  const count = number(context, effect, 'listCount');
  const sizes = effect['listBytes'] ? elementsOf(pathValue(context, pathOf(effect, 'listBytes')), count) : null;
  for (const [mode, lists] of listModes)
    for (const path of pathsOf(effect[lists]))
      for (const { pointer, index } of listedPointers(context, path, count)) {
        const size = sizes?.[index]?.value;
        if (size?.kind === 'number' && size.value === 0) continue;
        out.push({ pointer, mode, ...(size?.kind === 'number' ? { extent: size.value } : {}) });
      }
  const kernel = pathOf(effect, 'function');
  const instance = kernel ? pathValue(context, kernel) : unknownValue;
  const packed = pathOf(effect, 'kernelArguments');
  if (packed) {
    const definition = kernelDefinition(context.world, functionName(instance));
    const isInBuffer = isNull(pathValue(context, packed));
    const cells = isInBuffer
      ? argumentsInBuffer(pathValue(context, pathOf(effect, 'argumentBuffer')), definition)
      : packedArguments(pathValue(context, packed), definition);
    const isWhole = !isInBuffer || cells?.length === definition?.parameters.length;
    if (cells) {
      const constants = constantsOf(definition, instance);
      addKernelAccesses(context, out, isWhole ? definition : undefined, cells, sizeOf(context, effect), constants);
      given(isWhole ? definition : undefined, cells);
      if (effect.verb === 'node.add') noteEmptyAddresses(context.world, cells);
    } else if (definition?.parameters.length !== 0)
      noteGap(
        context.world,
        'unknown argument',
        `${context.row.name}: the kernel's arguments are not known`,
        context.span,
      );
  }
  const direct = pathOf(effect, 'directArguments');
  if (direct) {
    const first = Number(/\d+/.exec(direct)?.[0] ?? 0);
    const cells = context.arguments.slice(first).map((argument) => argument.cell ?? createCell('', argument.value));
    const definition = kernelDefinition(context.world, functionName(instance));
    addKernelAccesses(context, out, definition, cells, sizeOf(context, effect), constantsOf(definition, instance));
    given(definition, cells);
  }
  return out;
}

/** Of a copy: memory of the host of which it goes on when the call has returned: what is registered with CUDA, and all that a graph copies. */
function hostMemoryAt(context: EffectContext, effect: ModelEffect, path: string): DevicePointer | null {
  const isKept = effect['kind'] === 'memcpy' && isForGraph(context, effect);
  const cell = isKept || context.world.hostObjects.size > 0 ? pathCell(context, path) : null;
  return cell && registeredPointer(context, cell, isKept);
}

function sizeOf(context: EffectContext, effect: ModelEffect): LaunchSize | null {
  const [grid, block] = [pathOf(effect, 'grid'), pathOf(effect, 'block')];
  return grid && block ? launchSize(pathValue(context, grid), pathValue(context, block)) : null;
}

/** The device addresses in an array, or at `array[*].member` in the structures of one, each with its place there. */
function listedPointers(
  context: EffectContext,
  path: string,
  count: number | null,
): readonly { readonly pointer: DevicePointer; readonly index: number }[] {
  const [list = '', member] = path.split('[*].');
  return (elementsOf(pathValue(context, list), count) ?? []).flatMap((cell, index) => {
    const inner = contextAt(context, cell);
    const pointer = member === undefined ? pointerIn(context, cell) : devicePointer(inner, `arg0.${member}`);
    return pointer ? [{ pointer, index }] : [];
  });
}

/** `kernelParams`: an array of pointers to the argument values. */
function packedArguments(value: Value, definition: FunctionDefinition | undefined): Cell[] | null {
  const pointers = elementsOf(value, definition ? definition.parameters.length : null);
  return pointers?.map((cell) => (cell.value.kind === 'pointer' ? cell.value.cell : cell)) ?? null;
}

export function kernelDefinition(world: World, name: string | null): FunctionDefinition | undefined {
  return name ? world.program.functions.get(name)?.find((definition) => definition.isKernel) : undefined;
}
