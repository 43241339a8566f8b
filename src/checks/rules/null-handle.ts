/** B25: Null, or a variable that nothing was stored in, is used as if it were an event or a graph, or such a variable as a stream. */

import { refusalViolations } from '../refusal-violations.ts';
import { defineRule } from '../rule.ts';

export const nullHandle = defineRule({
  id: 'null-handle',
  number: 'B25',
  group: 'B',
  severity: 'error',
  summary:
    'Null is recorded, waited for or queried as if it were an event, or built up, cloned or instantiated as if it were a graph.',
  why: 'The call returns cudaErrorInvalidResourceHandle, or for a graph and an event node cudaErrorInvalidValue, and does nothing: what should be ordered is not.',
  remedy: 'Create the event or the graph before, and look at what the call returns that creates it.',
  source: 'CUDA Runtime API, cudaEventRecord, cudaStreamWaitEvent, cudaGraphInstantiate',
  bad: `
cudaEvent_t ready = nullptr;
cudaEventRecord(ready, stream); //!
cudaStreamWaitEvent(other, ready, 0); //!
`,
  good: `
cudaEvent_t ready = nullptr;
cudaEventCreate(&ready);
cudaEventRecord(ready, stream);
cudaStreamWaitEvent(other, ready, 0);
cudaEventDestroy(ready);
`,
  check: (facts) =>
    refusalViolations(facts, ['noHandle'], ({ api, result }, { event }) => {
      const call = facts.trace.events[event];
      const isMissing = call?.verb === 'handle.missing';
      const what =
        isMissing && call.type !== 'graph' ? `${call.type === 'event' ? 'an' : 'a'} ${call.type}` : 'a graph';
      if (isMissing && call.isUnset) return `${api} is given ${what} that was declared and never set.`;
      return `${api} is given null where ${what} belongs and returns ${result}.`;
    }).map((violation) => ({ ...violation, isMeantForAllPaths: true })),
});
