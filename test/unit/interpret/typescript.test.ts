/** What plans in TypeScript are made with: `Math`, arrays and the functions that they are given, objects that are shared, classes. */

import { describe, expect, it } from 'vitest';
import { evaluateSize } from '../../../src/trace/size.ts';
import { analyseText } from '../../support/engine.ts';

const head = `import { cudaFree, cudaGraphAddKernelNode, cudaGraphAddMemAllocNode, cudaGraphAddMemFreeNode, cudaGraphCreate, cudaMalloc } from 'graphmem/runtime';\n`;

async function bytesOf(expression: string): Promise<number | null> {
  const { facts } = await analyseText(
    `${head}const memory = cudaMalloc(${expression});\ncudaFree(memory);\n`,
    'typescript',
  );
  const bytes = [...facts.values()][0]?.trace.allocations[0]?.bytes;
  return bytes ? evaluateSize(bytes) : null;
}

describe('sizes', () => {
  it.each([
    ['Math.ceil(1000 / 256) * 256', 1024],
    ['Math.max(3, 5, 4) * Math.min(7, 6)', 30],
    ['Math.floor(7 / 2) + Math.round(2.5) + Math.trunc(2.9) + Math.abs(-1)', 9],
    ['2 ** 10', 1024],
    ['7 / 2 * 4', 14],
    ['(1000 + 255) & ~255', 1024],
    ['[1, 2, 3].reduce((sum, each) => sum + each, 10)', 16],
    ['[1, 2, 3].reduce((sum, each) => sum + each)', 6],
    ['[1, 2, 3].map((each) => each * 2).reduce((sum, each) => sum + each, 0)', 12],
    ['[1, 2, 3, 4].filter((each) => each % 2 === 0).reduce((sum, each) => sum + each, 0)', 6],
    ['[4, 5, 6].slice(1).concat([7]).reduce((sum, each) => sum + each, 0)', 18],
    ['[[1, 2], [3]].flatMap((each) => each).reduce((sum, each) => sum + each, 0)', 6],
    ['[4, 5, 6].find((each) => each > 4) ?? 0', 5],
    ['[4, 5, 6].find((each) => each > 4)', 5],
    ['[4, 5, 6].findIndex((each) => each > 4)', 1],
    ['[4, 5].some((each) => each > 4) ? 16 : 32', 16],
    ['[4, 5].every((each) => each > 4) ? 16 : 32', 32],
    ['[4, 5].map((each) => each).length', 2],
  ])('%s', async (expression, bytes) => {
    expect(await bytesOf(expression)).toBe(bytes);
  });
});

describe('work in a function that an array is given', () => {
  const plan = (work: string, free: string): string => `${head}export function plan(): void {
  const graph = cudaGraphCreate();
  const { node: alloc, dptr: data } = cudaGraphAddMemAllocNode(graph, [], { bytesize: 64 });
  const names = ['left', 'right'];
  ${work}
  cudaGraphAddMemFreeNode(graph, ${free}, data);
}\n`;
  const add = `cudaGraphAddKernelNode(graph, [alloc], { func: name, reads: [data] })`;

  it.each([
    ['forEach', `const readers: GraphNode[] = []; names.forEach((name) => { readers.push(${add}); });`],
    ['map', `const readers = names.map((name) => ${add});`],
    ['reduce', `const readers = names.reduce((before, name) => { before.push(${add}); return before; }, []);`],
  ])('%s', async (_, work) => {
    const bad = await analyseText(plan(work, '[readers[0]]'), 'typescript');
    expect(bad.findings.map(({ rule }) => rule)).toEqual(['graph-use-free-race']);
    expect((await analyseText(plan(work, 'readers'), 'typescript')).findings).toEqual([]);
  });
});

describe('classes and objects', () => {
  const planner = `${head}
class Named {
  private readonly nodes: GraphNode[] = [];
  private readonly byName = new Map<string, GraphNode>();
  constructor(protected readonly graph: Graph) {}
  keep(name: string, node: GraphNode): GraphNode { this.nodes.push(node); this.byName.set(name, node); return node; }
  get all(): GraphNode[] { return this.nodes; }
  named(name: string): GraphNode { return this.byName.get(name)!; }
}
class Planner extends Named {
  constructor(graph: Graph, private readonly data: DevicePointer) { super(graph); }
  add(name: string, after: GraphNode[]): GraphNode {
    return super.keep(name, cudaGraphAddKernelNode(this.graph, after, { func: name, reads: [this.data] }));
  }
}
function fill(planner: Planner, after: GraphNode): void { planner.add('left', [after]); planner.add('right', [after]); }
export function plan(): void {
  const graph = cudaGraphCreate();
  const { node: alloc, dptr: data } = cudaGraphAddMemAllocNode(graph, [], { bytesize: 64 });
  const planner = new Planner(graph, data);
  fill(planner, alloc);
  cudaGraphAddMemFreeNode(graph, AFTER, data);
}
`;

  it.each([
    ["[planner.named('left')]", 1],
    ["[planner.named('left'), planner.named('right')]", 0],
    ['planner.all', 0],
    ['planner.all.slice(1)', 1],
  ])('a free behind %s', async (after, count) => {
    const { findings, gaps } = await analyseText(planner.replace('AFTER', after), 'typescript');
    expect(gaps).toEqual([]);
    expect(findings.map(({ rule }) => rule)).toEqual(count === 1 ? ['graph-use-free-race'] : []);
  });

  it('are the same for whoever is given them', async () => {
    const shared = `const plan = { bytes: 16 }; const other = plan; other.bytes = 64; const grow = (given) => { given.bytes += 1; }; grow(plan);`;
    const { facts } = await analyseText(
      `${head}${shared} const memory = cudaMalloc(plan.bytes); cudaFree(memory);`,
      'typescript',
    );
    const bytes = [...facts.values()][0]?.trace.allocations[0]?.bytes;
    expect(bytes && evaluateSize(bytes)).toBe(65);
  });

  it('that are spread are copies', async () => {
    const copied = `const plan = { bytes: 16 }; const other = { ...plan, name: 'other' }; other.bytes = 64;`;
    const { facts } = await analyseText(
      `${head}${copied} const memory = cudaMalloc(plan.bytes); cudaFree(memory);`,
      'typescript',
    );
    const bytes = [...facts.values()][0]?.trace.allocations[0]?.bytes;
    expect(bytes && evaluateSize(bytes)).toBe(16);
  });
});
