/**
 * Local variables of the host that work on the device is given the address of: the source of a copy, what a callback is called
 * with. A graph keeps the address, not what is there (CUDA Programming Guide, graph memcpy and host nodes).
 */

import type { ModelEffect } from '../models/model.ts';
import type { EffectContext } from './apply-model.ts';
import { pathValue } from './paths.ts';
import type { Cell, RecordObject, Sequence, Value } from './value.ts';
import { emit, type World } from './world.ts';

/** Arrays and objects by identity; vectors may give their elements away and are not followed. */
export type HostObject = RecordObject | Sequence;

/** Its number, and how many events came before it was given last. */
export interface GivenObject {
  readonly number: number;
  readonly at: number;
}

/** The objects behind the paths of an effect, numbered. */
export function hostMemoryOf(context: EffectContext, effect: ModelEffect): readonly number[] {
  const paths = [effect['reads'], effect['writes'], effect['userData']].flatMap((each) =>
    typeof each === 'string' ? [each] : Array.isArray(each) ? each : [],
  );
  return paths.flatMap((path: string) => {
    const object = objectBehind(pathValue(context, path));
    return object ? [numberOf(context.world, object)] : [];
  });
}

function objectBehind(value: Value): HostObject | null {
  // What TypeScript's program lets go of stays there while somebody has it.
  if (value.kind === 'sequence') return value.sequence.byValue || value.sequence.isShared ? null : value.sequence;
  if (value.kind !== 'pointer') return null;
  if (value.sequence) return value.sequence.byValue ? null : value.sequence;
  const { value: held, owner } = value.cell;
  return held.kind === 'record' ? held.record : held.kind === 'sequence' ? objectBehind(held) : owner;
}

function numberOf(world: World, object: HostObject): number {
  const number = world.hostObjects.get(object)?.number ?? world.hostObjects.size;
  world.hostObjects.set(object, { number, at: world.events.length });
  return number;
}

/** A local variable's life ends with its scope. */
export function endHostObject(world: World, { value, name }: Cell): void {
  if (world.hostObjects.size === 0) return;
  const object = value.kind === 'record' ? value.record : value.kind === 'sequence' ? value.sequence : null;
  const given = object ? world.hostObjects.get(object) : undefined;
  if (!object || !given || ('released' in object && object.released)) return;
  const mayHaveWaited = world.unknownAt > given.at;
  emit(world, 'scope', world.statement, [], { verb: 'host.objectEnds', object: given.number, name, mayHaveWaited });
}
