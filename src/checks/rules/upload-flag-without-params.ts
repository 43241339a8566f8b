/** D7: cudaGraphInstantiateFlagUpload is given to a call that has no stream for the upload. */

import { refusalViolations } from '../refusal-violations.ts';
import { defineRule } from '../rule.ts';

export const uploadFlagWithoutParams = defineRule({
  id: 'upload-flag-without-params',
  number: 'D7',
  group: 'D',
  severity: 'error',
  summary: 'cudaGraphInstantiateFlagUpload is given to a call that has no stream for the upload.',
  why: 'Only cudaGraphInstantiateWithParams takes that flag, with its upload stream. The others return cudaErrorInvalidValue.',
  remedy: 'Use cudaGraphInstantiateWithParams, or call cudaGraphUpload afterwards.',
  source: 'Recording instantiate_upload_flag_no_params',
  bad: `
cudaGraphAddEmptyNode(&use, graph, nullptr, 0);
cudaGraphInstantiate(&exec, graph, cudaGraphInstantiateFlagUpload); //!
`,
  good: `
cudaGraphAddEmptyNode(&use, graph, nullptr, 0);
cudaGraphInstantiate(&exec, graph, 0);
cudaGraphUpload(exec, stream);
cudaGraphLaunch(exec, stream);
`,
  check: (facts) =>
    refusalViolations(
      facts,
      ['uploadWithoutStream'],
      ({ api, result }) =>
        `${api} has no stream to upload in and returns ${result}: use cudaGraphInstantiateWithParams or cudaGraphUpload.`,
    ),
});
