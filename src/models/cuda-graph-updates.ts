/**
 * New parameters for nodes that are there already: of a graph (`cudaGraph…NodeSetParams`) and of an executable
 * (`cudaGraphExec…NodeSetParams`), with their driver twins. Runtime API 13.0, graph management.
 */

import { copy3d, driverCopy3d, kernel, memset, nodeCases } from './graph-node-params.ts';
import type { ModelEffect, ModelFile, ModelRow } from './model.ts';

/** A node of a graph: `node, parameters…`. */
const onGraph = (name: string, effect: Partial<ModelEffect>): ModelRow => ({
  name,
  returns: 'status',
  effects: [{ verb: 'node.update', node: 'arg0', ...effect }],
});

/** A node of an executable: `exec, node, parameters…`. Without an effect: what the node does from then on is not known. */
const onExecutable = (name: string, effect: Partial<ModelEffect> = {}): ModelRow => ({
  name,
  returns: 'status',
  effects: [{ verb: 'exec.updateNode', exec: 'arg0', node: 'arg1', ...effect }],
});

const copy1d = (first: number): Partial<ModelEffect> => ({
  kind: 'memcpy',
  label: 'memcpy',
  writes: [`arg${first}`],
  reads: [`arg${first + 1}`],
  bytes: [`arg${first + 2}`],
});

const toSymbol = (first: number): Partial<ModelEffect> => ({
  kind: 'memcpy',
  label: 'memcpy',
  reads: [`arg${first + 1}`],
  bytes: [`arg${first + 2}`],
});

const fromSymbol = (first: number): Partial<ModelEffect> => ({
  kind: 'memcpy',
  label: 'memcpy',
  writes: [`arg${first}`],
  bytes: [`arg${first + 2}`],
});

/** Parameters by kind of node, from the argument they begin at; where both APIs say it alike. */
const shared: Readonly<Record<string, (first: number) => Partial<ModelEffect>>> = {
  KernelNodeSetParams: (first) => kernel(`arg${first}`),
  MemsetNodeSetParams: (first) => memset(`arg${first}`),
  HostNodeSetParams: (first) => ({ kind: 'host', function: `arg${first}.fn`, userData: `arg${first}.userData` }),
  EventRecordNodeSetEvent: (first) => ({ kind: 'eventRecord', event: `arg${first}` }),
  EventWaitNodeSetEvent: (first) => ({ kind: 'eventWait', event: `arg${first}` }),
  ExternalSemaphoresSignalNodeSetParams: () => ({ kind: 'semaphoreSignal', label: 'signal semaphore' }),
  ExternalSemaphoresWaitNodeSetParams: () => ({ kind: 'semaphoreWait', label: 'wait semaphore' }),
};

const runtimeOnly: typeof shared = {
  MemcpyNodeSetParams: (first) => copy3d(`arg${first}`),
  MemcpyNodeSetParams1D: copy1d,
  MemcpyNodeSetParamsToSymbol: toSymbol,
  MemcpyNodeSetParamsFromSymbol: fromSymbol,
};

const driverOnly: typeof shared = {
  MemcpyNodeSetParams: (first) => driverCopy3d(`arg${first}`),
  BatchMemOpNodeSetParams: () => ({ kind: 'batchMemOp', label: 'memory operations' }),
};

const setters = (prefix: 'cuda' | 'cu', kinds: typeof shared): ModelRow[] =>
  Object.entries(kinds).flatMap(([name, effect]) => [
    onGraph(`${prefix}Graph${name}`, effect(1)),
    onExecutable(`${prefix}GraphExec${name}`, effect(2)),
  ]);

/** The driver names kernels of a program by handles; its headers rename some of these calls. */
const driverRows = setters('cu', { ...shared, ...driverOnly }).flatMap((row) => [
  row,
  { ...row, name: `${row.name}_v2` },
]);

/** `cudaGraphNodeSetParams` and `cudaGraphExecNodeSetParams`: what the structure says hangs on its type. */
const generic = (prefix: 'cuda' | 'cu'): readonly ModelRow[] => {
  const onNode: ModelEffect = { verb: 'node.update', node: 'arg0' };
  const onExec: ModelEffect = { verb: 'exec.updateNode', exec: 'arg0', node: 'arg1' };
  return [
    {
      name: `${prefix}GraphNodeSetParams`,
      returns: 'status',
      select: { path: 'arg1.type', cases: nodeCases(onNode, 'arg1') },
    },
    {
      name: `${prefix}GraphExecNodeSetParams`,
      returns: 'status',
      effects: [onExec],
      select: { path: 'arg2.type', cases: nodeCases(onExec, 'arg2') },
    },
  ];
};

export const cudaGraphUpdatesModel: ModelFile = {
  name: 'cuda-graph-updates',
  rows: [
    ...setters('cuda', { ...shared, ...runtimeOnly }),
    ...driverRows,
    ...generic('cuda'),
    ...generic('cu'),
    ...['cuda', 'cu'].map((prefix) =>
      onExecutable(`${prefix}GraphExecChildGraphNodeSetParams`, { kind: 'child', child: 'arg2' }),
    ),
  ],
};
