/** TypeScript as people write it when they plan memory: each construct is read rightly, so that the mistake is found and the right program is silent. */

import { describe, expect, it, test } from 'vitest';
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
  [
    'filter(Boolean)',
    `const readers = ['a','b'].map((name) => name ? ${K()} : null).filter(Boolean);`,
    '[readers[0]]',
    'readers',
  ],
  [
    'type guard filter',
    `const readers = ['a','','b'].map((name) => name !== '' ? ${K()} : undefined).filter((n): n is GraphNode => !!n);`,
    '[readers[0]]',
    'readers',
  ],
  [
    'static getter',
    `for (const name of ['a','b']) R.all.push(${K()});`,
    '[R.last]',
    'R.all',
    `class R { static #all: GraphNode[] = []; static get all() { return R.#all; } static get last() { return this.#all[this.#all.length - 1]; } }`,
  ],
  [
    'for await',
    `const readers = []; for await (const name of ['a','b']) readers.push(${K()});`,
    '[readers[0]]',
    'readers',
  ],
  [
    'while i--',
    `const names = ['a','b']; let i = names.length; const readers = []; while (i--) { const name = names[i]; readers.push(${K()}); }`,
    '[readers[0]]',
    'readers',
  ],
  [
    'namespace',
    `const readers = N.names.map((name) => N.add(graph, alloc, data, name));`,
    '[readers[0]]',
    'readers',
    `namespace N { export const names = ['a','b']; export function add(graph, alloc, data, name) { return ${K()}; } }`,
  ],
  ['split', `const readers = 'a,b'.split(',').map((name) => ${K()});`, '[readers[0]]', 'readers'],
  [
    'upper keys',
    `const o: any = {}; for (const name of ['a','b']) o[name.toUpperCase()] = ${K()};`,
    '[o.A]',
    '[o.A, o.B]',
  ],
  [
    'keys spread',
    `const readers = [...Array(2).keys()].map((i) => { const name = 'k' + i; return ${K()}; });`,
    '[readers[0]]',
    'readers',
  ],
  [
    'bind',
    `class P { all: GraphNode[] = []; add(name: string) { this.all.push(${K()}); } } const p = new P(); const put = p.add.bind(p); put('a'); p.add.call(p, 'b');`,
    '[p.all[0]]',
    'p.all',
  ],
  ['iife', `const readers = (() => ['a','b'].map((name) => ${K()}))();`, '[readers[0]]', 'readers'],
  [
    'super',
    `class A { nodes: GraphNode[] = []; put(name: string) { this.nodes.push(${K()}); } } class B extends A { put(name: string) { super.put(name + '!'); return this; } } const b = new B().put('a').put('b');`,
    '[b.nodes[0]]',
    'b.nodes',
  ],
  [
    'instanceof',
    `class A { } class B { } const readers = []; for (const x of [new A(), new B()]) { const name = x instanceof A ? 'a' : 'b'; readers.push(${K()}); }`,
    '[readers[0]]',
    'readers',
  ],
  [
    'instanceof add',
    `class A { } class B { } const readers = []; for (const x of [new A(), new B(), new A()]) { if (x instanceof A) { const name = 'a'; readers.push(${K()}); } }`,
    '[readers[0]]',
    'readers',
  ],
  [
    'hook?.()',
    `const hooks: { on?: (n: GraphNode) => void } = {}; const readers = []; for (const name of ['a','b']) { const n = ${K()}; hooks.on?.(n); readers.push(n); }`,
    '[readers[0]]',
    'readers',
  ],
  [
    'map object keys',
    `const m = new Map<object, GraphNode>(); const ks = [{ name: 'x' }, { name: 'x' }]; for (const k of ks) { const { name } = k; m.set(k, ${K()}); }`,
    '[m.get(ks[0])!]',
    'ks.map((k) => m.get(k)!)',
  ],
  [
    'module instance',
    `for (const name of ['a','b']) reg.put(${K()});`,
    '[reg.nodes[0]]',
    'reg.nodes',
    `class Reg { nodes: GraphNode[] = []; put(n: GraphNode) { this.nodes.push(n); } } const reg = new Reg();`,
  ],
  [
    'module list',
    `for (const name of NAMES) found.push(${K()});`,
    '[found[0]]',
    'found',
    `const NAMES = ['a','b'] as const; const found: GraphNode[] = [];`,
  ],
  [
    'then',
    `const readers = []; for (const name of ['a','b']) await Promise.resolve(${K()}).then((n) => { readers.push(n); });`,
    '[readers[0]]',
    'readers',
  ],
  [
    'depends list',
    `const deps = new Map<string, string[]>([['a', []], ['b', ['a']]]); const made = new Map<string, GraphNode>(); for (const [name, after] of deps) made.set(name, cudaGraphAddKernelNode(graph, [alloc, ...after.map((x) => made.get(x)!)], { func: name, reads: [data] }));`,
    "[made.get('a')!]",
    '[...made.values()]',
  ],
  [
    'matrix',
    `const grid: GraphNode[][] = []; for (let y = 0; y < 2; y++) { grid[y] = []; for (let x = 0; x < 2; x++) { const name = 'k'; grid[y][x] = ${K()}; } }`,
    'grid[0]',
    'grid.flat()',
  ],
  [
    'Array.from matrix',
    `const grid = Array.from({ length: 2 }, () => Array.from({ length: 2 }, () => { const name = 'k'; return ${K()}; }));`,
    'grid[0]',
    'grid.flat()',
  ],
  [
    'reduce chain',
    `const last = ['a','b'].reduce((before, name) => cudaGraphAddKernelNode(graph, [before], { func: name, reads: [data] }), alloc);`,
    '[alloc]',
    '[last]',
  ],
  [
    'let assigned in branch',
    `let tail: GraphNode; if (1 > 0) { const name = 'a'; tail = ${K()}; } else { tail = alloc; }`,
    '[alloc]',
    '[tail]',
  ],
  [
    'default export obj',
    `const readers = Object.entries(table).map(([name, bytes]) => ${K()});`,
    '[readers[0]]',
    'readers',
    `const table = { a: 1, b: 2 } satisfies Record<string, number>; export default table;`,
  ],
  [
    'join/template key',
    `const o: any = {}; for (const [i, n] of ['a','b'].entries()) { const name = [n, i].join('-'); o[\`\${n}:\${i}\`] = ${K()}; }`,
    "[o['a:0']]",
    "[o['a:0'], o['b:1']]",
  ],
  [
    'copyWithin etc',
    `const readers = ['a','b'].map((name) => ${K()}); const copy = Array.from(readers); const frozen = Object.freeze(copy.slice());`,
    '[frozen[0]]',
    'frozen',
  ],
  [
    'not included',
    `const seen: string[] = []; const readers = []; for (const name of ['a','b','a']) { if (seen.includes(name)) continue; seen.push(name); readers.push(${K()}); }`,
    '[readers[0]]',
    'readers',
  ],
  [
    'indexOf remove',
    `const readers = ['a','b','c'].map((name) => ${K()}); const at = readers.indexOf(readers[1]); const x = readers.splice(at, 1);`,
    'readers',
    '[...readers, ...x]',
  ],
  [
    'visitor map',
    `const build: Record<string, (name: string) => GraphNode> = { one: (name) => ${K()}, two: (name) => ${K()} }; const readers = ['one','two'].map((k) => build[k](k));`,
    '[readers[0]]',
    'readers',
  ],
  [
    'symbol/bool flags',
    `const add = (name: string, { isLast = false, after = [alloc] } = {}) => { const n = cudaGraphAddKernelNode(graph, after, { func: name, reads: [data] }); return isLast ? [n] : [n]; }; const readers = [...add('a', { isLast: true }), ...add('b')];`,
    '[readers[0]]',
    'readers',
  ],
  [
    'mixin/compose',
    `const withLog = <T extends (...a: any[]) => GraphNode>(f: T) => (...a: Parameters<T>) => { const n = f(...a); log.push(n); return n; }; const log: GraphNode[] = []; const mk = withLog((name: string) => ${K()}); mk('a'); mk('b');`,
    '[log[0]]',
    'log',
  ],
  [
    'default + spread opts',
    `const base = { func: 'x', reads: [data] }; const readers = ['a','b'].map((func) => cudaGraphAddKernelNode(graph, [alloc], { ...base, func }));`,
    '[readers[0]]',
    'readers',
  ],
  [
    'conditional spread',
    `const first = cudaGraphAddKernelNode(graph, [alloc], { func: 'x', reads: [data] }); const on = true; const readers = [...(on ? [first] : []), ...['b'].map((name) => ${K()})];`,
    'readers.slice(1)',
    'readers',
  ],
  [
    'add dependencies',
    `const free0 = 1; const readers = ['a','b'].map((name) => ${K()}); const join = cudaGraphAddEmptyNode(graph, []); cudaGraphAddDependencies(graph, readers, readers.map(() => join));`,
    '[readers[0]]',
    '[join]',
  ],
  [
    'switch fallthrough',
    `const readers = []; for (const k of ['a','b','c']) { switch (k) { case 'a': case 'b': { const name = k; readers.push(${K()}); break; } default: continue; } }`,
    '[readers[0]]',
    'readers',
  ],
  [
    'nested fn hoist twice',
    `const readers = outer(); function outer() { return inner(['a','b']); function inner(ns) { return ns.map(one); } } function one(name) { return ${K()}; }`,
    '[readers[0]]',
    'readers',
  ],
  [
    'index +=',
    `let i = 0; const readers: GraphNode[] = []; for (const name of ['a','b']) readers[i++] = ${K()};`,
    '[readers[0]]',
    'readers',
  ],
  [
    'array of pairs sort',
    `const pairs = ['b','a'].map((name, i) => ({ i, node: ${K()} })); pairs.sort((x, y) => y.i - x.i); const readers = pairs.map((x) => x.node);`,
    '[readers[0]]',
    'readers',
  ],
  [
    'map get or create',
    `const by = new Map<string, GraphNode>(); const get = (name: string) => { const known = by.get(name); if (known !== undefined) return known; const made = ${K()}; by.set(name, made); return made; }; get('a'); get('b'); get('a');`,
    "[get('a')]",
    "[get('a'), get('b')]",
  ],
  [
    'class generic container',
    `class Box<T> { private items: T[] = []; add(x: T): this { this.items.push(x); return this; } get list(): readonly T[] { return this.items; } *[Symbol.iterator]() { yield* this.items; } } const box = new Box<GraphNode>(); for (const name of ['a','b']) box.add(${K()});`,
    '[box.list[0]]',
    '[...box.list]',
  ],
  [
    'inherit ctor fields',
    `class A { nodes: GraphNode[] = []; constructor(protected readonly g: Graph) {} } class B extends A { extra = 1; put(name: string) { const graph = this.g; this.nodes.push(${K()}); } } const b = new B(graph); b.put('a'); b.put('b');`,
    '[b.nodes[0]]',
    'b.nodes',
  ],
  [
    'two instances',
    `class A { nodes: GraphNode[] = []; put(name: string) { this.nodes.push(${K()}); } } const x = new A(), y = new A(); x.put('a'); y.put('b');`,
    'x.nodes',
    '[...x.nodes, ...y.nodes]',
  ],
  [
    'alias',
    `const a: GraphNode[] = []; const b = a; for (const name of ['a','b']) b.push(${K()});`,
    'a.slice(0, 1)',
    'a',
  ],
  [
    'param mutates',
    `function fill(list: GraphNode[], names: string[]) { for (const name of names) list.push(${K()}); } const readers: GraphNode[] = []; fill(readers, ['a']); fill(readers, ['b']);`,
    'readers.slice(1)',
    'readers',
  ],
  [
    'return copy',
    `const src: GraphNode[] = []; const copy = () => [...src]; for (const name of ['a','b']) src.push(${K()}); const c = copy(); src.length = 0;`,
    'src.concat(c[0])',
    'c',
  ],
  [
    'nested objects',
    `const st = { g: { nodes: {} as Record<string, GraphNode[]> } }; for (const name of ['a','b']) { const { nodes } = st.g; nodes[name] = nodes[name] ?? []; nodes[name].push(${K()}); }`,
    'st.g.nodes.a',
    '[...st.g.nodes.a, ...st.g.nodes.b]',
  ],
  [
    'spread copy independent',
    `const base = { nodes: [alloc] }; const other = { ...base, nodes: [...base.nodes] }; for (const name of ['a','b']) other.nodes.push(${K()});`,
    'base.nodes',
    'other.nodes',
  ],
  [
    'reassigned concat',
    `let readers: GraphNode[] = []; for (const name of ['a','b']) readers = readers.concat(${K()}); `,
    'readers.slice(0, -1)',
    'readers',
  ],
  [
    'reassigned spread',
    `let readers: GraphNode[] = []; for (const name of ['a','b']) readers = [...readers, ${K()}]; `,
    'readers.slice(0, -1)',
    'readers',
  ],
  [
    'for of destruct obj',
    `const readers = []; for (const { name, on = true } of [{ name: 'a' }, { name: 'b', on: true }, { name: 'c', on: false }]) if (on) readers.push(${K()});`,
    '[readers[0]]',
    'readers',
  ],
  [
    'symbolless entries',
    `const readers: Record<number, GraphNode> = {}; [10, 20].forEach((id) => { const name = 'k' + id; readers[id] = ${K()}; });`,
    '[readers[10]]',
    '[readers[10], readers[20]]',
  ],
  [
    'object keys loop',
    `const sizes = { a: 1, b: 2 }; const readers = {} as any; for (const name of Object.keys(sizes) as (keyof typeof sizes)[]) readers[name] = ${K()};`,
    '[readers.a]',
    'Object.keys(readers).map((k) => readers[k])',
  ],
  [
    'every/while',
    `const todo = new Set(['a','b']); const readers = []; while (todo.size > 0) { const [name] = todo; todo.delete(name); readers.push(${K()}); }`,
    '[readers[0]]',
    'readers',
  ],
  [
    'queue bfs',
    `const kids: Record<string, string[]> = { r: ['a','b'], a: [], b: [] }; const readers = []; const q = ['r']; while (q.length) { const name = q.shift()!; if (name !== 'r') readers.push(${K()}); q.push(...kids[name]); }`,
    '[readers[0]]',
    'readers',
  ],
  [
    'topo',
    `const deps: Record<string, string[]> = { b: ['a'], a: [] }; const made: Record<string, GraphNode> = {}; const visit = (name: string): GraphNode => made[name] ??= cudaGraphAddKernelNode(graph, [alloc, ...deps[name].map(visit)], { func: name, reads: [data] }); Object.keys(deps).forEach((n) => visit(n));`,
    '[made.a]',
    '[made.b]',
  ],
  [
    'comma/seq loop',
    `const readers = []; for (let i = 0, n = 2; i < n; i += 1) { const name = i === 0 ? 'a' : 'b'; readers.push(${K()}); }`,
    '[readers[0]]',
    'readers',
  ],
  [
    'nullish chain',
    `const cfg: { plan?: { names?: string[] } } = {}; const readers = (cfg.plan?.names ?? ['a','b']).map((name) => ${K()});`,
    '[readers[0]]',
    'readers',
  ],
  [
    'nullish chain set',
    `const cfg: { plan?: { names?: string[] } } = { plan: { names: ['a','b'] } }; const readers = (cfg.plan?.names ?? ['z']).map((name) => ${K()});`,
    '[readers[0]]',
    'readers',
  ],
  [
    'and chain',
    `const cfg = { on: true, names: ['a','b'] }; const readers = (cfg.on && cfg.names || []).map((name) => ${K()});`,
    '[readers[0]]',
    'readers',
  ],
  [
    'typeof guard',
    `const norm = (x: string | string[]) => typeof x === 'string' ? [x] : x; const readers = norm(['a','b']).map((name) => ${K()});`,
    '[readers[0]]',
    'readers',
  ],
  [
    'isArray guard',
    `const norm = (x: string | string[]) => Array.isArray(x) ? x : [x]; const readers = [...norm('a'), ...norm(['b'])].map((name) => ${K()});`,
    '[readers[0]]',
    'readers',
  ],
  [
    'enum numeric loop',
    `enum L { A, B, Count } const readers: GraphNode[] = []; for (let l = L.A; l < L.Count; l++) { const name = 'k' + l; readers[l] = ${K()}; }`,
    '[readers[L.A]]',
    '[readers[L.A], readers[L.B]]',
  ],
  [
    'try return',
    `const attempt = <T>(f: () => T): T | undefined => { try { return f(); } catch { return undefined; } }; const readers = ['a','b'].map((name) => attempt(() => ${K()})!);`,
    '[readers[0]]',
    'readers',
  ],
  [
    'then chain await',
    `const add = async (name: string) => ${K()}; const a = await add('a'); const b = await add('b');`,
    '[a]',
    '[a, b]',
  ],
  [
    'map with index dep',
    `const readers: GraphNode[] = []; ['a','b','c'].forEach((name, i, all) => { readers.push(cudaGraphAddKernelNode(graph, i === 0 ? [alloc] : [readers[i - 1]], { func: name, reads: [data] })); });`,
    '[readers[1]]',
    '[readers.at(-1)!]',
  ],
  ['array dest default', `const [a = alloc, b = alloc] = ['a','b'].map((name) => ${K()});`, '[a]', '[a, b]'],
  [
    'instanceof of a base',
    `class A { } class B extends A { } class C { } const readers = []; for (const x of [new A(), new B(), new C()]) { const name = 'a'; if (x instanceof A) readers.push(${K()}); }`,
    '[readers[0]]',
    'readers',
  ],
  [
    'setter of a literal',
    `const st = { nodes: [] as GraphNode[], get last() { return this.nodes.at(-1)!; }, set last(n: GraphNode) { this.nodes.push(n); } }; for (const name of ['a','b']) st.last = ${K()};`,
    '[st.last]',
    'st.nodes',
  ],
  [
    'setter keys',
    `const st = { a: 1, set x(n: number) {} }; const readers = Object.keys(st).concat(['b']).map((name) => ${K()});`,
    '[readers[0]]',
    'readers',
  ],
  [
    'var in block',
    `var readers: GraphNode[] = []; if (true) { var extra = ['a','b']; } for (const name of ['a','b']) readers.push(${K()});`,
    '[readers[0]]',
    'readers',
  ],
  [
    'let no init then push',
    `let readers; readers = []; for (const name of ['a','b']) readers.push(${K()});`,
    '[readers[0]]',
    'readers',
  ],
  [
    'Map with default get',
    `const m = new Map<string, GraphNode[]>(); const put = (k: string, n: GraphNode) => { m.set(k, [...(m.get(k) ?? []), n]); }; for (const name of ['a','b']) put('x', ${K()});`,
    "m.get('x')!.slice(1)",
    "m.get('x')!",
  ],
  [
    'closure counter',
    `const next = (() => { let i = 0; return () => 'k' + i++; })(); const made: any = {}; for (let j = 0; j < 2; j++) { const name = next(); made[name] = ${K()}; }`,
    '[made.k0]',
    '[made.k0, made.k1]',
  ],
  [
    'class with map',
    `class R { #m = new Map<string, GraphNode>(); set(k: string, n: GraphNode) { this.#m.set(k, n); return this; } all() { return Array.from(this.#m.values()); } get size() { return this.#m.size; } } const r = new R(); for (const name of ['a','b']) r.set(name, ${K()});`,
    'r.all().slice(0, r.size - 1)',
    'r.all()',
  ],
  [
    'Array.from map entries',
    `const m = new Map<string, GraphNode>(); for (const name of ['a','b']) m.set(name, ${K()}); const readers = Array.from(m, ([, n]) => n);`,
    '[readers[0]]',
    'readers',
  ],
  [
    'find',
    `const readers = ['a','b'].map((name) => ({ name, node: ${K()} })); const b = readers.find((r) => r.name === 'b')!;`,
    '[b.node]',
    '[b.node, readers.find(({ name }) => name === "a")?.node!]',
  ],
  [
    'partition',
    `const all = ['a','b','c'].map((name) => ({ name, node: ${K()} })); const [x, y] = [all.filter((r) => r.name !== 'c'), all.filter((r) => r.name === 'c')];`,
    'x.map((r) => r.node)',
    '[...x, ...y].map((r) => r.node)',
  ],
  [
    'generic class hierarchy',
    `abstract class Base<T> { readonly out: T[] = []; protected abstract make(name: string): T; run(names: string[]) { for (const name of names) this.out.push(this.make(name)); return this.out; } } class Impl extends Base<GraphNode> { protected make(name: string) { return ${K()}; } } const readers = new Impl().run(['a','b']);`,
    '[readers[0]]',
    'readers',
  ],
  [
    'interface of functions',
    `interface Ops { add(name: string): GraphNode } const ops: Ops = { add: (name) => ${K()} }; const use = ({ add }: Ops) => [add('a'), add('b')]; const readers = use(ops);`,
    '[readers[0]]',
    'readers',
  ],
  [
    'null checks',
    `let prev: GraphNode | null = null; for (const name of ['a','b']) { prev = cudaGraphAddKernelNode(graph, prev === null ? [alloc] : [prev], { func: name, reads: [data] }); } const last = prev!;`,
    '[alloc]',
    '[last]',
  ],
  [
    'undefined checks',
    `let prev: GraphNode | undefined; for (const name of ['a','b']) { prev = cudaGraphAddKernelNode(graph, prev ? [prev] : [alloc], { func: name, reads: [data] }); }`,
    '[alloc]',
    '[prev!]',
  ],
  [
    'reduce undefined',
    `const last = ['a','b'].reduce<GraphNode | undefined>((p, name) => cudaGraphAddKernelNode(graph, p ? [p] : [alloc], { func: name, reads: [data] }), undefined)!;`,
    '[alloc]',
    '[last]',
  ],
  [
    'Object.assign',
    `const st = Object.assign({}, { a: null as any, b: null as any }); for (const name of ['a','b']) st[name] = ${K()};`,
    '[st.a]',
    '[st.a, st.b]',
  ],
  [
    'number keys desc',
    `const readers: GraphNode[] = []; for (let i = 1; i >= 0; i--) { const name = 'k' + i; readers[i] = ${K()}; }`,
    '[readers[0]]',
    'readers',
  ],
  [
    'array fill + index',
    `const readers: (GraphNode | null)[] = Array(2).fill(null); readers.forEach((_, i) => { const name = 'k' + i; readers[i] = ${K()}; });`,
    '[readers[0]!]',
    'readers as GraphNode[]',
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
  [
    'class lifecycle bad',
    `class S { private stream?: Stream; private buf: DevicePointer | null = null; open() { this.stream ??= cudaStreamCreate(); this.buf = cudaMallocAsync(64, this.stream); } close() { if (this.buf) { cudaFreeAsync(this.buf, this.stream!); } cudaStreamDestroy(this.stream!); this.stream = undefined; } } export function f() { const s = new S(); s.open(); s.close(); s.close(); }`,
    `class S { private stream?: Stream; private buf: DevicePointer | null = null; open() { this.stream ??= cudaStreamCreate(); this.buf = cudaMallocAsync(64, this.stream); } close() { if (this.buf) { cudaFreeAsync(this.buf, this.stream!); this.buf = null; } if (this.stream) cudaStreamDestroy(this.stream!); this.stream = undefined; } } export function f() { const s = new S(); s.open(); s.close(); s.close(); }`,
    'async-double-free',
  ],
  [
    'pool twice',
    `class Pool { private free: DevicePointer[] = []; take(n: number): DevicePointer { return this.free.pop() ?? cudaMalloc(n); } give(p: DevicePointer) { this.free.push(p); } close() { while (this.free.length > 0) cudaFree(this.free.pop()!); } } export function f() { const pool = new Pool(); const a = pool.take(4); pool.give(a); pool.close(); cudaFree(a); }`,
    `class Pool { private free: DevicePointer[] = []; take(n: number): DevicePointer { return this.free.pop() ?? cudaMalloc(n); } give(p: DevicePointer) { this.free.push(p); } close() { while (this.free.length > 0) cudaFree(this.free.pop()!); } } export function f() { const pool = new Pool(); const a = pool.take(4); pool.give(a); const b = pool.take(4); pool.give(b); pool.close(); }`,
    'malloc-double-free',
  ],
  [
    'dag builder',
    `type Spec = { name: string; after?: string[] }; class Dag { private made = new Map<string, GraphNode>(); constructor(private g: Graph, private p: DevicePointer, private root: GraphNode) {} build(specs: Spec[]) { for (const { name, after = [] } of specs) { const deps = after.length ? after.map((n) => this.made.get(n)!) : [this.root]; this.made.set(name, cudaGraphAddKernelNode(this.g, deps, { func: name, reads: [this.p] })); } return this; } get sinks() { return ['c']; } node(n: string) { return this.made.get(n)!; } } export function f() { const g = cudaGraphCreate(); const a = cudaGraphAddMemAllocNode(g, [], { bytesize: 4 }); const d = new Dag(g, a.dptr, a.node).build([{ name: 'a' }, { name: 'b', after: ['a'] }, { name: 'c', after: ['a'] }]); cudaGraphAddMemFreeNode(g, d.sinks.map((n) => d.node(n)), a.dptr); }`,
    `type Spec = { name: string; after?: string[] }; class Dag { private made = new Map<string, GraphNode>(); constructor(private g: Graph, private p: DevicePointer, private root: GraphNode) {} build(specs: Spec[]) { for (const { name, after = [] } of specs) { const deps = after.length ? after.map((n) => this.made.get(n)!) : [this.root]; this.made.set(name, cudaGraphAddKernelNode(this.g, deps, { func: name, reads: [this.p] })); } return this; } get sinks() { return ['b', 'c']; } node(n: string) { return this.made.get(n)!; } } export function f() { const g = cudaGraphCreate(); const a = cudaGraphAddMemAllocNode(g, [], { bytesize: 4 }); const d = new Dag(g, a.dptr, a.node).build([{ name: 'a' }, { name: 'b', after: ['a'] }, { name: 'c', after: ['a'] }]); cudaGraphAddMemFreeNode(g, d.sinks.map((n) => d.node(n)), a.dptr); }`,
    'graph-use-free-race',
  ],
  [
    'exec cache',
    `export function f() { const cache = new Map<number, GraphExec>(); const s = cudaStreamCreate(); const get = (n: number) => { let e = cache.get(n); if (!e) { const g = cudaGraphCreate(); cudaGraphAddEmptyNode(g, []); e = cudaGraphInstantiate(g); cudaGraphDestroy(g); cache.set(n, e); } return e; }; cudaGraphLaunch(get(1), s); cudaGraphLaunch(get(1), s); cudaStreamSynchronize(s); cudaGraphExecDestroy(cache.get(1)!); cudaGraphLaunch(get(1), s); }`,
    `export function f() { const cache = new Map<number, GraphExec>(); const s = cudaStreamCreate(); const get = (n: number) => { let e = cache.get(n); if (!e) { const g = cudaGraphCreate(); cudaGraphAddEmptyNode(g, []); e = cudaGraphInstantiate(g); cudaGraphDestroy(g); cache.set(n, e); } return e; }; cudaGraphLaunch(get(1), s); cudaGraphLaunch(get(1), s); cudaStreamSynchronize(s); cudaGraphExecDestroy(cache.get(1)!); cache.delete(1); cudaGraphLaunch(get(1), s); cudaStreamSynchronize(s); cache.forEach((e) => cudaGraphExecDestroy(e)); cudaStreamDestroy(s); }`,
    'handle-use-after-destroy',
  ],
  [
    'event order',
    `export function f() { const [a, b] = ['a', 'b'].map(() => cudaStreamCreateWithFlags(cudaStreamNonBlocking)); const done = cudaEventCreate(); const p = cudaMallocAsync(64, a); const steps: (() => void)[] = [() => cudaLaunchKernel({ func: 'w', writes: [p] }, a), () => cudaStreamWaitEvent(b, done), () => cudaEventRecord(done, a), () => cudaLaunchKernel({ func: 'r', reads: [p] }, b)]; for (const step of steps) step(); cudaDeviceSynchronize(); cudaFreeAsync(p, a); }`,
    `export function f() { const [a, b] = ['a', 'b'].map(() => cudaStreamCreateWithFlags(cudaStreamNonBlocking)); const done = cudaEventCreate(); const p = cudaMallocAsync(64, a); const steps: (() => void)[] = [() => cudaLaunchKernel({ func: 'w', writes: [p] }, a), () => cudaEventRecord(done, a), () => cudaStreamWaitEvent(b, done), () => cudaLaunchKernel({ func: 'r', reads: [p] }, b)]; for (const step of steps) step(); cudaDeviceSynchronize(); cudaFreeAsync(p, a); [a, b].forEach((s) => cudaStreamDestroy(s)); cudaEventDestroy(done); }`,
    'async-use-before-alloc',
  ],
  [
    'use after free closure',
    `export function f() { const cleanup: (() => void)[] = []; const p = cudaMalloc(4); cleanup.push(() => cudaFree(p)); const s = cudaStreamCreate(); cleanup.push(() => cudaLaunchKernel({ func: 'w', writes: [p] }, s)); for (const c of cleanup) c(); cudaStreamSynchronize(s); }`,
    `export function f() { const cleanup: (() => void)[] = []; const p = cudaMalloc(4); cleanup.push(() => cudaFree(p)); const s = cudaStreamCreate(); cleanup.push(() => { cudaLaunchKernel({ func: 'w', writes: [p] }, s); cudaStreamSynchronize(s); }); for (const c of cleanup.reverse()) c(); cudaStreamDestroy(s); }`,
    'malloc-use-after-free',
  ],
  [
    'double destroy in finally',
    `export function f() { const s = cudaStreamCreate(); try { cudaStreamSynchronize(s); return; } finally { cudaStreamDestroy(s); cudaStreamDestroy(s); } }`,
    `export function f() { const s = cudaStreamCreate(); try { cudaStreamSynchronize(s); return; } finally { cudaStreamDestroy(s); } }`,
    'handle-use-after-destroy',
  ],
  [
    'wrong stream from record',
    `export function f() { const s = { load: cudaStreamCreateWithFlags(cudaStreamNonBlocking), run: cudaStreamCreateWithFlags(cudaStreamNonBlocking) }; const p = cudaMallocAsync(64, s.load); const on = (k: keyof typeof s) => s[k]; cudaLaunchKernel({ func: 'w', writes: [p] }, on('run')); cudaDeviceSynchronize(); cudaFreeAsync(p, s.load); }`,
    `export function f() { const s = { load: cudaStreamCreateWithFlags(cudaStreamNonBlocking), run: cudaStreamCreateWithFlags(cudaStreamNonBlocking) }; const p = cudaMallocAsync(64, s.load); const on = (k: keyof typeof s) => s[k]; cudaLaunchKernel({ func: 'w', writes: [p] }, on('load')); cudaDeviceSynchronize(); cudaFreeAsync(p, s.load); Object.values(s).forEach((x) => cudaStreamDestroy(x)); }`,
    'async-use-before-alloc',
  ],
  [
    'leak plain',
    `export function f() { const g = cudaGraphCreate(); const e = cudaGraphInstantiate(g); cudaGraphDestroy(g); cudaGraphLaunch(e, cudaStreamLegacy); cudaGraphExecDestroy(e); cudaGraphExecDestroy(e); }`,
    `export function f() { const g = cudaGraphCreate(); const e = cudaGraphInstantiate(g); cudaGraphDestroy(g); cudaGraphLaunch(e, cudaStreamLegacy); cudaGraphExecDestroy(e); }`,
    'handle-use-after-destroy',
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

/** Right programs of which not everything can be read: whatever is not known, nothing wrong is said. */
const right: readonly (readonly [string, string])[] = [
  [
    'unseen fills',
    plan(
      `const readers: GraphNode[] = []; addReaders(graph, alloc, data, readers);`,
      'readers',
      `import { addReaders } from './readers';`,
    ),
  ],
  [
    'names param',
    `${head}export function plan(names: string[]) { const graph = cudaGraphCreate(); const { node: alloc, dptr: data } = cudaGraphAddMemAllocNode(graph, [], { bytesize: 64 }); const readers = names.map((name) => ${K()}); cudaGraphAddMemFreeNode(graph, readers.length ? readers : [alloc], data); }`,
  ],
  [
    'names param loop',
    `${head}export function plan(names: string[]) { const graph = cudaGraphCreate(); const { node: alloc, dptr: data } = cudaGraphAddMemAllocNode(graph, [], { bytesize: 64 }); const readers = [alloc]; for (let i = 0; i < names.length; i++) { const name = names[i]; readers.push(${K()}); } cudaGraphAddMemFreeNode(graph, readers, data); }`,
  ],
  [
    'options',
    `${head}interface O { graph?: Graph; names?: string[] } export function plan({ graph = cudaGraphCreate(), names = ['a','b'] }: O = {}) { const { node: alloc, dptr: data } = cudaGraphAddMemAllocNode(graph, [], { bytesize: 64 }); const readers = names.map((name) => ${K()}); cudaGraphAddMemFreeNode(graph, [alloc, ...readers], data); }`,
  ],
  [
    'deep recursion',
    plan(
      `const readers = []; const walk = (n: number) => { if (n === 0) return; const name = 'k' + n; readers.push(${K()}); walk(n - 1); }; walk(20);`,
      'readers',
      '',
    ),
  ],
  [
    'deep recursion fn',
    plan(
      `const readers = walk(graph, alloc, data, 20);`,
      'readers',
      `function walk(graph, alloc, data, n: number) { if (n === 0) return []; const name = 'k' + n; return [${K()}, ...walk(graph, alloc, data, n - 1)]; }`,
    ),
  ],
  [
    'very deep',
    plan(
      `const readers = []; const walk = (n: number) => { if (n === 0) return; const name = 'k' + n; readers.push(${K()}); walk(n - 1); }; walk(200);`,
      'readers',
      '',
    ),
  ],
  [
    'unknown index store',
    plan(`const readers: GraphNode[] = []; for (const name of ['a','b']) readers[slot(name)] = ${K()};`, 'readers', ''),
  ],
  [
    'localeCompare',
    plan(`const readers = ['b','a'].sort((x, y) => x.localeCompare(y)).map((name) => ${K()});`, 'readers', ''),
  ],
  [
    'json',
    plan(
      `const cfg = JSON.parse(text); const readers = [alloc]; for (const name of cfg.names) readers.push(${K()});`,
      'readers',
      '',
    ),
  ],
  [
    'gen finally',
    `${head}function* buffers() { const p = cudaMalloc(4); try { yield p; } finally { cudaFree(p); } } export function f() { for (const p of buffers()) { cudaMemsetAsync(p, 0, 4, cudaStreamLegacy); cudaDeviceSynchronize(); } }`,
  ],
  [
    'symbol iterator',
    plan(
      `class P { nodes: GraphNode[] = []; *[Symbol.iterator]() { yield* this.nodes; } } const p = new P(); for (const name of ['a','b']) p.nodes.push(${K()});`,
      '[...p]',
      '',
    ),
  ],
  ['set timeout', `${head}export function f() { const p = cudaMalloc(4); setTimeout(() => cudaFree(p), 0); }`],
  [
    'cond push',
    plan(
      `const readers = [alloc]; for (const name of ['a','b']) if (Math.random() > 0.5) readers.push(${K()});`,
      'readers',
      '',
    ),
  ],
  [
    'Object.groupBy',
    plan(
      `const readers = ['a','b'].map((name) => ${K()}); const by = Object.groupBy(readers, (n) => 'x');`,
      'by.x',
      '',
    ),
  ],
  [
    'structuredClone',
    plan(`const readers = ['a','b'].map((name) => ${K()}); const c = lib.shuffle(readers);`, 'c', ''),
  ],
  [
    'iterator next',
    plan(
      `const readers = ['a','b'].map((name) => ${K()}); const it = readers[Symbol.iterator](); const list = [it.next().value, it.next().value];`,
      'list',
      '',
    ),
  ],
  [
    'proxy/reflect',
    plan(`const o = new Proxy({}, {}); for (const name of ['a','b']) o[name] = ${K()};`, 'Object.values(o)', ''),
  ],
  [
    'delete key',
    plan(
      `const o: any = { x: alloc }; for (const name of ['a','b']) o[name] = ${K()}; delete o.x;`,
      'Object.values(o)',
      '',
    ),
  ],
  [
    'record from outside',
    `${head}export function plan(graph: Graph, nodes: Record<string, GraphNode>, data: DevicePointer) { cudaGraphAddMemFreeNode(graph, Object.values(nodes), data); }`,
  ],
  [
    'class param',
    `${head}class P { nodes: GraphNode[] = []; constructor(readonly graph: Graph, readonly data: DevicePointer, readonly alloc: GraphNode) {} add(name: string) { this.nodes.push(cudaGraphAddKernelNode(this.graph, [this.alloc], { func: name, reads: [this.data] })); } } export function finish(p: P) { p.add('a'); cudaGraphAddMemFreeNode(p.graph, p.nodes, p.data); }`,
  ],
  [
    'module let',
    `${head}let stream: Stream; let other: Stream | null = null; export function init() { stream = cudaStreamCreateWithFlags(cudaStreamNonBlocking); other = cudaStreamCreateWithFlags(cudaStreamNonBlocking); } export function run() { const p = cudaMallocAsync(64, stream); cudaLaunchKernel({ func: 'w', writes: [p] }, stream); cudaFreeAsync(p, stream); } export function run2() { const p = cudaMallocAsync(64, other!); cudaStreamSynchronize(other!); cudaLaunchKernel({ func: 'w', writes: [p] }, cudaStreamLegacy); cudaDeviceSynchronize(); cudaFreeAsync(p, other!); }`,
  ],
  [
    'class fields unset',
    `${head}export class S { private stream?: Stream; private buf: DevicePointer | null = null; private nodes: GraphNode[] = []; private graph!: Graph; open() { this.stream = cudaStreamCreate(); this.buf = cudaMallocAsync(64, this.stream); } use() { cudaLaunchKernel({ func: 'w', writes: [this.buf!] }, this.stream!); } close() { cudaFreeAsync(this.buf!, this.stream!); cudaStreamDestroy(this.stream!); } addFree(n: GraphNode) { cudaGraphAddMemFreeNode(this.graph, this.nodes, this.buf!); } }`,
  ],
  [
    'class lifecycle ok',
    `${head}class S { private stream?: Stream; private buf: DevicePointer | null = null; open() { this.stream ??= cudaStreamCreate(); this.buf = cudaMallocAsync(64, this.stream); } close() { if (this.buf) { cudaFreeAsync(this.buf, this.stream!); this.buf = null; } cudaStreamDestroy(this.stream!); this.stream = undefined; } } export function f() { const s = new S(); s.open(); s.close(); s.open(); s.close(); }`,
  ],
  [
    'optional number',
    `${head}const size = (n?: number) => n ?? 64; export function f() { const p = cudaMalloc(size()); cudaMemsetAsync(p, 0, 64, cudaStreamLegacy); cudaDeviceSynchronize(); cudaFree(p); }`,
  ],
  [
    'flags default',
    `${head}function mk(flags?: StreamFlags) { return cudaStreamCreateWithFlags(flags ?? cudaStreamNonBlocking); } export function f() { const s = mk(cudaStreamDefault); const p = cudaMallocAsync(4, s); cudaLaunchKernel({ func: 'w', writes: [p] }, s); cudaLaunchKernel({ func: 'r', reads: [p] }, cudaStreamLegacy); cudaFreeAsync(p, s); cudaStreamDestroy(s); }`,
  ],
  [
    'empty label',
    plan(`const readers = []; for (const name of ['a','']) if (name) readers.push(${K()});`, '[alloc, ...readers]', ''),
  ],
  [
    'global registry',
    `${head}const registry: GraphNode[] = []; export function add(graph: Graph, alloc: GraphNode, p: DevicePointer) { registry.push(cudaGraphAddKernelNode(graph, [alloc], { func: 'k', reads: [p] })); } export function done(graph: Graph, p: DevicePointer) { cudaGraphAddMemFreeNode(graph, registry, p); } export function doneLocal() { const graph = cudaGraphCreate(); const a = cudaGraphAddMemAllocNode(graph, [], { bytesize: 4 }); const n = cudaGraphAddKernelNode(graph, [a.node], { func: 'k', reads: [a.dptr] }); cudaGraphAddMemFreeNode(graph, [...registry, n], a.dptr); }`,
  ],
  [
    'method entry list',
    `${head}export class B { readers: GraphNode[] = []; graph = cudaGraphCreate(); finish() { const a = cudaGraphAddMemAllocNode(this.graph, [], { bytesize: 4 }); const n = cudaGraphAddKernelNode(this.graph, [a.node], { func: 'k', reads: [a.dptr] }); this.link(n); cudaGraphAddMemFreeNode(this.graph, this.readers, a.dptr); } link(n: GraphNode) { this.readers.push(n); } }`,
  ],
  [
    'method own run',
    `${head}export class B { private last?: GraphNode; constructor(private graph: Graph, private p: DevicePointer) {} add(name: string) { this.last = cudaGraphAddKernelNode(this.graph, this.last ? [this.last] : [], { func: name, writes: [this.p] }); return this; } free() { cudaGraphAddMemFreeNode(this.graph, this.last ? [this.last] : [], this.p); } }`,
  ],
  [
    'async loop events',
    `${head}export async function f(n: number) { const s = [0, 1].map(() => cudaStreamCreateWithFlags(cudaStreamNonBlocking)); const e = s.map(() => cudaEventCreate()); const p = cudaMalloc(64); for (let i = 0; i < n; i++) { const [a, b] = [s[i % 2], s[(i + 1) % 2]]; if (i > 0) cudaStreamWaitEvent(a, e[(i + 1) % 2]); cudaLaunchKernel({ func: 'k', writes: [p] }, a); cudaEventRecord(e[i % 2], a); } s.forEach((x) => cudaStreamSynchronize(x)); cudaFree(p); s.forEach(cudaStreamDestroy); e.forEach(cudaEventDestroy); }`,
  ],
  [
    'pool class',
    `${head}class Pool { private free: DevicePointer[] = []; private all = new Set<DevicePointer>(); take(n: number): DevicePointer { const p = this.free.pop() ?? cudaMalloc(n); this.all.add(p); return p; } give(p: DevicePointer) { this.free.push(p); } close() { for (const p of this.all) cudaFree(p); this.all.clear(); this.free.length = 0; } } export function f() { const pool = new Pool(); const a = pool.take(4); pool.give(a); const b = pool.take(4); pool.give(b); const c = pool.take(8), d = pool.take(8); pool.give(c); pool.give(d); pool.close(); }`,
  ],
  [
    'class static block',
    `${head}class R { static all: GraphNode[] = []; static { R.all = []; } } export function f() { const g = cudaGraphCreate(); cudaGraphDestroy(g); }`,
  ],
  [
    'external iterable',
    `${head}export function f(graph: Graph, alloc: GraphNode, data: DevicePointer, it: Iterable<string>) { const r = [...it].map((name) => ${K()}); cudaGraphAddMemFreeNode(graph, [alloc, ...r], data); }`,
  ],
  [
    'Map param',
    `${head}export function f(graph: Graph, nodes: Map<string, GraphNode>, data: DevicePointer) { const n = cudaGraphAddKernelNode(graph, [...nodes.values()], { func: 'k', reads: [data] }); nodes.set('n', n); cudaGraphAddMemFreeNode(graph, [...nodes.values()], data); }`,
  ],
  [
    'decorated & weird',
    `${head}@dec() class A { @log run() { const p = cudaMalloc(4); cudaFree(p); } } export { A as default }; declare module 'x' { } type T = keyof A; export = A;`,
  ],
  [
    'getter lazy',
    `${head}class A { #p?: DevicePointer; get p() { return this.#p ??= cudaMalloc(4); } free() { if (this.#p !== undefined) { cudaFree(this.#p); this.#p = undefined; } } } export function f() { const a = new A(); cudaMemsetAsync(a.p, 0, 4, cudaStreamLegacy); cudaMemsetAsync(a.p, 0, 4, cudaStreamLegacy); cudaDeviceSynchronize(); a.free(); a.free(); }`,
  ],
  [
    'using-like',
    `${head}const scope = () => { const undo: (() => void)[] = []; return { defer(f: () => void) { undo.push(f); }, close() { while (undo.length) undo.pop()!(); } }; }; export function f() { const s = scope(); const p = cudaMalloc(4); s.defer(() => cudaFree(p)); const q = cudaMalloc(4); s.defer(() => cudaFree(q)); s.close(); s.close(); }`,
  ],
  [
    'retry loop',
    `${head}export async function f() { for (let i = 0; i < 3; i++) { const p = cudaMalloc(4); try { cudaMemsetAsync(p, 0, 4, cudaStreamLegacy); cudaDeviceSynchronize(); break; } catch (e) { if (i === 2) throw e; continue; } finally { cudaFree(p); } } }`,
  ],
  [
    'double buffer',
    `${head}export function f(n: number) { const s = cudaStreamCreate(); const bufs = [cudaMalloc(64), cudaMalloc(64)] as const; let cur = 0; for (let i = 0; i < n; i++) { cudaLaunchKernel({ func: 'k', reads: [bufs[cur]], writes: [bufs[1 - cur]] }, s); cur = 1 - cur; } cudaStreamSynchronize(s); bufs.forEach((b) => cudaFree(b)); cudaStreamDestroy(s); }`,
  ],
  ['hole', plan(`const readers: GraphNode[] = []; const name = 'a'; readers[1] = ${K()};`, 'readers', '')],
  [
    'opaque class',
    plan(
      `const b = new Builder(graph); const readers = ['a','b'].map((name) => b.add(name, data)); `,
      'readers',
      `import { Builder } from './builder';`,
    ),
  ],
  [
    'event emitter',
    plan(
      `const readers: GraphNode[] = []; bus.on('add', (name: string) => { readers.push(${K()}); }); bus.emit('add', 'a');`,
      'readers',
      `import { bus } from './bus';`,
    ),
  ],
];

describe('silence', () => {
  it.each(right)('%s', async (_, text) => {
    expect((await analyseText(text, 'typescript')).findings).toEqual([]);
  });
});

test('what a program in C++ has called so before is nothing to one in TypeScript', async () => {
  const array = 'struct Array { explicit Array(int n) : size(n) {} int size; };';
  await analyseText(
    `#include <cuda_runtime.h>\n${array}\nint main() { void *p; cudaMalloc(&p, Array(2).size); cudaFree(p); }`,
  );
  const work = `const readers: (GraphNode | null)[] = Array(2).fill(null); readers.forEach((_, i) => { const name = 'k' + i; readers[i] = ${K()}; });`;
  const { findings } = await analyseText(plan(work, '[readers[0]!]', ''), 'typescript');
  expect(findings.map(({ rule }) => rule)).toEqual(['graph-use-free-race']);
});
