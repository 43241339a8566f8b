/** TypeScript as people write it when they plan memory: each construct is read rightly, so that the mistake is found and the right program is silent. */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../../support/engine.ts';

const head = `import * as cuda from 'graphmem/runtime';\n`;

const add = 'cudaGraphAddKernelNode(graph, [alloc], { func: name, reads: [data] })';
const K = (): string => add;

/** A graph with memory that `work` adds readers of, and that is freed behind `after`. */
const plan = (work: string, after: string, outer: string): string => `${head}${outer}
export async function plan() {
  const graph = cudaGraphCreate();
  const { node: alloc, dptr: data } = cudaGraphAddMemAllocNode(graph, [], { bytesize: 64 });
  ${work}
  cudaGraphAddMemFreeNode(graph, ${after}, data);
}
`;

/** What, how two readers are added, the nodes that make too few to wait for, all of them, what stands before the function. */
const readers: readonly (readonly [string, string, string, string, string?])[] = [
  [
    'array from',
    `const readers = Array.from({ length: 2 }, (_, i) => { const name = \`k\${i}\`; return ${add}; });`,
    '[readers[0]]',
    'readers',
  ],
  ['Array.from of list', `const readers = Array.from(['a','b'], (name) => ${add});`, '[readers[0]]', 'readers'],
  [
    'spread',
    `const first = ['a'].map((name) => ${add}); const second = ['b'].map((name) => ${add}); const readers = [...first, ...second];`,
    '[readers[0]]',
    '[...readers]',
  ],
  [
    'entries of object',
    `const readers = {}; for (const name of ['a','b']) readers[name] = ${add};`,
    "[readers['a']]",
    "[readers['a'], readers.b]",
  ],
  [
    'Object.values',
    `const readers = { a: ((name) => ${add})('a'), b: ((name) => ${add})('b') };`,
    '[readers.a]',
    'Object.values(readers)',
  ],
  [
    'for index',
    `const readers = []; const names = ['a','b']; for (let i = 0; i < names.length; i++) { const name = names[i]; readers.push(${add}); }`,
    '[readers[1]]',
    'readers',
  ],
  [
    'for in entries',
    `const readers = []; for (const [i, name] of ['a','b'].entries()) readers[i] = ${add};`,
    '[readers[1]]',
    'readers',
  ],
  [
    'destructured param',
    `const mk = ({ name, after }: { name: string; after: GraphNode[] }) => cudaGraphAddKernelNode(graph, after, { func: name, reads: [data] }); const readers = [mk({ name: 'a', after: [alloc] }), mk({ name: 'b', after: [alloc] })];`,
    '[readers[1]]',
    'readers',
  ],
  [
    'rest param',
    `const mk = (...names: string[]) => names.map((name) => ${add}); const readers = mk('a','b');`,
    '[readers[1]]',
    'readers',
  ],
  [
    'default param',
    `const mk = (name = 'a', after = [alloc]) => cudaGraphAddKernelNode(graph, after, { func: name, reads: [data] }); const readers = [mk(), mk('b')];`,
    '[readers[1]]',
    'readers',
  ],
  [
    'optional chaining',
    `const o = { list: [] as GraphNode[] }; for (const name of ['a','b']) o?.list?.push(${add}); const readers = o.list;`,
    '[readers[1]]',
    'readers',
  ],
  [
    'function declared later',
    `const readers = later(['a','b']); function later(names) { return names.map((name) => ${add}); }`,
    '[readers[1]]',
    'readers',
  ],
  [
    'set',
    `const set = new Set<GraphNode>(); for (const name of ['a','b']) set.add(${add}); const readers = [...set];`,
    '[readers[1]]',
    'readers',
  ],
  [
    'map values',
    `const m = new Map<string, GraphNode>(); for (const name of ['a','b']) m.set(name, ${add}); const readers = [...m.values()];`,
    "[m.get('a')!]",
    'readers',
  ],
  [
    'map iterate',
    `const m = new Map<string, GraphNode>(); for (const name of ['a','b']) m.set(name, ${add}); const readers = []; for (const [, node] of m) readers.push(node);`,
    "[m.get('a')!]",
    'readers',
  ],
  [
    'record type',
    `const m: Record<string, GraphNode> = {}; ['a','b'].forEach((name) => { m[name] = ${add}; }); const readers = Object.keys(m).map((key) => m[key]);`,
    '[m.a]',
    'readers',
  ],
  [
    'while shift',
    `const queue = ['a','b']; const readers = []; while (queue.length > 0) { const name = queue.shift()!; readers.push(${add}); }`,
    '[readers[1]]',
    'readers',
  ],
  [
    'while pop',
    `const queue = ['a','b']; const readers = []; while (queue.length) { const name = queue.pop(); readers.push(${add}); }`,
    '[readers[1]]',
    'readers',
  ],
  [
    'class static',
    `class P { static all: GraphNode[] = []; static add(name) { P.all.push(${add}); } } P.add('a'); P.add('b'); const readers = P.all;`,
    '[readers[1]]',
    'readers',
  ],
  [
    'object with methods',
    `const p = { all: [] as GraphNode[], add(name) { this.all.push(${add}); } }; p.add('a'); p.add('b'); const readers = p.all;`,
    '[readers[1]]',
    'readers',
  ],
  [
    'closure factory',
    `const planner = () => { const all: GraphNode[] = []; return { add: (name) => { all.push(${add}); }, all }; }; const p = planner(); p.add('a'); p.add('b'); const readers = p.all;`,
    '[readers[1]]',
    'readers',
  ],
  [
    'try finally',
    `let readers = []; try { readers = ['a','b'].map((name) => ${add}); } finally { readers = readers.slice(); }`,
    '[readers[1]]',
    'readers',
  ],
  [
    'switch enum',
    `enum Kind { A, B } const readers = [Kind.A, Kind.B].map((k) => { let name = ''; switch (k) { case Kind.A: name = 'a'; break; default: name = 'b'; } return ${add}; });`,
    '[readers[1]]',
    'readers',
  ],
  [
    'recursion',
    `const readers = []; const walk = (n) => { if (n === 0) return; const name = 'k' + n; readers.push(${add}); walk(n - 1); }; walk(2);`,
    '[readers[1]]',
    'readers',
  ],
  [
    'nullish',
    `const opts: any = { }; const names = opts.names ?? ['a','b']; const readers = names.map((name) => ${add});`,
    '[readers[1]]',
    'readers',
  ],
  ['fill map', `const readers = new Array(2).fill('x').map((name) => ${add});`, '[readers[1]]', 'readers'],
  ['at(-1)', `const readers = ['a','b'].map((name) => ${add});`, '[readers.at(-1)]', '[readers.at(-1), readers.at(0)]'],
  ['sort', `const readers = ['b','a'].sort().map((name) => ${add});`, '[readers[1]]', 'readers'],
  [
    'length last',
    `const readers = ['b','a'].map((name) => ${add});`,
    '[readers[readers.length - 1]]',
    '[readers[readers.length - 1], readers[0]]',
  ],
  [
    'namespace import',
    `const readers = ['b','a'].map((name) => cuda.cudaGraphAddKernelNode(graph, [alloc], { func: name, reads: [data] }));`,
    '[readers[1]]',
    'readers',
  ],
  ['array destructuring', `const [a, b] = ['b','a'].map((name) => ${add});`, '[a]', '[a, b]'],
  [
    'generator',
    `function* each() { yield 'a'; yield 'b'; } const readers = []; for (const name of each()) readers.push(${add});`,
    '[readers[1]]',
    'readers',
  ],
  [
    'for of Object.entries',
    `const readers = []; for (const [name, n] of Object.entries({ a: 1, b: 1 })) readers.push(${add});`,
    '[readers[1]]',
    'readers',
  ],
  [
    'async',
    `const readers = []; const go = async () => { for (const name of ['a','b']) readers.push(await ${add}); }; await go();`,
    '[readers[1]]',
    'readers',
  ],
  [
    'interface class',
    `interface Step { run(name: string): GraphNode } class Real implements Step { run(name: string) { return ${add}; } } const step: Step = new Real(); const readers = [step.run('a'), step.run('b')];`,
    '[readers[1]]',
    'readers',
  ],
  [
    'logical or assign',
    `let readers: GraphNode[] | undefined; readers ??= []; for (const name of ['a','b']) readers.push(${add});`,
    '[readers[1]]',
    'readers',
  ],
  [
    'indexed forEach',
    `const readers: GraphNode[] = []; ['a','b'].forEach((name, i) => { readers[i] = ${add}; });`,
    '[readers[1]]',
    'readers',
  ],
  [
    'conditional push',
    `const readers = []; for (const name of ['a','b','c']) { if (name === 'c') continue; readers.push(${add}); }`,
    '[readers[1]]',
    'readers',
  ],
  [
    'do while',
    `const readers = []; let i = 0; do { const name = 'k' + i; readers.push(${add}); i++; } while (i < 2);`,
    '[readers[1]]',
    'readers',
  ],
  [
    'helper returns object',
    `const make = (name) => ({ node: ${add}, name }); const a = make('a'), b = make('b');`,
    '[a.node]',
    '[a.node, b.node]',
  ],
  [
    'helper returns tuple',
    `const make = (name): [GraphNode, string] => [${add}, name]; const [a] = make('a'); const [b, label] = make('b');`,
    '[a]',
    '[a, b]',
  ],
  [
    'setter',
    `class P { #last: GraphNode[] = []; set last(n: GraphNode) { this.#last = [...this.#last, n]; } get all() { return this.#last; } } const p = new P(); for (const name of ['a','b']) p.last = ${K()};`,
    '[p.all[0]]',
    'p.all',
  ],
  [
    'static factory',
    `const p = P.of(graph); p.add('a', [alloc], data); p.add('b', [alloc], data);`,
    '[p.nodes[0]]',
    'p.nodes',
    `class P { nodes: GraphNode[] = []; private constructor(private g: Graph) {} static of(g: Graph) { return new P(g); } add(name, after, data) { this.nodes.push(cudaGraphAddKernelNode(this.g, after, { func: name, reads: [data] })); return this; } }`,
  ],
  [
    'chained',
    `const p = P.of(graph).add('a', [alloc], data).add('b', [alloc], data);`,
    '[p.nodes[0]]',
    'p.nodes',
    `class P { nodes: GraphNode[] = []; constructor(private g: Graph) {} static of(g: Graph) { return new this(g); } add(name, after, data) { this.nodes.push(cudaGraphAddKernelNode(this.g, after, { func: name, reads: [data] })); return this; } }`,
  ],
  [
    'abstract class',
    `const s: Step[] = [new A(), new B()]; const readers = s.map((each) => each.build(graph, alloc, data));`,
    '[readers[0]]',
    'readers',
    `abstract class Step { abstract get name(): string; build(graph, alloc, data) { return cudaGraphAddKernelNode(graph, [alloc], { func: this.name, reads: [data] }); } } class A extends Step { get name() { return 'a'; } } class B extends Step { get name() { return 'b'; } }`,
  ],
  [
    'generic',
    `const twice = <T>(f: (name: string) => T): T[] => [f('a'), f('b')]; const readers = twice((name) => ${K()});`,
    '[readers[1]]',
    'readers',
  ],
  [
    'labelled',
    `const readers = []; outer: for (const name of ['a','b','c']) { for (const x of [1,2,3]) { if (name === 'c') break outer; if (x === 2) continue outer; readers.push(${K()}); } }`,
    '[readers[1]]',
    'readers',
  ],
  [
    'closure over let',
    `const fns = []; for (let i = 0; i < 2; i++) fns.push(() => { const name = 'k' + i; made[name] = ${K()}; }); const made = {}; for (const f of fns) f();`,
    '[made.k0]',
    '[made.k0, made.k1]',
  ],
  [
    'length = 0',
    `const readers = []; readers.push(alloc); readers.length = 0; for (const name of ['a','b']) readers.push(${K()});`,
    '[readers[0]]',
    'readers',
  ],
  [
    'new Array(n)',
    `const readers = new Array<GraphNode>(2); for (let i = 0; i < readers.length; i++) { const name = \`k\${i}\`; readers[i] = ${K()}; }`,
    '[readers[1]]',
    'readers',
  ],
  [
    'try catch',
    `const readers = []; try { for (const name of ['a','b']) readers.push(${K()}); } catch (e) { console.error(e); throw e; } finally { console.log('done'); }`,
    '[readers[1]]',
    'readers',
  ],
  [
    'reduce object',
    `const made = ['a','b'].reduce((acc, name) => ({ ...acc, [name]: ${K()} }), {} as Record<string, GraphNode>);`,
    '[made.a]',
    'Object.values(made)',
  ],
  [
    'fromEntries',
    `const made = Object.fromEntries(['a','b'].map((name) => [name, ${K()}]));`,
    '[made.b]',
    '[made.a, made.b]',
  ],
  [
    'unshift/splice',
    `const readers = []; for (const name of ['a','b','c']) readers.unshift(${K()}); const [gone] = readers.splice(0, 1); readers.push(gone);`,
    'readers.slice(1)',
    'readers',
  ],
  [
    'sort by',
    `const readers = [{ o: 2, name: 'b' }, { o: 1, name: 'a' }].sort((x, y) => x.o - y.o).map(({ name }) => ${K()});`,
    '[readers[0]]',
    'readers',
  ],
  [
    'nested default pattern',
    `const make = ({ opts: { after = [alloc], names: [first, second = 'z'] = ['a'] } = {} } = {}) => [first, second].map((name) => cudaGraphAddKernelNode(graph, after, { func: name, reads: [data] })); const readers = make({ opts: { names: ['q'] } });`,
    '[readers[1]]',
    'readers',
  ],
  [
    'object rest',
    `const all = { a: null, b: null, c: 3 }; for (const name of ['a','b']) all[name] = ${K()}; const { c, ...nodes } = all;`,
    '[nodes.a]',
    'Object.values(nodes)',
  ],
  ['swap', `let [x, y] = ['a','b'].map((name) => ${K()}); [x, y] = [y, x];`, '[x]', '[x, y]'],
  [
    'spread args',
    `const readers = []; const both = ['a','b'].map((name) => ${K()}); readers.push(...both);`,
    '[readers[1]]',
    'readers',
  ],
  [
    'map of arrays',
    `const m = new Map<string, GraphNode[]>(); for (const name of ['a','b']) { const k = 'all'; if (!m.has(k)) m.set(k, []); m.get(k)!.push(${K()}); }`,
    "[m.get('all')![0]]",
    "m.get('all')!",
  ],
  [
    'map ??=',
    `const m: Record<string, GraphNode[]> = {}; for (const name of ['a','b']) { (m['all'] ??= []).push(${K()}); }`,
    '[m.all[0]]',
    'm.all',
  ],
  [
    'map entries ctor',
    `const m = new Map([['a', 1], ['b', 2]]); const readers = []; for (const [name] of m) readers.push(${K()});`,
    '[readers[0]]',
    'readers',
  ],
  [
    'map forEach',
    `const m = new Map([['a', 1], ['b', 2]]); const readers = []; m.forEach((v, name) => readers.push(${K()}));`,
    '[readers[0]]',
    'readers',
  ],
  [
    'for in',
    `const o = { a: 1, b: 2 }; const readers = []; for (const name in o) readers.push(${K()});`,
    '[readers[0]]',
    'readers',
  ],
  [
    'worklist',
    `const todo = ['a']; const readers = []; for (const name of todo) { readers.push(${K()}); if (todo.length < 2) todo.push('b'); }`,
    '[readers[0]]',
    'readers',
  ],
  [
    'Promise.all',
    `const readers = await Promise.all(['a','b'].map(async (name) => ${K()}));`,
    '[readers[0]]',
    'readers',
  ],
  [
    'optional param',
    `const add = (name: string, after?: GraphNode[]) => cudaGraphAddKernelNode(graph, after ?? [alloc], { func: name, reads: [data] }); const readers = [add('a'), add('b', undefined)];`,
    '[readers[0]]',
    'readers',
  ],
  [
    '||',
    `const add = (name: string, after?: GraphNode[]) => cudaGraphAddKernelNode(graph, after || [alloc], { func: name, reads: [data] }); const readers = [add('a'), add('b', null)];`,
    '[readers[0]]',
    'readers',
  ],
  [
    'string switch',
    `const readers = ['x','y'].flatMap((kind) => { switch (kind) { case 'x': { const name = 'a'; return [${K()}]; } case 'y': { const name = 'b'; return [${K()}]; } default: return []; } });`,
    '[readers[0]]',
    'readers',
  ],
  [
    'const enum module',
    `const readers = Object.values({ [Kind.A]: 'a', [Kind.B]: 'b' }).map((name) => ${K()});`,
    '[readers[0]]',
    'readers',
    `export enum Kind { A = 'first', B = 'second' }`,
  ],
  [
    'static field module',
    `for (const name of Reg.names) Reg.nodes.push(${K()});`,
    '[Reg.nodes[0]]',
    'Reg.nodes',
    `class Reg { static readonly names = ['a', 'b'] as const; static nodes: GraphNode[] = []; }`,
  ],
  [
    'curried',
    `const withGraph = (g: Graph) => (after: GraphNode[]) => (name: string) => cudaGraphAddKernelNode(g, after, { func: name, reads: [data] }); const add = withGraph(graph)([alloc]); const readers = ['a','b'].map(add);`,
    '[readers[0]]',
    'readers',
  ],
  [
    'entries index',
    `const readers: GraphNode[] = []; for (const [i, name] of Object.entries(['a','b'])) readers[Number(i)] = ${K()};`,
    '[readers[0]]',
    'readers',
  ],
  [
    'bind/this arrow',
    `class P { all: GraphNode[] = []; add = (name: string) => { this.all.push(${K()}); }; } const p = new P(); ['a','b'].forEach(p.add);`,
    '[p.all[0]]',
    'p.all',
  ],
  [
    'filter(Boolean)',
    `const readers = ['a', '', 'b'].filter((n) => n !== '').map((name) => ${K()});`,
    '[readers[0]]',
    'readers',
  ],
  [
    'ternary undefined',
    `const maybe = (name: string, on: boolean) => on ? ${K()} : undefined; const readers = [maybe('a', true), maybe('no', false), maybe('b', true)].filter((n) => n !== undefined);`,
    '[readers[0]]',
    'readers',
  ],
  [
    'get set in object',
    `const st = { nodes: [] as GraphNode[], get last() { return this.nodes[this.nodes.length - 1]; } }; for (const name of ['a','b']) st.nodes.push(${K()});`,
    '[st.last]',
    '[st.last, st.nodes[0]]',
  ],
  [
    'type guard in',
    `const o: any = {}; for (const name of ['a','b']) { if (!(name in o)) o[name] = ${K()}; }`,
    '[o.a]',
    '[o.a, o.b]',
  ],
  [
    'tuple list',
    `const readers: [string, GraphNode][] = []; for (const name of ['a','b']) readers.push([name, ${K()}]);`,
    '[readers[0][1]]',
    'readers.map(([, node]) => node)',
  ],
];

describe('memory that is freed behind some of its readers, and behind all', () => {
  it.each(readers)('%s', async (_, work = '', some = '', all = '', outer = '') => {
    const bad = await analyseText(plan(work, some, outer), 'typescript');
    expect(bad.findings.map(({ rule, severity }) => `${rule} ${severity}`)).toEqual(['graph-use-free-race error']);
    const good = await analyseText(plan(work, all, outer), 'typescript');
    expect(good.findings).toEqual([]);
    expect(good.gaps).toEqual([]);
  });
});

/** What, a program with a mistake, the same without, and the rule. */
const programs: readonly (readonly [string, string, string, string])[] = [
  [
    'exported arrow',
    `export const run = () => { const p = cudaMalloc(4); cudaFree(p); cudaFree(p); };`,
    `export const run = () => { const p = cudaMalloc(4); cudaFree(p); };`,
    'malloc-double-free',
  ],
  [
    'default export',
    `export default async () => { const p = cudaMalloc(4); cudaFree(p); cudaFree(p); };`,
    `export default async () => { const p = cudaMalloc(4); cudaFree(p); };`,
    'malloc-double-free',
  ],
  [
    'double free array',
    `const list = [1, 2].map((n) => cudaMalloc(n * 4)); for (const p of list) cudaFree(p); cudaFree(list[1]);`,
    `const list = [1, 2].map((n) => cudaMalloc(n * 4)); for (const p of list) cudaFree(p);`,
    'malloc-double-free',
  ],
  [
    'finally free',
    `function f(on) { const p = cudaMalloc(4); try { if (on) throw new Error('x'); cudaFree(p); } finally { cudaFree(p); } }`,
    `function f(on) { const p = cudaMalloc(4); try { if (on) throw new Error('x'); } finally { cudaFree(p); } }`,
    'malloc-double-free',
  ],
  [
    'streams class',
    `class Pool { streams: Stream[] = []; constructor(n: number) { for (let i = 0; i < n; i++) this.streams.push(cudaStreamCreateWithFlags(cudaStreamNonBlocking)); } close() { this.streams.forEach((s) => cudaStreamDestroy(s)); } }
export function f() { const pool = new Pool(2); const [a, b] = pool.streams; const p = cudaMallocAsync(64, a); cudaLaunchKernel({ func: 'w', writes: [p] }, a); cudaLaunchKernel({ func: 'r', reads: [p] }, b); cudaStreamSynchronize(b); cudaFreeAsync(p, a); pool.close(); }`,
    `class Pool { streams: Stream[] = []; constructor(n: number) { for (let i = 0; i < n; i++) this.streams.push(cudaStreamCreateWithFlags(cudaStreamNonBlocking)); } close() { this.streams.forEach((s) => cudaStreamDestroy(s)); } }
export function f() { const pool = new Pool(2); const [a, b] = pool.streams; const e = cudaEventCreate(); const p = cudaMallocAsync(64, a); cudaLaunchKernel({ func: 'w', writes: [p] }, a); cudaEventRecord(e, a); cudaStreamWaitEvent(b, e); cudaLaunchKernel({ func: 'r', reads: [p] }, b); cudaEventRecord(e, b); cudaStreamWaitEvent(a, e); cudaFreeAsync(p, a); pool.close(); cudaEventDestroy(e); }`,
    'async-use-before-alloc',
  ],
  [
    'with helper',
    `const withBuffer = <T>(bytes: number, use: (p: DevicePointer) => T): T => { const p = cudaMalloc(bytes); try { return use(p); } finally { cudaFree(p); } };
export function f() { withBuffer(64, (p) => { cudaFree(p); }); }`,
    `const withBuffer = <T>(bytes: number, use: (p: DevicePointer) => T): T => { const p = cudaMalloc(bytes); try { return use(p); } finally { cudaFree(p); } };
export function f() { withBuffer(64, (p) => { cudaMemsetAsync(p, 0, 64, cudaStreamLegacy); cudaDeviceSynchronize(); }); }`,
    'malloc-double-free',
  ],
  [
    'capture helper',
    `function capture(stream: Stream, record: (s: Stream) => void): Graph { cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal); record(stream); return cudaStreamEndCapture(stream); }
export function f() { const s = cudaStreamCreate(); const g = capture(s, (x) => { const p = cudaMallocAsync(64, x); cudaLaunchKernel({ func: 'w', writes: [p] }, x); cudaFreeAsync(p, x); cudaLaunchKernel({ func: 'late', reads: [p] }, x); }); cudaGraphDestroy(g); cudaStreamDestroy(s); }`,
    `function capture(stream: Stream, record: (s: Stream) => void): Graph { cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal); record(stream); return cudaStreamEndCapture(stream); }
export function f() { const s = cudaStreamCreate(); const g = capture(s, (x) => { const p = cudaMallocAsync(64, x); cudaLaunchKernel({ func: 'w', writes: [p] }, x); cudaFreeAsync(p, x); }); cudaGraphDestroy(g); cudaStreamDestroy(s); }`,
    'graph-use-after-free',
  ],
  [
    'lazy singleton',
    `class Ctx { static #inst: Ctx | null = null; readonly stream = cudaStreamCreate(); static get() { Ctx.#inst ??= new Ctx(); return Ctx.#inst; } }
export function f() { const a = Ctx.get(); const b = Ctx.get(); cudaStreamDestroy(a.stream); cudaStreamDestroy(b.stream); }`,
    `class Ctx { static #inst: Ctx | null = null; readonly stream = cudaStreamCreate(); static get() { Ctx.#inst ??= new Ctx(); return Ctx.#inst; } }
export function f() { const a = Ctx.get(); const b = Ctx.get(); cudaStreamSynchronize(b.stream); cudaStreamDestroy(a.stream); }`,
    'handle-use-after-destroy',
  ],
  [
    'use before alloc',
    `export function f() { const graph = cudaGraphCreate(); const nodes: Record<string, GraphNode> = {}; const a = cudaGraphAddMemAllocNode(graph, [], { bytesize: 4 }); nodes.use = cudaGraphAddKernelNode(graph, Object.values(nodes), { func: 'k', writes: [a.dptr] }); nodes.free = cudaGraphAddMemFreeNode(graph, [nodes.use, a.node], a.dptr); }`,
    `export function f() { const graph = cudaGraphCreate(); const nodes: Record<string, GraphNode> = {}; const a = cudaGraphAddMemAllocNode(graph, [], { bytesize: 4 }); nodes.alloc = a.node; nodes.use = cudaGraphAddKernelNode(graph, Object.values(nodes), { func: 'k', writes: [a.dptr] }); nodes.free = cudaGraphAddMemFreeNode(graph, [nodes.use], a.dptr); }`,
    'graph-use-before-alloc',
  ],
];

describe('other mistakes', () => {
  it.each(programs)('%s', async (_, bad, good, rule) => {
    expect((await analyseText(head + bad, 'typescript')).findings.map((each) => each.rule)).toEqual([rule]);
    const right = await analyseText(head + good, 'typescript');
    expect(right.findings).toEqual([]);
    expect(right.gaps).toEqual([]);
  });
});
