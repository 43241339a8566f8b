/** What kinds of nodes are called, in pictures and in texts. */

import type { NodeKind } from './scene.ts';

export const kindWords: Readonly<Record<NodeKind, string>> = {
  kernel: 'kernel',
  memcpy: 'copy',
  memset: 'memset',
  host: 'host function',
  empty: 'empty',
  child: 'child graph',
  eventRecord: 'event record',
  eventWait: 'event wait',
  memAlloc: 'alloc',
  memFree: 'free',
  conditional: 'conditional',
  semaphoreSignal: 'semaphore signal',
  semaphoreWait: 'semaphore wait',
  batchMemOp: 'batch mem op',
  unknown: 'unknown node',
};

/** Words that do not stand by themselves. */
const adjectives: ReadonlySet<NodeKind> = new Set(['empty', 'conditional']);

/** `1 kernel`, `2 copies`, `3 empty nodes`. */
export function countOfKind(kind: NodeKind, count: number): string {
  const word = adjectives.has(kind) ? `${kindWords[kind]} node` : kindWords[kind];
  return `${count} ${count === 1 ? word : word.endsWith('y') ? `${word.slice(0, -1)}ies` : `${word}s`}`;
}
