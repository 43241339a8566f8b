/** `graphmem graph`: the graphs a file builds, as JSON, DOT or Mermaid. */

import { type GraphEntry, graphDocument } from '../scene/graph-document.ts';
import type { CommandIo } from './io.ts';
import { choice, parseWords } from './options.ts';
import { analyseFile } from './sources.ts';
import { readSurroundings, surroundingOptions } from './surroundings.ts';

export async function graphCommand(words: readonly string[], io: CommandIo): Promise<number> {
  const parsed = parseWords(words, ['entry', 'format', ...surroundingOptions]);
  const fail = (message: string): number => {
    io.stderr(`graphmem graph: ${message}\n`);
    return 2;
  };
  if (parsed.kind === 'error') return fail(parsed.message);
  const format = choice(parsed.words, 'format', ['json', 'dot', 'mermaid']);
  if ('error' in format) return fail(format.error);
  const [file, ...more] = parsed.words.paths;
  if (file === undefined || more.length > 0) return fail('name one file');
  const surroundings = await readSurroundings(parsed.words, io);
  if ('error' in surroundings) return fail(surroundings.error);
  const outcome = analyseFile(await io.loadEngine(), file, surroundings.models, surroundings.defines);
  if (outcome.kind === 'quarantined') return fail(`${file}: ${outcome.reason}`);
  const entry = parsed.words.values.get('entry')?.at(-1);
  if (entry !== undefined && outcome.kind === 'analysed' && !outcome.analysis.entries.includes(entry))
    return fail(`no entry "${entry}" in ${file}; there is ${outcome.analysis.entries.join(', ') || 'none'}`);
  const document =
    outcome.kind === 'analysed'
      ? graphDocument(outcome.analysis.facts, outcome.analysis.sources, entry)
      : { version: 1 as const, graphs: [], launches: [] };
  if (format.value === 'json') io.stdout(`${JSON.stringify(document, null, 2)}\n`);
  else if (format.value === 'dot') io.stdout(document.graphs.map(toDot).join('\n'));
  else io.stdout(toMermaid(document.graphs));
  return 0;
}

const shapes: Readonly<Record<string, string>> = {
  kernel: 'box',
  memAlloc: 'house',
  memFree: 'invhouse',
  memcpy: 'parallelogram',
  memset: 'parallelogram',
  host: 'ellipse',
  child: 'box3d',
};

function toDot(graph: GraphEntry, index: number): string {
  const quote = (text: string): string => JSON.stringify(text);
  const nodes = graph.nodes.map(
    (node) => `  n${node.id} [label=${quote(`${node.kind}\n${node.label}`)}, shape=${shapes[node.kind] ?? 'ellipse'}];`,
  );
  const edges = graph.edges.map(([from, to]) => `  n${from} -> n${to};`);
  return [`digraph ${quote(`${graph.name} ${index + 1}`)} {`, ...nodes, ...edges, '}', ''].join('\n');
}

/** One diagram, as its readers want it; of several graphs each is a part of its own. */
function toMermaid(graphs: readonly GraphEntry[]): string {
  const label = (text: string): string => `"${text.replace(/["\\]/g, "'").replace(/[<>]/g, '')}"`;
  const parts = graphs.flatMap((graph, index) => [
    `  subgraph g${index} [${label(graph.name)}]`,
    ...graph.nodes.map((node) => `    g${index}n${node.id}[${label(`${node.kind}: ${node.label}`)}]`),
    ...graph.edges.map(([from, to]) => `    g${index}n${from} --> g${index}n${to}`),
    '  end',
  ]);
  return ['flowchart TD', ...parts, ''].join('\n');
}
