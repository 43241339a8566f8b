/** The line above each function that builds graphs: `graph: 11 nodes · peak 64 MiB · 1 violation | Show graph | Simulate`. */

import type { CodeLens } from 'vscode-languageserver';
import { formatBytes } from '../base/format-bytes.ts';
import type { Analysis, FunctionSummary } from '../pipeline.ts';
import { spanRange } from './ranges.ts';

/** Editors draw the bars between lenses of one line. Editors without our commands get the first lens only. */
export function codeLenses(analysis: Analysis, hasCommands: boolean): CodeLens[] {
  return analysis.functions
    .filter((each) => each.graphs > 0 && each.span.file === analysis.file)
    .flatMap((each) => lensesOf(each, analysis, hasCommands));
}

function lensesOf(summary: FunctionSummary, analysis: Analysis, hasCommands: boolean): CodeLens[] {
  const range = spanRange(analysis.sources, summary.span);
  const title = lensTitle(summary);
  if (!hasCommands) return [{ range, command: { title, command: '' } }];
  const target = [analysis.file, summary.name];
  return [
    { range, command: { title, command: 'graphmem.showGraph', arguments: target } },
    { range, command: { title: 'Show graph', command: 'graphmem.showGraph', arguments: target } },
    { range, command: { title: 'Simulate', command: 'graphmem.simulate', arguments: target } },
  ];
}

/** `graph: 11 nodes · peak 64 MiB · 1 violation` */
export function lensTitle({ graphs, nodes, peakBytes, findings }: FunctionSummary): string {
  const what = graphs === 1 ? 'graph' : `${graphs} graphs`;
  const peak = peakBytes === null ? 'not determined' : formatBytes(peakBytes);
  return `${what}: ${count(nodes, 'node')} · peak ${peak} · ${count(findings, 'violation')}`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
