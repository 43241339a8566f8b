/**
 * What is put into a container is an object of its own. One whose class says how it ends, and nothing of copies, ends twice: where it
 * was made, and in the container.
 */

import { describe, expect, test } from 'vitest';
import { analyseText } from '../support/engine.ts';

const head = ['cuda_runtime.h', 'list', 'map', 'new', 'optional', 'string', 'utility', 'vector']
  .map((name) => `#include <${name}>\n`)
  .join('');

async function said(classes: string, body: string): Promise<string[]> {
  const { findings } = await analyseText(`${head}${classes}\nint main() { ${body} }`);
  return [...new Set(findings.filter(({ severity }) => severity === 'error').map(({ rule }) => rule))];
}

const makes = 'Block(size_t n) { cudaMalloc(&p, n); } ~Block() { cudaFree(p); } float *p = nullptr;';
const onlyEnds = `struct Block { ${makes} }; struct Part { int key; Block block; };`;
const moves = `struct Block { ${makes} Block(Block &&other) noexcept : p(other.p) { other.p = nullptr; }
  Block &operator=(Block &&other) noexcept { std::swap(p, other.p); return *this; } }; struct Part { int key; Block block; };`;
const copies = `struct Block { ${makes} Block(const Block &) { cudaMalloc(&p, 8); }
  Block &operator=(const Block &other) { return *this; } }; struct Part { int key; Block block; };`;

const puts: readonly [string, string][] = [
  ['push_back of what was made for it', 'std::vector<Block> all; all.reserve(2); all.push_back(Block(8));'],
  ['push_back of what becomes one', 'std::vector<Block> all; all.reserve(2); all.push_back(8);'],
  ['insert', 'std::vector<Block> all; all.reserve(2); all.insert(all.begin(), Block(8));'],
  ['a part of what is put there', 'std::vector<Part> all; all.reserve(2); all.push_back(Part{1, Block(8)});'],
  ['push_front', 'std::list<Block> all; all.push_front(Block(8));'],
  ['emplace of a map', 'std::map<int, Block> all; all.emplace(1, Block(8));'],
  ['insert of a list in braces', 'std::map<int, Block> all; all.insert({1, Block(8)});'],
  ['insert of a pair', 'std::map<int, Block> all; all.insert(std::make_pair(1, Block(8)));'],
  ['an optional', 'std::optional<Block> held; held = Block(8);'],
];

describe('an object that is put into a container', () => {
  test.each(puts)('ends where it was made, and there: %s', async (_, body) => {
    expect(await said(onlyEnds, body)).toEqual(['malloc-double-free']);
  });

  test.each(puts)('is moved there: %s', async (_, body) => {
    expect(await said(moves, body)).toEqual([]);
  });

  test.each(puts)('is copied there by its class: %s', async (_, body) => {
    expect(await said(copies, body)).toEqual([]);
  });

  const pair = 'Block named(8); std::map<int, Block> all;';
  test('is a copy of what has a name', async () => {
    for (const given of ['{1, named}', 'std::make_pair(1, named)', 'std::pair<const int, Block>(1, named)']) {
      expect(await said(onlyEnds, `${pair} all.insert(${given});`), given).toEqual(['malloc-double-free']);
      expect(await said(copies, `${pair} all.insert(${given});`), given).toEqual([]);
    }
  });

  const erased =
    'std::vector<Block> all; all.reserve(4); all.emplace_back(8); all.emplace_back(8); all.erase(all.begin());';
  test('is assigned to the place in front when that goes', async () => {
    expect(await said(onlyEnds, erased)).toEqual(['malloc-double-free']);
    expect(await said(moves, erased)).toEqual([]);
    expect(await said(copies, erased)).toEqual([]);
  });
});

describe('an object that is made of another', () => {
  const classes = `${copies} struct More : Block { int k = 1; More(size_t n) : Block(n) {} }; struct Two { Block a, b; };
    template <class T> struct Box { T held; template <class... A> explicit Box(A &&...a) : held(std::forward<A>(a)...) {} };
    void take(Block block) {}`;
  test.each([
    'More more(8); Block part = more;',
    'More more(8); take(more);',
    'Two two{8, 8}; Two other{two}; Two third = {two};',
    'Block block(8); Box<Block> box(block); Box<Block> other(std::move(block));',
    'take(8); auto run = [](Block block) {}; run(8);',
    'Block *all = new Block[2]{8, 8}; delete[] all;',
  ])('is copied by its class, and both end: %s', async (body) => {
    expect(await said(classes, body)).toEqual([]);
  });
});

describe('an object that is ended by its name', () => {
  const classes = `struct Base { float *b; Base() { cudaMalloc(&b, 8); } virtual ~Base() { cudaFree(b); } };
    struct Whole : Base { float *w; Whole() { cudaMalloc(&w, 8); } ~Whole() override { cudaFree(w); } };`;
  const begin = 'alignas(16) char room[64]; Whole *made = new (room) Whole; float *b = made->b, *w = made->w;';

  test.each(['made->~Whole();', 'Base *seen = made; seen->~Base();', 'std::destroy_at(made);'])(
    'ends with all its parts: %s',
    async (end) => {
      expect(await said(classes, `${begin} ${end}`)).toEqual([]);
      expect(await said(classes, `${begin} ${end} cudaFree(b);`)).toEqual(['malloc-double-free']);
      expect(await said(classes, `${begin} ${end} cudaFree(w);`)).toEqual(['malloc-double-free']);
    },
  );
});
