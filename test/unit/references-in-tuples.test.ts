/** Pairs and tuples of references hold the things themselves. */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = '#include <cuda_runtime.h>\n#include <tuple>\n#include <utility>';
const around = (body: string): string =>
  `float *p, *q; cudaMalloc(&p, 4); cudaMalloc(&q, 4); float *other = p; ${body} cudaFree(p); cudaFree(q);`;

const rows: readonly Row[] = [
  [
    'a tuple of references',
    'malloc-double-free',
    '',
    around('std::tuple<float *&, float *&> t(other, q); std::get<0>(t) = p; cudaFree(other);'),
    around('std::tuple<float *&, float *&> t(other, q); cudaMalloc(&std::get<0>(t), 4); cudaFree(other);'),
  ],
  [
    'a pair of references',
    'malloc-double-free',
    '',
    around('float *none = nullptr; std::pair<float *&, float *&> t(none, other); t.first = t.second; cudaFree(none);'),
    around('float *none = nullptr; std::pair<float *&, float *&> t(other, none); t.first = t.second; cudaFree(other);'),
  ],
];

describeRows('references in tuples', head, rows);
