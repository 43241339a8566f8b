/** A graph written node by node. */

import type { Dag, DagNode } from './dag.ts';
import { call, plain, type Statement } from './listing.ts';
import { buffersOf, bytes, kernelName } from './work.ts';

/** Declares the graph and adds its nodes; nodes are called by the graph's name and their number (`g0n3`). */
export function explicitGraph(dag: Dag, graph: string): readonly Statement[] {
  return [
    plain(`cudaGraph_t ${graph}`, [], [graph]),
    call(`cudaGraphCreate(&${graph}, 0)`, null, [], [graph]),
    ...dag.nodes.flatMap((node, index) => addNode(node, index, graph)),
  ];
}

function addNode({ work, dependencies }: DagNode, index: number, graph: string): Statement[] {
  const id = `${graph}n${index}`;
  const name = (prefix: string): string => `${prefix}${id}`;
  const node = name('n');
  const list = dependencies.map((each) => `n${graph}n${each}`);
  const out: Statement[] = [plain(`cudaGraphNode_t ${node}`, [], [node])];
  if (list.length > 1) out.push(plain(`cudaGraphNode_t ${name('d')}[] = {${list.join(', ')}}`, list, [name('d')]));
  const given =
    list.length === 0 ? 'nullptr, 0' : list.length === 1 ? `&${list[0]}, 1` : `${name('d')}, ${list.length}`;
  const head = `&${node}, ${graph}, ${given}`;
  const needs = [graph, ...(list.length > 1 ? [name('d')] : list)];
  const buffers = buffersOf(work).map((buffer) => `b${buffer}`);
  // Whether CUDA takes a free, a memset or a copy hangs on the free nodes that are there.
  const frees = buffers.map((buffer) => `frees of ${buffer}`);
  switch (work.kind) {
    case 'alloc': {
      const params = `b${work.buffer}params`;
      const set = (text: string): Statement => plain(`${params}.${text}`, [], [params]);
      out.push(
        plain(`cudaMemAllocNodeParams ${params} = {}`, [], [params]),
        set('poolProps.allocType = cudaMemAllocationTypePinned'),
        set('poolProps.location.type = cudaMemLocationTypeDevice'),
        set(`bytesize = ${bytes}`),
        call(`cudaGraphAddMemAllocNode(${head}, &${params})`, id, needs, [node, params]),
        plain(`float *b${work.buffer} = (float *)${params}.dptr`, [params], buffers),
      );
      break;
    }
    case 'free':
      out.push(call(`cudaGraphAddMemFreeNode(${head}, b${work.buffer})`, id, [...needs, ...buffers], [node, ...frees]));
      break;
    case 'memset': {
      const params = name('m');
      const set = (text: string, uses: readonly string[] = []): Statement => plain(`${params}.${text}`, uses, [params]);
      out.push(
        plain(`cudaMemsetParams ${params} = {}`, [], [params]),
        set(`dst = b${work.buffer}`, buffers),
        set('value = 0'),
        set('elementSize = 4'),
        set('width = 1'),
        set('height = 1'),
        call(`cudaGraphAddMemsetNode(${head}, &${params})`, id, [...needs, ...frees, params], [node]),
      );
      break;
    }
    case 'recordEvent':
    case 'waitEvent': {
      const api = work.kind === 'recordEvent' ? 'cudaGraphAddEventRecordNode' : 'cudaGraphAddEventWaitNode';
      out.push(call(`${api}(${head}, e${work.event})`, id, [...needs, `e${work.event}`], [node]));
      break;
    }
    case 'copy':
      out.push(
        call(
          `cudaGraphAddMemcpyNode1D(${head}, b${work.to}, b${work.from}, 4, cudaMemcpyDeviceToDevice)`,
          id,
          [...needs, ...buffers, ...frees],
          [node],
        ),
      );
      break;
    case 'kernel': {
      const values = [...work.reads, ...work.writes].map((buffer) => `&b${buffer}`);
      const kernel = kernelName(work.reads.length, work.writes.length);
      out.push(
        plain(`void *${name('a')}[] = {${values.join(', ') || 'nullptr'}}`, buffers, [name('a')]),
        plain(
          `cudaKernelNodeParams ${name('k')} = {(void *)${kernel}, 1, 1, 0, ${name('a')}, nullptr}`,
          [name('a')],
          [name('k')],
        ),
        call(`cudaGraphAddKernelNode(${head}, &${name('k')})`, id, [...needs, name('k')], [node]),
      );
    }
  }
  return out;
}
