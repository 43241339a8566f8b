/** L11: A device is given a pool of another device. */

import { refusalViolations } from '../refusal-violations.ts';
import { defineRule } from '../rule.ts';

export const asyncPoolDeviceMismatch = defineRule({
  id: 'async-pool-device-mismatch',
  number: 'L11',
  group: 'L',
  severity: 'error',
  summary: 'A device is given a memory pool of another device to allocate from.',
  why: 'The call returns cudaErrorInvalidValue, and cudaMallocAsync goes on allocating from the pool that the device had.',
  remedy: 'Make the pool with the location of that device, or allocate from it with cudaMallocFromPoolAsync.',
  source: 'CUDA Runtime API, cudaDeviceSetMemPool',
  bad: `
cudaMemPool_t pool;
cudaMemPoolProps properties = params.poolProps;
properties.location.id = 0;
cudaMemPoolCreate(&pool, &properties);
cudaDeviceSetMemPool(1, pool); //!
`,
  good: `
cudaMemPool_t pool;
cudaMemPoolProps properties = params.poolProps;
properties.location.id = 1;
cudaMemPoolCreate(&pool, &properties);
cudaDeviceSetMemPool(1, pool);
`,
  check: (facts) =>
    refusalViolations(
      facts,
      ['poolOfOtherDevice'],
      ({ api, result }) => `${api} is given a pool of another device and returns ${result}.`,
    ),
});
