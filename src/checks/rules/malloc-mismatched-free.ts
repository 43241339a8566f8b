/** M4: Memory is freed by a function for memory of another kind. */

import type { CallOutcome } from '../../execution/execution.ts';
import { eventOf, type Facts } from '../facts.ts';
import { refusalViolations } from '../refusal-violations.ts';
import { defineRule } from '../rule.ts';

export const mallocMismatchedFree = defineRule({
  id: 'malloc-mismatched-free',
  number: 'M4',
  group: 'M',
  severity: 'error',
  summary: 'Memory is freed by a function for memory of another kind.',
  why: 'The call returns cudaErrorInvalidValue and frees nothing: cudaFreeHost is for memory of cudaMallocHost and cudaHostAlloc only, which cudaFree does not free. No call frees a variable of the device.',
  remedy: 'Free pinned host memory with cudaFreeHost, and everything else with cudaFree or cudaFreeAsync.',
  source: 'cudaFreeHost reference; recording double_cudaFree_and_interior',
  bad: `
cudaMalloc(&data, bytes);
cudaFreeHost(data); //!
`,
  good: `
cudaMalloc(&data, bytes);
cudaFree(data);
cudaFreeHost(host);
`,
  check: (facts) =>
    refusalViolations(
      facts,
      ['mismatchedFree'],
      ({ api, allocation, result }, outcome) =>
        `${allocation} is ${kindOf(facts, outcome)}: ${api} returns ${result} and frees nothing.`,
      () => [],
      ({ event }) => eventOf(facts, event).verb !== 'memory.freeAsync',
    ).map((each) => (isAskedAbout(facts, each.event) ? { ...each, isMeantForAllPaths: true } : each)),
});

/** `if (isOfHost(p)) cudaFreeHost(p); else cudaFree(p);`: a function that nobody sees was given the memory, and may have said of which kind it is. */
function isAskedAbout({ trace }: Facts, free: number): boolean {
  const event = trace.events[free]!;
  const allocation = 'pointer' in event ? event.pointer?.allocation : undefined;
  const asked = trace.events.findIndex(
    (each, index) =>
      index < free &&
      each.verb === 'call.unknown' &&
      each.pointers.some((pointer) => pointer.allocation === allocation),
  );
  return asked >= 0 && trace.decisions.some(({ at }) => at > asked && at <= free);
}

function kindOf(facts: Facts, { event, allocation }: CallOutcome): string {
  if (facts.trace.allocations[allocation ?? -1]?.isVariable) return 'a variable of the device';
  return eventOf(facts, event).verb === 'memory.freeHost' ? 'not pinned host memory' : 'host memory';
}
