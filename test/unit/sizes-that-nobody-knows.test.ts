/** Copies that are too long whatever the size is: the text does not say how many elements there are, but it does say that bytes were forgotten. */

import { describe, expect, it } from 'vitest';
import type { Size } from '../../src/trace/size.ts';
import { isSurelyMore } from '../../src/trace/size-order.ts';
import { describeRows } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <cstdlib>
#include <utility>
#include <vector>
static float *d, *h; static char *c;
struct Config { int n; int m; };
Config readConfig();
std::vector<float> load();
void fill(std::vector<float> &);
`;
const rule = 'copy-out-of-range';
const read = 'int n = atoi(argv[1]); int m = atoi(argv[2]); h = (float *)malloc((size_t)n * m * 8);';
const main = (body: string): string => `int main(int argc, char **argv) { ${read} ${body} cudaFree(d); }`;

describeRows('sizes that nobody knows', head, [
  [
    'elements for bytes',
    rule,
    '',
    main('cudaMalloc(&d, n); cudaMemset(d, 0, n * sizeof(float));'),
    main('cudaMalloc(&d, n * sizeof(float)); cudaMemset(d, 0, sizeof(float) * n);'),
  ],
  [
    'a product in another order',
    rule,
    '',
    main(
      'size_t all = (size_t)n * m; cudaMalloc(&d, m * n); cudaMemcpy(d, h, sizeof(float) * all, cudaMemcpyHostToDevice);',
    ),
    main(
      'size_t all = (size_t)n * m; cudaMalloc(&d, m * 4 * n); cudaMemcpy(d, h, sizeof(float) * all, cudaMemcpyHostToDevice);',
    ),
  ],
  [
    'one more than there are',
    rule,
    '',
    main('cudaMalloc(&d, n * 4); cudaMemset(d, 0, (n + 1) * 4);'),
    main('cudaMalloc(&d, (n + 1) * 4); cudaMemset(d, 0, n * 4);'),
  ],
  [
    'a smaller type',
    rule,
    '',
    main('cudaMalloc(&d, n * sizeof(short)); cudaMemset(d, 0, n << 2);'),
    main('cudaMalloc(&d, n * sizeof(double)); cudaMemset(d, 0, n << 2);'),
  ],
  [
    'processors of the device',
    rule,
    '',
    main(
      'cudaDeviceProp p; cudaGetDeviceProperties(&p, 0); int blocks = p.multiProcessorCount; cudaMalloc(&d, blocks); cudaMemset(d, 0, blocks * sizeof(float));',
    ),
    main(
      'cudaDeviceProp p; cudaGetDeviceProperties(&p, 0); int blocks = p.multiProcessorCount; cudaMalloc(&d, blocks * 4); cudaMemset(d, 0, blocks * sizeof(float));',
    ),
  ],
  [
    'from the second element on',
    rule,
    '',
    main('cudaMalloc(&d, n * 4); cudaMemset(d + 1, 0, n * 4);'),
    main('cudaMalloc(&d, n * 4); cudaMemset(d + 1, 0, (n - 1) * 4);'),
  ],
  [
    'behind as many as there are',
    rule,
    '',
    main('cudaMalloc(&d, n * 4); cudaMemset(d + n, 0, n * 4);'),
    main('cudaMalloc(&d, n * 8); cudaMemset(d + n, 0, n * 4); cudaMemset(d + m, 0, n * 4);'),
  ],
  [
    'half of it',
    rule,
    '',
    main('size_t bytes = n * 4; cudaMalloc(&d, bytes / 2); cudaMemset(d, 0, bytes);'),
    main('size_t bytes = n * 4; cudaMalloc(&d, bytes * 4 / 2); cudaMemset(d, 0, bytes);'),
  ],
  [
    'a third, perhaps rounded down',
    rule,
    '',
    main('cudaMalloc(&d, n / 3 * sizeof(short)); cudaMemset(d, 0, n);'),
    main('cudaMalloc(&d, (n - n / 3) * sizeof(short)); cudaMemset(d, 0, n);'),
  ],
  [
    'shifted down',
    rule,
    '',
    main('cudaMalloc(&d, n * m >> 1); cudaMemset(d, 0, n * m);'),
    main('cudaMalloc(&d, n * m); cudaMemset(d, 0, n * m >> 1);'),
  ],
  [
    'two that are called the same',
    '',
    '',
    '',
    main('cudaMalloc(&d, n); { int n = atoi(argv[3]); cudaMemset(d, 0, n * 4); }'),
  ],
  ['two that nobody knows', '', '', '', main('cudaMalloc(&d, n); cudaMemset(d, 0, m * 4);')],
  ['rounded up', '', '', '', main('cudaMalloc(&d, (n + 255) / 256 * 256); cudaMemset(d, 0, n);')],
  ['more that may be nothing', '', '', '', main('cudaMalloc(&d, n * 4); cudaMemset(d, 0, (n + m) * 4);')],
  ['read anew', '', '', '', main('cudaMalloc(&d, n * 2); n = atoi(argv[3]); cudaMemset(d, 0, n * 4);')],
]);

const given = (body: string): string =>
  `int main(int argc, char **argv) { ${read} std::vector<float> v(n), w(m); ${body} cudaFree(d); }`;
const up = 'cudaMemcpy(d, v.data(), v.size() * sizeof(float), cudaMemcpyHostToDevice);';
const down = (count: string): string => `cudaMemcpy(v.data(), d, ${count} * sizeof(float), cudaMemcpyDeviceToHost);`;

describeRows('lengths that nobody knows', head, [
  [
    'a vector of so many',
    rule,
    '',
    given(`cudaMalloc(&d, v.size()); ${up}`),
    given(`cudaMalloc(&d, n * sizeof(float)); ${up}`),
  ],
  [
    'more than a vector has',
    rule,
    '',
    given(`cudaMalloc(&d, n * 8); ${down('(n + 1)')}`),
    given(`cudaMalloc(&d, n * 8); ${down('n')} v.resize(n + 1); ${down('(n + 1)')} ${down('m')}`),
  ],
  [
    'a vector filled elsewhere',
    rule,
    '',
    given(`fill(v); cudaMalloc(&d, v.size()); ${up}`),
    given(`cudaMalloc(&d, v.size()); fill(v); ${up}`),
  ],
  ['a vector that got one more', '', '', '', given(`v.push_back(1); cudaMalloc(&d, n * 8); ${down('(n + 1)')}`)],
  ['another vector', '', '', '', given(`cudaMalloc(&d, v.size()); v = w; ${up}`)],
  ['a vector given away', '', '', '', given(`cudaMalloc(&d, v.size()); v = std::move(w); ${up}`)],
  ['vectors exchanged', '', '', '', given(`cudaMalloc(&d, v.size()); std::swap(v, w); ${up}`)],
  ['a vector read anew', '', '', '', given(`cudaMalloc(&d, v.size()); v = load(); ${up}`)],
  [
    'a vector that was joined',
    '',
    '',
    '',
    given(`cudaMalloc(&d, v.size()); v.insert(v.end(), w.begin(), w.end()); ${up}`),
  ],
  [
    'a member',
    rule,
    '',
    main('Config k = readConfig(); cudaMalloc(&d, k.n); cudaMemset(d, 0, k.n * sizeof(float));'),
    main(
      'Config k = readConfig(); cudaMalloc(&d, k.n * sizeof(float)); cudaMemset(d, 0, k.n * sizeof(float)); cudaMemset(d, 0, k.m * sizeof(float)); k = readConfig(); cudaMemset(d, 0, k.n * 2 * sizeof(float));',
    ),
  ],
]);

const number = (value: number): Size => ({ kind: 'number', value });
const of = (operator: string, left: Size, right: Size): Size => ({ kind: 'operation', operator, left, right });

describe('which of two sizes is more', () => {
  const n: Size = { kind: 'symbol', name: 'n' };
  const other: Size = { kind: 'symbol', name: 'n' };
  it.each<[string, Size, Size, boolean]>([
    ['n * 4 > n', of('*', n, number(4)), n, true],
    ['n > n', n, n, false],
    ['n > n * 4', n, of('*', n, number(4)), false],
    ['another n', of('*', other, number(4)), n, false],
    ['n * 2 + 2 > n + 1', of('+', of('*', n, number(2)), number(2)), of('+', n, number(1)), true],
    ['n * 2 + 1 > n + 1', of('+', of('*', n, number(2)), number(1)), of('+', n, number(1)), false],
    ['n * 2 - 2 > n - 1', of('-', of('*', n, number(2)), number(2)), of('-', n, number(1)), false],
    ['n + 1 > n', of('+', n, number(1)), n, true],
    ['n / 2 * 4 > n / 2', of('*', of('/', n, number(2)), number(4)), of('/', n, number(2)), true],
    ['n / 2 * 4 > n / 3', of('*', of('/', n, number(2)), number(4)), of('/', n, number(3)), false],
    ['n * n > n', of('*', n, n), n, false],
    ['n * 1.5 > n', of('*', n, number(1.5)), n, false],
    ['8 > 4', number(8), number(4), true],
  ])('%s', (_what, first, second, expected) => expect(isSurelyMore(first, second)).toBe(expected));
});
