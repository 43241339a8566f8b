/** What a variable stands for: graph, node, stream, event, executable or device pointer, its life and its order. */

import { formatBytes } from '../base/format-bytes.ts';
import { positionAt, type SourceText } from '../base/source-text.ts';
import type { Facts } from '../checks/facts.ts';
import type { GraphModel, GraphNode } from '../execution/execution.ts';
import { orderGraph } from '../order/graph-order.ts';
import { evaluateSize, printSize } from '../trace/size.ts';
import { countOfKind, kindWords } from './kind-words.ts';
import type { NodeKind } from './scene.ts';

export interface HoverText {
  readonly start: number;
  readonly end: number;
  readonly markdown: string;
}

/** Describes the name at `offset`; undefined when it is none that the analysis knows. */
export function hoverAt(facts: readonly Facts[], source: SourceText, offset: number): HoverText | undefined {
  const word = wordAt(source.text, offset);
  if (!word) return undefined;
  for (const each of facts) {
    const text = describeAllocation(each, source, word.name, offset) ?? describeHandle(each, source, word.name, offset);
    if (text) return { start: word.start, end: word.end, markdown: text };
  }
  return undefined;
}

function wordAt(text: string, offset: number): { name: string; start: number; end: number } | null {
  const isWord = (index: number): boolean => /[A-Za-z0-9_]/.test(text[index] ?? '');
  let start = offset;
  let end = offset;
  while (start > 0 && isWord(start - 1)) start--;
  while (end < text.length && isWord(end)) end++;
  const name = text.slice(start, end);
  return /^[A-Za-z_]/.test(name) ? { name, start, end } : null;
}

/** `nodes[2]`, `ctx.stream` and `stream` all answer to their last name. */
function answersTo(name: string, word: string): boolean {
  return (
    name === word ||
    name
      .replace(/\[.*\]$/, '')
      .split(/[.>]/)
      .at(-1) === word
  );
}

/** Of several things with one name, the one made nearest to the cursor. */
function nearest<T extends { readonly span: { readonly start: number; readonly file: string } }>(
  items: readonly T[],
  word: string,
  file: string,
  offset: number,
  nameOf: (item: T) => string,
): number {
  let best = -1;
  let distance = Number.POSITIVE_INFINITY;
  items.forEach((item, index) => {
    if (!answersTo(nameOf(item), word) || item.span.file !== file) return;
    const away = Math.abs(item.span.start - offset);
    if (away < distance) {
      best = index;
      distance = away;
    }
  });
  return best;
}

function describeAllocation(facts: Facts, source: SourceText, word: string, offset: number): string | null {
  const index = nearest(facts.trace.allocations, word, source.file, offset, (item) => item.name);
  if (index < 0) return null;
  const record = facts.trace.allocations[index]!;
  const model = facts.execution.allocations[index]!;
  const kinds = {
    graph: 'graph allocation',
    stream: 'stream-ordered allocation',
    device: 'device memory (cudaMalloc)',
    managed: 'managed memory',
    host: 'pinned host memory',
    external: 'device memory from outside',
  };
  const bytes = record.bytes ? evaluateSize(record.bytes) : null;
  const size =
    bytes !== null ? formatBytes(bytes) : record.bytes ? `\`${printSize(record.bytes)}\` bytes` : 'size not known';
  const lines = [`**\`${record.name}\`** — ${kinds[model.kind]}, ${size}`, ''];
  const line = (event: number): string => `line ${lineOf(source, facts, event)}`;
  if (model.event !== null) lines.push(`- allocated: ${line(model.event)}`);
  const instances = facts.lifetimes.instances.filter((instance) => instance.allocation.id === index);
  const graph = model.graph === null ? null : facts.execution.graphs[model.graph]!;
  const uses = new Map<number, string>();
  for (const node of graph?.nodes ?? [])
    if (node.operation.accesses.some((access) => access.pointer.allocation === index))
      uses.set(node.event, node.operation.label);
  for (const instance of instances) for (const use of instance.uses) uses.set(use.event, labelOf(facts, use.event));
  if (uses.size > 0)
    lines.push(
      `- used by: ${[...uses]
        .slice(0, 6)
        .map(([event, label]) => `\`${label}\` (${line(event)})`)
        .join(', ')}${uses.size > 6 ? ` and ${uses.size - 6} more` : ''}`,
    );
  const frees = new Set([
    ...model.freeNodes.map((each) => each.event),
    ...instances.flatMap((instance) => instance.deaths.map((death) => death.event)),
  ]);
  if (frees.size > 0) lines.push(`- freed: ${[...frees].slice(0, 4).map(line).join(', ')}`);
  else if (model.kind === 'graph') lines.push('- not freed by this graph: lives on after the launch until it is freed');
  if (instances.length > 1) lines.push(`- comes to be ${instances.length} times (once a launch)`);
  return lines.join('\n');
}

function labelOf(facts: Facts, index: number): string {
  const event = facts.trace.events[index]!;
  return event.verb === 'node.add' || event.verb === 'stream.operation' ? event.operation.label : event.api;
}

function lineOf(source: SourceText, facts: Facts, event: number): number {
  return positionAt(source, facts.trace.events[event]!.span.start).line;
}

function describeHandle(facts: Facts, source: SourceText, word: string, offset: number): string | null {
  const index = nearest(facts.trace.handles, word, source.file, offset, (item) => item.name);
  if (index < 0) return null;
  const record = facts.trace.handles[index]!;
  switch (record.type) {
    case 'graph':
      return describeGraph(facts, index, record.name);
    case 'node':
      return describeNode(facts, source, index, record.name);
    case 'exec':
      return describeExecutable(facts, index, record.name);
    case 'stream':
      return describeStream(facts, index, record.name, record.external && record.isBlocking === undefined);
    case 'event':
      return describeEvent(facts, source, index, record.name);
    default:
      return `**\`${record.name}\`** — ${record.type}`;
  }
}

function describeGraph(facts: Facts, handle: number, name: string): string {
  const graph = facts.execution.graphs[facts.execution.graphOfHandle.get(handle) ?? -1];
  if (!graph) return `**\`${name}\`** — graph`;
  const counts = new Map<NodeKind, number>();
  for (const node of graph.nodes) counts.set(node.operation.kind, (counts.get(node.operation.kind) ?? 0) + 1);
  const nodes = graph.nodes.length === 1 ? '1 node' : `${graph.nodes.length} nodes`;
  const edges = graph.nodes.reduce((sum, node) => sum + node.dependencies.length, 0);
  return [
    `**\`${name}\`** — graph, ${graph.built === 'capture' ? 'captured from a stream' : 'built node by node'}`,
    '',
    `- ${nodes}, ${edges === 1 ? '1 edge' : `${edges} edges`}: ${[...counts].map(([kind, count]) => countOfKind(kind, count)).join(', ') || 'empty'}`,
  ].join('\n');
}

function describeNode(facts: Facts, source: SourceText, handle: number, name: string): string {
  const found = findNode(facts, handle);
  if (!found) return `**\`${name}\`** — node that was not added`;
  const { graph, node } = found;
  const order = orderGraph(graph.nodes);
  const names = (ids: readonly number[]): string =>
    ids.map((id) => `\`${nodeName(facts, graph.nodes[id]!)}\``).join(', ') || 'nothing';
  const successors = graph.nodes.filter((each) => each.dependencies.includes(node.id)).map((each) => each.id);
  const unordered = graph.nodes
    .filter((each) => each !== node && !order.before(each.id, node.id) && !order.before(node.id, each.id))
    .map((each) => each.id);
  return [
    `**\`${name}\`** — ${kindWords[node.operation.kind].replace(/ node$/, '')} node${node.operation.kind === 'kernel' ? ` \`${node.operation.label}\`` : ''}, line ${lineOf(source, facts, node.event)}`,
    '',
    `- after: ${names(node.dependencies)}`,
    `- before: ${names(successors)}`,
    `- may run beside: ${unordered.length > 8 ? `${unordered.length} nodes` : names(unordered)}`,
  ].join('\n');
}

function nodeName(facts: Facts, node: GraphNode): string {
  return (node.handle === null ? '' : (facts.trace.handles[node.handle]?.name ?? '')) || node.operation.label;
}

function findNode(facts: Facts, handle: number): { graph: GraphModel; node: GraphNode } | null {
  for (const graph of facts.execution.graphs) {
    const node = graph.nodes.find((each) => each.handle === handle);
    if (node) return { graph, node };
  }
  return null;
}

function describeExecutable(facts: Facts, handle: number, name: string): string {
  const executable = facts.execution.executables[facts.execution.executableOfHandle.get(handle) ?? -1];
  if (!executable) return `**\`${name}\`** — executable graph`;
  const streams = new Set(
    executable.launches.map((launch) => facts.trace.handles[facts.execution.operations[launch]!.stream]?.name ?? ''),
  );
  return [
    `**\`${name}\`** — executable graph${executable.autoFree ? ', frees at relaunch' : ''}`,
    '',
    `- instantiation: ${executable.result}`,
    `- launched ${executable.launches.length} times${streams.size > 0 ? ` in ${[...streams].map((each) => `\`${each}\``).join(', ')}` : ''}`,
  ].join('\n');
}

function describeStream(facts: Facts, handle: number, name: string, isOutside: boolean): string {
  const operations = facts.execution.operations.filter((operation) => operation.stream === handle).length;
  const captured = facts.execution.graphs.reduce(
    (sum, graph) => sum + graph.nodes.filter((node) => node.stream === handle).length,
    0,
  );
  const kind = isOutside
    ? 'comes from outside'
    : facts.execution.nonBlockingStreams.has(handle)
      ? 'non-blocking'
      : 'blocking: ordered with the default stream';
  return [`**\`${name}\`** — stream, ${kind}`, '', `- ${operations} operations, ${captured} captured`].join('\n');
}

function describeEvent(facts: Facts, source: SourceText, handle: number, name: string): string {
  const records: number[] = [];
  const waits: number[] = [];
  for (const event of facts.trace.events) {
    if (event.verb === 'event.record' && event.event === handle) records.push(event.index);
    if (event.verb === 'stream.wait' && event.event === handle) waits.push(event.index);
  }
  const lines = (events: readonly number[]): string =>
    [...new Set(events.map((event) => lineOf(source, facts, event)))].map((each) => `line ${each}`).join(', ') ||
    'never';
  return [`**\`${name}\`** — event`, '', `- recorded: ${lines(records)}`, `- waited for: ${lines(waits)}`].join('\n');
}
