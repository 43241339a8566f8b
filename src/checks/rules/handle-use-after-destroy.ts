/** B23: A stream, event, graph, executable, node or pool is used after it was destroyed, a node also after its graph was. */

import type { TraceEvent } from '../../trace/event.ts';
import { destroyedHandle, usedHandles } from '../../trace/used-handles.ts';
import { handleName, subjectOfCall } from '../describe.ts';
import { nodesThatAreGone } from '../destroyed-nodes.ts';
import { eventOf, type Facts } from '../facts.ts';
import { defineRule, type Violation } from '../rule.ts';

export const handleUseAfterDestroy = defineRule({
  id: 'handle-use-after-destroy',
  number: 'B23',
  group: 'B',
  severity: 'error',
  summary: 'A stream, event, graph or executable graph is used after it was destroyed.',
  why: 'The call returns an error or crashes. Handles are given out again soon, so it may also work on an object that somebody else made.',
  remedy: 'Destroy the object after its last use; what its destructor still uses must be destroyed later.',
  source: 'CUDA Runtime API, cudaStreamDestroy, cudaEventDestroy, cudaGraphDestroy, cudaGraphExecDestroy',
  bad: `
cudaMallocAsync(&data, bytes, stream);
produce<<<1, 32, 0, stream>>>(data);
cudaStreamDestroy(stream);
cudaFreeAsync(data, stream); //!
`,
  good: `
cudaMallocAsync(&data, bytes, stream);
produce<<<1, 32, 0, stream>>>(data);
cudaFreeAsync(data, stream);
cudaStreamDestroy(stream);
`,
  check: (facts) => {
    const destroyed = new Map<number, number>();
    const said = new Set<number>();
    const found: Violation[] = [];
    for (const call of facts.execution.calls) {
      const event = eventOf(facts, call.event);
      // Allocating from a pool that is gone has a rule of its own.
      if (destroyed.size > 0 && call.refusal !== 'poolDestroyed') {
        for (const handle of usedHandles(event)) {
          const at = destroyed.get(handle);
          // Moving the call that destroys behind the last use mends all that follow.
          if (at === undefined || said.has(at) || mayBeAnother(facts, handle, at, event)) continue;
          said.add(at);
          found.push(violation(facts, call.event, handle, at));
        }
        for (const { handle, at, owner } of nodesThatAreGone(facts, call, event, destroyed)) {
          if (said.has(at)) continue;
          said.add(at);
          found.push(violation(facts, call.event, handle, at, owner));
        }
      }
      const gone = destroyedHandle(event);
      // What ends a capture has a rule of its own.
      if (gone !== null && call.result === 'cudaSuccess' && call.refusal === null) destroyed.set(gone, call.event);
    }
    return found;
  },
});

/**
 * What the text does not identify may have been something else when it was destroyed. A member is the same further down in the
 * function that destroyed it, unless the object was given away in between.
 */
function mayBeAnother(facts: Facts, handle: number, destroyed: number, use: TraceEvent): boolean {
  const { handles, events } = facts.trace;
  const { isGuess, isMember } = handles[handle]!;
  if (!isGuess) return false;
  const before = events[destroyed]!;
  const isBehind = use.span.start > before.span.start && use.frames.at(-1) === before.frames.at(-1);
  if (!isMember || !isBehind) return true;
  for (let index = destroyed + 1; index < use.index; index++) {
    const each = events[index]!;
    if (each.verb === 'call.unknown' && each.handles.includes(handle)) return true;
  }
  return false;
}

function violation(
  facts: Facts,
  event: number,
  handle: number,
  destroyed: number,
  owner: number | null = null,
): Violation {
  const { api } = eventOf(facts, event);
  const record = facts.trace.handles[handle];
  const kind = record?.type === 'exec' ? 'executable graph' : (record?.type ?? 'object');
  const name = handleName(facts, handle);
  const graph = owner === null ? '' : handleName(facts, owner);
  const gone =
    owner === null ? 'which has been destroyed' : `which has been destroyed with its graph${graph && ` ${graph}`}`;
  return {
    event,
    message: `${api} uses the ${kind}${name === '' ? '' : ` ${name}`}, ${gone}.`,
    certainty: record?.isGuess ? 'sometimes' : 'always',
    related: [{ role: 'destroy', event: destroyed, message: 'destroyed here' }],
    witness: [{ event: destroyed, message: 'destroyed here' }],
    repairs: [],
    subject: subjectOfCall(facts, event),
    ...(record ? { thing: record.name } : {}),
  };
}
