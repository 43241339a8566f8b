/** L12: Memory is allocated from a pool that another process has exported. */

import { eventOf } from '../facts.ts';
import { refusalViolations } from '../refusal-violations.ts';
import { defineRule } from '../rule.ts';

export const asyncImportPoolAlloc = defineRule({
  id: 'async-import-pool-alloc',
  number: 'L12',
  group: 'L',
  severity: 'error',
  summary: 'Memory is allocated from a pool that was imported from another process, or a device is given such a pool.',
  why: 'An imported pool only leads to what the process that made it has allocated: cudaMallocFromPoolAsync and cudaDeviceSetMemPool return an error.',
  remedy: 'Allocate in the process that made the pool, and take the memory over with cudaMemPoolImportPointer.',
  source: 'CUDA Runtime API, cudaMemPoolImportFromShareableHandle',
  bad: `
extern int handle;
cudaMemPool_t pool;
cudaMemPoolImportFromShareableHandle(&pool, (void *)(size_t)handle, cudaMemHandleTypePosixFileDescriptor, 0);
cudaMallocFromPoolAsync(&data, bytes, pool, stream); //!
`,
  good: `
extern int handle;
cudaMemPool_t pool;
cudaMemPoolImportFromShareableHandle(&pool, (void *)(size_t)handle, cudaMemHandleTypePosixFileDescriptor, 0);
cudaMemPoolPtrExportData exported;
receive(&exported);
cudaMemPoolImportPointer((void **)&data, pool, &exported);
`,
  check: (facts) =>
    refusalViolations(facts, ['importedPool'], ({ api }, { event }) =>
      eventOf(facts, event).verb === 'pool.set'
        ? `No device allocates from a pool that comes from another process: ${api} returns an error.`
        : `The pool comes from another process: ${api} allocates nothing and returns an error.`,
    ),
});
