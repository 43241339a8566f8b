/** Functions without a body that are declared never to return, and numbers that are held to a bound. */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';
import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#define ENDS [[noreturn]]
#define FORMAT(...) __attribute__((format(printf, __VA_ARGS__)))
#define API extern
int count();`;

const declarations: readonly (readonly [what: string, text: string])[] = [
  ['C++', '[[noreturn]] void stop(const char *text);'],
  ['C', '_Noreturn void stop(const char *text);'],
  ['an attribute in front', '__attribute__((noreturn)) void stop(const char *text);'],
  ['an attribute behind', 'void stop(const char *text) __attribute__((__noreturn__));'],
  ['a macro', 'ENDS void stop(const char *text);'],
  ['macros of an engine', 'extern "C" {\n  ENDS FORMAT(1, 2)\n  API void stop(const char *text, ...);\n}'],
  ['a namespace', 'namespace log { [[noreturn]] void stop(const char *text); } using log::stop;'],
];

const made = 'void *p; cudaMalloc(&p, 64);';

describeRows(
  'what is declared never to return',
  head,
  declarations.flatMap(([what, text]): Row[] => [
    // Where it is called nothing goes on.
    [
      what,
      'malloc-double-free',
      text,
      `${made} cudaFree(p); if (count() < 0) return 1; cudaFree(p);`,
      `${made} cudaFree(p); if (count() > 0) stop("no"); else stop("none"); cudaFree(p);`,
    ],
    // An assertion holds in an ordinary run.
    [
      `${what}, as an assertion`,
      'copy-out-of-range',
      `${text}\n#define ASSERT(x) if (!(x)) stop(#x)`,
      `char h[256]; ${made} int n = count(); ASSERT(n <= 4); if (n <= 4) cudaMemcpy(p, h, 128, cudaMemcpyHostToDevice); cudaFree(p);`,
      `char h[256]; ${made} int n = count(); ASSERT(n <= 4); if (n > 4) cudaMemcpy(p, h, 128, cudaMemcpyHostToDevice); cudaFree(p);`,
    ],
  ]),
);

describe('a number that is held to a bound', () => {
  const program = (clamp: string): string => `#include <cuda_runtime.h>
int count();
void note(const char *text);
int main() {
  int n = count();
  ${clamp}
  void *p;
  cudaMalloc(&p, n * 1024);
  cudaFree(p);
  return 0;
}
`;

  it.each([
    ['from above', 'if (n > 16) n = 16;'],
    ['from below', 'if (n < 1) { note("too few"); n = 1; }'],
    ['the other way round', 'const int most = 16; if (most < n) n = most;'],
  ])('is within it in an ordinary run: %s', async (_, clamp) => {
    const { facts } = await analyseText(program(clamp));
    expect(facts.get('main')?.trace.allocations[0]?.bytes?.kind).not.toBe('number');
  });

  it('is given another number by what holds it to none', async () => {
    const { facts } = await analyseText(program('if (n > 16) n = 8;'));
    const [allocation] = facts.get('main')?.trace.allocations ?? [];
    expect(allocation?.bytes).toEqual({ kind: 'number', value: 8192 });
  });
});

describeRows(
  'functions that everybody knows never to return',
  head,
  [
    'MPI_Abort(0, 1)',
    'errx(1, "no")',
    'nvshmem_global_exit(1)',
    '__assert_fail("p", "f", 1, "g")',
    'cutilExit(1, 0)',
  ].map(
    (call): Row => [
      call,
      'malloc-double-free',
      '',
      `${made} if (count() < 0) { cudaFree(p); count(); } cudaFree(p);`,
      `${made} if (count() < 0) { cudaFree(p); ${call}; } cudaFree(p);`,
    ],
  ),
);
