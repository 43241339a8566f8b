/** M18: Memory, a stream, an event or an executable graph is used after the device was reset. */

import { madeHandle } from '../../execution/device-resets.ts';
import type { CallOutcome } from '../../execution/execution.ts';
import { usedHandles } from '../../trace/used-handles.ts';
import { actorName, handleName } from '../describe.ts';
import { eventOf, type Facts } from '../facts.ts';
import { refusalViolations, relatedEvent } from '../refusal-violations.ts';
import { defineRule } from '../rule.ts';

export const useAfterDeviceReset = defineRule({
  id: 'use-after-device-reset',
  number: 'M18',
  group: 'M',
  severity: 'error',
  summary: 'Memory, a stream, an event or an executable graph is used after cudaDeviceReset.',
  why: 'cudaDeviceReset ends all that the current device has. What is freed or used afterwards is refused with cudaErrorInvalidValue, cudaErrorInvalidResourceHandle or cudaErrorContextIsDestroyed; launching or destroying an executable graph crashes.',
  remedy: 'Reset the device last, or not at all: objects that free their memory must have ended before.',
  source: 'CUDA Runtime API, cudaDeviceReset; asked of an H200',
  bad: `
cudaMalloc(&data, bytes);
produce<<<1, 32, 0, stream>>>(data);
cudaDeviceReset();
cudaFree(data); //!
`,
  good: `
cudaMalloc(&data, bytes);
produce<<<1, 32, 0, stream>>>(data);
cudaStreamSynchronize(stream);
cudaFree(data);
cudaDeviceReset();
`,
  check: (facts) => {
    const refused = facts.refused.filter(({ refusal }) => refusal === 'afterReset');
    if (refused.length === 0) return [];
    // Moving the reset behind the last use mends all of them.
    const said = new Set<number | null>();
    return refusalViolations(
      facts,
      ['afterReset'],
      ({ allocation }, outcome) => what(facts, outcome, allocation),
      (outcome) => {
        const reset = relatedEvent(outcome, 'reset');
        const last = refused.findLast((each) => relatedEvent(each, 'reset') === reset);
        return reset === null ? [] : [{ kind: 'moveBehind', event: reset, behind: (last ?? outcome).event }];
      },
      (outcome) => {
        const reset = relatedEvent(outcome, 'reset');
        if (said.has(reset)) return false;
        said.add(reset);
        return true;
      },
    );
  },
});

function what(facts: Facts, { event, allocation, related, result }: CallOutcome, name: string): string {
  const call = eventOf(facts, event);
  const reset = related[0]?.event ?? 0;
  const handle = usedHandles(call).find((used) =>
    facts.trace.events.some((each) => each.index < reset && madeHandle(each) === used),
  );
  const type = facts.trace.handles[handle ?? -1]?.type;
  const isExecutable = allocation === null && type === 'exec';
  const used =
    allocation !== null ? name : `the ${isExecutable ? 'executable graph' : type} ${handleName(facts, handle ?? null)}`;
  const isKernel = call.verb === 'stream.operation' && call.operation.kind === 'kernel';
  const user =
    call.verb === 'host.access' ? 'The host touches' : `${isKernel ? actorName(facts, event) : call.api} uses`;
  const end =
    call.verb === 'host.access' || isExecutable
      ? 'the program crashes'
      : `${isKernel ? 'it ends with' : 'the call returns'} ${result}`;
  return `${user} ${used.trim()}, which cudaDeviceReset has ended: ${end}.`;
}
