/** Launches of one executable that change the stream, compared with the launch or upload before. */

import { formatBytes } from '../base/format-bytes.ts';
import { hasMemoryNodes, type StreamOperation } from '../execution/execution.ts';
import { handleName, streamNames, subjectOfCall } from './describe.ts';
import type { Facts } from './facts.ts';
import type { Repair } from './repair.ts';
import type { Violation } from './rule.ts';

export function streamSwitches(
  facts: Facts,
  after: 'launch' | 'upload',
  message: (words: { graph: string; before: string; now: string }) => string,
): Violation[] {
  const { execution } = facts;
  const last = new Map<number, StreamOperation>();
  const out: Violation[] = [];
  for (const operation of execution.operations) {
    if (operation.executable === null || (operation.kind !== 'launch' && operation.kind !== 'upload')) continue;
    const executable = execution.executables[operation.executable]!;
    const graph = execution.graphs[executable.graph];
    const previous = last.get(operation.executable);
    last.set(operation.executable, operation);
    if (
      !graph ||
      !hasMemoryNodes(execution, graph) ||
      operation.kind !== 'launch' ||
      previous?.kind !== after ||
      previous.stream === operation.stream
    )
      continue;
    const [before = '', now = ''] = streamNames(facts, [previous.stream, operation.stream]);
    const unseen = [previous, operation].some((each) => facts.trace.handles[each.stream]?.external);
    const repair: Repair =
      after === 'upload'
        ? { kind: 'uploadToLaunchStream', upload: previous.event, launch: operation.event }
        : { kind: 'launchInStreamOf', launch: operation.event, other: previous.event };
    out.push({
      event: operation.event,
      message: `${message({
        graph: handleName(facts, executable.handle) || 'The executable graph',
        before,
        now,
      })}${mappedWords(facts, operation.event)}`,
      certainty: unseen ? 'sometimes' : 'always',
      related: [
        { role: after, event: previous.event, message: after === 'upload' ? 'uploaded here' : 'launched here before' },
      ],
      witness: [],
      repairs: [repair],
      subject: subjectOfCall(facts, executable.event),
    });
  }
  return out;
}

/** What the simulated driver maps at that launch. */
function mappedWords(facts: Facts, event: number): string {
  const { calls, assumed } = facts.simulation();
  const bytes = calls[event]?.outcome?.mappedBytes ?? 0;
  if (bytes === 0) return ' As the driver places it here, nothing has to be mapped at this launch.';
  return ` Here ${formatBytes(bytes)} are mapped at this launch${assumed.size > 0 ? ' (sizes that are not known taken as 1 MiB)' : ''}.`;
}
