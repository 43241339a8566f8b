/** What rows of work in streams have in common in both APIs. */

import type { ModelEffect, ModelRow } from './model.ts';

/** A call that enqueues work, in the stream at a path or in the default stream (`legacy`). */
export const work = (
  name: string,
  stream: string,
  effect: Partial<ModelEffect>,
  arity?: ModelRow['arity'],
): ModelRow => ({
  name,
  ...(arity === undefined ? {} : { arity }),
  returns: 'status',
  effects: [{ verb: 'stream.operation', stream, ...effect }],
});

/** `destinations, sources, sizes, count, …`. */
export const batchOfCopies: Partial<ModelEffect> = {
  kind: 'memcpy',
  label: 'batch of copies',
  listCount: 'arg3',
  listBytes: 'arg2',
  writeLists: ['arg0'],
  readLists: ['arg1'],
};

/** `count, operations, …`, each with its two sides. */
export const batchOf3dCopies: Partial<ModelEffect> = {
  kind: 'memcpy',
  label: 'batch of copies',
  listCount: 'arg0',
  writeLists: ['arg1[*].dst.op.ptr.ptr'],
  readLists: ['arg1[*].src.op.ptr.ptr'],
};

/** `address, bytes, …`. */
export const prefetch: Partial<ModelEffect> = { kind: 'memcpy', label: 'prefetch', reads: ['arg0'], bytes: ['arg1'] };

/** `addresses, sizes, count, …`. */
export const prefetches: Partial<ModelEffect> = {
  kind: 'memcpy',
  label: 'prefetch',
  listCount: 'arg2',
  readLists: ['arg0'],
};

/** `addresses, sizes, count, …`: what was there is lost. */
export const discards: Partial<ModelEffect> = {
  kind: 'memset',
  label: 'discard',
  listCount: 'arg2',
  writeLists: ['arg0'],
};

/** Numbers in memory that a stream waits for or writes, in an array of a union: each member has the address at the same place. */
export const batchOfMemoryOperations = (operations: string, count: string): Partial<ModelEffect> => ({
  listCount: count,
  awaits: `${operations}[*].waitValue.address`,
  tells: `${operations}[*].writeValue.address`,
  touchLists: ['waitValue', 'writeValue', 'atomicReduction'].map((member) => `${operations}[*].${member}.address`),
});
