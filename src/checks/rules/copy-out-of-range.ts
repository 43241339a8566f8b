/** M9: A copy, a memset or a kernel goes past the end of an allocation, or a copy past the end of host memory. */

import { outOfRangeViolations } from '../out-of-range.ts';
import { defineRule } from '../rule.ts';

export const copyOutOfRange = defineRule({
  id: 'copy-out-of-range',
  number: 'M9',
  group: 'M',
  severity: 'error',
  summary: 'A copy, a memset or a kernel goes past the end of an allocation or of an array on the host.',
  why: 'CUDA refuses it with cudaErrorInvalidValue, or it touches what lies after the allocation. Of host memory it knows no end: the copy overwrites what lies after the array. Often a count of elements was given for a size in bytes, or a kernel has more threads than elements and does not check the index.',
  remedy: 'Allocate as many bytes as are copied, on both sides: the count times the size of an element.',
  source: 'cudaMemcpy and cudaMemset reference; recording memset_node_out_of_range',
  bad: `
const size_t count = 256;
cudaMalloc(&data, count);
cudaMemsetAsync(data, 0, count * sizeof(float), stream); //!
`,
  good: `
const size_t count = 256;
cudaMalloc(&data, count * sizeof(float));
cudaMemsetAsync(data, 0, count * sizeof(float), stream);
`,
  check: (facts) => outOfRangeViolations(facts, false),
});
