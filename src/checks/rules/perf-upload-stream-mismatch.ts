/** G2: An executable graph is uploaded into one stream and launched into another. */

import { defineRule } from '../rule.ts';
import { streamSwitches } from '../stream-switches.ts';

export const perfUploadStreamMismatch = defineRule({
  id: 'perf-upload-stream-mismatch',
  number: 'G2',
  group: 'G',
  severity: 'hint',
  summary: 'An executable graph is uploaded into one stream and launched into another.',
  why: 'That is a change of stream: the mapping done by the upload may be done again at the launch.',
  remedy: 'Upload into the stream that launches.',
  source: 'CUDA Programming Guide, first launch and cudaGraphUpload',
  bad: `
cudaGraphAddMemAllocNode(&alloc, graph, nullptr, 0, &params);
cudaGraphAddMemFreeNode(&release, graph, &alloc, 1, params.dptr);
cudaGraphInstantiate(&exec, graph, 0);
cudaGraphUpload(exec, second);
cudaGraphLaunch(exec, stream); //!
`,
  good: `
cudaGraphAddMemAllocNode(&alloc, graph, nullptr, 0, &params);
cudaGraphAddMemFreeNode(&release, graph, &alloc, 1, params.dptr);
cudaGraphInstantiate(&exec, graph, 0);
cudaGraphUpload(exec, stream);
cudaGraphLaunch(exec, stream);
`,
  check: (facts) =>
    streamSwitches(
      facts,
      'upload',
      ({ graph, before, now }) =>
        `${graph} was uploaded into ${before} but is launched into ${now}: the upload may be wasted. Upload into the launch stream.`,
    ),
});
