/** What expressions and small functions of TypeScript come to: sizes, counts and keys of plans hang on them. */

import { describe, expect, it } from 'vitest';
import { evaluateSize } from '../../../src/trace/size.ts';
import { analyseText } from '../../support/engine.ts';

/** The size that the expression says, or the function with these statements. */
async function bytesOf(written: string): Promise<number | null> {
  const expression = written.includes(';') ? `(() => { ${written} })()` : written;
  const text = `const memory = cudaMalloc(${expression});\ncudaFree(memory);\n`;
  const { facts } = await analyseText(text, 'typescript');
  const bytes = [...facts.values()][0]?.trace.allocations[0]?.bytes;
  return bytes ? evaluateSize(bytes) : null;
}

describe('non-null assertions', () => {
  it.each([
    ['const g = [[1, 2], [3, 4]]; return g[0]![1]! + g[1]![1]!;', 6],
    ["const m = new Map([['a', { n: 4 }]]); return 1 + m.get('a')!.n * 2;", 9],
    ["const m = new Map([['a', { f() { return [7, 8]; } }]]); return 1 + m.get('a')!.f()[1]! * 2 - 3;", 14],
    ["const m = new Map([['a', { n: 4 }]]); return -m.get('a')!.n + 10;", 6],
    ["const m = new Map([['a', { n: 0 }]]); return !m.get('a')!.n ? 5 : 6;", 5],
    ["const m = new Map([['a', { k: 'x', n: 4 }]]); return 'x' === m.get('a')!.k && m.get('a')!.n > 3 ? 5 : 6;", 5],
  ])('%s', async (written, bytes) => {
    expect(await bytesOf(written)).toBe(bytes);
  });
});

describe('the language and its library', () => {
  it.each([
    ["parseInt('0x40', 16)", 64],
    ["Math.max(...[parseInt('12px'), Number('0b11')])", 12],
    ['32 - Math.clz32(10) + Math.sign(-3) + Math.hypot(3, 4)', 8],
    ["'abc'.charCodeAt(1)", 98],
    ["-'4' + 10", 6],
    ['(255).toString(16).length', 2],
    ["['1', '2', '3'].map(Number).reduce((a, b) => a + b)", 6],
    ["'a1b2'.replace(/\\d/g, '').length", 2],
    ["'a1,b2|c'.split(/[,|]/).length", 3],
    ["const m = /(\\d+)x(?<w>\\d+)/.exec('12x34'); return Number(m![1]) + Number(m!.groups!.w);", 46],
    ['JSON.parse(\'[1,{"a":5}]\')[1].a', 5],
    ['JSON.stringify({ a: [1, null] }).length', 14],
    ["try { JSON.parse('x'); return 1; } catch { return 2; }", 2],
    ["const e = new Error('abc'); return e.message.length;", 3],
    [
      "class E extends Error { constructor(readonly n: number) { super('four'); } } try { throw new E(4); } catch (e) { return e instanceof E && e instanceof Error ? e.n + e.message.length : 1; }",
      8,
    ],
    ['try { throw { code: 5 }; } catch ({ code }) { return code; }', 5],
    ['let c = 1; const f = () => { try { return 1; } finally { c = 5; } }; f(); return c;', 5],
    ['const f = () => { try { return 1; } finally { return 2; } }; return f();', 2],
    ['let v = 5; v **= 2; return v;', 25],
    ['let best = Infinity; for (const x of [5, 3, 4]) if (x < best) best = x; return best;', 3],
    ['class A { constructor(public n = 2) {} } class B extends A { m = this.n * 2; } return new B(3).m;', 6],
    ['class A { size = this.n * 2; constructor(readonly n: number) {} } return new A(4).size;', 8],
    ['const g = (function* () { yield 1; yield 2; return 3; })(); g.next(); g.next(); return g.next().value;', 3],
    ['const s = new Set([4, 5]); return s.values().next().value!;', 4],
    ["enum E { A, B, C = A | B, D } return [E.D, E[1] === 'C' ? 3 : 9].reduce((a, b) => a + b);", 5],
    ['new Float32Array(16).byteLength + Float64Array.BYTES_PER_ELEMENT', 72],
    ['new Uint16Array(new ArrayBuffer(64), 8).length', 28],
    ['const a = { n: [1] }; const b = structuredClone(a); b.n.push(2); return a.n.length;', 1],
    ["Object.groupBy([1, 2, 3], (x) => (x % 2 ? 'odd' : 'even')).odd!.length", 2],
    ['[3, 1, 2].toSpliced(0, 1).with(0, 9)[0]!', 9],
    ['class A { constructor(readonly a: number, readonly b = a + 1) {} } return new A(3).b;', 4],
    ["class A { toString() { return 'xyz'; } } return (new A() + '!').length;", 4],
    ["['a', '', 'b'].filter(Boolean).length", 2],
    ["const name = '' as string; return name ? 1 : (name || 'four').length;", 4],
    ['7 >>> 1', 3],
    ['-1 >>> 28', 15],
    ['Math.round(-0.5) + 2', 2],
    ["'it\\'s\\tok\\\\\\u0041'.length", 9],
    ["`a\nb`.split('\\n').length", 2],
    [
      'const m = new Map<() => number, number>(); const f = () => 1; m.set(f, 5); m.set(() => 1, 6); return m.get(f)!;',
      5,
    ],
    [
      'class A { static all = new Map<A, number>(); constructor() { A.all.set(this, 7); } } const a = new A(); new A(); return A.all.get(a)! + A.all.size;',
      9,
    ],
    ['const a = [1, 2, 3][Symbol.iterator](); a.next(); return a.next().value!;', 2],
    ['const g: number[][] = [[1]]; return g[-1]?.[0] ?? 4;', 4],
    ['const a = new Set([1, 2]), b = new Set([2, 3]); return a.union(b).size * 10 + a.intersection(b).size;', 31],
    ['const a = new Set([1, 2]), b = new Set([2]); return [...a.difference(b)][0]! + (b.isSubsetOf(a) ? 10 : 20);', 11],
    ['const a = new Set([1, 2]), b = new Set([2, 3]); return a.symmetricDifference(b).has(2) ? 1 : 2;', 2],
    ['[1, 2, 3].values().drop(1).take(1).toArray()[0]!', 2],
    ['const f = (x?: number) => (x === undefined ? 9 : x + 1); return f(0) * 10 + f();', 19],
    ['const n: number = 0; return n != null && n !== undefined && !(n == null) ? 1 : 2;', 1],
    ['[0, undefined, null, 1].filter((x) => x != null).length', 2],
    ['[undefined, 0].indexOf(0) + new Set([undefined, 0]).size', 3],
    ['const at = [0, 1].find((x) => x === 0); return at === undefined ? 1 : 2;', 2],
    ['[1, [2, [3, [4]]]].flat(Infinity).length * 10 + [1, [2, [3]]].flat(0).length', 42],
    ['[[1], [2, [3]]].flat().length', 3],
    ["const o: Record<string, number> = { a: 1 }; return Object.hasOwn(o, 'a') && !o.hasOwnProperty('b') ? 5 : 6;", 5],
  ])('%s', async (written, bytes) => {
    expect(await bytesOf(written)).toBe(bytes);
  });

  it('does not guess what a generator does with what it is sent', async () => {
    expect(
      await bytesOf(
        'const g = (function* () { const x = yield 1; yield x * 2; })(); g.next(); return g.next(5).value;',
      ),
    ).toBe(null);
  });

  it('does not take one of two values for the truth of both', async () => {
    expect(await bytesOf('options.bytes || 4096')).toBe(null);
  });

  it('does not try patterns that may take for ever', async () => {
    expect(await bytesOf("'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!'.replace(/^(a+)+$/, '').length")).toBe(null);
  });
});
