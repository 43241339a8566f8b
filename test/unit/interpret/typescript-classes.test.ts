/**
 * Classes of TypeScript: what `super` means, what is inherited, blocks and private members, symbols as names, objects that are
 * disposed of. Each in a program with one mistake, which is found because the construct was read rightly, and in the same
 * program without it, of which nothing is said.
 */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../../support/engine.ts';

/** What it is; what stands before; what frees `p` too early, and what does not. */
type Row = readonly [what: string, before: string, bad: string, good: string];

/** A program that knows whether something holds frees twice where it does not. */
function whenKnown(what: string, before: string, condition: string): Row {
  return [what, before, `if (!(${condition})) return; cudaFree(p);`, `if (!(${condition})) cudaFree(p);`];
}

const rows: readonly Row[] = [
  [
    'super.method()',
    'class A { end(p) { cudaFree(p); } } class B extends A { end(p) { super.end(p); } }',
    'new B().end(p);',
    'new B();',
  ],
  [
    'super.method() two classes up',
    'class A { end(p) { cudaFree(p); } } class B extends A {} class C extends B { end(p) { super.end(p); } }',
    'new C().end(p);',
    'new C();',
  ],
  whenKnown(
    'super.getter',
    'class A { get size() { return 3; } } class B extends A { get size() { return super.size + 1; } }',
    'new B().size === 4',
  ),
  whenKnown(
    'super.getter that asks the object',
    'class A { n = 5; get size() { return this.n; } } class B extends A { n = 6; get size() { return super.size * 2; } }',
    'new B().size === 12',
  ),
  whenKnown(
    'super.setter',
    'class A { n = 0; set size(v) { this.n = v; } } class B extends A { set size(v) { super.size = v + 1; } }',
    '(() => { const b = new B(); b.size = 3; return b.n; })() === 4',
  ),
  whenKnown(
    'an inherited getter and setter',
    'class A { n = 1; get size() { return this.n; } set size(v) { this.n = v * 2; } } class B extends A {}',
    '(() => { const b = new B(); b.size = 3; return b.size; })() === 6',
  ),
  whenKnown(
    'a static getter, inherited',
    'class A { static get size() { return 7; } static twice(n) { return n * 2; } } class B extends A { static twice(n) { return super.twice(n) + 1; } }',
    'B.size === 7 && B.twice(2) === 5',
  ),
  whenKnown(
    'static blocks',
    'class A { static sizes = []; static total; static { for (const n of [1, 2, 3]) A.sizes.push(n); this.total = A.sizes.length; } }',
    'A.total === 3 && A.sizes[2] === 3',
  ),
  whenKnown(
    'private fields and methods',
    'class A { #n = 4; static #count = 0; #twice() { return this.#n * 2; } get #half() { return this.#n / 2; } constructor() { A.#count++; } sum() { return this.#twice() + this.#half; } static made() { return A.#count; } has(o) { return #n in o; } }',
    '(() => { const a = new A(); return a.sum(); })() === 10 && A.made() === 1',
  ),
  whenKnown(
    'private beside public of that name',
    'class A { #n = 4; n = 5; get both() { return this.#n * 10 + this.n; } }',
    'new A().both === 45',
  ),
  whenKnown(
    'symbols as names',
    "const key = Symbol('key'); const other = Symbol('key'); class A { [key]() { return 3; } }",
    '(() => { const o = { [key]: 1, [other]: 2 }; return o[key] * 10 + o[other] + new A()[key](); })() === 15',
  ),
  [
    'using',
    'class B { constructor(p) { this.p = p; } [Symbol.dispose]() { cudaFree(this.p); } }',
    '{ using b = new B(p); }',
    '{ const b = new B(p); }',
  ],
  [
    'using, in the order that is the reverse of the declarations, also where something is thrown',
    'let last = 0; class B { constructor(n, p) { this.n = n; this.p = p; } [Symbol.dispose]() { last = this.n; if (this.p) cudaFree(this.p); } }',
    "try { using a = new B(1, 0); using b = new B(2, p); throw new Error('x'); } catch { } if (last !== 1) return;",
    'try { using a = new B(1, p); using b = new B(2, 0); } catch { } if (last === 1) return;',
  ],
  [
    'several behind one using',
    'class B { constructor(p) { this.p = p; } [Symbol.dispose]() { if (this.p) cudaFree(this.p); } }',
    '{ using a = new B(0), b = new B(p); }',
    '{ using a = new B(0), b = new B(0); }',
  ],
  [
    'await using',
    'class B { constructor(p) { this.p = p; } async [Symbol.asyncDispose]() { cudaFree(this.p); } }',
    '{ await using b = new B(p); }',
    '{ const b = new B(p); }',
  ],
  [
    'using what a function made as a literal',
    'function owned(p) { return { p, [Symbol.dispose]() { cudaFree(p); } }; }',
    '{ using b = owned(p); }',
    '{ const b = owned(p); }',
  ],
  [
    'using nothing',
    'function owned(p) { return p === 1 ? { [Symbol.dispose]() {} } : null; }',
    '{ using b = owned(2); } cudaFree(p);',
    '{ using b = owned(2); }',
  ],
  [
    'a DisposableStack',
    '',
    '{ using stack = new DisposableStack(); stack.defer(() => cudaFree(p)); }',
    '{ const stack = new DisposableStack(); stack.defer(() => cudaFree(p)); }',
  ],
];

async function rulesOf(before: string, body: string): Promise<string[]> {
  const text = `${before}\nexport async function main() { const p = cudaMalloc(4); ${body} cudaFree(p); }\n`;
  const analysis = await analyseText(text, 'typescript');
  return analysis.findings.map(({ severity, rule }) => `${severity} ${rule}`);
}

describe('classes', () => {
  for (const [what, before, bad, good] of rows) {
    it(`${what}: found`, async () => {
      expect(await rulesOf(before, bad)).toEqual(['error malloc-double-free']);
    });
    it(`${what}: not found where it is right`, async () => {
      expect((await rulesOf(before, good)).filter((rule) => rule.includes('free'))).toEqual([]);
    });
  }
});
