/** What the three kinds of cases share: nodes out of recorded operations, and answers in the recordings' shape. */

import type { AddNode, MemoryAttributes, Outcome } from '../operations.ts';
import { type Fields, numberIn, numbersIn, RecordingError, textIn } from './read.ts';

/** Answers as a recording writes them. */
export interface Answers {
  readonly rc?: string;
  readonly mem: MemoryAttributes;
}

/** An address that hangs on the order of host addresses. */
export interface HostOrderNote {
  /** Which graph of the case, when there are several. */
  readonly graph?: number;
  /** Index of the operation that adds the node. */
  readonly operation: number;
  readonly allocation: number;
  readonly address: number;
  readonly otherAddress: number;
}

/** `ok` or the error's name. */
export function resultOf(outcome: Outcome): string {
  return outcome.result === 'cudaSuccess' ? 'ok' : outcome.result;
}

export function answersOf(outcome: Outcome): Answers {
  return { rc: resultOf(outcome), mem: outcome.memory };
}

/** Microseconds of a work node in a case whose graphs spin, and of a kernel between pool operations. */
export const GRAPH_KERNEL_MICROSECONDS = 300;
export const POOL_KERNEL_MICROSECONDS = 400;

/** The node that a recorded operation adds; without `deps` it follows the node before it. */
export function nodeOf(
  operation: Fields,
  index: number,
  allocationId: (allocation: number, owner: number | undefined) => number,
): Pick<AddNode, 'node' | 'dependencies'> {
  const dependencies = numbersIn(operation, 'deps') ?? [];
  const kind = textIn(operation, 'op');
  switch (kind) {
    case 'alloc': {
      // An allocation that was refused while recording has no number.
      const allocation = 'alloc' in operation ? numberIn(operation, 'alloc') : -1 - index;
      return {
        node: { kind: 'alloc', allocation: allocationId(allocation, undefined), bytes: numberIn(operation, 'bytes') },
        dependencies,
      };
    }
    case 'free': {
      const owner = 'owner' in operation ? numberIn(operation, 'owner') : undefined;
      return { node: { kind: 'free', allocation: allocationId(numberIn(operation, 'alloc'), owner) }, dependencies };
    }
    case 'child':
      return { node: { kind: 'child', child: numberIn(operation, 'graph'), move: true }, dependencies };
    case 'work':
    case 'empty':
    case 'kernel':
      return { node: { kind: 'other' }, dependencies };
    default:
      throw new RecordingError(`operation ${index}: unknown node \`${kind}\``);
  }
}

/** The operation with its predicted address, as an offset, or with the error that refused it. */
export function relativeTo(lowest: number, operation: Fields, outcome: Outcome): Fields {
  if (outcome.result !== 'cudaSuccess') return { ...operation, rc: outcome.result };
  return outcome.address === undefined ? operation : { ...operation, va: (outcome.address - lowest).toString(16) };
}

export function noteOf(operation: Fields, index: number, outcome: Outcome): HostOrderNote | undefined {
  const { address, otherAddress } = outcome;
  if (address === undefined || otherAddress === undefined) return undefined;
  return { operation: index, allocation: numberIn(operation, 'alloc'), address, otherAddress };
}
