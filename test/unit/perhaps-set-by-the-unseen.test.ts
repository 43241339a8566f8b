/**
 * A function that nobody declares may take what it is given by reference. A variable that begins as nothing, and that nothing else
 * sets, is there to be set by it: what hangs on it is not said outright.
 */

import { describe, expect, test } from 'vitest';
import { analyseText } from '../support/engine.ts';

async function said(before: string, body: string): Promise<string[]> {
  const { findings } = await analyseText(
    `#include <cuda_runtime.h>\n#include <map>\n#include <vector>\n${before}\nint main() { float *p; ${body} }`,
  );
  return findings.filter(({ rule }) => rule !== 'leaked-memory').map(({ rule, certainty }) => `${rule} ${certainty}`);
}

const twice = (condition: string) => `cudaMalloc(&p, 4); if (${condition}) cudaFree(p); cudaFree(p);`;
const perhaps = ['malloc-double-free sometimes'];
const surely = ['malloc-double-free always'];

describe('what an unseen function is given by its name', () => {
  const options = 'struct Options { int rounds = 0; bool keep = false; };';
  test.each([
    ['', 'bool ok = false; start(ok);', '!ok'],
    ['', 'int device = 0; lib::choose(device, 3);', 'device == 0'],
    [options, 'Options options; parse(options);', '!options.keep'],
    ['', 'std::map<int, float *> all; load(all);', 'all.empty()'],
    ['', 'std::vector<float *> all; load(all);', 'all.empty()'],
    ['void start(bool &ok);', 'bool ok = false; start(ok);', '!ok'],
    ['', 'bool ok = false; CHECK(start(ok));', '!ok'],
    ['', 'int rows = 0; float *image = load("name", rows);', 'rows == 0'],
    ['', 'int rows = 0; if (!load("name", rows)) return 1;', 'rows == 0'],
    ['', 'int rows = -1; load("name", rows);', 'rows == -1'],
    ['', 'int rows = 0; auto status = load("name", rows); if (status != 0) return 1;', 'rows == 0'],
    ['', 'int rows = 0; lib::app app; app.option("rows", rows, "how many")->required();', 'rows == 0'],
    ['', 'int rows = 0; lib::reader in; if (!in.read(rows)) return 1;', 'rows == 0'],
    ['', 'int rows = 0, columns = 0; std::tie(rows, columns) = shape();', 'rows == 0'],
    ['#define CHECK(x) do { auto e = (x); if (e) return 1; } while (0)', 'bool ok = false; CHECK(start(ok));', '!ok'],
    [
      '#define CHECK(x) check((x), #x)\nvoid check(int e, const char *) { if (e) exit(1); }',
      'bool ok = false; CHECK(start(ok));',
      '!ok',
    ],
  ])('may be set: %s%s', async (before, call, condition) => {
    expect(await said(before, `${call} ${twice(condition)}`)).toEqual(perhaps);
  });

  test.each([
    ['a constant', '', 'const int device = 0; choose(device);', 'device == 0'],
    ['what it takes by value', 'void choose(int device);', 'int device = 0; choose(device);', 'device == 0'],
    ['what it only reads', 'void choose(const int &device);', 'int device = 0; choose(device);', 'device == 0'],
    ['what the function sets itself', '', 'int device = 0; choose(device); device = 0;', 'device == 0'],
    ['what counts rounds', '', 'int rounds = 0; for (int i = 0; i < 3; ++i) show(i);', 'rounds == 0'],
    ['what has a value', '', 'int device = 2; choose(device);', 'device == 2'],
    ['what a macro is given', '', 'int device = 0; LOG(device);', 'device == 0'],
    ['what the library is given', '', 'int device = 0; std::unheard_of(device);', 'device == 0'],
    ['members that are set', options, 'Options options; options.keep = false; show(options);', '!options.keep'],
  ])('stays as it is: %s', async (_, before, call, condition) => {
    expect(await said(before, `${call} ${twice(condition)}`)).toEqual(surely);
  });

  test('is no size', async () => {
    const body = 'size_t bytes = 0; query(bytes); cudaMalloc(&p, bytes); cudaMemset(p, 0, 8); cudaFree(p);';
    expect(await said('', body)).toEqual([]);
  });

  test('counts in a function that is called, too', async () => {
    const helper = `void run() { float *p; bool ok = false; start(ok); ${twice('!ok')} }`;
    expect(await said(helper, 'run();')).toEqual(perhaps);
  });
});
