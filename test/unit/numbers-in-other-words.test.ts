/** Numbers that programs come by in less usual ways: what a condition asks of them is known. */

import { expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const rows: readonly (readonly [declared: string, done: string, condition: string])[] = [
  ['', 'dim3 grid; grid = 5;', 'grid.x == 5 && grid.y == 1'],
  ['struct L { dim3 grid; void set(unsigned n) { grid = n; } };', 'L l; l.set(4);', 'l.grid.x == 4'],
  ['struct L { dim3 grid = 7; };', 'L l;', 'l.grid.x == 7'],
  ['struct L { dim3 grid, block; explicit L(int n) : grid((n + 1) / 2), block(n) {} };', 'L l(6);', 'l.grid.x == 3'],
  ['struct F { float a[16]; float b[16]; };', 'int n = int(offsetof(F, b) / sizeof(float));', 'n == 16'],
  ['struct F { float a, b; }; struct G { F f, g; };', 'size_t n = offsetof(G, g.b);', 'n == 12'],
  ['using Scale = std::ratio<8192, -6>;', '', 'Scale::num == -4096 && Scale::den == 3'],
  ['', '', 'std::ratio<12, 4>::num == 3'],
  ['using Two = std::tuple_size<std::tuple<int, float>>;', '', 'Two::value == 2'],
  ['struct Half { unsigned char low = 258; };', 'Half h;', 'h.low == 2'],
  ['static int last(int (&&list)[3]) { return list[2]; }', '', 'last({1, 2, 3}) == 3'],
  [
    'template <class T> struct Cell { T value{}; }; template <class T> struct S { Cell<T> cell; };',
    'S<int> s;',
    's.cell.value == 0',
  ],
  [
    'template <class T> struct Cell { T value{}; }; template <class K> struct S { Cell<K> cells[2]; };',
    'S<float *> s;',
    's.cells[1].value == nullptr',
  ],
  [
    'template <class T> class S { public: struct Row { struct Cell { T value{}; bool used = false; }; Cell cells[2]; }; Row row; };',
    'S<cudaStream_t> s;',
    's.row.cells[1].value == nullptr',
  ],
  [
    'template <class T> struct Cell { T value{}; }; template <class K, int N> struct S { int n; Cell<K> cells[N][2]; };',
    'S<float *, 3> s{};',
    's.cells[2][1].value == nullptr',
  ],
  [
    'template <class T> class S { public: struct Row { struct Cell { T value{}; }; Cell cells[2]; }; Row row; }; struct Unit { int n; S<int> s; };',
    'Unit u{};',
    'u.s.row.cells[1].value == 0',
  ],
  [
    'static int call(int (&&given)(int)) { return given(4); } static int more(int n) { return n + 1; }',
    '',
    'call(more) == 5',
  ],
];

it.each(rows)('%s %s %s', async (declared, done, condition) => {
  const { findings } = await analyseText(`#include <cuda_runtime.h>
#include <cstddef>
#include <ratio>
#include <tuple>
${declared}
int main() { float *p; cudaMalloc(&p, 64); cudaFree(p); ${done}
if (${condition}) cudaFree(p); return 0; }`);
  expect(findings.map(({ rule, severity }) => [rule, severity])).toEqual([['malloc-double-free', 'error']]);
});
