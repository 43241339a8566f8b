/** What each function builds: the line above it in the editor. */

import type { Span } from '../base/span.ts';
import { spanContains } from '../base/span.ts';
import type { Facts } from '../checks/facts.ts';
import type { Report } from '../checks/run.ts';
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

/** One summary a function that builds a graph, in order of the text. A graph belongs to the function that creates it. */
export function summariseFunctions(
  file: string,
  definitions: readonly FunctionDefinition[],
  entries: readonly Facts[],
  reports: readonly Report[],
): FunctionFacts[] {
  const inFile = definitions.filter((definition) => definition.body && definition.span.file === file);
  const built = new Map<FunctionDefinition, { nodes: number; peak: number | null; places: Set<number> }>();
  for (const facts of entries) {
    for (const graph of facts.execution.graphs) {
      if (graph.nodes.length === 0) continue;
      const event = facts.trace.events[graph.event]!;
      const builder = facts.trace.events[graph.nodes[0]!.event]!;
      const owner = innermost(inFile, event.span) ?? innermost(inFile, builder.span);
      if (!owner) continue;
      const peak = peakLiveBytes(graph, (allocation) => {
        const size = facts.trace.allocations[allocation]?.bytes;
        return size ? evaluateSize(size) : null;
      });
      const known = built.get(owner) ?? { nodes: 0, peak: 0, places: new Set<number>() };
      if (!known.places.has(event.span.start)) {
        known.nodes += graph.nodes.length;
        known.places.add(event.span.start);
        known.peak = known.peak === null || peak === null ? null : Math.max(known.peak, peak);
      }
      built.set(owner, known);
    }
  }
  return [...built]
    .map(([definition, summary]) => ({
      name: definition.name,
      span: definition.nameSpan,
      nodes: summary.nodes,
      graphs: summary.places.size,
      peakBytes: summary.peak,
      findings: reports.filter(
        (report) => report.finding.span.file === file && spanContains(definition.span, report.finding.span.start),
      ).length,
    }))
    .sort((first, second) => first.span.start - second.span.start);
}

function innermost(definitions: readonly FunctionDefinition[], span: Span): FunctionDefinition | undefined {
  return definitions
    .filter((definition) => definition.span.file === span.file && spanContains(definition.span, span.start))
    .sort((first, second) => second.span.start - first.span.start)[0];
}
