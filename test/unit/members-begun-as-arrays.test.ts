/** Members that are arrays, and what their constructor gives them in braces; objects made of one number where one is asked for. */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
struct Size { int from, to; };
struct One { Size sizes[1]; explicit One(int to) : sizes{{1, to}} {} };
struct Two { Size sizes[2]; explicit Two(int to) : sizes{{1, to}} {} };
struct Shape {
  long sizes[2];
  Shape(long a = 1, long b = 1) : sizes{a, b} {}
  long count() const { return sizes[0] * sizes[1]; }
};
template <class T> static size_t bytesOf(const Shape &s) { return s.count() * sizeof(T); }
static long countOf(Shape s) { return s.count(); }
struct Rows { int rows[1][2]; explicit Rows(int to) : rows{{1, to}} {} };
`;

function known(what: string, declared: string, condition: string): Row {
  const body = (asked: string): string =>
    `float *p; cudaMalloc(&p, 4); ${declared} if (${asked}) cudaFree(p); cudaFree(p);`;
  return [what, 'malloc-double-free', '', body(condition), body(`!(${condition})`)];
}

describeRows('one list in the braces of an array', head, [
  known('of one object', 'One a(7);', 'a.sizes[0].to == 7'),
  known('of several objects', 'Two a(7);', 'a.sizes[0].to == 7 && a.sizes[1].to == 0'),
  known('of rows', 'Rows a(7);', 'a.rows[0][1] == 7'),
]);

describeRows('an object of a class whose constructor knows the rest', head, [
  known('by reference', 'const long n = 8;', 'bytesOf<float>(n) == 32'),
  known('by value', '', 'countOf(8) == 8'),
]);
