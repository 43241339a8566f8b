/**
 * Graphs as the driver has them, whatever the program does to its copies and its nodes: each line is a node, what it moves, and
 * what it comes after.
 */

import { describe, expect, it } from 'vitest';
import { graphDocument, type NodeEntry } from '../../src/scene/graph-document.ts';
import { analyseText } from '../support/engine.ts';

const head = `#include <cuda_runtime.h>
static void *memory;
static cudaGraphNode_t set(cudaGraph_t g, size_t bytes, const cudaGraphNode_t *on = nullptr, size_t n = 0) {
  cudaGraphNode_t node; cudaMemsetParams m{}; m.dst = memory; m.elementSize = 1; m.width = bytes; m.height = 1;
  cudaGraphAddMemsetNode(&node, g, on, n, &m); return node; }
static void resize(cudaGraphNode_t node, size_t bytes) { cudaMemsetParams m{}; m.dst = memory; m.elementSize = 1; m.width = bytes; m.height = 1;
  cudaGraphMemsetNodeSetParams(node, &m); }
`;

/** The nodes of a graph, one a line, with the graphs inside child nodes in brackets. */
function shapeOf(graph: {
  readonly nodes: readonly NodeEntry[];
  readonly edges: readonly (readonly [number, number])[];
}): string {
  return graph.nodes
    .map((node) => {
      const after = graph.edges.filter(([, to]) => to === node.id).map(([from]) => from);
      const inner = node.graph ? ` [${shapeOf(node.graph)}]` : '';
      return `${node.kind}${node.bytes ? ` ${node.bytes}` : ''}${inner}${after.length > 0 ? ` < ${after.join(' ')}` : ''}`;
    })
    .join('; ');
}

async function shapes(body: string): Promise<readonly string[]> {
  const text = `${head}int main() { cudaGraph_t g; cudaGraphCreate(&g, 0); cudaGraphExec_t x, y; ${body} return 0; }`;
  const analysis = await analyseText(text);
  const document = graphDocument(analysis.facts, analysis.sources, 'main');
  return document.graphs.filter(({ instantiated }) => instantiated).map(shapeOf);
}

type Row = readonly [what: string, body: string, graphs: readonly string[]];

const children: readonly Row[] = [
  [
    'edges of one call, of which one is there already: those before it are added',
    'cudaGraphNode_t n[3]; for (auto &each : n) cudaGraphAddEmptyNode(&each, g, nullptr, 0); cudaGraphNode_t from[] = {n[0], n[0], n[1]}, to[] = {n[1], n[1], n[2]};\n' +
      'cudaGraphAddDependencies(g, from, to, nullptr, 3); cudaGraphInstantiate(&x, g, 0);',
    ['empty; empty < 0; empty'],
  ],
  [
    'edges of one call, of which one is from a node to itself: none is added',
    'cudaGraphNode_t n[3]; for (auto &each : n) cudaGraphAddEmptyNode(&each, g, nullptr, 0); cudaGraphNode_t from[] = {n[0], n[1]}, to[] = {n[1], n[1]};\n' +
      'cudaGraphAddDependencies(g, from, to, nullptr, 2); cudaGraphInstantiate(&x, g, 0);',
    ['empty; empty; empty'],
  ],
  [
    'that keep what they were given',
    `cudaGraph_t sub; cudaGraphCreate(&sub, 0); auto a = set(sub, 8); cudaGraphNode_t c;
     cudaGraphAddChildGraphNode(&c, g, nullptr, 0, sub); resize(a, 4); set(sub, 2, &a, 1); cudaGraphInstantiate(&x, g, 0); cudaGraphInstantiate(&y, sub, 0);`,
    ['child [memset 8]', 'memset 4; memset 2 < 0'],
  ],
  [
    'that are changed inside their node',
    `cudaGraph_t sub, in; cudaGraphCreate(&sub, 0); set(sub, 8); cudaGraphNode_t c, d, n[1]; size_t count = 1;
     cudaGraphAddChildGraphNode(&c, g, nullptr, 0, sub); cudaGraphAddChildGraphNode(&d, g, &c, 1, sub); cudaGraphDestroy(sub);
     cudaGraphChildGraphNodeGetGraph(d, &in); cudaGraphGetNodes(in, n, &count); set(in, 4, n, count); cudaGraphInstantiate(&x, g, 0);`,
    ['child [memset 8]; child [memset 8; memset 4 < 0] < 0'],
  ],
  [
    'two deep, the inner one changed',
    `cudaGraph_t sub, mid, in, deep; cudaGraphCreate(&sub, 0); cudaGraphCreate(&mid, 0); set(sub, 8); cudaGraphNode_t c, d, n[1]; size_t count = 1;
     cudaGraphAddChildGraphNode(&c, mid, nullptr, 0, sub); cudaGraphAddChildGraphNode(&d, g, nullptr, 0, mid);
     cudaGraphChildGraphNodeGetGraph(d, &in); cudaGraphGetNodes(in, n, &count); cudaGraphChildGraphNodeGetGraph(n[0], &deep); set(deep, 4);
     cudaGraphInstantiate(&x, g, 0); cudaGraphInstantiate(&y, mid, 0);`,
    ['child [child [memset 8; memset 4]]', 'child [memset 8]'],
  ],
  [
    'changed behind the instantiation',
    `cudaGraph_t sub, in; cudaGraphCreate(&sub, 0); set(sub, 8); cudaGraphNode_t c; cudaGraphAddChildGraphNode(&c, g, nullptr, 0, sub);
     cudaGraphChildGraphNodeGetGraph(c, &in); set(in, 4); cudaGraphInstantiate(&x, g, 0); set(in, 2); cudaGraphInstantiate(&y, g, 0);`,
    ['child [memset 8; memset 4]', 'child [memset 8; memset 4; memset 2]'],
  ],
];

const edited: readonly Row[] = [
  [
    'a node of a clone destroyed, after one of the original',
    `cudaGraph_t c; auto a = set(g, 1), b = set(g, 2, &a, 1), d = set(g, 3, &b, 1); cudaGraphDestroyNode(a); cudaGraphClone(&c, g);
     cudaGraphNode_t o; cudaGraphNodeFindInClone(&o, d, c); cudaGraphDestroyNode(o); set(c, 9); cudaGraphInstantiate(&x, g, 0); cudaGraphInstantiate(&y, c, 0);`,
    ['memset 2; memset 3 < 0', 'memset 2; memset 9'],
  ],
  [
    'nodes asked for after one was destroyed',
    `auto a = set(g, 1), b = set(g, 2, &a, 1), d = set(g, 3, &b, 1); cudaGraphDestroyNode(b); cudaGraphNode_t n[3]; size_t count = 3;
     cudaGraphGetNodes(g, n, &count); set(g, 10 * count, n, count); cudaGraphInstantiate(&x, g, 0);`,
    ['memset 1; memset 3; memset 20 < 0 1'],
  ],
  [
    'a gap closed around a node',
    `auto a = set(g, 1), b = set(g, 2, &a, 1), d = set(g, 3, &b, 1); size_t n = 0, m = 0; cudaGraphNode_t from, to;
     cudaGraphNodeGetDependencies(b, nullptr, nullptr, &n); cudaGraphNodeGetDependencies(b, &from, nullptr, &n);
     cudaGraphNodeGetDependentNodes(b, nullptr, nullptr, &m); cudaGraphNodeGetDependentNodes(b, &to, nullptr, &m);
     cudaGraphAddDependencies(g, &from, &to, nullptr, 1); cudaGraphDestroyNode(b); cudaGraphInstantiate(&x, g, 0);`,
    ['memset 1; memset 3 < 0'],
  ],
];

/** What a program does when an update says that the shape is another. */
const again = `if (cudaGraphExecUpdate(x, c, &info) != cudaSuccess) { cudaGraphExecDestroy(x); cudaGraphInstantiate(&x, c, 0); }
  cudaGraphLaunch(x, 0);`;
const updated: readonly Row[] = [
  [
    'with a graph of the same shape',
    `cudaGraph_t c; cudaGraphExecUpdateResultInfo info; auto a = set(g, 1); set(g, 2, &a, 1); cudaGraphInstantiate(&x, g, 0);
     cudaGraphCreate(&c, 0); auto b = set(c, 3); set(c, 4, &b, 1); ${again}`,
    ['memset 1; memset 2 < 0'],
  ],
  [
    'with one node more',
    `cudaGraph_t c; cudaGraphExecUpdateResultInfo info; auto a = set(g, 1); set(g, 2, &a, 1); cudaGraphInstantiate(&x, g, 0);
     cudaGraphClone(&c, g); set(c, 3); ${again}`,
    ['memset 1; memset 2 < 0', 'memset 1; memset 2 < 0; memset 3'],
  ],
  [
    'with an edge less, as its result says',
    `cudaGraph_t c; cudaGraphExecUpdateResultInfo info; auto a = set(g, 1); set(g, 2, &a, 1); cudaGraphInstantiate(&x, g, 0);
     cudaGraphCreate(&c, 0); set(c, 3); set(c, 4); cudaGraphExecUpdate(x, c, &info);
     if (info.result != cudaGraphExecUpdateSuccess) cudaGraphInstantiate(&y, c, 0);`,
    ['memset 1; memset 2 < 0', 'memset 3; memset 4'],
  ],
];

describe.each([
  ['children', children],
  ['an executable updated', updated],
  ['an edited graph', edited],
] as const)('%s', (_, rows) => {
  it.each(rows)('%s', async (_what, body, graphs) => {
    expect(await shapes(body)).toEqual(graphs);
  });
});
