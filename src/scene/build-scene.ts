/** From facts and a simulation to the scene: what is drawn or sent. */

import type { Gap } from '../base/finding.ts';
import type { SourceText } from '../base/source-text.ts';
import { allocationName } from '../checks/describe.ts';
import type { Facts } from '../checks/facts.ts';
import type { Report } from '../checks/run.ts';
import type { GraphModel } from '../execution/execution.ts';
import { simulate } from '../simulation/simulate.ts';
import { evaluateSize, symbolsOf } from '../trace/size.ts';
import { buildBlocks } from './blocks.ts';
import { buildLanes, buildStreams } from './lanes.ts';
import { peakLiveBytes } from './live-bytes.ts';
import { buildOperations } from './operations.ts';
import { createPlacer, type Placer } from './placer.ts';
import type { Scene, SceneAllocation, SceneFinding, SceneGraph, SceneNode, SceneSymbol } from './scene.ts';

export interface SceneInput {
  readonly file: string;
  readonly entry: string;
  readonly entries: readonly string[];
  readonly facts: Facts;
  readonly reports: readonly Report[];
  readonly gaps: readonly Gap[];
  readonly sources: ReadonlyMap<string, SourceText>;
  readonly settings: Readonly<Record<string, number>>;
}

export function buildScene(input: SceneInput): Scene {
  const { facts, settings } = input;
  const place = createPlacer(input.sources);
  const simulation = simulate(facts.execution, { settings });
  const findings = input.reports.map((report): SceneFinding => toSceneFinding(report, facts, place));
  const allocations = buildAllocations(facts, settings, simulation.addresses, place);
  const graphs = facts.execution.graphs.map((graph) => buildGraph(facts, graph, input, allocations, place));
  const lanes = buildLanes(facts);
  const operations = buildOperations({ facts, simulation, reports: input.reports, place });
  const peak = operations.reduce(
    (most, each) => ({ used: Math.max(most.used, each.used), reserved: Math.max(most.reserved, each.reserved) }),
    { used: 0, reserved: 0 },
  );
  return {
    version: 1,
    file: input.file,
    entry: input.entry,
    entries: input.entries,
    driver: { name: simulation.profile.name, estimate: simulation.profile.estimate || simulation.assumed.size > 0 },
    graphs,
    allocations,
    lanes,
    operations,
    blocks: buildBlocks(facts, simulation, operations),
    findings,
    gaps: input.gaps.map((gap) => ({ kind: gap.kind, name: gap.name, place: place(gap.span) })),
    shortened: (facts.trace.shortened ?? []).map(place),
    symbols: buildSymbols(facts, settings, place),
    peak,
    streams: buildStreams(facts),
  };
}

function toSceneFinding(report: Report, facts: Facts, place: Placer): SceneFinding {
  const { finding, violation } = report;
  const sameRun = report.facts === facts;
  return {
    rule: finding.rule,
    severity: finding.severity,
    certainty: finding.certainty,
    message: finding.message,
    place: place(finding.span),
    related: finding.related.map((each) => ({ role: each.role, message: each.message, place: place(each.span) })),
    witness: finding.witness.map((step, index) => {
      const event = violation.witness[index]?.event;
      const node = sameRun && event !== undefined ? facts.execution.calls[event]?.node : null;
      return {
        place: place(step.span),
        message: step.message,
        ...(node ? { graph: node.graph, node: node.node } : {}),
      };
    }),
  };
}

function buildAllocations(
  facts: Facts,
  settings: Readonly<Record<string, number>>,
  addresses: ReadonlyMap<number, { address: number }>,
  place: Placer,
): SceneAllocation[] {
  const lowest = new Map<number, number>();
  for (const model of facts.execution.allocations) {
    const address = addresses.get(model.id)?.address;
    const key = model.graph ?? -1;
    if (address !== undefined) lowest.set(key, Math.min(lowest.get(key) ?? Number.POSITIVE_INFINITY, address));
  }
  let colour = 0;
  return facts.execution.allocations.map((model): SceneAllocation => {
    const record = facts.trace.allocations[model.id]!;
    const address = addresses.get(model.id)?.address;
    const isDrawn = model.kind === 'graph' || model.kind === 'stream';
    return {
      id: model.id,
      name: allocationName(facts, model.id).replace(/`/g, ''),
      origin: model.kind === 'managed' ? 'device' : model.kind === 'external' ? 'unknown' : model.kind,
      bytes: record.bytes ? evaluateSize(record.bytes, settings) : null,
      place: place(record.span),
      ...(model.graph === null ? {} : { graph: model.graph }),
      offset: address === undefined ? null : address - (lowest.get(model.graph ?? -1) ?? address),
      colour: isDrawn ? colour++ % 12 : 11,
    };
  });
}

function buildGraph(
  facts: Facts,
  graph: GraphModel,
  input: SceneInput,
  allocations: readonly SceneAllocation[],
  place: Placer,
): SceneGraph {
  const executable = facts.execution.executables.find((each) => each.graph === graph.index);
  const created = facts.trace.events[graph.event]!;
  const nodes = graph.nodes.map((node): SceneNode => {
    const event = facts.trace.events[node.event]!;
    const { operation } = node;
    const allocation = operation.allocation ?? operation.freed?.allocation;
    const child = operation.child === undefined ? undefined : facts.execution.graphOfHandle.get(operation.child);
    const findings = input.reports.flatMap((report, index) =>
      report.facts === facts &&
      (report.violation.event === node.event || report.violation.witness.some((step) => step.event === node.event))
        ? [index]
        : [],
    );
    return {
      id: node.id,
      kind: operation.kind,
      label: nodeLabel(facts, node.handle, operation.label, allocation),
      place: place(event.span),
      ...(operation.kind === 'memAlloc'
        ? { bytes: operation.bytes ? evaluateSize(operation.bytes, input.settings) : null }
        : {}),
      ...(allocation === undefined ? {} : { allocation }),
      accesses: operation.accesses.map((access) => ({ allocation: access.pointer.allocation, mode: access.mode })),
      certainty: operation.opaque ? 'sometimes' : 'always',
      ...(node.stream === null ? {} : { stream: facts.trace.handles[node.stream]?.name ?? 'stream' }),
      ...(child === undefined ? {} : { childGraph: child }),
      findings,
      ...(addedBy(facts, node.event, graph.index, node.id) ? { event: node.event } : {}),
    };
  });
  const own = allocations.filter((allocation) => allocation.graph === graph.index && allocation.offset !== null);
  const ends = own.map((allocation) =>
    allocation.bytes === null ? null : (allocation.offset ?? 0) + allocation.bytes,
  );
  return {
    id: graph.index,
    name: facts.trace.handles[graph.handle]?.name || `graph ${graph.index + 1}`,
    built: graph.built,
    instantiated: executable !== undefined,
    flags: executable?.flags ?? [],
    ...(executable ? { executable: { event: executable.event, autoFree: executable.autoFree } } : {}),
    result: executable?.result ?? 'cudaSuccess',
    place: place(created.span),
    nodes,
    edges: graph.nodes.flatMap((node) =>
      node.dependencies.map((from) => ({
        from,
        to: node.id,
        certainty: node.isPartial ? ('sometimes' as const) : ('always' as const),
      })),
    ),
    peakLiveBytes: peakLiveBytes(graph, (id) => allocations[id]?.bytes ?? null),
    footprintBytes: ends.length === 0 ? 0 : ends.includes(null) ? null : Math.max(...(ends as number[])),
  };
}

/** Whether the event added this very node: nodes of a clone were added by nobody. */
function addedBy(facts: Facts, event: number, graph: number, node: number): boolean {
  const place = facts.execution.calls[event]?.node;
  return place?.graph === graph && place.node === node;
}

function nodeLabel(facts: Facts, handle: number | null, label: string, allocation: number | undefined): string {
  if (allocation !== undefined) return allocationName(facts, allocation).replace(/`/g, '');
  if (label !== '' && label !== 'memcpy' && label !== 'memset' && label !== 'empty') return label;
  return (handle === null ? '' : (facts.trace.handles[handle]?.name ?? '')) || label;
}

function buildSymbols(facts: Facts, settings: Readonly<Record<string, number>>, place: Placer): SceneSymbol[] {
  const names = new Set<string>();
  for (const allocation of facts.trace.allocations) if (allocation.bytes) symbolsOf(allocation.bytes, names);
  return [...names].map((name) => {
    const span = facts.trace.symbols.get(name);
    return { name, value: settings[name] ?? null, place: place(span ?? { file: '', start: 0, end: 0 }) };
  });
}
