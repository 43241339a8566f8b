/** Programs that choose one of several ways and fail where none is meant, and those that ask CUDA for nothing unless they are told: what they do then is looked at to its end. */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const head = `#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
__global__ void k(float *p, int n) { p[threadIdx.x] += n; }
`;

/** What it is; how sure it is; the program, in which `AGAIN` is where the memory `d` has been given back. */
const programs: readonly (readonly [what: string, severity: string, program: string])[] = [
  [
    'each way returns, and the last throws',
    'error',
    `template <typename T> int run(int n) { T *d; cudaMalloc(&d, n * sizeof(T)); cudaFree(d); AGAIN return 0; }
int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  if (atoi(argv[2]) == 0) { return run<float>(n); }
  else if (atoi(argv[2]) == 1) { return run<double>(n); }
  else { throw std::runtime_error("0 or 1"); }
}`,
  ],
  [
    'each way returns, and the last says how it is used',
    'error',
    `static void usage() { puts("usage"); exit(1); }
static int run(const char *name) { float *d; cudaMalloc(&d, 64); puts(name); cudaFree(d); AGAIN return 0; }
int main(int argc, char **argv) {
  std::string kind = argv[1];
  if (kind == "small") return run("small"); else if (kind == "large") return run("large"); else usage();
}`,
  ],
  [
    'a function that does nothing but throw where what it is given does not hold',
    'error',
    `[[noreturn]] inline void fail(const std::string &text) { throw std::runtime_error(text); }
inline void require(bool holds, const std::string &text) { if (!holds) { fail(text); } }
#define REQUIRE_THAT(what, text) do { bool holds = (what); if (!holds) { require(holds, (text)); } } while (0)
template <typename T> void give(T **p, size_t n) { REQUIRE_THAT(n >= ((size_t)0), "size " + std::to_string(n)); cudaMalloc((void **)p, n * sizeof(T)); }
int main(int argc, char **argv) { int n = atoi(argv[1]); float *d; give(&d, n * 3); cudaFree(d); AGAIN }`,
  ],
  [
    'cases of which the last is a check that may still hold',
    'warning',
    `static void require(bool holds) { holds = holds || getenv("ANYWAY") != nullptr; if (!holds) exit(1); }
int main(int argc, char **argv) {
  float *d; cudaMalloc(&d, 64);
  switch (argc) { case 1: cudaFree(d); break; default: require(false); }
  AGAIN
}`,
  ],
  [
    'a check of what must not hold',
    'warning',
    `#include "checks.h"
int count();
int main() {
  float *d; cudaMalloc(&d, 64);
  int n = count(); LIB_ERROR_CHECK(n > 3, "too many");
  if (n > 3) cudaFree(d);
  AGAIN
}`,
  ],
  [
    'cases of which the last is a check that fails',
    'error',
    `[[noreturn]] inline void fail(const std::string &text) { throw std::runtime_error(text); }
inline void require(bool holds, const std::string &text) { if (!holds) { fail(text); } }
#define REQUIRE_THAT(what, text) do { bool holds = (what); if (!holds) { require(holds, (text)); } } while (0)
int pick();
static void inner(float *d, int n) {
  switch (n) { case 1: k<<<1, 1>>>(d, 1); break; case 2: k<<<1, 2>>>(d, 2); break; case 4: k<<<1, 4>>>(d, 4); break; default: REQUIRE_THAT(false, "1, 2 or 4"); }
}
static void outer(float *d, int n, int m) {
  switch (n) { case 1: case 2: inner(d, m); break; default: require(false && "1 or 2", "of two"); }
}
int main() {
  float *d; cudaMalloc(&d, 64);
  for (int i = 0; i < 4; i++) { int m = pick(); outer(d, pick(), m % 8); outer(d, pick(), m / 8); }
  cudaFree(d); AGAIN
}`,
  ],
  [
    'a loop over arguments by address',
    'error',
    `static void usage() { puts("usage"); exit(1); }
int main(int argc, char **argv) {
  int device = 0;
  char **end = argv + argc;
  argv += 1;
  while (argv != end) {
    char *arg = *argv++;
    if (strcmp(arg, "--help") == 0) { usage(); return 1; }
    if (argv >= end) { usage(); return 1; }
    char *value = *argv++;
    if (strcmp(arg, "--device") == 0) { device = atoi(value); continue; }
    usage();
    return 1;
  }
  cudaSetDevice(device);
  float *d; cudaMalloc(&d, 64); cudaFree(d); AGAIN
}`,
  ],
  [
    'a stream of text that a function nobody sees fills',
    'error',
    `#include <sstream>
static void load(std::ostringstream &code) { if (!findCode("x.fatbin", code)) exit(1); if (!code.str().size()) { puts("empty"); exit(1); } }
int main() { std::ostringstream code; load(code); float *d; cudaMalloc(&d, 64); cudaFree(d); AGAIN }`,
  ],
  [
    'an empty text that a function nobody sees fills',
    'error',
    'int main() { std::string path; findPath("x.fatbin", path); if (path.empty()) exit(1); float *d; cudaMalloc(&d, 64); cudaFree(d); AGAIN }',
  ],
  [
    'long work that is chosen by the device',
    'warning',
    `template <int Arch> int run() {
  float *d; cudaMalloc(&d, 2048);
  cudaStream_t s; cudaStreamCreate(&s);
  for (int i = 0; i < 300; i++) { k<<<1, 512, 0, s>>>(d, i); if (i % 3 == 0) k<<<1, 512, 0, s>>>(d, i + 1); cudaStreamSynchronize(s); }
  for (int i = 0; i < 300; i++) { k<<<1, 512, 0, s>>>(d, i); if (i % 7 == 0) k<<<1, 512, 0, s>>>(d, i + 1); cudaStreamSynchronize(s); }
  cudaStreamDestroy(s); cudaFree(d); AGAIN
  return 0;
}
int main() {
  int major = 0, minor = 0;
  cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0);
  cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, 0);
  switch (major * 100 + minor * 10) { case 700: return run<700>(); case 800: return run<800>(); default: puts("not supported"); return 0; }
}`,
  ],
  [
    'cleaning up where a later call fails',
    'error',
    `int main() {
  void *d = nullptr, *h = nullptr;
  if (cudaMalloc(&d, 64) != cudaSuccess) return 1;
  if (cudaMallocHost(&h, 64) != cudaSuccess) { puts("no room"); cudaFree(d); AGAIN return 1; }
  cudaFreeHost(h); cudaFree(d);
  return 0;
}`,
  ],
];

describe('a program that chooses', () => {
  it.each(programs)('%s', async (_, severity, program) => {
    const found = async (again: string): Promise<readonly string[]> =>
      (await analyseText(head + program.replace('AGAIN', again))).findings
        .filter((finding) => finding.severity !== 'hint')
        .map((finding) => `${finding.severity} ${finding.rule}`);
    expect(await found('cudaFree(d);')).toEqual([`${severity} malloc-double-free`]);
    expect(await found('')).toEqual([]);
  });
});
