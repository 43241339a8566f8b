/** Whole programs in TypeScript, each around a construct that decides what the graph is: with the mistake it is found, without it nothing is. */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../../support/engine.ts';

/** What, the program, what stands for `@@` in the wrong one and in the right one. */
const programs: readonly (readonly [string, string, string, string])[] = [
  [
    'generator that adds nodes, driven by for-of',
    `const names = ['scale', 'shift', 'clip'] as const;
function* stages(graph: Graph, start: GraphNode, data: DevicePointer): Generator<GraphNode> {
  for (const func of names) yield cudaGraphAddKernelNode(graph, [start], { func, reads: [data] });
}
export function plan(): GraphExec {
  const graph = cudaGraphCreate();
  const { node, dptr } = cudaGraphAddMemAllocNode(graph, [], { bytesize: 4096 });
  const done: GraphNode[] = [];
  for (const each of stages(graph, node, dptr)) done.push(each);
  cudaGraphAddMemFreeNode(graph, @@, dptr);
  return cudaGraphInstantiate(graph);
}
plan();
`,
    'done.slice(1)',
    'done',
  ],
  [
    'generator with next() and return value',
    `function* chain(graph: Graph, data: DevicePointer, first: GraphNode): Generator<GraphNode, GraphNode, void> {
  let last = first;
  let count = 0;
  while (count < 3) {
    last = cudaGraphAddKernelNode(graph, [last], { func: \`step\${count}\`, reads: [data], writes: [data] });
    count += 1;
    yield last;
  }
  return last;
}
export function plan() {
  const graph = cudaGraphCreate();
  const { node, dptr } = cudaGraphAddMemAllocNode(graph, [], { bytesize: 1_000_000 });
  const steps = chain(graph, dptr, node);
  let step = steps.next();
  const seen: GraphNode[] = [];
  while (!step.done) {
    seen.push(step.value);
    step = steps.next();
  }
  cudaGraphAddMemFreeNode(graph, [@@], dptr);
}
plan();
`,
    'seen[1]!',
    'step.value',
  ],
  [
    'iterator protocol class',
    `class Tiles {
  constructor(private readonly count: number) {}
  *[Symbol.iterator](): IterableIterator<string> {
    for (let i = 0; i < this.count; i++) yield \`tile_\${i.toString().padStart(2, '0')}\`;
  }
}
export function plan() {
  const graph = cudaGraphCreate();
  const { node, dptr } = cudaGraphAddMemAllocNode(graph, [], { bytesize: 2 ** 20 });
  const readers = [...new Tiles(3)].map((func) => cudaGraphAddKernelNode(graph, [node], { func, reads: [dptr] }));
  cudaGraphAddMemFreeNode(graph, @@, dptr);
}
plan();
`,
    'readers.slice(0, 2)',
    'readers',
  ],
  [
    'hand-made iterator object',
    `function countdown(from: number): Iterable<number> {
  return {
    [Symbol.iterator]() {
      let left = from;
      return {
        next(): IteratorResult<number> {
          return left > 0 ? { value: left--, done: false } : { value: undefined, done: true };
        },
      };
    },
  };
}
export function plan() {
  const graph = cudaGraphCreate();
  const { node, dptr } = cudaGraphAddMemAllocNode(graph, [], { bytesize: 0x1000 });
  const readers: GraphNode[] = [];
  for (const n of countdown(3)) readers.push(cudaGraphAddKernelNode(graph, [node], { func: 'k' + n, reads: [dptr] }));
  cudaGraphAddMemFreeNode(graph, @@, dptr);
}
plan();
`,
    '[readers[0]!, readers[2]!]',
    'readers',
  ],
  [
    'for await over async generator',
    `async function* batches(stream: Stream): AsyncGenerator<DevicePointer> {
  for (let i = 0; i < 2; i++) {
    const memory = cudaMallocAsync(1024 * (i + 1), stream);
    cudaMemsetAsync(memory, 0, 1024, stream);
    yield memory;
  }
}
export async function run() {
  const stream = cudaStreamCreate();
  const other = cudaStreamCreate();
  for await (const memory of batches(stream)) {
    cudaFreeAsync(memory, @@);
  }
  cudaStreamSynchronize(stream);
  cudaStreamSynchronize(other);
  cudaStreamDestroy(stream);
  cudaStreamDestroy(other);
}
await run();
`,
    'other',
    'stream',
  ],
  [
    'using with Symbol.dispose',
    `class DeviceBuffer {
  readonly pointer: DevicePointer;
  constructor(bytes: number) { this.pointer = cudaMalloc(bytes); }
  [Symbol.dispose](): void { cudaFree(this.pointer); }
}
export function run() {
  const stream = cudaStreamCreate();
  let kept: DevicePointer;
  {
    using buffer = new DeviceBuffer(4096);
    kept = buffer.pointer;
    cudaMemsetAsync(buffer.pointer, 0, 4096, stream);
    cudaStreamSynchronize(stream);
  }
  @@
  cudaStreamSynchronize(stream);
  cudaStreamDestroy(stream);
}
run();
`,
    'cudaMemsetAsync(kept, 1, 4096, stream);',
    'void kept;',
  ],
  [
    'private members and accessors',
    `class Arena {
  #graph: Graph;
  #readers: GraphNode[] = [];
  #alloc: { node: GraphNode; dptr: DevicePointer };
  constructor(graph: Graph, bytes: number) {
    this.#graph = graph;
    this.#alloc = cudaGraphAddMemAllocNode(graph, [], { bytesize: bytes });
  }
  get memory(): DevicePointer { return this.#alloc.dptr; }
  get last(): GraphNode { return this.#readers.at(-1) ?? this.#alloc.node; }
  get all(): readonly GraphNode[] { return this.#readers; }
  read(func: string): this {
    this.#readers.push(cudaGraphAddKernelNode(this.#graph, [this.#alloc.node], { func, reads: [this.memory] }));
    return this;
  }
  #close(after: readonly GraphNode[]) { cudaGraphAddMemFreeNode(this.#graph, after, this.#alloc.dptr); }
  close() { this.#close(@@); }
}
const graph = cudaGraphCreate();
new Arena(graph, 1 << 16).read('first').read('second').close();
`,
    '[this.last]',
    'this.all',
  ],
  [
    'numeric enum flags',
    `enum Flags { None = 0, Read = 1 << 0, Write = 1 << 1, Both = Read | Write }
const has = (value: Flags, flag: Flags): boolean => (value & flag) === flag;
const graph = cudaGraphCreate();
const { node, dptr } = cudaGraphAddMemAllocNode(graph, [], { bytesize: 4096 });
const add = (func: string, flags: Flags, after: GraphNode) => cudaGraphAddKernelNode(graph, [after], {
  func,
  reads: has(flags, Flags.Read) ? [dptr] : [],
  writes: has(flags, Flags.Write) ? [dptr] : [],
});
const writer = add('writer', Flags.Write, node);
const both = add(Flags[Flags.Both]!, Flags.Both, @@);
cudaGraphAddMemFreeNode(graph, [writer, both], dptr);
`,
    'node',
    'writer',
  ],
  [
    'namespace with helpers',
    `namespace Memory {
  export const KiB = 1024;
  const made: DevicePointer[] = [];
  export function get(kib: number): DevicePointer { const p = cudaMalloc(kib * KiB); made.push(p); return p; }
  export namespace All { export const release = () => { while (made.length) cudaFree(made.pop()!); }; }
}
const a = Memory.get(4);
const b = Memory.get(8);
Memory.All.release();
@@
`,
    'cudaFree(b);',
    'void a; void b;',
  ],
  [
    'typed arrays as host memory and sizes',
    `const shape = [4, 8, 16] as const;
const host = new Float32Array(shape.reduce((a, b) => a * b, 1));
const stream = cudaStreamCreate();
const device = cudaMalloc(host.byteLength);
cudaMemcpyAsync(device, host, host.length * Float32Array.BYTES_PER_ELEMENT@@, cudaMemcpyHostToDevice, stream);
cudaStreamSynchronize(stream);
cudaFree(device);
cudaStreamDestroy(stream);
`,
    ' * 2',
    '',
  ],
  [
    'event emitter of callbacks',
    `type Events = { start: [graph: Graph, node: GraphNode]; end: [graph: Graph] };
class Emitter<T extends Record<string, unknown[]>> {
  private readonly handlers: { [K in keyof T]?: ((...args: T[K]) => void)[] } = {};
  on<K extends keyof T>(name: K, handler: (...args: T[K]) => void): () => void {
    (this.handlers[name] ??= []).push(handler);
    return () => { this.handlers[name] = this.handlers[name]?.filter((each) => each !== handler); };
  }
  emit<K extends keyof T>(name: K, ...args: T[K]): void { this.handlers[name]?.forEach((handler) => handler(...args)); }
}
const bus = new Emitter<Events>();
const graph = cudaGraphCreate();
const { node, dptr } = cudaGraphAddMemAllocNode(graph, [], { bytesize: 321 });
const ends: GraphNode[] = [];
const off = bus.on('start', (g, after) => { ends.push(cudaGraphAddKernelNode(g, [after], { func: 'first', reads: [dptr] })); });
bus.on('start', (g, after) => { ends.push(cudaGraphAddKernelNode(g, [after], { func: 'second', reads: [dptr] })); });
bus.on('end', (g) => { cudaGraphAddMemFreeNode(g, @@, dptr); });
bus.emit('start', graph, node);
off();
bus.emit('start', graph, node);
bus.emit('end', graph);
`,
    'ends.slice(0, 2)',
    'ends',
  ],
  [
    'ring buffer of events',
    `class Ring<T> {
  private at = 0;
  constructor(private readonly items: T[]) {}
  next(): T { const item = this.items[this.at]!; this.at = (this.at + 1) % this.items.length; return item; }
}
const producer = cudaStreamCreate();
const consumer = cudaStreamCreate();
const ring = new Ring([cudaEventCreate(), cudaEventCreate()]);
const memory = cudaMallocAsync(512, producer);
let last = ring.next();
for (let frame = 0; frame < 3; frame++) {
  cudaLaunchKernel({ func: 'produce', writes: [memory] }, producer);
  cudaEventRecord(last, producer);
  cudaStreamWaitEvent(consumer, last);
  cudaLaunchKernel({ func: 'consume', reads: [memory] }, consumer);
  last = ring.next();
  @@
}
cudaFreeAsync(memory, consumer);
cudaDeviceSynchronize();
`,
    '',
    'cudaEventRecord(last, consumer); cudaStreamWaitEvent(producer, last);',
  ],
  [
    'string handling for lanes',
    `const lanes = 'left|right|centre'.split('|').filter((lane) => !lane.startsWith('c')).map((lane, i) => (i + 1).toString().padStart(3, '0') + lane.charAt(0).toUpperCase() + lane.slice(1));
const graph = cudaGraphCreate();
const { node, dptr } = cudaGraphAddMemAllocNode(graph, [], { bytesize: 2e3 });
const found = Object.fromEntries(lanes.map((func) => [func.toLowerCase(), cudaGraphAddKernelNode(graph, [node], { func, reads: [dptr] })]));
cudaGraphAddMemFreeNode(graph, [@@], dptr);
`,
    "found['001left']!",
    "found['001left']!, found['002right']!",
  ],
  [
    'errors thrown and caught',
    `class OutOfBudget extends Error { constructor(readonly bytes: number) { super(\`too much: \${bytes}\`); this.name = 'OutOfBudget'; } }
function allocate(bytes: number, budget: number): DevicePointer {
  if (bytes > budget) throw new OutOfBudget(bytes);
  return cudaMalloc(bytes);
}
let memory: DevicePointer;
try {
  memory = allocate(4096, 1024);
  cudaFree(memory);
} catch (error) {
  if (!(error instanceof OutOfBudget)) throw error;
  memory = allocate(error.bytes / 8, 1024);
}
const stream = cudaStreamCreate();
cudaMemsetAsync(memory, 0, @@, stream);
cudaStreamSynchronize(stream);
cudaFree(memory);
cudaStreamDestroy(stream);
`,
    '4096',
    '512',
  ],
  [
    'test bodies',
    `declare function describe(name: string, body: () => void): void;
declare function it(name: string, body: () => void | Promise<void>): void;
declare function beforeEach(body: () => void): void;
declare function afterEach(body: () => void): void;
declare function expect(value: unknown): { toBe(other: unknown): void; not: { toThrow(): void } };
describe('the arena', () => {
  let stream: Stream;
  beforeEach(() => { stream = cudaStreamCreate(); });
  afterEach(() => { cudaStreamDestroy(stream); });
  it('frees behind its readers', async () => {
    const graph = cudaGraphCreate();
    const { node, dptr } = cudaGraphAddMemAllocNode(graph, [], { bytesize: 64 });
    const a = cudaGraphAddKernelNode(graph, [node], { func: 'a', reads: [dptr] });
    const b = cudaGraphAddKernelNode(graph, [node], { func: 'b', reads: [dptr] });
    cudaGraphAddMemFreeNode(graph, [@@], dptr);
    const exec = cudaGraphInstantiate(graph);
    expect(() => cudaGraphLaunch(exec, stream)).not.toThrow();
    cudaStreamSynchronize(stream);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
  });
});
`,
    'a',
    'a, b',
  ],
  [
    'mixin function',
    `type Constructor<T = object> = new (...args: any[]) => T;
class Bare { readonly graph = cudaGraphCreate(); }
function Scratch<TBase extends Constructor<Bare>>(Base: TBase) {
  return class extends Base {
    scratch = cudaGraphAddMemAllocNode(this.graph, [], { bytesize: 2048 });
    release(after: readonly GraphNode[]) { cudaGraphAddMemFreeNode(this.graph, after, this.scratch.dptr); }
  };
}
class Job extends Scratch(Bare) {
  run(): void {
    const { node, dptr } = this.scratch;
    const one = cudaGraphAddKernelNode(this.graph, [node], { func: 'one', writes: [dptr] });
    const two = cudaGraphAddKernelNode(this.graph, [one], { func: 'two', reads: [dptr] });
    this.release([@@]);
  }
}
new Job().run();
`,
    'one',
    'two',
  ],
  [
    'registry of plan classes',
    `abstract class Stage { constructor(protected readonly graph: Graph) {} abstract add(after: GraphNode, data: DevicePointer): GraphNode; }
class Load extends Stage { add(after: GraphNode, data: DevicePointer) { return cudaGraphAddKernelNode(this.graph, [after], { func: 'load', writes: [data] }); } }
class Store extends Stage { add(after: GraphNode, data: DevicePointer) { return cudaGraphAddKernelNode(this.graph, [after], { func: 'store', reads: [data] }); } }
const registry: Record<string, new (graph: Graph) => Stage> = { load: Load, store: Store };
const graph = cudaGraphCreate();
const { node, dptr } = cudaGraphAddMemAllocNode(graph, [], { bytesize: 128 });
const ends: GraphNode[] = [];
let last = node;
for (const name of ['load', 'store']) {
  const StageClass = registry[name]!;
  last = new StageClass(graph).add(last, dptr);
  ends.push(last);
}
cudaGraphAddMemFreeNode(graph, [ends[@@]!], dptr);
`,
    '0',
    '1',
  ],
  [
    'class passed to a generic factory',
    `class Lane { readonly stream = cudaStreamCreate(); run(func: string, ...writes: DevicePointer[]) { cudaLaunchKernel({ func, writes }, this.stream); return this; } }
function make<T>(Type: new () => T, count: number): T[] { return Array.from({ length: count }, () => new Type()); }
const [first, second] = make(Lane, 2) as [Lane, Lane];
const memory = cudaMallocAsync(64, first.stream);
first.run('fill', memory);
cudaFreeAsync(memory, @@.stream);
cudaDeviceSynchronize();
`,
    'second',
    'first',
  ],
  [
    'promise chain with then',
    `const stream = cudaStreamCreate();
const memory = cudaMallocAsync(64, stream);
await Promise.resolve(memory)
  .then((m) => { cudaLaunchKernel({ func: 'a', writes: [m] }, stream); return m; })
  .then((m) => { cudaFreeAsync(m, stream); return m; })
  .then((m) => { @@ })
  .finally(() => { cudaStreamSynchronize(stream); });
`,
    "cudaLaunchKernel({ func: 'late', writes: [m] }, stream);",
    'void m;',
  ],
  [
    'timer frees later',
    `const stream = cudaStreamCreate();
const memory = cudaMalloc(64);
setTimeout(() => { cudaFree(memory); cudaStreamDestroy(stream); }, 100);
cudaMemsetAsync(memory, 0, 64, stream);
cudaStreamSynchronize(stream);
@@
`,
    'cudaFree(memory);',
    '',
  ],
  [
    'kahn levels of a dag class',
    `class Dag {
  private readonly edges = new Map<string, Set<string>>();
  private readonly degree: Record<string, number> = {};
  node(name: string): this { this.edges.set(name, this.edges.get(name) ?? new Set()); this.degree[name] ??= 0; return this; }
  edge(from: string, to: string): this { this.node(from).node(to); this.edges.get(from)!.add(to); this.degree[to]!++; return this; }
  *levels(): Generator<string[]> {
    const left = { ...this.degree };
    let ready = Object.keys(left).filter((name) => left[name] === 0);
    while (ready.length > 0) {
      yield ready;
      const next: string[] = [];
      for (const name of ready) for (const to of this.edges.get(name)!) if (--left[to]! === 0) next.push(to);
      ready = next;
    }
  }
  before(name: string): string[] { return [...this.edges].filter(([, tos]) => tos.has(name)).map(([from]) => from); }
}
const dag = new Dag().edge('a', 'b').edge('a', 'c').edge('b', 'd');
const graph = cudaGraphCreate();
const { node, dptr } = cudaGraphAddMemAllocNode(graph, [], { bytesize: 64 });
const made = new Map<string, GraphNode>();
for (const level of dag.levels()) for (const func of level) {
  const before = dag.before(func).map((name) => made.get(name)!);
  made.set(func, cudaGraphAddKernelNode(graph, before.length ? before : [node], { func, reads: [dptr] }));
}
cudaGraphAddMemFreeNode(graph, [made.get('d')!, made.get('@@')!], dptr);
`,
    'b',
    'c',
  ],
  [
    'JSON plan',
    `interface Plan { buffers: Record<string, number>; steps: { name: string; reads?: string[]; writes?: string[]; after: string[] }[] }
const plan: Plan = JSON.parse('{"buffers":{"a":1024},"steps":[{"name":"fill","writes":["a"],"after":["a"]},{"name":"sum","reads":["a"],"after":["fill"]},{"name":"max","reads":["a"],"after":["fill"]}]}');
const graph = cudaGraphCreate();
const memory: Record<string, DevicePointer> = {};
const nodes: Record<string, GraphNode> = {};
for (const [name, bytesize] of Object.entries(plan.buffers)) {
  const { node, dptr } = cudaGraphAddMemAllocNode(graph, [], { bytesize });
  [memory[name], nodes[name]] = [dptr, node];
}
for (const { name, reads = [], writes = [], after } of plan.steps)
  nodes[name] = cudaGraphAddKernelNode(graph, after.map((each) => nodes[each]!), { func: name, reads: reads.map((r) => memory[r]!), writes: writes.map((w) => memory[w]!) });
cudaGraphAddMemFreeNode(graph, [nodes.sum!, @@], memory.a!);
`,
    'nodes.fill!',
    'nodes.max!',
  ],
  [
    'generator pipeline',
    `function* range(n: number) { for (let i = 0; i < n; i++) yield i; }
function* map<A, B>(items: Iterable<A>, f: (item: A) => B) { for (const item of items) yield f(item); }
function* take<T>(items: Iterable<T>, n: number) { let i = 0; for (const item of items) { yield item; if (++i >= n) return; } }
function* naturals() { let n = 0; while (true) yield n++; }
const graph = cudaGraphCreate();
const { node, dptr } = cudaGraphAddMemAllocNode(graph, [], { bytesize: 64 });
const done = [...take(map(naturals(), (i) => cudaGraphAddKernelNode(graph, [node], { func: \`n\${i}\`, reads: [dptr] })), 3)];
const more = Array.from(map(range(2), (i) => cudaGraphAddKernelNode(graph, [done[i]!], { func: \`m\${i}\`, reads: [dptr] })));
cudaGraphAddMemFreeNode(graph, [...more, @@], dptr);
`,
    'done[1]!',
    '...done.slice(2)',
  ],
  [
    'infinite ids and early break with finally',
    `function* leases(stream: Stream): Generator<DevicePointer, void> {
  let size = 64;
  while (true) {
    const memory = cudaMallocAsync(size, stream);
    try { yield memory; } finally { cudaFreeAsync(memory, stream); }
    size *= 2;
  }
}
const stream = cudaStreamCreate();
let kept: DevicePointer | undefined;
let round = 0;
for (const memory of leases(stream)) {
  cudaLaunchKernel({ func: 'use', writes: [memory] }, stream);
  kept = memory;
  if (++round === 2) break;
}
@@
cudaStreamSynchronize(stream);
`,
    "cudaLaunchKernel({ func: 'late', reads: [kept!] }, stream);",
    'void kept;',
  ],
  [
    'Promise.allSettled and race',
    `const stream = cudaStreamCreate();
async function allocate(bytes: number): Promise<DevicePointer> { if (bytes > 100) throw new RangeError('big'); return cudaMallocAsync(bytes, stream); }
const results = await Promise.allSettled([allocate(50), allocate(60)]);
const memory = results.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
for (const each of memory) cudaFreeAsync(each, stream);
@@
cudaStreamSynchronize(stream);
`,
    'cudaMemsetAsync(memory[1]!, 0, 60, stream);',
    '',
  ],
  [
    'DisposableStack',
    `function run() {
  const stream = cudaStreamCreate();
  using stack = new DisposableStack();
  stack.defer(() => cudaStreamDestroy(stream));
  const memory = stack.adopt(cudaMalloc(64), (p) => cudaFree(p));
  cudaMemsetAsync(memory, 0, 64, stream);
  cudaStreamSynchronize(stream);
  @@
}
run();
`,
    'cudaFree(memory);',
    '',
  ],
  [
    'symbol keys and object groups',
    `const kind = Symbol('kind');
interface Item { readonly [kind]: 'read' | 'write'; readonly node: GraphNode }
const graph = cudaGraphCreate();
const { node, dptr } = cudaGraphAddMemAllocNode(graph, [], { bytesize: 64 });
const item = (k: 'read' | 'write', func: string, after: GraphNode): Item => ({ [kind]: k, node: cudaGraphAddKernelNode(graph, [after], { func, [k === 'read' ? 'reads' : 'writes']: [dptr] }) });
const first = item('write', 'w', node);
const items = [first, item('read', 'r1', first.node), item('read', 'r2', first.node)];
const readers = items.filter((each) => each[kind] === 'read').map((each) => each.node);
cudaGraphAddMemFreeNode(graph, @@, dptr);
`,
    '[readers[1]!]',
    'readers',
  ],
  [
    'function table by name, apply and bind',
    `const graph = cudaGraphCreate();
const { node, dptr } = cudaGraphAddMemAllocNode(graph, [], { bytesize: 64 });
const add = function (this: { last: GraphNode }, func: string): GraphNode { return (this.last = cudaGraphAddKernelNode(graph, [this.last], { func, reads: [dptr] })); };
const table = { scale: add, shift: add };
const state = { last: node };
const nodes = (['scale', 'shift'] as const).map((name) => table[name].call(state, name));
const bound = add.bind({ last: node }, 'alone');
const alone = bound();
cudaGraphAddMemFreeNode(graph, [nodes[1]!, @@], dptr);
`,
    'nodes[0]!',
    'alone',
  ],
  [
    'array methods that copy',
    `const graph = cudaGraphCreate();
const { node, dptr } = cudaGraphAddMemAllocNode(graph, [], { bytesize: 64 });
const names = ['c', 'a', 'b'].toSorted().with(0, 'z').toSpliced(1, 1).concat(['d'], 'e');
const nodes = names.map((func) => cudaGraphAddKernelNode(graph, [node], { func, reads: [dptr] }));
const groups = Map.groupBy(nodes.keys(), (i) => i % 2);
const chosen = [...(groups.get(0) ?? []), ...(groups.get(1) ?? [])].map((i) => nodes[i]!);
cudaGraphAddMemFreeNode(graph, @@, dptr);
`,
    'chosen.slice(0, 3)',
    'chosen',
  ],
  [
    'neural network planner',
    `interface Layer { readonly name: string; readonly shape: readonly number[]; readonly inputs: readonly string[] }
const DTYPES = { f16: 2, f32: 4, f64: 8 } as const;
type DType = keyof typeof DTYPES;
const bytesOf = (shape: readonly number[], type: DType = 'f32'): number => shape.reduce((n, d) => n * d, DTYPES[type]);
class Network {
  readonly #layers: Layer[] = [];
  constructor(private readonly type: DType) {}
  layer(name: string, shape: number[], ...inputs: string[]): this { this.#layers.push({ name, shape, inputs }); return this; }
  lastUse(): Map<string, number> {
    const last = new Map<string, number>();
    for (const [index, { inputs }] of this.#layers.entries()) for (const input of inputs) last.set(input, index);
    return last;
  }
  build(graph: Graph): void {
    const memory = new Map<string, DevicePointer>();
    const users: Record<string, GraphNode[]> = {};
    const last = this.lastUse();
    let previous: GraphNode[] = [];
    this.#layers.forEach(({ name, shape, inputs }, index) => {
      const { node, dptr } = cudaGraphAddMemAllocNode(graph, previous, { bytesize: bytesOf(shape, this.type) });
      memory.set(name, dptr);
      const run = cudaGraphAddKernelNode(graph, [node], { func: name, reads: inputs.map((i) => memory.get(i)!), writes: [dptr] });
      users[name] = [run];
      for (const input of inputs) users[input]!.push(run);
      previous = [run];
      for (const input of new Set(inputs)) if (last.get(input) === index) {
        cudaGraphAddMemFreeNode(graph, @@, memory.get(input)!);
      }
    });
    const final = this.#layers.at(-1)!.name;
    cudaGraphAddMemFreeNode(graph, users[final]!, memory.get(final)!);
  }
}
const graph = cudaGraphCreate();
new Network('f16').layer('in', [1, 28, 28]).layer('conv', [8, 26, 26], 'in').layer('skip', [8, 26, 26], 'in', 'conv').layer('out', [10], 'skip').build(graph);
`,
    'users[input]!.slice(0, 1)',
    'users[input]!.slice(-1)',
  ],
  [
    'event-driven pipeline with async queue',
    `class AsyncQueue<T> implements AsyncIterable<T> {
  private readonly items: T[] = [];
  private closed = false;
  push(item: T): void { this.items.push(item); }
  close(): void { this.closed = true; }
  async *[Symbol.asyncIterator](): AsyncIterator<T> {
    while (this.items.length > 0 || !this.closed) {
      const item = this.items.shift();
      if (item === undefined) return;
      yield item;
    }
  }
}
const stream = cudaStreamCreate();
const queue = new AsyncQueue<{ name: string; memory: DevicePointer }>();
for (const name of ['a', 'b']) queue.push({ name, memory: cudaMallocAsync(256, stream) });
queue.close();
const seen: DevicePointer[] = [];
for await (const { name, memory } of queue) {
  cudaLaunchKernel({ func: name, writes: [memory] }, stream);
  cudaFreeAsync(memory, stream);
  seen.push(memory);
}
@@
cudaStreamSynchronize(stream);
`,
    "cudaLaunchKernel({ func: 'late', reads: seen.slice(1) }, stream);",
    'void seen;',
  ],
  [
    'LRU cache evicts the oldest',
    `class Lru<K, V> {
  private readonly map = new Map<K, V>();
  constructor(private readonly limit: number, private readonly onEvict: (value: V) => void) {}
  get(key: K, make: () => V): V {
    let value = this.map.get(key);
    if (value !== undefined) this.map.delete(key);
    else value = make();
    this.map.set(key, value);
    if (this.map.size > this.limit) {
      const [oldest, evicted] = this.map.entries().next().value!;
      this.map.delete(oldest);
      this.onEvict(evicted);
    }
    return value;
  }
}
const stream = cudaStreamCreate();
const make = () => { const graph = cudaGraphCreate(); cudaGraphAddEmptyNode(graph, []); return cudaGraphInstantiate(graph); };
const cache = new Lru<string, GraphExec>(2, cudaGraphExecDestroy);
const a = cache.get('a', make);
const b = cache.get('b', make);
cache.get('a', make);
cache.get('c', make);
cudaGraphLaunch(@@, stream);
cudaStreamSynchronize(stream);
`,
    'b',
    'a',
  ],
  [
    'matrix tiling with nested arrays and destructuring',
    `const tiles = { rows: 2, columns: 3 };
const graph = cudaGraphCreate();
const { node: start, dptr: matrix } = cudaGraphAddMemAllocNode(graph, [], { bytesize: tiles.rows * tiles.columns * 256 });
const grid: GraphNode[][] = [];
for (const [r, c] of (function* () { for (let i = 0; i < tiles.rows; i++) for (let j = 0; j < tiles.columns; j++) yield [i, j] as const; })()) {
  const above = grid[r - 1]?.[c];
  const left = grid[r]?.[c - 1];
  const after = [above, left].filter((n): n is GraphNode => n !== undefined);
  (grid[r] ??= [])[c] = cudaGraphAddKernelNode(graph, after.length ? after : [start], { func: \`t\${r}\${c}\`, reads: [matrix] });
}
const { [tiles.rows - 1]: { [@@]: corner } = [] } = grid;
cudaGraphAddMemFreeNode(graph, [corner!], matrix);
`,
    '1',
    '2',
  ],
  [
    'vitest suite with nested groups',
    `declare const describe: (name: string, body: () => void) => void;
declare const it: ((name: string, body: () => void) => void) & { each(rows: unknown[]): (name: string, body: (...values: any[]) => void) => void };
declare const beforeEach: (body: () => void) => void;
declare const afterEach: (body: () => void) => void;
declare const afterAll: (body: () => void) => void;
declare const expect: (value: unknown) => { toBe(other: unknown): void };
describe('graphs', () => {
  let graph: Graph;
  const shared = cudaStreamCreate();
  afterAll(() => cudaStreamDestroy(shared));
  beforeEach(() => { graph = cudaGraphCreate(); });
  afterEach(() => { cudaGraphDestroy(graph); });
  describe('with memory', () => {
    let alloc: { node: GraphNode; dptr: DevicePointer };
    beforeEach(() => { alloc = cudaGraphAddMemAllocNode(graph, [], { bytesize: 64 }); });
    it('frees', () => {
      const k = cudaGraphAddKernelNode(graph, [alloc.node], { func: 'k', reads: [alloc.dptr] });
      cudaGraphAddMemFreeNode(graph, [@@], alloc.dptr);
      expect(k).toBe(k);
    });
    it('runs', () => {
      cudaGraphAddMemFreeNode(graph, [alloc.node], alloc.dptr);
      const exec = cudaGraphInstantiate(graph);
      cudaGraphLaunch(exec, shared);
      cudaStreamSynchronize(shared);
      cudaGraphExecDestroy(exec);
    });
  });
});
`,
    'alloc.node',
    'k',
  ],
  [
    'expression parser for plans',
    `const source = 'a = load(); b = scale(a); c = sum(a, b)';
const tokens = source.match(/[a-z]+|[=();,]/g) ?? [];
let at = 0;
const peek = () => tokens[at];
const next = () => tokens[at++]!;
const graph = cudaGraphCreate();
const { node, dptr } = cudaGraphAddMemAllocNode(graph, [], { bytesize: 64 });
const vars: Record<string, GraphNode> = {};
while (at < tokens.length) {
  const target = next();
  next();
  const func = next();
  next();
  const args: string[] = [];
  while (peek() !== ')') { const token = next(); if (token !== ',') args.push(token); }
  next();
  if (peek() === ';') next();
  vars[target] = cudaGraphAddKernelNode(graph, args.length ? args.map((arg) => vars[arg]!) : [node], { func, reads: [dptr] });
}
cudaGraphAddMemFreeNode(graph, [vars.@@!], dptr);
`,
    'b',
    'c',
  ],
  [
    'dependency injection container',
    `type Token<T> = { readonly key: symbol; readonly type?: T };
const token = <T,>(name: string): Token<T> => ({ key: Symbol(name) });
class Container {
  private readonly factories = new Map<symbol, (c: Container) => unknown>();
  private readonly cache = new Map<symbol, unknown>();
  bind<T>(t: Token<T>, make: (c: Container) => T): this { this.factories.set(t.key, make); return this; }
  get<T>(t: Token<T>): T { if (!this.cache.has(t.key)) this.cache.set(t.key, this.factories.get(t.key)!(this)); return this.cache.get(t.key) as T; }
}
const STREAM = token<Stream>('stream');
const BUFFER = token<DevicePointer>('buffer');
const c = new Container().bind(STREAM, () => cudaStreamCreate()).bind(BUFFER, (c) => cudaMallocAsync(128, c.get(STREAM)));
cudaMemsetAsync(c.get(BUFFER), 0, @@, c.get(STREAM));
cudaFreeAsync(c.get(BUFFER), c.get(STREAM));
cudaStreamSynchronize(c.get(STREAM));
`,
    '129',
    '128',
  ],
  [
    'coroutine scheduler over generators',
    `function* worker(name: string, stream: Stream, memory: DevicePointer): Generator<string, void, void> {
  for (let i = 0; i < 2; i++) { cudaLaunchKernel({ func: name + i, writes: [memory] }, stream); yield name; }
}
const stream = cudaStreamCreate();
const memory = cudaMallocAsync(64, stream);
const log: string[] = [];
for (const step of [worker('a', stream, memory), worker('b', stream, memory)]) for (const name of step) log.push(name);
if (log.join('') === 'aabb') cudaFreeAsync(memory, stream);
@@
cudaStreamSynchronize(stream);
`,
    "cudaLaunchKernel({ func: 'late', writes: [memory] }, stream);",
    '',
  ],
  [
    'plan in a multi-line text',
    `const plan = \`
  # name   after      reads
  load     -          -
  blur     load       t
  edges    load       t
\`;
const graph = cudaGraphCreate();
const t = cudaGraphAddMemAllocNode(graph, [], { bytesize: 2048 });
const nodes: Record<string, GraphNode> = { '-': t.node };
for (const line of plan.split('\\n')) {
  const text = line.replace(/#.*$/, '').trim();
  if (!text) continue;
  const [name, after, reads] = text.split(/\\s+/) as [string, string, string];
  nodes[name] = cudaGraphAddKernelNode(graph, [nodes[after]!], { func: name, reads: reads === 't' ? [t.dptr] : [] });
}
cudaGraphAddMemFreeNode(graph, [nodes.edges!, nodes.@@!], t.dptr);
`,
    'load',
    'blur',
  ],
];

it('calls memory after the object that holds it', async () => {
  const { findings } = await analyseText(
    `const graph = cudaGraphCreate();
const x = cudaGraphAddMemAllocNode(graph, [], { bytesize: 100 });
const k = cudaGraphAddKernelNode(graph, [x.node], { func: 'k', reads: [x.dptr] });
cudaGraphAddMemFreeNode(graph, [x.node], x.dptr);
class Job { readonly scratch = cudaGraphAddMemAllocNode(graph, [k], { bytesize: 100 }); }
const job = new Job();
cudaGraphAddKernelNode(graph, [job.scratch.node], { func: 'late', reads: [job.scratch.dptr] });
cudaGraphAddMemFreeNode(graph, [job.scratch.node], job.scratch.dptr);
`,
    'typescript',
  );
  expect(findings.map(({ message }) => /`[\w.]+`/.exec(message)?.[0])).toEqual(['`x.dptr`', '`scratch.dptr`']);
});

describe('programs in TypeScript', () => {
  it.each(programs)('%s', async (_, text, bad, good) => {
    const wrong = await analyseText(
      text.replace('@@', () => bad),
      'typescript',
    );
    expect(wrong.findings.length).toBeGreaterThan(0);
    expect(wrong.gaps).toEqual([]);
    const right = await analyseText(
      text.replace('@@', () => good),
      'typescript',
    );
    expect(right.findings).toEqual([]);
    expect(right.gaps).toEqual([]);
  });
});

/** Programs that are right as they stand. */
const right: readonly (readonly [string, string])[] = [
  [
    'options from outside',
    `export interface Options { bytes?: number; lanes?: number; stream?: Stream; keep?: boolean }
export function build(options: Options = {}): GraphExec {
  const bytes = options.bytes || 4096;
  const lanes = options.lanes ?? 2;
  const graph = cudaGraphCreate();
  const { node, dptr } = cudaGraphAddMemAllocNode(graph, [], { bytesize: bytes });
  const ends = Array.from({ length: lanes }, (_, i) => cudaGraphAddKernelNode(graph, [node], { func: 'k' + i, reads: [dptr] }));
  const fill = cudaGraphAddMemsetNode(graph, ends, { dst: dptr, value: 0, elementSize: 1, width: bytes, height: 1 });
  cudaGraphAddMemFreeNode(graph, [fill], dptr);
  const exec = cudaGraphInstantiate(graph);
  cudaGraphDestroy(graph);
  return exec;
}
`,
  ],
  [
    'node event emitter and signals',
    `import { EventEmitter } from 'node:events';
const stream = cudaStreamCreate();
const memory = cudaMalloc(1024);
let isClosed = false;
const close = () => { if (isClosed) return; isClosed = true; cudaStreamSynchronize(stream); cudaFree(memory); cudaStreamDestroy(stream); };
process.on('SIGINT', close);
process.on('exit', () => close());
const bus = new EventEmitter();
bus.on('frame', (n: number) => { cudaMemsetAsync(memory, n, 1024, stream); });
bus.emit('frame', 1);
bus.once('end', close);
bus.emit('end');
`,
  ],
  [
    'promise with a timer',
    `const sleep = (ms: number) => new Promise<void>((resolve) => { setTimeout(resolve, ms); });
const stream = cudaStreamCreate();
const memory = cudaMallocAsync(64, stream);
await sleep(10);
cudaLaunchKernel({ func: 'k', writes: [memory] }, stream);
await new Promise<void>((resolve) => setTimeout(() => { cudaLaunchKernel({ func: 'later', reads: [memory] }, stream); resolve(); }, 5));
cudaFreeAsync(memory, stream);
cudaStreamSynchronize(stream);
cudaStreamDestroy(stream);
`,
  ],
  [
    'cleanup list run in reverse',
    `const cleanups: (() => void)[] = [];
function own<T>(value: T, end: (value: T) => void): T { cleanups.push(() => end(value)); return value; }
try {
  const stream = own(cudaStreamCreate(), cudaStreamDestroy);
  const memory = own(cudaMalloc(64), cudaFree);
  cudaMemsetAsync(memory, 0, 64, stream);
  cudaStreamSynchronize(stream);
} finally {
  for (const end of cleanups.reverse()) end();
}
`,
  ],
  [
    'retry loop with errors',
    `function attempt<T>(times: number, work: (n: number) => T): T {
  let last: unknown;
  for (let n = 0; n < times; n++) {
    try { return work(n); } catch (error) { last = error; if (!(error instanceof RangeError)) throw error; }
  }
  throw last;
}
const memory = attempt(3, (n) => { if (n < 2) throw new RangeError('no'); return cudaMalloc(1024 >> n); });
cudaFree(memory);
`,
  ],
  [
    'generic pool from outside input',
    `export class BufferPool {
  readonly #free = new Map<number, DevicePointer[]>();
  readonly #sizes = new WeakMap<object, number>();
  take(bytes: number): DevicePointer {
    const size = 2 ** Math.ceil(Math.log2(Math.max(256, bytes)));
    const known = this.#free.get(size)?.pop();
    if (known) return known;
    const made = cudaMalloc(size);
    this.#sizes.set(made, size);
    return made;
  }
  give(memory: DevicePointer): void {
    const size = this.#sizes.get(memory)!;
    const list = this.#free.get(size) ?? [];
    list.push(memory);
    this.#free.set(size, list);
  }
  drain(): void { for (const list of this.#free.values()) for (const memory of list.splice(0)) cudaFree(memory); this.#free.clear(); }
}
const pool = new BufferPool();
const a = pool.take(100);
pool.give(a);
const b = pool.take(200);
const stream = cudaStreamCreate();
cudaMemsetAsync(b, 0, 256, stream);
cudaStreamSynchronize(stream);
pool.give(b);
pool.drain();
cudaStreamDestroy(stream);
`,
  ],
  [
    'async mutex and finally',
    `class Mutex { #last: Promise<void> = Promise.resolve(); async run<T>(work: () => Promise<T> | T): Promise<T> { const before = this.#last; let done!: () => void; this.#last = new Promise((resolve) => { done = resolve; }); await before; try { return await work(); } finally { done(); } } }
const mutex = new Mutex();
const stream = cudaStreamCreate();
const memory = cudaMallocAsync(64, stream);
await Promise.all([1, 2].map((i) => mutex.run(() => { cudaLaunchKernel({ func: 'k' + i, writes: [memory] }, stream); })));
await mutex.run(() => cudaFreeAsync(memory, stream));
cudaStreamSynchronize(stream);
`,
  ],
];

describe('nothing is said of', () => {
  it.each(right)('%s', async (_, text) => {
    expect((await analyseText(text, 'typescript')).findings).toEqual([]);
  });
});
