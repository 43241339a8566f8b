/** C4: Work in a stream that is not part of the capture is not in the graph, though it works on memory of the graph's work. */

import { accessVerb, actorName, allocationName, streamName, subjectOfAllocation } from '../describe.ts';
import { type EscapedWork, findEscapedWork } from '../escaped-work.ts';
import type { Facts } from '../facts.ts';
import { defineRule, type Violation } from '../rule.ts';

export const captureWorkEscapes = defineRule({
  id: 'capture-work-escapes',
  number: 'C4',
  group: 'C',
  severity: 'warning',
  summary: 'Work is given to a stream that takes no part in the capture, on memory that the captured work shares.',
  why: 'It runs at once and is not in the graph: launches of the graph run without it, on what it left behind, and nothing orders it with them. CUDA says nothing.',
  remedy:
    'Give the work to the stream that captures, or let its stream wait for an event that was recorded in the capture; or do it before.',
  source: 'CUDA Programming Guide, cross-stream dependencies and events in captures',
  bad: `
cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
produce<<<1, 32, 0, second>>>(result); //!
consume<<<1, 32, 0, stream>>>(result, host);
cudaStreamEndCapture(stream, &captured);
`,
  good: `
cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
produce<<<1, 32, 0, stream>>>(result);
consume<<<1, 32, 0, stream>>>(result, host);
cudaStreamEndCapture(stream, &captured);
`,
  check: (facts) => findEscapedWork(facts).map((each) => violation(facts, each)),
});

function violation(facts: Facts, { work, begin, node, captured, access }: EscapedWork): Violation {
  const { allocation } = access.pointer;
  const name = allocationName(facts, allocation);
  const one = actorName(facts, work.index);
  const other = actorName(facts, node.event, node);
  return {
    event: work.index,
    message: `${one} in ${streamName(facts, work.stream)} is not part of the capture: it ${accessVerb(access.mode)} ${name} at once, and not where the graph runs, in which ${other} ${accessVerb(captured.mode)} it.`,
    certainty: 'always',
    related: [
      { role: 'capture', event: begin.index, message: 'the capture begins here' },
      { role: 'use', event: node.event, message: `${other} ${accessVerb(captured.mode)} it here` },
    ],
    witness: [],
    repairs: [],
    subject: subjectOfAllocation(facts, allocation),
  };
}
