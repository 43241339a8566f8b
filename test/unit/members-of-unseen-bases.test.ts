/** Members that a class has from a base of which only the name is seen: what is stored there is there afterwards, in each object apart. */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include "elsewhere.h"`;

/** A class on top of one that nobody sees, with the flag that says whether there is memory. */
const holder = (base: string, methods: string): string => `
class Holder : public ${base} {
public:
  void end(); void copy(); void both(bool isLast); void again();
  float *weights = nullptr, *host = nullptr;
};
${methods}
void Holder::again() { weights = nullptr; if (cudaMalloc(&weights, 64) == cudaSuccess) this->hasMemory = true; }
void Holder::both(bool isLast) { if (isLast) end(); copy(); }
`;

const copy = 'void Holder::copy() { if (this->hasMemory) cudaMemcpy(weights, host, 64, cudaMemcpyHostToDevice); }';
const rule = 'malloc-use-after-free';

const row = (what: string, base: string, right: string, wrong: string): readonly Row[] => [
  [what, rule, holder(base, `${wrong}\n${copy}`), 'return 0;', ''],
  [`${what}, rightly`, rule, holder(base, `${right}\n${copy}`), '', 'return 0;'],
];

describeRows('members of bases that are not seen', head, [
  ...row(
    'a flag that is taken back',
    'Elsewhere',
    'void Holder::end() { if (this->hasMemory) { cudaFree(weights); this->hasMemory = false; } }',
    'void Holder::end() { if (this->hasMemory) { cudaFree(weights); this->hasMemory = true; } }',
  ),
  ...row(
    'of a base that is made from a template',
    'Elsewhere<int>',
    'void Holder::end() { if (this->hasMemory) { cudaFree(weights); this->hasMemory = false; } }',
    'void Holder::end() { if (this->hasMemory) { cudaFree(weights); } }',
  ),
]);
