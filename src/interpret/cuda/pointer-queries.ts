/**
 * What `cudaPointerGetAttributes` says of an address: of which kind its memory is, and what it is called on the device and on the host
 * (CUDA Runtime API 13.0, unified addressing). Of memory that came from outside nobody knows it.
 */

import { noteAnswer } from '../choices/implied.ts';
import { objectBehind } from '../host-ends.ts';
import { numberValue, unknownValue, type Value } from '../value.ts';
import type { World } from '../world.ts';
import type { EffectContext } from './apply-model.ts';
import { devicePointer } from './effect-values.ts';
import { pathCell, pathValue } from './paths.ts';

/** `cudaMemoryType`. */
const unregistered = 0;
const host = 1;
const device = 2;
const managed = 3;
/** `cudaInvalidDeviceId`. */
const invalidDevice = -2;

const kinds: Readonly<Record<string, number>> = { device, stream: device, graph: device, host, managed };

/** What a freed address of this origin is none of any more, as soon as the call is over. */
const freedAtOnce = new Set(['device', 'host', 'managed']);

/** Fills the attributes at `target` with what is known of the address at `pointer`. */
export function writePointerAttributes(context: EffectContext, target: string, pointer: string): void {
  const kind = kindOfMemory(context, pointer);
  const address = pathValue(context, pointer);
  const ifOn = (isThere: boolean): Value => (isThere ? address : numberValue(0));
  const fields: Readonly<Record<string, Value>> =
    kind === null
      ? { type: unknownValue, devicePointer: unknownValue, hostPointer: unknownValue }
      : {
          type: numberValue(kind),
          // Until CUDA 10: there was none of memory that is not registered.
          ...(kind === unregistered ? {} : { memoryType: numberValue(Math.min(kind, device)) }),
          device: kind === unregistered ? numberValue(invalidDevice) : someDevice(context.world, address),
          devicePointer: ifOn(kind !== unregistered),
          hostPointer: ifOn(kind === host || kind === managed),
        };
  for (const [name, value] of Object.entries(fields)) {
    const cell = pathCell(context, `${target}.${name}`);
    if (cell) cell.value = value;
  }
}

/** One of those that there are: none is negative. */
function someDevice(world: World, address: Value): Value {
  if (address.kind !== 'device') return unknownValue;
  const left = { kind: 'symbol', name: `the device of ${address.allocation}` } as const;
  noteAnswer(world, { kind: 'operation', operator: '>=', left, right: { kind: 'number', value: 0 } }, true);
  return { kind: 'symbol', size: left, hint: null };
}

function kindOfMemory(context: EffectContext, pointer: string): number | null {
  const { world } = context;
  const value = pathValue(context, pointer);
  if (value.kind === 'device' || value.kind === 'record') {
    const known = devicePointer(context, pointer);
    const origin = (known && world.allocations[known.allocation]?.origin) ?? '';
    if (known && world.gone.allocations.has(known.allocation)) return freedAtOnce.has(origin) ? unregistered : null;
    if (known && freedAtOnce.has(origin) && isReset(world, known.allocation))
      return world.events.some(({ verb }) => verb === 'device.set') ? null : unregistered;
    return kinds[origin] ?? null;
  }
  if (value.kind !== 'pointer' && value.kind !== 'sequence') return null;
  const object = objectBehind(value, true);
  return object && world.hostObjects.get(object)?.isPinned ? host : unregistered;
}

/** Whether a device was reset behind the call that made the memory, perhaps the one that it is on. */
function isReset({ events }: World, allocation: number): boolean {
  const reset = events.findLastIndex(({ verb }) => verb === 'device.reset');
  return reset >= 0 && events.slice(0, reset).some((event) => 'allocation' in event && event.allocation === allocation);
}
