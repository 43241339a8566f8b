/** The host's calls in program order: the story that the panel's cursor steps through. */

import type { Facts } from '../checks/facts.ts';
import type { Report } from '../checks/run.ts';
import type { Simulation } from '../simulation/simulate.ts';
import type { Effect, TraceEvent } from '../trace/event.ts';
import { laneOfStream } from './lanes.ts';
import type { Placer } from './placer.ts';
import type { SceneOperation } from './scene.ts';

/** Calls that belong to the story; building nodes is the graph's picture, not the story's. */
const told: ReadonlySet<Effect['verb']> = new Set([
  'exec.instantiate',
  'exec.launch',
  'exec.upload',
  'exec.destroy',
  'graph.destroy',
  'stream.operation',
  'memory.allocateAsync',
  'memory.freeAsync',
  'memory.free',
  'event.record',
  'stream.wait',
  'host.synchronise',
  'device.trim',
]);

const reasons: Readonly<Record<string, string>> = {
  firstUse: 'first launch',
  streamChanged: 'stream changed',
  uploadedElsewhere: 'uploaded in another stream',
  trimmed: 'trimmed before',
  heldByUnfreed: "block held by another graph's unfreed allocation",
  concurrentGraph: 'another graph may run at the same time',
};

export interface StoryInput {
  readonly facts: Facts;
  readonly simulation: Simulation;
  readonly reports: readonly Report[];
  readonly place: Placer;
}

export function buildOperations({ facts, simulation, reports, place }: StoryInput): SceneOperation[] {
  const { execution, trace } = facts;
  const lanes = laneOfStream(facts);
  const live = createLiveness(facts);
  const out: SceneOperation[] = [];
  const stepOfOperation = new Map<number, number>();
  let memory: readonly [number, number, number, number] = [0, 0, 0, 0];
  for (const call of execution.calls) {
    const event = trace.events[call.event]!;
    const simulated = simulation.calls[call.event]!;
    const isPoolCall =
      event.verb === 'memory.allocateAsync' ||
      (event.verb === 'memory.freeAsync' &&
        event.pointer !== null &&
        execution.allocations[event.pointer.allocation]?.kind === 'stream');
    if (simulated.outcome && !isPoolCall) memory = simulated.outcome.memory;
    live.after(call.event);
    const captured = call.node !== null;
    if (captured || !told.has(event.verb) || (event.verb === 'memory.free' && event.isNull)) continue;
    if (
      event.verb === 'memory.free' &&
      event.pointer &&
      execution.allocations[event.pointer.allocation]?.kind === 'device'
    )
      continue;
    if (event.verb === 'event.record' && call.operation === null) continue;
    if (event.verb === 'stream.wait' && call.operation === null && call.result === 'cudaSuccess') continue;
    const operation = call.operation === null ? null : execution.operations[call.operation]!;
    const executable = executableOf(facts, event, call.executable, operation?.executable ?? null);
    const graph = executable === null ? graphOf(facts, event) : execution.executables[executable]!.graph;
    const id = out.length;
    if (operation) stepOfOperation.set(operation.index, id);
    const target = operation?.waitsFor;
    const waited = target ? stepOfOperation.get(target.operation) : undefined;
    out.push({
      id,
      event: event.index,
      op: event.api,
      label: labelOf(facts, event, executable),
      lane: operation ? (lanes.get(operation.stream) ?? 0) : 0,
      place: place(event.span),
      ...(graph === undefined || graph < 0 ? {} : { graph }),
      ...(operation ? { stream: trace.handles[operation.stream]?.name || `stream ${operation.stream}` } : {}),
      ...(operation?.kind === 'launch' ? { nth: operation.nth } : {}),
      waitsFor: waited === undefined ? [] : [waited],
      result: simulated.result,
      used: memory[0],
      usedHigh: memory[1],
      reserved: memory[2],
      reservedHigh: memory[3],
      remapped: simulated.outcome?.mappedBytes ?? 0,
      ...(simulated.outcome?.reason ? { reason: reasons[simulated.outcome.reason] ?? simulated.outcome.reason } : {}),
      live: live.now(),
      findings: reports.flatMap((report, index) =>
        report.facts === facts && report.violation.event === call.event ? [index] : [],
      ),
    });
  }
  return out;
}

function executableOf(facts: Facts, event: TraceEvent, made: number | null, launched: number | null): number | null {
  if (made !== null) return made;
  if (launched !== null) return launched;
  if (event.verb === 'exec.launch' || event.verb === 'exec.upload' || event.verb === 'exec.destroy')
    return facts.execution.executableOfHandle.get(event.exec) ?? null;
  return null;
}

function graphOf(facts: Facts, event: TraceEvent): number | undefined {
  return event.verb === 'graph.destroy' ? facts.execution.graphOfHandle.get(event.graph) : undefined;
}

function labelOf(facts: Facts, event: TraceEvent, executable: number | null): string {
  const name = (handle: number | null): string => (handle === null ? '' : facts.trace.handles[handle]?.name || '');
  const graph =
    executable === null
      ? ''
      : name(facts.execution.executables[executable]!.handle) ||
        `graph ${facts.execution.executables[executable]!.graph + 1}`;
  switch (event.verb) {
    case 'exec.launch':
      return `launch ${graph} → ${name(event.stream)}`;
    case 'exec.upload':
      return `upload ${graph} → ${name(event.stream)}`;
    case 'exec.instantiate':
      return `instantiate ${graph}`;
    case 'exec.destroy':
      return `destroy ${graph}`;
    case 'graph.destroy':
      return `destroy ${name(event.graph)}`;
    case 'stream.operation':
      return `${event.operation.label} → ${name(event.stream)}`;
    case 'memory.allocateAsync':
      return `allocate ${facts.trace.allocations[event.allocation]?.name ?? ''} → ${name(event.stream)}`;
    case 'memory.freeAsync':
      return `free ${event.pointer ? (facts.trace.allocations[event.pointer.allocation]?.name ?? '') : ''} → ${name(event.stream)}`;
    case 'memory.free':
      return `free ${event.pointer ? (facts.trace.allocations[event.pointer.allocation]?.name ?? '') : ''}`;
    case 'event.record':
      return `record ${name(event.event)} → ${name(event.stream)}`;
    case 'stream.wait':
      return `${name(event.stream)} waits for ${name(event.event)}`;
    case 'host.synchronise':
      return event.scope === 'device' ? 'synchronise device' : `synchronise ${name(event.handle)}`;
    case 'device.trim':
      return 'trim graph memory';
    default:
      return event.api;
  }
}

/** Which allocations are live after each call, as the host sees it: frees count when they are enqueued. */
function createLiveness(facts: Facts): { after(event: number): void; now(): number[] } {
  const live = new Set<number>();
  const { execution } = facts;
  return {
    after: (index) => {
      const call = execution.calls[index]!;
      const event = facts.trace.events[index]!;
      if (call.result !== 'cudaSuccess' || call.node) return;
      if (event.verb === 'memory.allocateAsync') live.add(event.allocation);
      if ((event.verb === 'memory.freeAsync' || event.verb === 'memory.free') && event.pointer)
        live.delete(event.pointer.allocation);
      const operation = call.operation === null ? null : execution.operations[call.operation]!;
      if (operation?.kind !== 'launch') return;
      const nodes = facts.order.nodesOf(operation.index);
      for (const { node } of nodes)
        if (node.operation.kind === 'memAlloc' && node.operation.allocation !== undefined)
          live.add(node.operation.allocation);
      for (const { node } of nodes)
        if (node.operation.kind === 'memFree' && node.operation.freed) live.delete(node.operation.freed.allocation);
    },
    now: () => [...live].sort((first, second) => first - second),
  };
}
