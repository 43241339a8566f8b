/** D10: Null, or a variable that nothing was stored in, is launched, uploaded, updated or destroyed as if it were an executable graph. */

import { refusalViolations } from '../refusal-violations.ts';
import { defineRule } from '../rule.ts';

export const launchInvalidExec = defineRule({
  id: 'launch-invalid-exec',
  number: 'D10',
  group: 'D',
  severity: 'error',
  summary: 'Null is launched, uploaded, updated or destroyed as if it were an executable graph.',
  why: 'The call returns cudaErrorInvalidValue and nothing runs.',
  remedy: 'Instantiate the graph before, and look at what cudaGraphInstantiate returns.',
  source: 'Recording launch_null_exec; CUDA Runtime API, cudaGraphLaunch',
  bad: `
cudaGraphExec_t later = nullptr;
cudaGraphAddEmptyNode(&use, graph, nullptr, 0);
cudaGraphLaunch(later, stream); //!
cudaGraphInstantiate(&later, graph, 0);
`,
  good: `
cudaGraphExec_t later = nullptr;
cudaGraphAddEmptyNode(&use, graph, nullptr, 0);
cudaGraphInstantiate(&later, graph, 0);
cudaGraphLaunch(later, stream);
`,
  check: (facts) =>
    refusalViolations(facts, ['noExecutable'], ({ api, result }, { event }) => {
      const call = facts.trace.events[event];
      return call?.verb === 'handle.missing' && call.isUnset
        ? `${api} is given an executable graph that was declared and never set.`
        : `${api} is given null where an executable graph belongs and returns ${result}.`;
    }).map((violation) => ({ ...violation, isMeantForAllPaths: true })),
});
