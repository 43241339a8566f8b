/** The host and the streams that do anything, as lanes. */

import type { Facts } from '../checks/facts.ts';
import type { SceneLane, SceneStream } from './scene.ts';

export function buildLanes(facts: Facts): SceneLane[] {
  const streams = new Set<number>();
  for (const operation of facts.execution.operations) streams.add(operation.stream);
  return [
    { id: 0, name: 'host', kind: 'host' },
    ...[...streams].map(
      (stream, index): SceneLane => ({
        id: index + 1,
        name: facts.trace.handles[stream]?.name || `stream ${stream}`,
        kind: 'stream',
      }),
    ),
  ];
}

/** Lane of each stream, in the order that {@link buildLanes} numbers them. */
export function laneOfStream(facts: Facts): ReadonlyMap<number, number> {
  const lanes = new Map<number, number>();
  for (const operation of facts.execution.operations)
    if (!lanes.has(operation.stream)) lanes.set(operation.stream, lanes.size + 1);
  return lanes;
}

/** Every stream that was created or does anything, in order of appearance. */
export function buildStreams(facts: Facts): SceneStream[] {
  const made = new Map<number, number>();
  for (const event of facts.trace.events) if (event.verb === 'stream.create') made.set(event.stream, event.index);
  for (const operation of facts.execution.operations) if (!made.has(operation.stream)) made.set(operation.stream, -1);
  return [...made].map(([handle, event]) => ({
    handle,
    name: facts.trace.handles[handle]?.name || `stream ${handle}`,
    event,
  }));
}
