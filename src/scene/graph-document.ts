/** The stable JSON of `graphmem graph`: every instantiation in program order, then what was never instantiated or refused. */

import { type Range, rangeOf, type SourceText } from '../base/source-text.ts';
import type { Span } from '../base/span.ts';
import { allocationName } from '../checks/describe.ts';
import type { Facts } from '../checks/facts.ts';
import type { GraphModel, GraphNode } from '../execution/execution.ts';
import { evaluateSize } from '../trace/size.ts';

export interface GraphDocument {
  readonly version: 1;
  readonly graphs: readonly GraphEntry[];
  readonly launches: readonly {
    readonly graph: number;
    readonly stream: string;
    readonly nth: number;
    readonly range: Range;
    readonly result: string;
  }[];
}

export interface GraphEntry {
  readonly name: string;
  readonly entry?: string;
  readonly instantiated: boolean;
  readonly result?: string;
  readonly built: 'explicit' | 'capture';
  readonly flags: readonly string[];
  readonly range: Range;
  readonly nodes: readonly NodeEntry[];
  readonly edges: readonly (readonly [number, number])[];
}

export interface NodeEntry {
  readonly id: number;
  readonly kind: string;
  readonly label: string;
  readonly bytes?: number | null;
  readonly allocation?: string;
  readonly accesses: readonly { readonly allocation: string; readonly mode: string }[];
  readonly range: Range;
  readonly certainty: 'always' | 'sometimes';
  readonly stream?: string;
  readonly graph?: {
    readonly name: string;
    readonly nodes: readonly NodeEntry[];
    readonly edges: readonly (readonly [number, number])[];
  };
}

/** The document for one entry (default `main` where that builds graphs, as one that runs tests does not, else all of them in order). */
export function graphDocument(
  entries: ReadonlyMap<string, Facts>,
  sources: ReadonlyMap<string, SourceText>,
  entry?: string,
): GraphDocument {
  const isOfMain = (entries.get('main')?.execution.graphs.length ?? 0) > 0;
  const chosen = entry !== undefined ? [entry] : isOfMain ? ['main'] : [...entries.keys()];
  const graphs: GraphEntry[] = [];
  const rest: GraphEntry[] = [];
  const launches: GraphDocument['launches'][number][] = [];
  for (const name of chosen) {
    const facts = entries.get(name);
    if (facts) describeEntry(facts, sources, name, graphs, rest, launches);
  }
  return { version: 1, graphs: [...graphs, ...rest], launches };
}

function describeEntry(
  facts: Facts,
  sources: ReadonlyMap<string, SourceText>,
  entry: string,
  graphs: GraphEntry[],
  rest: GraphEntry[],
  launches: GraphDocument['launches'][number][],
): void {
  const { execution, trace } = facts;
  const range = (span: Span): Range => {
    const source = sources.get(span.file);
    return source ? rangeOf(source, span) : { start: { line: 1, column: 1 }, end: { line: 1, column: 1 } };
  };
  const indexOfExecutable = new Map<number, number>();
  for (const executable of execution.executables) {
    if (executable.updates !== undefined) {
      indexOfExecutable.set(executable.index, indexOfExecutable.get(executable.updates) ?? 0);
      continue;
    }
    const graph = execution.graphs[executable.graph];
    const described: GraphEntry = {
      name: (graph && trace.handles[graph.handle]?.name) || 'graph',
      entry,
      instantiated: executable.result === 'cudaSuccess',
      ...(executable.result === 'cudaSuccess' ? {} : { result: executable.result }),
      built: graph?.built ?? 'explicit',
      flags: executable.flags,
      range: range(trace.events[executable.event]!.span),
      ...describeNodes(facts, executable.nodes, range, 0),
    };
    if (executable.result === 'cudaSuccess') {
      indexOfExecutable.set(executable.index, graphs.length);
      graphs.push(described);
    } else rest.push(described);
  }
  for (const graph of execution.graphs) {
    if (execution.executables.some((executable) => executable.graph === graph.index) || graph.parent !== null) continue;
    rest.push(describeUnused(facts, graph, entry, range));
  }
  const launched = new Map<number, number>();
  for (const call of execution.calls) {
    const event = trace.events[call.event]!;
    if (event.verb !== 'exec.launch' || call.node) continue;
    const executable = execution.executableOfHandle.get(event.exec);
    const graph = executable === undefined ? undefined : indexOfExecutable.get(executable);
    if (graph === undefined) continue;
    const nth = (launched.get(graph) ?? 0) + 1;
    launched.set(graph, nth);
    launches.push({
      graph,
      stream: trace.handles[event.stream]?.name || `stream ${event.stream}`,
      nth,
      range: range(event.span),
      result: call.result,
    });
  }
}

function describeUnused(facts: Facts, graph: GraphModel, entry: string, range: (span: Span) => Range): GraphEntry {
  return {
    name: facts.trace.handles[graph.handle]?.name || 'graph',
    entry,
    instantiated: false,
    ...(graph.failed
      ? {
          result:
            facts.execution.calls.find(
              (call) => call.refusal === 'captureUnjoined' || call.refusal === 'captureInvalidated',
            )?.result ?? 'cudaErrorStreamCaptureInvalidated',
        }
      : {}),
    built: graph.built,
    flags: [],
    range: range(facts.trace.events[graph.event]!.span),
    ...describeNodes(facts, graph.nodes, range, 0),
  };
}

function describeNodes(
  facts: Facts,
  nodes: readonly GraphNode[],
  range: (span: Span) => Range,
  depth: number,
): Pick<GraphEntry, 'nodes' | 'edges'> {
  const name = (allocation: number): string => allocationName(facts, allocation).replace(/`/g, '');
  const present = nodes.filter((node) => !node.isDestroyed);
  const ids = new Map(present.map((node, index) => [node.id, index]));
  const idOf = (node: number): number => ids.get(node) ?? node;
  return {
    nodes: present.map((node): NodeEntry => {
      const { operation } = node;
      const child =
        operation.child === undefined || depth > 8 ? undefined : facts.execution.graphOfHandle.get(operation.child);
      const inner = child === undefined ? undefined : facts.execution.graphs[child]!;
      const allocation = operation.allocation ?? operation.freed?.allocation;
      return {
        id: idOf(node.id),
        kind: operation.kind,
        label:
          operation.kind === 'memAlloc' || operation.kind === 'memFree'
            ? allocation === undefined
              ? operation.label
              : name(allocation)
            : operation.label,
        ...(operation.kind === 'memAlloc' || operation.bytes
          ? { bytes: operation.bytes ? evaluateSize(operation.bytes) : null }
          : {}),
        ...(allocation === undefined ? {} : { allocation: name(allocation) }),
        accesses: operation.accesses.map((access) => ({
          allocation: name(access.pointer.allocation),
          mode: access.mode,
        })),
        range: range(facts.trace.events[node.event]!.span),
        certainty: operation.opaque || node.isPartial ? 'sometimes' : 'always',
        ...(node.stream === null ? {} : { stream: facts.trace.handles[node.stream]?.name ?? '' }),
        ...(inner
          ? {
              graph: {
                name: facts.trace.handles[inner.handle]?.name ?? 'graph',
                ...describeNodes(facts, inner.nodes, range, depth + 1),
              },
            }
          : {}),
      };
    }),
    edges: present
      .flatMap((node) => node.dependencies.map((from) => [idOf(from), idOf(node.id)] as const))
      .sort((first, second) => first[0] - second[0] || first[1] - second[1]),
  };
}
