/** Macros that rename functions, keywords and types, hold themselves, list, and paste names deep inside. */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';
import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = '#include <cuda_runtime.h>\n#include <cstdio>\n';

/** `free`: what frees the memory `p` of the stream `s`, once more in the one program than in the other. */
function row(what: string, before: string, begin: string, free: string): Row {
  const stream = 'cudaStream_t s; cudaStreamCreate(&s); float *p = nullptr;';
  const end = 'cudaStreamSynchronize(s);';
  return [
    what,
    'async-double-free',
    before,
    `${stream} ${begin} ${free} ${free} ${end}`,
    `${stream} ${begin} ${free} ${end}`,
  ];
}

const allocate = 'cudaMallocAsync(&p, 64, s);';

const rows: readonly Row[] = [
  row(
    'statements without a semicolon before signs that begin another statement',
    '#define CK(x) do { if ((x) != cudaSuccess) printf("no"); } while (0)\nstatic int n;\nstatic void make(float **q, cudaStream_t s) {\n  float *t;\n  CK(cudaMallocAsync(&t, 64, s))\n  *q = t;\n  CK(cudaGetLastError())\n  ++n;\n  CK(cudaGetLastError())\n  (void)n;\n}',
    'make(&p, s);',
    'cudaFreeAsync(p, s);',
  ),
  row(
    'a statement without a semicolon that is all of a body',
    '#define CK(x) if ((x) != cudaSuccess) { printf("no"); }\nstruct Bin { static void drop(float *q, cudaStream_t s); };\nvoid Bin::drop(float *q, cudaStream_t s) {\n  CK(cudaFreeAsync(q, s))\n}',
    allocate,
    'Bin::drop(p, s);',
  ),
  row(
    'a statement without a semicolon before the bracket of a body',
    '#define CK(...) if (cudaError_t e = (__VA_ARGS__); e) { printf("no"); }\n#define DROP(q) do { CK(cudaFreeAsync(q, s)) } while (0);\nstatic void drop(float *q, cudaStream_t s) { int n = 0; DROP(q) }',
    allocate,
    'drop(p, s);',
  ),
  row(
    'functions by other names',
    '#define ALLOC cudaMallocAsync\n#define FREE cudaFreeAsync',
    'ALLOC(&p, 64, s);',
    'FREE(p, s);',
  ),
  row(
    'names for names',
    '#define gpuFree hipFreeAsync\n#define hipFreeAsync cudaFreeAsync',
    allocate,
    'gpuFree(p, s);',
  ),
  row(
    'a function of the program by another name',
    '#define drop drop_one\nstatic void drop_one(float *q, cudaStream_t s) { cudaFreeAsync(q, s); }',
    allocate,
    'drop(p, s);',
  ),
  row(
    'names that stand for each other',
    '#define one two\n#define two one\nstatic int one(int n) { return n; }',
    `${allocate} one(3);`,
    'cudaFreeAsync(p, s);',
  ),
  row(
    'a macro in its own body',
    'static void note(cudaError_t) {}\n#define cudaFreeAsync(p, s) note(cudaFreeAsync(p, s))',
    allocate,
    'cudaFreeAsync(p, s);',
  ),
  row(
    'return by another name',
    '#define RET return\nstatic cudaError_t drop(float *q, cudaStream_t s) { RET cudaFreeAsync(q, s); }',
    allocate,
    'drop(p, s);',
  ),
  row(
    'names pasted deep inside',
    '#define NAME(n) buffer_##n\n#define DROP(n) cudaFreeAsync(NAME(n), s)',
    'float *NAME(a); cudaMallocAsync(&NAME(a), 64, s);',
    'DROP(a);',
  ),
  row(
    'a type that is given',
    '#define CAST(T, x) ((T)(x))',
    'cudaMallocAsync(&p, CAST(size_t, 64.5), s);',
    'cudaFreeAsync(p, s);',
  ),
  row(
    'what a lambda begins with',
    '#define FN [&](float *q)',
    `${allocate} auto drop = FN { cudaFreeAsync(q, s); };`,
    'drop(p);',
  ),
  row(
    'a list that is gone through twice',
    '#define ALL X(red) X(green)\nenum Color {\n#define X(n) n,\nALL\n#undef X\ncount };\n',
    'float *all[count]; for (int i = 0; i < count; i++) cudaMallocAsync(&all[i], 64, s); for (int i = 0; i < count - 1; i++) cudaFreeAsync(all[i], s);',
    'cudaFreeAsync(all[green], s);',
  ),
  row(
    'the name of a variable',
    '#define rows(i) (rows + (i) * 4)',
    'float *rows; cudaMallocAsync(&rows, 64, s);',
    'cudaFreeAsync(rows(0), s);',
  ),
  row(
    'parentheses around a name, and a sum behind it',
    '#define AT(p, i) (float *)((char *)(p) + (i) * 2)\n#define BEFORE(p, i) (char *)(p) - (i) * 2',
    allocate,
    'cudaFreeAsync(AT(BEFORE(p, 4), 4), s);',
  ),
];

describeRows('macros as people write them', head, rows);

describe('a body that cannot be read as a whole, with a macro that begins something', () => {
  it('stands where it stands', async () => {
    const text = `#include <cuda_runtime.h>
#define BEGIN(x) if (x) {
int asked(int which);
int main() {
  float *p; cudaMalloc(&p, 4); cudaFree(p);
  cudaFree(p);
  while (asked(1) > 2) {
    take(, 3 * sizeof(float));
  }
  BEGIN(asked(2)) return 1; }
  return 0;
}
`;
    const { findings } = await analyseText(text);
    expect(findings.map(({ rule, span }) => [rule, text.slice(span.start, span.end)])).toEqual([
      ['malloc-double-free', 'cudaFree(p)'],
    ]);
    expect(text.slice(0, findings[0]!.span.start).split('\n').length).toBe(6);
  });
});
