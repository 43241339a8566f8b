/** Programs in TypeScript of several files: what is imported is read where it stands, under whatever name. */

import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Analysis } from '../../../src/pipeline.ts';
import { testEngine } from '../../support/engine.ts';

type Files = Readonly<Record<string, string>>;

/** What, the program, what stands for `@@` in the wrong one and in the right one, the other files. */
const programs: readonly (readonly [string, string, string, string, Files])[] = [
  [
    'modules: named and default imports',
    `import makeGraph, { addReader as reader, KIB } from './lib/builders';
import type { Made } from './lib/builders';
const graph = makeGraph();
const { node, dptr }: Made = cudaGraphAddMemAllocNode(graph, [], { bytesize: 4 * KIB });
const a = reader(graph, node, dptr, 'a');
const b = reader(graph, node, dptr, 'b');
cudaGraphAddMemFreeNode(graph, [@@], dptr);
`,
    'a',
    'a, b',
    {
      'lib/builders.ts': `import { cudaGraphAddKernelNode, cudaGraphCreate, type DevicePointer, type Graph, type GraphNode } from 'graphmem/runtime';
export const KIB = 1024;
export interface Made { readonly node: GraphNode; readonly dptr: DevicePointer }
export function addReader(graph: Graph, after: GraphNode, data: DevicePointer, func: string): GraphNode {
  return cudaGraphAddKernelNode(graph, [after], { func, reads: [data] });
}
export default function makeGraph(): Graph { return cudaGraphCreate(); }
`,
    },
  ],
  [
    'modules: index re-exports and namespace import',
    `import * as memory from './memory';
const stream = cudaStreamCreate();
const arena = new memory.Arena(stream, memory.defaultSize);
const p = arena.take();
cudaMemsetAsync(p, 0, memory.defaultSize, stream);
arena.close();
@@
cudaStreamSynchronize(stream);
cudaStreamDestroy(stream);
`,
    'cudaMemsetAsync(p, 0, 16, stream);',
    '',
    {
      'memory/index.ts': `export { Arena } from './arena.js';
export * from './sizes.js';
`,
      'memory/sizes.ts': `export const defaultSize = 1 << 14;
`,
      'memory/arena.ts': `import { cudaFreeAsync, cudaMallocAsync, type DevicePointer, type Stream } from 'graphmem/runtime';
export class Arena {
  readonly #blocks: DevicePointer[] = [];
  constructor(private readonly stream: Stream, private readonly bytes: number) {}
  take(): DevicePointer { const p = cudaMallocAsync(this.bytes, this.stream); this.#blocks.push(p); return p; }
  close(): void { for (const block of this.#blocks.splice(0)) cudaFreeAsync(block, this.stream); }
}
`,
    },
  ],
  [
    'modules: same private names in two files',
    `import { openLeft } from './left';
import { openRight } from './right';
const graph = cudaGraphCreate();
const { node, dptr } = cudaGraphAddMemAllocNode(graph, [], { bytesize: 400 });
function helper(func: string): GraphNode { return cudaGraphAddKernelNode(graph, [node], { func, reads: [dptr] }); }
const nodes = [helper('own'), openLeft(graph, node, dptr), openRight(graph, node, dptr)];
cudaGraphAddMemFreeNode(graph, @@, dptr);
`,
    'nodes.slice(0, 2)',
    'nodes',
    {
      'left.ts': `import { cudaGraphAddKernelNode, type DevicePointer, type Graph, type GraphNode } from 'graphmem/runtime';
const suffix = '_left';
const helper = (func: string): string => func + suffix;
export const openLeft = (graph: Graph, after: GraphNode, data: DevicePointer): GraphNode => cudaGraphAddKernelNode(graph, [after], { func: helper('open'), reads: [data] });
`,
      'right.ts': `import { cudaGraphAddKernelNode, type DevicePointer, type Graph, type GraphNode } from 'graphmem/runtime';
const suffix = '_right';
const helper = (func: string): string => func + suffix;
export const openRight = (graph: Graph, after: GraphNode, data: DevicePointer): GraphNode => cudaGraphAddKernelNode(graph, [after], { func: helper('open'), reads: [data] });
`,
    },
  ],
  [
    'modules: class hierarchy and constants over three files',
    `import { Blur } from './stages/blur';
import * as config from './config';
import type { Stage } from './stages/stage';
const graph = cudaGraphCreate();
const { node, dptr } = cudaGraphAddMemAllocNode(graph, [], { bytesize: config.default.bytes * config.scale(2) });
const stage: Stage = new Blur(graph, config.NAMES);
const ends = stage.build(node, dptr);
cudaGraphAddMemFreeNode(graph, @@, dptr);
`,
    'ends.slice(1)',
    'ends',
    {
      'config.ts': `const settings = { bytes: 1024 };
export default settings;
export const NAMES = ['rows', 'columns'] as const;
export function scale(by: number): number { return by * factor; }
const factor = 4;
`,
      'stages/stage.ts': `import type { DevicePointer, Graph, GraphNode } from 'graphmem/runtime';
import { add } from '../util/index.js';
export abstract class Stage {
  constructor(protected readonly graph: Graph, protected readonly names: readonly string[]) {}
  protected abstract prefix(): string;
  build(after: GraphNode, data: DevicePointer): GraphNode[] { return this.names.map((name) => add(this.graph, after, this.prefix() + name, data)); }
}
`,
      'stages/blur.ts': `import { Stage } from './stage';
export class Blur extends Stage { protected override prefix(): string { return 'blur_'; } }
`,
      'util/index.ts': `import { cudaGraphAddKernelNode, type DevicePointer, type Graph, type GraphNode } from 'graphmem/runtime';
export const add = (graph: Graph, after: GraphNode, func: string, data: DevicePointer): GraphNode => cudaGraphAddKernelNode(graph, [after], { func, reads: [data] });
`,
    },
  ],
  [
    'modules: singleton state and cycle',
    `import { pool } from './pool';
import { use } from './user';
const p = pool.take(64);
use(p);
pool.give(p);
@@
pool.close();
`,
    'use(p);',
    '',
    {
      'pool.ts': `import { cudaFreeAsync, cudaMallocAsync, cudaStreamCreate, cudaStreamDestroy, cudaStreamSynchronize, type DevicePointer } from 'graphmem/runtime';
import { note } from './user';
export const stream = cudaStreamCreate();
class Pool { #live = 0; take(bytes: number): DevicePointer { this.#live++; note(this.#live); return cudaMallocAsync(bytes, stream); } give(p: DevicePointer): void { this.#live--; cudaFreeAsync(p, stream); } close(): void { cudaStreamSynchronize(stream); cudaStreamDestroy(stream); } }
export const pool = new Pool();
`,
      'user.ts': `import { cudaLaunchKernel, type DevicePointer } from 'graphmem/runtime';
import { stream } from './pool';
export function use(p: DevicePointer): void { cudaLaunchKernel({ func: 'use', writes: [p] }, stream); }
export function note(_count: number): void {}
`,
    },
  ],
  [
    'modules: barrel with default class, aliases and an enum',
    `import Planner, { Phase as Stage, type Options } from './planning';
import { MIB as MB } from './planning/units';
const options: Options = { bytes: 2 * MB, stages: [Stage.Load, Stage.Run] };
const planner = new Planner(options);
planner.run(@@);
`,
    'Stage.Load',
    'Stage.Run',
    {
      'planning/index.ts': `export { default } from './planner';
export { Phase } from './phase';
export type { Options } from './planner';
`,
      'planning/phase.ts': `export enum Phase { Load, Run }
`,
      'planning/units.ts': `const KIB = 1 << 10;
export const MIB = KIB * KIB;
`,
      'planning/planner.ts': `import { cudaGraphAddKernelNode, cudaGraphAddMemAllocNode, cudaGraphAddMemFreeNode, cudaGraphCreate, type GraphNode } from 'graphmem/runtime';
import { Phase } from './phase';
export interface Options { bytes: number; stages: readonly Phase[] }
export default class Planner {
  readonly #graph = cudaGraphCreate();
  constructor(private readonly options: Options) {}
  run(last: Phase): void {
    const { node, dptr } = cudaGraphAddMemAllocNode(this.#graph, [], { bytesize: this.options.bytes });
    const done = new Map<Phase, GraphNode>();
    for (const stage of this.options.stages) done.set(stage, cudaGraphAddKernelNode(this.#graph, [done.get(stage - 1) ?? node], { func: Phase[stage]!, reads: [dptr] }));
    cudaGraphAddMemFreeNode(this.#graph, [done.get(last)!], dptr);
  }
}
`,
    },
  ],
  [
    'modules: anonymous default function and object',
    `import make from './make';
import tools, { version } from './tools';
import './setup';
const { node, dptr } = make(64 * version);
const a = tools.read(node, dptr, 'a');
const b = tools.read(node, dptr, 'b');
tools.free(dptr, @@);
`,
    'a',
    'a, b',
    {
      'graph.ts': `import { cudaGraphCreate } from 'graphmem/runtime';
export let graph = cudaGraphCreate();
`,
      'make.ts': `import { cudaGraphAddMemAllocNode } from 'graphmem/runtime';
import { graph } from './graph';
export default (bytesize: number) => cudaGraphAddMemAllocNode(graph, [], { bytesize });
`,
      'tools.ts': `import { cudaGraphAddKernelNode, cudaGraphAddMemFreeNode, type GraphNode, type DevicePointer } from 'graphmem/runtime';
import * as g from './graph';
export const version = 2;
export default {
  read: (after: GraphNode, data: DevicePointer, func: string) => cudaGraphAddKernelNode(g.graph, [after], { func, reads: [data] }),
  free(data: DevicePointer, ...after: GraphNode[]) { cudaGraphAddMemFreeNode(g.graph, after, data); },
};
`,
      'setup.ts': `console.log('ready');
`,
    },
  ],
  [
    'modules: default class extended in another file',
    `import Job from './job';
class Two extends Job { override run() { super.run(); this.add('second'); } }
const job = new Two(128);
job.run();
job.close(@@);
`,
    '1',
    '2',
    {
      'job.ts': `import { cudaGraphAddKernelNode, cudaGraphAddMemAllocNode, cudaGraphAddMemFreeNode, cudaGraphCreate, type GraphNode } from 'graphmem/runtime';
export default class {
  protected readonly graph = cudaGraphCreate();
  private readonly memory;
  protected readonly nodes: GraphNode[] = [];
  constructor(bytes: number) { this.memory = cudaGraphAddMemAllocNode(this.graph, [], { bytesize: bytes }); }
  protected add(func: string): void { this.nodes.push(cudaGraphAddKernelNode(this.graph, [this.memory.node], { func, reads: [this.memory.dptr] })); }
  run(): void { this.add('first'); }
  close(n: number): void { cudaGraphAddMemFreeNode(this.graph, this.nodes.slice(0, n), this.memory.dptr); }
}
`,
    },
  ],
  [
    'modules: export star as namespace, renamed exports, name clashes',
    `import { arena, read as readIt } from './api';
const size = 256;
const memory = arena.open(size);
const nodes = ['x', 'y'].map((name) => readIt(memory, name));
arena.close(memory, @@);
`,
    'nodes.slice(1)',
    'nodes',
    {
      'api/index.ts': `export * as arena from './arena';
export { readOne as read } from './read';
`,
      'api/arena.ts': `import { cudaGraphAddMemAllocNode, cudaGraphAddMemFreeNode, cudaGraphCreate, type GraphNode } from 'graphmem/runtime';
const size = 512;
export const graph = cudaGraphCreate();
export function open(bytes: number) { const memory = cudaGraphAddMemAllocNode(graph, [], { bytesize: Math.max(size, bytes) }); return memory; }
export function close(memory: ReturnType<typeof open>, nodes: GraphNode[]) { cudaGraphAddMemFreeNode(graph, nodes, memory.dptr); }
`,
      'api/read.ts': `import { cudaGraphAddKernelNode } from 'graphmem/runtime';
import { graph, type open } from './arena';
const size = (name: string) => name.toUpperCase();
export const readOne = (memory: ReturnType<typeof open>, name: string) => cudaGraphAddKernelNode(graph, [memory.node], { func: size(name), reads: [memory.dptr] });
`,
    },
  ],
];

async function analyse(text: string, files: Files): Promise<Analysis> {
  const engine = await testEngine();
  return engine.analyse({
    file: 'src/main.ts',
    text,
    language: 'typescript',
    readInclude: (name, from) => {
      const file = path.posix.join(path.posix.dirname(from), name);
      const found = files[path.posix.relative('src', file)];
      return found === undefined ? undefined : { file, text: found };
    },
  });
}

describe('programs of several files', () => {
  it.each(programs)('%s', async (_, text, bad, good, files) => {
    const wrong = await analyse(
      text.replace('@@', () => bad),
      files,
    );
    expect(wrong.findings.map(({ severity }) => severity)).toEqual(['error']);
    expect(wrong.gaps).toEqual([]);
    const right = await analyse(
      text.replace('@@', () => good),
      files,
    );
    expect(right.findings).toEqual([]);
    expect(right.gaps).toEqual([]);
  });
});

describe('imports that lead nowhere, or round', () => {
  it.each([
    ['the file itself', "import { a } from './main'; export const a = cudaMalloc(4);", {}, 0],
    [
      'a circle',
      "import { b } from './b'; export const a = cudaMalloc(4); b(); cudaFree(a);",
      { 'b.ts': "import { a } from './main'; export function b() { cudaFree(a); }" },
      1,
    ],
    ['nothing', "import { b } from '../../b'; import c from 'c'; b(c);", {}, 0],
    [
      'a file that is not whole',
      "import { b } from './b'; b(cudaMalloc(4));",
      { 'b.ts': 'export function b(p { cudaFree(p); ' },
      0,
    ],
  ] as const)('%s', async (_, text, files, count) => {
    expect((await analyse(text, files)).findings).toHaveLength(count);
  });
});
