/** A22: A function that the host runs for a stream or a graph, or to end an object that graphs keep, calls CUDA. */

import type { HostCall } from '../../trace/event.ts';
import { defineRule, type Violation } from '../rule.ts';

export const graphHostNodeCudaCall = defineRule({
  id: 'graph-host-node-cuda-call',
  number: 'A22',
  group: 'A',
  severity: 'error',
  summary: 'A function that the host runs for a stream or a graph, or to end an object that graphs keep, calls CUDA.',
  why: 'The call may return cudaErrorNotPermitted and do nothing, or wait for the stream that waits for the function: a deadlock.',
  remedy: 'Put the work into the stream or the graph, or let the function tell another thread, which may call CUDA.',
  source: 'CUDA Runtime API, cudaLaunchHostFunc, cudaStreamAddCallback, cudaHostNodeParams and cudaUserObjectCreate',
  bad: `
cudaMalloc(&data, bytes);
produce<<<1, 32, 0, stream>>>(data);
cudaLaunchHostFunc(stream, [](void *memory) { cudaFree(memory); }, data); //!
`,
  good: `
cudaMalloc(&data, bytes);
produce<<<1, 32, 0, stream>>>(data);
cudaLaunchHostFunc(stream, [](void *done) { *static_cast<float *>(done) = 1.0f; }, host);
cudaStreamSynchronize(stream);
cudaFree(data);
`,
  check: ({ trace }) =>
    trace.events.flatMap((event) => {
      if (event.verb === 'callback.given') return [violation(event.label, event.hostCall, event.index, ofUserObject)];
      const operation = 'operation' in event ? event.operation : null;
      return operation?.hostCall ? [violation(operation.label, operation.hostCall, event.index, ofWork)] : [];
    }),
});

const ofWork = 'a function that a stream or a graph runs on the host must not call CUDA';
const ofUserObject = 'a function that ends an object which graphs keep must not call CUDA';

function violation(label: string, { name, isPerhaps }: HostCall, event: number, rule: string): Violation {
  const who = label === '' || label === 'lambda' || label === 'host' ? 'The function' : `\`${label}\``;
  const may = isPerhaps ? 'may ' : '';
  const calls =
    name === null ? `${may}launch${isPerhaps ? '' : 'es'} a kernel` : `${may}call${isPerhaps ? '' : 's'} ${name}`;
  return {
    event,
    message: `${who} ${calls}: ${rule}.`,
    certainty: 'always',
    ...(isPerhaps ? { severity: 'warning' } : {}),
    related: [],
    witness: [],
    repairs: [],
    subject: `${label} ${name}`,
  };
}
