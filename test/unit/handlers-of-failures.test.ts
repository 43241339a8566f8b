/** What an unseen check is given beside the answer of a call runs when that call failed. */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <vector>
struct Runtime {
  std::vector<cudaEvent_t> made;
  void create();
  void destroy();
};
void Runtime::create() {
  cudaEvent_t begin, end;
  MY_CHECK(cudaEventCreate(&begin), [&] { complain(); });
  MY_CHECK(cudaEventCreate(&end), [&] { cudaEventDestroy(begin); complain(); });
  made.push_back(begin);
  made.push_back(end);
}
void Runtime::destroy() {
  for (auto each : made) cudaEventDestroy(each);
}`;

const rows: readonly Row[] = [
  [
    'what a handler of failures destroys',
    'handle-use-after-destroy',
    '',
    'Runtime r; r.create(); r.destroy(); r.destroy();',
    'Runtime r; r.create(); r.destroy();',
  ],
  [
    'what somebody unseen runs',
    'malloc-double-free',
    '',
    'float *p; cudaMalloc(&p, 4); inScope([&] { cudaFree(p); }); cudaFree(p);',
    'float *p; cudaMalloc(&p, 4); inScope([&] { cudaFree(p); });',
  ],
];

describeRows('handlers of failures', head, rows);
