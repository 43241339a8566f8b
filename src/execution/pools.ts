/** Memory pools: which devices may use what is allocated from each, and from which one a device allocates. */

import type { EventOf } from '../trace/event.ts';
import { unsafeInCapture } from './capture.ts';
import { none, noteDevices, readOnly } from './device-access.ts';
import type { CallOutcome } from './execution.ts';
import { deviceOfStream } from './peer-access.ts';
import { refuse, type State, succeed } from './state.ts';

export interface PoolModel {
  readonly device: number | null;
  readonly access: Set<number>;
  /** The event that made it, or that it was asked for with. */
  readonly event: number;
  /** The device has it by itself. */
  readonly isDefault: boolean;
  /** It comes from another process: nothing is allocated from it (CUDA Runtime API, cudaMemPoolImportFromShareableHandle). */
  readonly isImported: boolean;
  /** The event that destroyed it. */
  destroyed: number | null;
  /** Devices that nobody here knows were given access. */
  isOpen: boolean;
}

export function notePool(state: State, event: EventOf<'pool.get'> | EventOf<'pool.create'>): CallOutcome {
  const refused = event.verb === 'pool.create' && event.unsafeInCapture ? unsafeInCapture(state, event) : null;
  if (refused) return refused;
  if (!state.pools.has(event.pool))
    state.pools.set(event.pool, {
      device: event.device,
      access: new Set(),
      event: event.index,
      isDefault: event.verb === 'pool.get',
      isImported: event.verb === 'pool.create' && event.isImported === true,
      destroyed: null,
      isOpen: false,
    });
  return succeed(event);
}

/** The pool that a device has by itself is not destroyed (asked of an H200). */
export function destroyPool(state: State, event: EventOf<'pool.destroy'>): CallOutcome {
  if (event.isDefault) return refuse(event, 'cudaErrorInvalidValue', 'defaultPoolDestroyed');
  const pool = state.pools.get(event.pool);
  if (pool) pool.destroyed ??= event.index;
  return succeed(event);
}

/** `cudaDeviceSetMemPool`: a pool of that device, and of this process. */
export function setPool(state: State, event: EventOf<'pool.set'>): CallOutcome {
  const pool = event.pool === null ? undefined : state.pools.get(event.pool);
  if (pool?.isImported) return refuse(event, 'cudaErrorInvalidValue', 'importedPool', madeAt(pool));
  if (pool && pool.device !== null && event.device !== null && pool.device !== event.device)
    return refuse(event, 'cudaErrorInvalidValue', 'poolOfOtherDevice', madeAt(pool));
  state.poolOfDevice.set(event.device, event.pool);
  return succeed(event);
}

/**
 * `cudaMemPoolSetAccess` (rules F4 to F8; recording `pool_access_and_revoke_resident`): read-only is not supported, and
 * the device that a pool lies on keeps its access.
 */
export function setPoolAccess(state: State, event: EventOf<'pool.access'>): CallOutcome {
  const pool = state.pools.get(event.pool);
  for (const { device, flags } of event.access) {
    if (flags === readOnly) return succeed(event, { result: 'cudaErrorNotSupported' });
    if (flags === none && device === pool?.device) return succeed(event, { result: 'cudaErrorInvalidDevice' });
  }
  for (const { device, flags } of event.access) {
    if (device === null && pool) pool.isOpen = true;
    if (device === null) continue;
    if (flags === none) pool?.access.delete(device);
    else pool?.access.add(device);
  }
  return succeed(event);
}

/** Why nothing is allocated from a pool: it comes from another process, or is gone (asked of an H200). */
export function refusedPool(state: State, event: EventOf<'memory.allocateAsync'>): CallOutcome | null {
  const pool = event.pool === null ? undefined : state.pools.get(event.pool);
  if (pool?.isImported) return refuse(event, 'cudaErrorInvalidValue', 'importedPool', madeAt(pool), event.allocation);
  if (!pool || pool.destroyed === null) return null;
  return refuse(
    event,
    'cudaErrorInvalidValue',
    'poolDestroyed',
    [{ role: 'destroy', event: pool.destroyed }],
    event.allocation,
  );
}

function madeAt({ event }: PoolModel): CallOutcome['related'] {
  return [{ role: 'pool', event }];
}

/** An allocation from a pool has the access that the pool has now (`capture_pool_access_before`, `…_after`). */
export function notePoolDevices(state: State, event: EventOf<'memory.allocateAsync'>): void {
  const device = deviceOfStream(state, event.stream);
  const id = event.pool ?? currentPool(state, device);
  const pool = id === null ? undefined : state.pools.get(id);
  if (pool && !pool.isOpen) noteDevices(state, event.allocation, pool.device, pool.access);
  if (id !== null) state.poolOfAllocation.set(event.allocation, id);
  if (pool) return;
  if (event.pool === null && id === null) noteDevices(state, event.allocation, device);
}

/** The pool that a device was given last, while it is there, else the one that it has by itself; null where nothing was asked of either. */
function currentPool(state: State, device: number | null): number | null {
  const given = state.poolOfDevice.get(device);
  if (given !== undefined && given !== null && !isDestroyed(state, given)) return given;
  if (given === null || state.poolOfDevice.has(null)) return unknownPool;
  for (const [id, pool] of state.pools) if (pool.isDefault && pool.device === device) return id;
  return null;
}

function isDestroyed({ pools }: State, id: number): boolean {
  const { destroyed = null } = pools.get(id) ?? {};
  return destroyed !== null;
}

/** No handle has it. */
const unknownPool = -1;
