/** `int *p = owner` where a base that is not seen says how: what comes of it is not the owner, and frees nothing. */

import { describeRows } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include "unseen.h"
template <class T> class Owner : public lib::Converts<Owner<T>> {
  T *p_;
public:
  explicit Owner(size_t n) { cudaMalloc(&p_, n); }
  ~Owner() { cudaFree(p_); }
  T *native() const { return p_; }
};`;

describeRows('conversions of a base that is not seen', head, [
  [
    'a pointer beside the owner',
    'malloc-double-free',
    '',
    `Owner<int> o(64); int *raw = o.native(); cudaMemset(raw, 0, 64); cudaFree(raw);`,
    `Owner<int> o(64); int *raw = o; cudaMemset(raw, 0, 64);`,
  ],
]);
