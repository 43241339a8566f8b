/** Predicting a case of one stream-ordered memory pool. */

import { createDriver, type DriverOptions, step } from '../driver.ts';
import type { Operation, Outcome } from '../operations.ts';
import type { Driver } from '../state.ts';
import { POOL_KERNEL_MICROSECONDS, resultOf } from './predicted.ts';
import { type Fields, listIn, numberIn, RecordingError, textIn } from './read.ts';

const POOL = 0;

export function predictPool(fields: Fields, options: DriverOptions): Fields {
  const driver = createDriver({ ...options, workMicroseconds: POOL_KERNEL_MICROSECONDS });
  step(driver, {
    kind: 'poolCreate',
    pool: POOL,
    followEvents: fields['followEvents'] === true,
    opportunistic: fields['opportunistic'] === true,
    internalDependencies: fields['internalDependencies'] === true,
    releaseThreshold: thresholdOf(fields['releaseThreshold']),
  });
  const live = new Set<number>();
  const log = listIn(fields, 'log').map((operation) => {
    const outcome = doOperation(driver, operation, live);
    const address = outcome.address === undefined ? {} : { va: offsetOf(driver, outcome.address) };
    return { ...operation, ...address, rc: resultOf(outcome), mem: memoryOf(driver) };
  });
  return { ...fields, log };
}

/** `0`, `max` or a number of bytes. */
function thresholdOf(value: unknown): number {
  return value === 'max' ? Number.POSITIVE_INFINITY : Number(value ?? 0) || 0;
}

function offsetOf(driver: Driver, address: number): string {
  return (address - (driver.pools.get(POOL)?.base ?? address)).toString(16);
}

function memoryOf(driver: Driver): readonly number[] {
  const pool = driver.pools.get(POOL);
  return pool ? [pool.used, pool.usedHigh, pool.mapped.size * pool.blockBytes, pool.reservedHigh] : [0, 0, 0, 0];
}

function doOperation(driver: Driver, operation: Fields, live: Set<number>): Outcome {
  if (operation['op'] === 'freeAll') return freeAll(driver, numberIn(operation, 'stream'), live);
  const outcome = step(driver, operationOf(operation));
  if (outcome.result === 'cudaSuccess') {
    if (operation['op'] === 'malloc') live.add(numberIn(operation, 'alloc'));
    if (operation['op'] === 'free') live.delete(numberIn(operation, 'alloc'));
  }
  return outcome;
}

function operationOf(operation: Fields): Operation {
  const name = textIn(operation, 'op');
  const at = (key: string): number => numberIn(operation, key);
  switch (name) {
    case 'malloc':
      return { kind: 'poolMalloc', pool: POOL, allocation: at('alloc'), bytes: at('bytes'), stream: at('stream') };
    case 'free':
      return { kind: 'freeAsync', allocation: at('alloc'), stream: at('stream') };
    case 'record':
      return { kind: 'eventRecord', event: at('event'), stream: at('stream') };
    case 'wait':
      return { kind: 'eventWait', event: at('event'), stream: at('stream') };
    case 'sync':
      return { kind: 'syncStream', stream: at('stream') };
    case 'syncDevice':
      return { kind: 'syncDevice' };
    case 'trimTo':
      return { kind: 'poolTrimTo', pool: POOL, bytes: at('bytes') };
    case 'work':
      return { kind: 'work', stream: at('stream') };
    default:
      throw new RecordingError(`unknown operation \`${name}\``);
  }
}

/** The recorder's end of a case: what is live is freed in the order it was allocated. */
function freeAll(driver: Driver, stream: number, live: Set<number>): Outcome {
  for (const allocation of live) step(driver, { kind: 'freeAsync', allocation, stream });
  live.clear();
  return step(driver, { kind: 'eventRecord', event: -1, stream });
}
