/** Classes of a program that are called like containers and owners of the library, and specialisations of class templates. */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `
#include <memory>
#include <vector>
__global__ void k(float *p) { p[0] = 1.0f; }
static cudaStream_t s;`;

/** A class template called `name`, which takes memory and gives it back. */
const template = (name: string): string => `
template <class T> class ${name} {
  T *p = nullptr;
public:
  explicit ${name}(size_t n) { cudaMallocAsync(&p, n, s); }
  ${name}(const ${name} &) = delete;
  ~${name}() { cudaFreeAsync(p, s); }
  T *raw() const { return p; }
};`;

const body = (type: string, mistake: string): string =>
  `cudaStreamCreate(&s); { ${type} a(64), b(64); k<<<1, 1, 0, s>>>(b.raw()); ${mistake} } cudaStreamDestroy(s);`;

const names = ['vector', 'queue', 'list', 'map', 'optional', 'unique_ptr', 'span', 'tuple'];

const rows: readonly Row[] = [
  ...names.flatMap((name): Row[] => [
    [
      `gpu::${name}<float>`,
      'async-double-free',
      `namespace gpu { ${template(name)} }`,
      body(`gpu::${name}<float>`, 'cudaFreeAsync(b.raw(), s);'),
      body(`gpu::${name}<float>`, ''),
    ],
    [
      `gpu::${name} without parameters`,
      'async-double-free',
      `namespace gpu { using T = float; ${template(name).replace('template <class T>', '')} }`,
      body(`gpu::${name}`, 'cudaFreeAsync(b.raw(), s);'),
      body(`gpu::${name}`, ''),
    ],
  ]),
  [
    'beside the one of the library, in one of the library',
    'async-double-free',
    `namespace gpu { ${template('vector')} }`,
    'cudaStreamCreate(&s); { std::vector<std::unique_ptr<gpu::vector<float>>> all; all.push_back(std::make_unique<gpu::vector<float>>(64)); cudaFreeAsync(all[0]->raw(), s); }',
    'cudaStreamCreate(&s); { std::vector<std::unique_ptr<gpu::vector<float>>> all; all.push_back(std::make_unique<gpu::vector<float>>(64)); k<<<1, 1, 0, s>>>(all[0]->raw()); }',
  ],
  [
    'a specialisation, its template being unique_ptr and nowhere defined',
    'async-double-free',
    `namespace cu { template <class T> class unique_ptr; ${template('unique_ptr').replace('unique_ptr', 'unique_ptr<T[]>')} }`,
    body('cu::unique_ptr<float[]>', 'cudaFreeAsync(b.raw(), s);'),
    body('cu::unique_ptr<float[]>', ''),
  ],
  [
    'constructor and destructor of a partial specialisation',
    'async-double-free',
    `template <class T> class Own {}; ${template('Own').replace('Own', 'Own<T *>')}`,
    body('Own<float *>', 'cudaFreeAsync(b.raw(), s);'),
    body('Own<float *>', ''),
  ],
  [
    'constructor and destructor of a whole specialisation',
    'async-double-free',
    `template <class T> class Own {}; using T = float; ${template('Own').replace('<class T>', '<>').replace('Own', 'Own<float>')}`,
    body('Own<float>', 'cudaFreeAsync(b.raw(), s);'),
    body('Own<float>', ''),
  ],
  [
    'a partial specialisation whose methods stand outside of it',
    'async-double-free',
    `template <class T> class Own;
     template <class T> class Own<T[]> { T *p; public: Own(size_t n); ~Own(); T *raw() const; };
     template <class T> Own<T[]>::Own(size_t n) { cudaMallocAsync(&p, n, s); }
     template <class T> Own<T[]>::~Own() { cudaFreeAsync(p, s); }
     template <class T> T *Own<T[]>::raw() const { return p; }`,
    body('Own<float[]>', 'cudaFreeAsync(b.raw(), s);'),
    body('Own<float[]>', ''),
  ],
];

describeRows('classes named like the library', head, rows);
