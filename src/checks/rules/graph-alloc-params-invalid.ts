/** A8: An allocation node is asked for something that graphs do not allocate. */

import type { Refusal } from '../../execution/execution.ts';
import { refusalViolations } from '../refusal-violations.ts';
import { defineRule } from '../rule.ts';

export const graphAllocParamsInvalid = defineRule({
  id: 'graph-alloc-params-invalid',
  number: 'A8',
  group: 'A',
  severity: 'error',
  summary: 'An allocation node is asked for something that graphs do not allocate.',
  why: 'The call is refused and adds no node. Only pinned memory on a device, of more than 0 bytes, without handles for export and with access for reading and writing is allocated.',
  remedy:
    'Set poolProps.allocType to cudaMemAllocationTypePinned, location.type to cudaMemLocationTypeDevice, location.id to a device and bytesize to the size.',
  source: 'Recordings of allocation nodes with unusual parameters',
  bad: `
params.poolProps.location.type = cudaMemLocationTypeHost;
cudaGraphAddMemAllocNode(&alloc, graph, nullptr, 0, &params); //!
`,
  good: `
cudaGraphAddMemAllocNode(&alloc, graph, nullptr, 0, &params);
cudaGraphAddMemFreeNode(&release, graph, &alloc, 1, params.dptr);
`,
  check: (facts) =>
    refusalViolations(facts, reasons, ({ api, result }, { refusal }) => {
      if (refusal === 'zeroSize') return `${api} with a size of 0 returns ${result} and adds nothing.`;
      if (refusal === 'hugeSize')
        return `${api} is asked for more than there are addresses: it returns ${result} and adds nothing.`;
      if (refusal === 'noDescriptors')
        return `accessDescCount is not 0, but accessDescs is null, where ${api} reads them.`;
      return `${api} returns ${result} and adds nothing: its parameters ask for what graphs do not allocate.`;
    }),
});

const reasons: readonly Refusal[] = ['allocationProperties', 'zeroSize', 'hugeSize', 'noDescriptors'];
