/** Constants of headers that are not there: what they are nobody knows, but each is equal to itself. */

import { describeRows } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include "unseen.h"
struct Begun { Result result{kOkay}; };
Result okay() { return kOkay; }
void fill(Result *result);
size_t bytesOf(Type type) {
  switch (type) {
    case kInt8: return 1;
    case kInt16: case kHalf: return 2;
    case kInt32: case kFloat: return 4;
    default: return 0;
  }
}`;

const body = (condition: string, made: string) =>
  `int *p; cudaMalloc(&p, 64); ${made} if (${condition}) cudaFree(p); cudaMemset(p, 0, 64); cudaFree(p);`;

describeRows('constants that nobody sees', head, [
  [
    'a variable',
    'malloc-use-after-free',
    '',
    body('r == kOkay', 'Result r = kOkay;'),
    body('r != kOkay', 'Result r = kOkay;'),
  ],
  [
    'in braces',
    'malloc-use-after-free',
    '',
    body('r == kOkay', 'Result r{kOkay};'),
    body('r != kOkay', 'Result r{kOkay};'),
  ],
  [
    'in parentheses',
    'malloc-use-after-free',
    '',
    body('r == kOkay', 'Result r(kOkay);'),
    body('r != kOkay', 'Result r(kOkay);'),
  ],
  [
    'a member',
    'malloc-use-after-free',
    '',
    body('b.result == kOkay', 'Begun b;'),
    body('b.result != kOkay', 'Begun b;'),
  ],
  [
    'what a function returns',
    'malloc-use-after-free',
    '',
    body('r == kOkay', 'Result r = okay();'),
    body('r != kOkay', 'Result r = okay();'),
  ],
  ['a number', 'malloc-use-after-free', '', body('r == kOkay', 'int r = kOkay;'), body('r != kOkay', 'int r = kOkay;')],
  [
    'set elsewhere',
    'malloc-use-after-free',
    '',
    body('r != kOkay', 'Result r = kOkay; fill(&r);'),
    body('r != kOkay', 'Result r = kOkay;'),
  ],
  [
    'the case of its name',
    'copy-out-of-range',
    '',
    `char *p; cudaMalloc(&p, 8 * bytesOf(kHalf)); cudaMemset(p, 0, 17); cudaFree(p);`,
    `char *p; cudaMalloc(&p, 8 * bytesOf(kFloat)); cudaMemset(p, 0, 17); cudaFree(p);`,
  ],
]);
