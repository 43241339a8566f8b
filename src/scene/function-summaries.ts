/** What each function builds: the line above it in the editor. */

import type { Finding } from '../base/finding.ts';
import { firstIndex } from '../base/first-index.ts';
import type { Span } from '../base/span.ts';
import { spanContains } from '../base/span.ts';
import type { Facts } from '../checks/facts.ts';
import type { FunctionDefinition } from '../program/program.ts';
import { evaluateSize } from '../trace/size.ts';
import { peakLiveBytes } from './live-bytes.ts';

export interface FunctionFacts {
  readonly name: string;
  /** The function's name in its definition. */
  readonly span: Span;
  readonly nodes: number;
  readonly graphs: number;
  readonly peakBytes: number | null;
  readonly findings: number;
}

/** A graph that was built on the ordinary path from an entry. */
export interface BuiltGraph {
  /** The call that creates it, and the one that adds its first node. */
  readonly created: Span;
  readonly filled: Span;
  readonly nodes: number;
  readonly peakBytes: number | null;
}

export function graphsBuilt(facts: Facts): readonly BuiltGraph[] {
  const { events, allocations } = facts.trace;
  return facts.execution.graphs.flatMap((graph) => {
    const created = events[graph.event];
    const filled = events[graph.nodes[0]?.event ?? -1];
    if (!created || !filled) return [];
    const peakBytes = peakLiveBytes(graph, (allocation) => {
      const size = allocations[allocation]?.bytes;
      return size ? evaluateSize(size) : null;
    });
    return [{ created: created.span, filled: filled.span, nodes: graph.nodes.length, peakBytes }];
  });
}

/** One summary a function that builds a graph, in order of the text. A graph belongs to the function that creates it. `written`: a name as people know it. */
export function summariseFunctions(
  file: string,
  definitions: readonly FunctionDefinition[],
  graphs: readonly BuiltGraph[],
  findings: readonly Finding[],
  written: (name: string) => string,
): FunctionFacts[] {
  const inFile = definitions
    .filter((definition) => definition.body && definition.span.file === file)
    .sort((first, second) => first.span.start - second.span.start);
  const built = new Map<FunctionDefinition, { nodes: number; peak: number | null; places: Set<number> }>();
  for (const { created, filled, nodes, peakBytes } of graphs) {
    const owner = innermost(file, inFile, created) ?? innermost(file, inFile, filled);
    if (!owner) continue;
    const known = built.get(owner) ?? { nodes: 0, peak: 0, places: new Set<number>() };
    if (!known.places.has(created.start)) {
      known.nodes += nodes;
      known.places.add(created.start);
      known.peak = known.peak === null || peakBytes === null ? null : Math.max(known.peak, peakBytes);
    }
    built.set(owner, known);
  }
  return [...built]
    .map(([definition, summary]) => ({
      name: written(definition.name),
      span: definition.nameSpan,
      nodes: summary.nodes,
      graphs: summary.places.size,
      peakBytes: summary.peak,
      findings: findings.filter(
        (finding) => finding.span.file === file && spanContains(definition.span, finding.span.start),
      ).length,
    }))
    .sort((first, second) => first.span.start - second.span.start);
}

/** The definition around the span that begins last. `definitions` are of one file, in order of the text. */
function innermost(
  file: string,
  definitions: readonly FunctionDefinition[],
  { file: ofSpan, start }: Span,
): FunctionDefinition | undefined {
  if (ofSpan !== file) return undefined;
  const behind = firstIndex(definitions.length, (index) => definitions[index]!.span.start > start);
  for (let index = behind - 1; index >= 0; index--)
    if (spanContains(definitions[index]!.span, start)) return definitions[index];
  return undefined;
}
