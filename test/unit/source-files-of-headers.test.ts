/** A program is read with the source files that go with its headers. */

import { describe, expect, it } from 'vitest';
import { createRelevance } from '../../src/relevance/relevance.ts';
import { testEngine } from '../support/engine.ts';
import { type Files, readerOf } from '../support/files-in-memory.ts';

/** What is found in `main.cu`, as rule and file; `functions`: what is said of the source file itself is not asked. */
async function found(files: Files): Promise<readonly string[]> {
  const engine = await testEngine();
  const text = files['main.cu'] ?? '';
  const { findings } = engine.analyse({ file: 'main.cu', text, language: 'cuda', readInclude: readerOf(files) });
  return findings.map(({ rule, span }) => `${rule} ${span.file}`);
}

const header = `#pragma once
#include <cuda_runtime.h>
extern cudaStream_t work;
void drop(float *p);
struct Pool { float *first; void begin(); void end(); };
`;
const source = `#include "pool.h"
cudaStream_t work;
void drop(float *p) { cudaFreeAsync(p, work); }
void Pool::begin() { cudaStreamCreate(&work); cudaMallocAsync(&first, 64, work); }
void Pool::end() { drop(first); }
`;
const main = (rest: string): string =>
  `#include "pool.h"\nint main() { Pool pool; pool.begin(); pool.end(); ${rest} }\n`;

describe('the source file of a header', () => {
  it('says what is done by functions that the header declares', async () => {
    const files = { 'main.cu': main('drop(pool.first);'), 'pool.h': header, 'pool.cu': source };
    expect(await found(files)).toEqual(['async-double-free main.cu']);
    expect(await found({ ...files, 'main.cu': main('') })).toEqual([]);
  });

  it('may lie in src', async () => {
    const files = {
      'main.cu': main('drop(pool.first);').replace('pool.h', 'include/pool.h'),
      'include/pool.h': header,
      'src/pool.cpp': source.replace('pool.h', '../include/pool.h'),
    };
    expect(await found(files)).toEqual(['async-double-free main.cu']);
  });

  it('is not read where nothing is left open, or nothing begins a program', async () => {
    const whole = header
      .replace('void drop(float *p);', 'inline void drop(float *p) { cudaFreeAsync(p, work); }')
      .replace(
        'void begin(); void end();',
        'void begin() { cudaStreamCreate(&work); cudaMallocAsync(&first, 64, work); } void end() { drop(first); }',
      )
      .replace('extern ', 'static ');
    const read: string[] = [];
    const files: Files = { 'main.cu': main('drop(pool.first);'), 'pool.h': whole, 'pool.cu': source };
    const engine = await testEngine();
    const readInclude = (name: string, from: string) => {
      read.push(name);
      return readerOf(files)(name, from);
    };
    engine.analyse({ file: 'main.cu', text: files['main.cu']!, language: 'cuda', readInclude });
    const library = main('').replace('int main()', 'void run()');
    engine.analyse({
      file: 'main.cu',
      text: library,
      language: 'cuda',
      readInclude: (name, from) => readInclude(name, from),
    });
    expect(read.filter((name) => name.endsWith('.cu'))).toEqual([]);
  });

  it('has its own functions, whatever the program calls so', async () => {
    const own = 'static void report() { cudaFree(nullptr); }\n';
    const files = (rest: string) => ({
      'main.cu': `${own}${main(`${rest} report();`)}`,
      'pool.h': header,
      'pool.cu': `${source}static void report() {}\n`,
    });
    expect(await found(files('drop(pool.first);'))).toEqual(['async-double-free main.cu']);
    expect(await found(files(''))).toEqual([]);
  });

  it('is left out where it defines what the program defines itself', async () => {
    const files = {
      'main.cu': `void report() {}\n${main('drop(pool.first); report();')}`,
      'pool.h': header,
      'pool.cu': `${source}void report() { cudaFree(nullptr); }\n`,
    };
    expect(await found(files)).toEqual([]);
  });

  it('may be broken, or include the program', async () => {
    const files = {
      'main.cu': main('drop(pool.first);'),
      'pool.h': header,
      'pool.cu': `${source}#include "main.cu"\nvoid half(`,
    };
    await expect(found(files)).resolves.toBeDefined();
  });

  it('makes a program worth an analysis that names nothing of CUDA itself', () => {
    const files = { 'main.cu': main(''), 'pool.h': header, 'pool.cu': source };
    const { isRelevant } = createRelevance();
    expect(isRelevant('main.cu', files['main.cu'], 'cuda', [], readerOf(files))).toBe(true);
    expect(
      isRelevant('other.cu', '#include "pool.h"\nvoid f(Pool &pool) { pool.end(); }', 'cuda', [], readerOf(files)),
    ).toBe(false);
    expect(isRelevant('third.cu', '#include "pool.h"\nint main() { return 0; }', 'cuda', [], readerOf(files))).toBe(
      false,
    );
  });
});
