/** What rarer forms of TypeScript come to. */

import { describe, expect, it } from 'vitest';
import { evaluateSize } from '../../../src/trace/size.ts';
import { analyseText } from '../../support/engine.ts';

async function bytesOf(body: string): Promise<number | null> {
  const { facts } = await analyseText(
    `const memory = cudaMalloc((() => { ${body} })());\ncudaFree(memory);\n`,
    'typescript',
  );
  const bytes = [...facts.values()][0]?.trace.allocations[0]?.bytes;
  return bytes ? evaluateSize(bytes) : null;
}

describe('new this()', () => {
  const classes = 'class A { n = 3; static make() { return new this(); } } class B extends A { n = 5; }';
  it.each([
    [`${classes} return B.make().n;`, 5],
    [`${classes} return A.make().n;`, 3],
    [
      'class A { n; constructor(n) { this.n = n; } static of(n) { return new this(n + 1); } static two() { return this.of(2); } } return A.two().n;',
      3,
    ],
    [
      'class A { static count = 4; static size() { return this.count * 2; } } class B extends A { static count = 7; } return B.size() + A.size();',
      22,
    ],
  ])('%s', async (body, bytes) => {
    expect(await bytesOf(body)).toBe(bytes);
  });
});

it('an array that holds what is no number includes it, at no index', async () => {
  expect(await bytesOf('return [1, NaN].includes(NaN) && [NaN].indexOf(NaN) === -1 ? 7 : 9;')).toBe(7);
});

describe('closures over var', () => {
  it.each([
    ['const all = []; for (var i = 0; i < 3; i++) all.push(() => i); return all[0]() + 10;', 13],
    ['const all = []; for (let i = 0; i < 3; i++) all.push(() => i); return all[1]() + 10;', 11],
    ['const all = []; for (var i = 0; i < 3; i++) { var k = i * 2; all.push(() => k); } return all[0]() + 10 + i;', 17],
    ['if (true) { var n = 5; } return n;', 5],
    ['for (var v of [1, 2, 6]) {} return v;', 6],
    ['{ let n = 4; { let n = 9; } return n; }', 4],
  ])('%s', async (body, bytes) => {
    expect(await bytesOf(body)).toBe(bytes);
  });
});

describe('NaN', () => {
  it.each([
    ['return NaN === NaN ? 7 : 8;', 8],
    ['const x = 0 / 0; return x !== x ? 7 : 8;', 7],
    ["return Number('abc') == NaN ? 7 : 8;", 8],
    ['return Object.is(NaN, NaN) ? 7 : 8;', 7],
    ['return NaN < 1 || NaN >= 1 ? 7 : 8;', 8],
    ["return isNaN(parseInt('x')) ? 7 : 8;", 7],
    ['const n = 3; return n === n ? 7 : 8;', 7],
  ])('%s', async (body, bytes) => {
    expect(await bytesOf(body)).toBe(bytes);
  });
});

describe('tagged templates', () => {
  const tag = 'const tag = (strings, ...values) => strings.length * 10 + values.length;';
  it.each([
    [`${tag} return tag\`a\${1}b\${2}c\`;`, 32],
    [`${tag} return tag\`\${1}\`;`, 21],
    [`${tag} return tag\`plain\`;`, 10],
    [`${tag} return tag\`\`;`, 10],
    [`${tag} return tag\`\${1}\${2}\`;`, 32],
    [
      `const last = (strings, ...values) => strings[strings.length - 1].length + values[1]; return last\`a\${1}b\${2}cde\`;`,
      5,
    ],
  ])('%s', async (body, bytes) => {
    expect(await bytesOf(body)).toBe(bytes);
  });
});
