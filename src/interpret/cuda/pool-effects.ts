/** Verbs of memory pools: which there are, on which device each lies, and from which one a device allocates. */

import type { ModelEffect } from '../../models/model.ts';
import type { Value } from '../value.ts';
import { createHandle, type World } from '../world.ts';
import type { EffectContext } from './apply-model.ts';
import { handle, number, pathOf } from './effect-values.ts';
import { type Applier, define, ifHandle, write } from './effect-writing.ts';
import { descriptorsAt } from './operation.ts';
import { pathCell, pathValue } from './paths.ts';

export const poolEffects: Readonly<Record<string, Applier>> = {
  'pool.default': (context, effect) => {
    const device = number(context, effect, 'device');
    put(context, effect, defaultPool(context, device));
  },
  // A device allocates from the pool it was given last, at first from its own.
  'pool.current': (context, effect) => {
    const { world } = context;
    const device = number(context, effect, 'device');
    const given = device === null ? undefined : world.externals.get(poolOf(device));
    const isOpen = !world.isWholeProgram || world.externals.has(poolOfSome);
    put(context, effect, given ?? (isOpen ? unseenPool(context, device) : defaultPool(context, device)));
  },
  'pool.set': (context, effect) => {
    const { world } = context;
    const device = number(context, effect, 'device');
    const pool = handle(context, effect, 'pool', 'pool');
    const value = pathValue(context, pathOf(effect, 'pool'));
    if (device === null || pool === null) world.externals.set(poolOfSome, value);
    else if (!isOfAnother(world, pool, device)) world.externals.set(poolOf(device), value);
    write(context, { verb: 'pool.set', pool, device });
  },
  'pool.access': (context, effect) =>
    ifHandle(context, effect, 'pool', 'pool', (pool) => ({
      verb: 'pool.access',
      pool,
      access: descriptorsAt(context, pathOf(effect, 'access'), number(context, effect, 'count')),
    })),
  'pool.create': (context, effect) => {
    const pool = define(context, effect, 'pool', 'pool');
    const properties = pathOf(effect, 'properties');
    const read = (path: string): number | null => {
      const value = properties === '' ? null : pathValue(context, `${properties}.location.${path}`);
      return value?.kind === 'number' ? value.value : null;
    };
    const device = read('type') === onDevice ? read('id') : null;
    const imported = effect['imported'] === true ? ({ isImported: true } as const) : {};
    const unsafeInCapture = context.row.unsafeInCapture === true;
    write(context, { verb: 'pool.create', pool, device, unsafeInCapture, ...imported });
  },
  'pool.destroy': (context, effect) => {
    const pool = handle(context, effect, 'pool', 'pool');
    if (pool === null) return;
    let isDefault = false;
    for (const [key, value] of context.world.externals) {
      if (value.kind !== 'handle' || value.id !== pool) continue;
      if (key.startsWith(ownPool)) isDefault = true;
      // The device has its own again.
      else if (key.startsWith(givenPool)) context.world.externals.delete(key);
    }
    write(context, { verb: 'pool.destroy', pool, ...(isDefault ? { isDefault } : {}) });
  },
};

/** `cudaMemLocationTypeDevice`. */
const onDevice = 1;

const ownPool = 'default pool ';
const poolOfSome = 'the pool of some device';
const givenPool = 'the pool of device ';
const poolOf = (device: number): string => `${givenPool}${device}`;

function put(context: EffectContext, effect: ModelEffect, pool: Value): void {
  const cell = pathCell(context, pathOf(effect, 'pool'));
  if (cell) cell.value = pool;
}

/** The pool that a device has by itself. */
function defaultPool(context: EffectContext, device: number | null): Value {
  const { world, span } = context;
  const key = `${ownPool}${device ?? 0}`;
  const known = world.externals.get(key);
  const pool = known ?? createHandle(world, 'pool', 'default pool', span);
  world.externals.set(key, pool);
  if (!known && pool.kind === 'handle') write(context, { verb: 'pool.get', pool: pool.id, device });
  return pool;
}

/** Whether a pool lies on another device: it is not taken. */
function isOfAnother({ events }: World, pool: number, device: number): boolean {
  return events.some(
    (each) =>
      (each.verb === 'pool.create' || each.verb === 'pool.get') &&
      each.pool === pool &&
      each.device !== null &&
      each.device !== device,
  );
}

/** The pool that somebody unseen may have given a device. */
function unseenPool({ world, span }: EffectContext, device: number | null): Value {
  const key = `current pool ${device ?? 0}`;
  const known = world.externals.get(key);
  const pool = known ?? createHandle(world, 'pool', 'current pool', span, true, true);
  world.externals.set(key, pool);
  return pool;
}
