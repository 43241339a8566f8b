/** L9: cudaFreeAsync is given memory of the host, managed memory, or an address inside an allocation. */

import type { CallOutcome } from '../../execution/execution.ts';
import { eventOf, type Facts } from '../facts.ts';
import { type RefusalWords, refusalViolations } from '../refusal-violations.ts';
import { defineRule } from '../rule.ts';

export const asyncFreeForeign = defineRule({
  id: 'async-free-foreign',
  number: 'L9',
  group: 'L',
  severity: 'error',
  summary: 'cudaFreeAsync is given memory of the host, managed memory, or an address inside an allocation.',
  why: 'The call returns cudaErrorInvalidValue, of managed memory cudaErrorNotSupported, and frees nothing. Memory of cudaMallocAsync, of cudaMalloc and of graphs can be freed in the order of a stream.',
  remedy:
    "Free pinned memory with cudaFreeHost, managed memory with cudaFree, and the rest of the host's memory as it was allocated, when the stream is done with it.",
  source: 'CUDA Runtime API, cudaFreeAsync; asked of an H200',
  bad: `
cudaMemcpyAsync(host, result, bytes, cudaMemcpyDeviceToHost, stream);
cudaFreeAsync(host, stream); //!
`,
  good: `
cudaMemcpyAsync(host, result, bytes, cudaMemcpyDeviceToHost, stream);
cudaStreamSynchronize(stream);
cudaFreeHost(host);
`,
  check: (facts) =>
    refusalViolations(
      facts,
      ['freeOfHostMemory', 'mismatchedFree', 'interiorFree'],
      (words, outcome) => `${what(facts, words, outcome)}: ${words.api} returns ${words.result} and frees nothing.`,
      () => [],
      ({ event }) => eventOf(facts, event).verb === 'memory.freeAsync',
    ).map((violation) =>
      isAssumed(facts, violation.event) ? { ...violation, certainty: 'sometimes' as const } : violation,
    ),
});

/** An allocator that looks a pointer up in its books gives back what is in them: whether memory of the host is, nobody knows here. */
function isAssumed(facts: Facts, event: number): boolean {
  const call = eventOf(facts, event);
  if (call.verb !== 'memory.freeAsync' || call.ofHost === undefined) return false;
  return facts.trace.decisions.some(({ at, isLoop }) => !isLoop && at <= event);
}

function what(facts: Facts, { allocation }: RefusalWords, { event, refusal, ...outcome }: CallOutcome): string {
  const call = eventOf(facts, event);
  if (call.verb === 'memory.freeAsync' && call.ofHost !== undefined) return `\`${call.ofHost}\` is memory of the host`;
  if (refusal === 'interiorFree') return `This is an address inside ${allocation}, not where it begins`;
  if (facts.trace.allocations[outcome.allocation ?? -1]?.isVariable) return `${allocation} is a variable of the device`;
  const isManaged = facts.execution.allocations[outcome.allocation ?? -1]?.kind === 'managed';
  return `${allocation} is ${isManaged ? 'managed memory' : 'memory of the host'}`;
}
