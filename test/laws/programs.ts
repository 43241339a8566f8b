/**
 * Small graph programs as data, and their printers: the same program in CUDA C++ (in several styles) and in TypeScript. Laws
 * compare what is understood of the prints. Programs of streams, launches and captures: `generated/`.
 */

import type { Analysis } from '../../src/pipeline.ts';
import { evaluateSize } from '../../src/trace/size.ts';

export type ProgramNode =
  | { readonly kind: 'alloc'; readonly bytes: number; readonly dependencies: readonly number[] }
  | { readonly kind: 'kernel'; readonly reads: readonly number[]; readonly dependencies: readonly number[] }
  | { readonly kind: 'free'; readonly buffer: number; readonly dependencies: readonly number[] };

/** Buffers are named by the index of their allocation node; dependencies are indices of earlier nodes. */
export interface GraphProgram {
  readonly nodes: readonly ProgramNode[];
  /** Added when all nodes exist. */
  readonly edges: readonly (readonly [number, number])[];
}

/** How a program is written; none of it may matter. */
export interface Style {
  readonly definitions: string;
  readonly name: (name: string) => string;
  readonly call: (call: string) => string;
  readonly separator: string;
}

export const plainStyle: Style = {
  definitions: '',
  name: (name) => name,
  call: (call) => `${call};`,
  separator: '\n  ',
};

export function printCuda(program: GraphProgram, style: Style = plainStyle): string {
  const { name, call } = style;
  const lines = [`cudaGraph_t ${name('graph')};`, call(`cudaGraphCreate(&${name('graph')}, 0)`)];
  program.nodes.forEach((node, index) => {
    lines.push(`cudaGraphNode_t ${name(`n${index}`)};`);
    const list = node.dependencies.map((each) => name(`n${each}`));
    if (list.length > 1) lines.push(`cudaGraphNode_t ${name(`d${index}`)}[] = {${list.join(', ')}};`);
    const dependencies =
      list.length === 0 ? 'nullptr, 0' : list.length === 1 ? `&${list[0]}, 1` : `${name(`d${index}`)}, ${list.length}`;
    const head = `&${name(`n${index}`)}, ${name('graph')}, ${dependencies}`;
    if (node.kind === 'alloc') {
      const params = name(`p${index}`);
      lines.push(
        `cudaMemAllocNodeParams ${params} = {};`,
        `${params}.poolProps.allocType = cudaMemAllocationTypePinned;`,
        `${params}.poolProps.location.type = cudaMemLocationTypeDevice;`,
        `${params}.bytesize = ${node.bytes};`,
        call(`cudaGraphAddMemAllocNode(${head}, &${params})`),
        `float *${name(`b${index}`)} = (float *)${params}.dptr;`,
      );
    } else if (node.kind === 'free') lines.push(call(`cudaGraphAddMemFreeNode(${head}, ${name(`b${node.buffer}`)})`));
    else {
      const values = node.reads.map((buffer) => `&${name(`b${buffer}`)}`);
      lines.push(
        `void *${name(`a${index}`)}[] = {${values.join(', ') || 'nullptr'}};`,
        `cudaKernelNodeParams ${name(`k${index}`)} = {(void *)read${values.length}, 1, 1, 0, ${name(`a${index}`)}, nullptr};`,
        call(`cudaGraphAddKernelNode(${head}, &${name(`k${index}`)})`),
      );
    }
  });
  for (const [from, to] of program.edges)
    lines.push(
      call(`cudaGraphAddDependencies(${name('graph')}, &${name(`n${from}`)}, &${name(`n${to}`)}, nullptr, 1)`),
    );
  return `${kernels}${style.definitions}\nint main() {${style.separator}${lines.join(style.separator)}\n}\n`;
}

const kernels = `#include <cuda_runtime.h>
__global__ void read0() {}
__global__ void read1(const float *a) { if (a[0] < 0.0f) __trap(); }
__global__ void read2(const float *a, const float *b) { if (a[0] < b[0]) __trap(); }
`;

export function printTypeScript(program: GraphProgram): string {
  const lines = ['const graph = cudaGraphCreate();'];
  program.nodes.forEach((node, index) => {
    const list = `[${node.dependencies.map((each) => `n${each}`).join(', ')}]`;
    if (node.kind === 'alloc')
      lines.push(
        `const { node: n${index}, dptr: b${index} } = cudaGraphAddMemAllocNode(graph, ${list}, { bytesize: ${node.bytes} });`,
      );
    else if (node.kind === 'free')
      lines.push(`const n${index} = cudaGraphAddMemFreeNode(graph, ${list}, b${node.buffer});`);
    else
      lines.push(
        `const n${index} = cudaGraphAddKernelNode(graph, ${list}, { func: 'read${node.reads.length}', reads: [${node.reads.map((buffer) => `b${buffer}`).join(', ')}] });`,
      );
  });
  for (const [from, to] of program.edges) lines.push(`cudaGraphAddDependencies(graph, [n${from}], [n${to}]);`);
  return typescriptProgram(lines.join('\n  '));
}

/** A module whose `main` has this body; imports what it names. */
export function typescriptProgram(body: string): string {
  const names = [...new Set(body.match(/\bcuda[A-Z]\w*/g) ?? [])];
  return `import { ${names.join(', ')} } from 'graphmem/runtime';\n\nfunction main(): void {\n  ${body}\n}\n`;
}

export interface Understood {
  readonly nodes: readonly string[];
  /** Pairs `from-to` of the transitive closure: an edge that another path implies says nothing. */
  readonly order: readonly string[];
  /** Rule and node of what is reported about order. */
  readonly findings: readonly string[];
  readonly gaps: readonly string[];
}

const orderRules = new Set([
  'graph-use-before-alloc',
  'graph-use-after-free',
  'graph-use-free-race',
  'graph-free-before-alloc',
]);

/** What is understood of the (one) graph of a program, free of names and places. */
export function understood(analysis: Analysis): Understood {
  const facts = analysis.facts.get('main');
  const graph = facts?.execution.graphs[0];
  const nodes = graph?.nodes ?? [];
  const index = new Map(nodes.map((node, position) => [node.id, position]));
  const edges = nodes.map((node) => node.dependencies.map((from) => index.get(from) ?? -1));
  const nodeAt = (start: number, end: number): number =>
    nodes.findIndex((node) => {
      const span = facts?.trace.events[node.event]?.span;
      return span !== undefined && start <= span.start && span.end <= end;
    });
  return {
    nodes: nodes.map(({ operation }) => {
      const bytes = operation.kind === 'memAlloc' && operation.bytes ? ` ${evaluateSize(operation.bytes)}` : '';
      return `${operation.kind}${bytes}${operation.accesses.map((access) => ` ${access.mode}`).join('')}`;
    }),
    order: closure(edges),
    findings: analysis.findings
      .filter((finding) => orderRules.has(finding.rule))
      .map((finding) => `${finding.severity} ${finding.rule} ${nodeAt(finding.span.start, finding.span.end)}`)
      .sort(),
    gaps: analysis.gaps.map((gap) => `${gap.kind} ${gap.name}`),
  };
}

function closure(edges: readonly (readonly number[])[]): readonly string[] {
  const reached = edges.map((_, from) => {
    const seen = new Set<number>();
    const visit = (node: number): void => {
      for (const next of edges[node] ?? [])
        if (!seen.has(next)) {
          seen.add(next);
          visit(next);
        }
    };
    visit(from);
    return seen;
  });
  return reached.flatMap((before, to) => [...before].map((from) => `${from}-${to}`)).sort();
}
