/** L10: Memory is allocated from a pool that was destroyed, or the pool that a device has by itself is destroyed. */

import { handleName } from '../describe.ts';
import { eventOf, type Facts } from '../facts.ts';
import { refusalViolations, relatedEvent } from '../refusal-violations.ts';
import { defineRule } from '../rule.ts';

export const asyncPoolDestroyed = defineRule({
  id: 'async-pool-destroyed',
  number: 'L10',
  group: 'L',
  severity: 'error',
  summary: 'Memory is allocated from a pool that was destroyed, or the pool that a device has by itself is destroyed.',
  why: 'The call returns cudaErrorInvalidValue. What was allocated before stays until it is freed; the pool of the device stays as it is.',
  remedy:
    'Destroy a pool behind the last allocation from it, and never the one that cudaDeviceGetDefaultMemPool gives.',
  source: 'CUDA Runtime API, cudaMemPoolDestroy; asked of an H200',
  bad: `
cudaMemPool_t pool;
cudaMemPoolCreate(&pool, &params.poolProps);
cudaMemPoolDestroy(pool);
cudaMallocFromPoolAsync(&data, bytes, pool, stream); //!
`,
  good: `
cudaMemPool_t pool;
cudaMemPoolCreate(&pool, &params.poolProps);
cudaMallocFromPoolAsync(&data, bytes, pool, stream);
produce<<<1, 32, 0, stream>>>(data);
cudaMemPoolDestroy(pool);
cudaFreeAsync(data, stream);
`,
  check: (facts) => [
    ...refusalViolations(
      facts,
      ['poolDestroyed'],
      ({ api, result }, { event }) =>
        `${api} takes memory from ${poolName(facts, event)}, which has been destroyed: it returns ${result}.`,
      (outcome) => {
        const destroyed = relatedEvent(outcome, 'destroy');
        return destroyed === null ? [] : [{ kind: 'moveBehind', event: destroyed, behind: outcome.event }];
      },
    ),
    ...refusalViolations(
      facts,
      ['defaultPoolDestroyed'],
      ({ api, result }) => `A device keeps the pool that it has by itself: ${api} returns ${result}.`,
    ).map((violation) => ({ ...violation, severity: 'warning' as const })),
  ],
});

function poolName(facts: Facts, event: number): string {
  const call = eventOf(facts, event);
  const name = call.verb === 'memory.allocateAsync' ? handleName(facts, call.pool) : '';
  return name === '' ? 'a pool' : `the pool ${name}`;
}
