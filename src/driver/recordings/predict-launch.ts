/** Predicting a case of several graphs that are launched, uploaded, freed and trimmed in several streams. */

import { createDriver, type DriverOptions, step } from '../driver.ts';
import type { Operation, Outcome } from '../operations.ts';
import type { Driver } from '../state.ts';
import { answersOf, GRAPH_KERNEL_MICROSECONDS, type HostOrderNote, nodeOf, noteOf, relativeTo } from './predicted.ts';
import { type Fields, listIn, numberIn, numbersIn, RecordingError, textIn } from './read.ts';

/** Allocation numbers are per graph in a recording; this makes them global. */
const ALLOCATIONS_PER_GRAPH = 1_000_000;

function globalId(graph: number, allocation: number): number {
  return graph * ALLOCATIONS_PER_GRAPH + allocation;
}

export function predictLaunch(
  fields: Fields,
  options: DriverOptions,
): { readonly fields: Fields; readonly notes: readonly HostOrderNote[] } {
  const driver = createDriver({ ...options, workMicroseconds: workOf(fields) });
  const notes: HostOrderNote[] = [];
  const graphs = listIn(fields, 'graphs').map((graph, index) => buildGraph(driver, graph, index, notes));
  for (const free of listIn(fields, 'frees')) addForeignFree(driver, free);
  const log = listIn(fields, 'log').map((operation) => ({
    ...operation,
    ...answersOf(doOperation(driver, operation)),
  }));
  return { fields: { ...fields, graphs, log }, notes };
}

/** How long a work node runs: as the recording says, else as the recorder's spinning or empty nodes do. */
function workOf(fields: Fields): number {
  if ('workMicroseconds' in fields) return numberIn(fields, 'workMicroseconds');
  return fields['spin'] === true ? GRAPH_KERNEL_MICROSECONDS : 0;
}

/** A graph's nodes stand under `chain`, `nodes` or `ops`; without `deps` they form a chain. */
function buildGraph(driver: Driver, graph: Fields, index: number, notes: HostOrderNote[]): Fields {
  const id = 'graph' in graph ? numberIn(graph, 'graph') : index;
  step(driver, { kind: 'graphCreate', graph: id });
  const key = ['chain', 'nodes', 'ops'].find((name) => name in graph) ?? 'chain';
  let previous = -1;
  const outcomes = listIn(graph, key).map((operation, at) => {
    const chained = previous < 0 ? [] : [previous];
    const withEdges = numbersIn(operation, 'deps') ? operation : { ...operation, deps: chained };
    const node = nodeOf(withEdges, at, (allocation, owner) => globalId(owner ?? id, allocation));
    const outcome = step(driver, { kind: 'addNode', graph: id, ...node });
    if (outcome.result === 'cudaSuccess') previous++;
    const note = noteOf(operation, at, outcome);
    if (note) notes.push({ ...note, graph: id });
    return { operation, outcome };
  });
  const lowest = outcomes.reduce((low, { outcome }) => Math.min(low, outcome.address ?? low), Number.POSITIVE_INFINITY);
  return { ...graph, [key]: outcomes.map(({ operation, outcome }) => relativeTo(lowest, operation, outcome)) };
}

/** `{graph, frees: [owner, allocation]}`: a free node at the root of `graph` for what `owner` left unfreed. */
function addForeignFree(driver: Driver, free: Fields): void {
  const [owner, allocation] = numbersIn(free, 'frees') ?? [];
  if (owner === undefined || allocation === undefined) throw new RecordingError('`frees` needs [owner, allocation]');
  step(driver, {
    kind: 'addNode',
    graph: numberIn(free, 'graph'),
    node: { kind: 'free', allocation: globalId(owner, allocation) },
    dependencies: numbersIn(free, 'deps') ?? [],
  });
}

function doOperation(driver: Driver, operation: Fields): Outcome {
  if (operation['op'] === 'destroyAll') return destroyAll(driver);
  return step(driver, operationOf(operation));
}

/** The executable of graph g has the number g. */
function operationOf(operation: Fields): Operation {
  const name = textIn(operation, 'op');
  const at = (key: string): number => numberIn(operation, key);
  switch (name) {
    case 'instantiate':
      return { kind: 'instantiate', exec: at('graph'), graph: at('graph'), autoFree: operation['autoFree'] === true };
    case 'launch':
    case 'upload':
      return { kind: name, exec: at('graph'), stream: at('stream') };
    case 'destroyExec':
      return { kind: 'destroyExec', exec: at('graph') };
    case 'destroyGraph':
      return { kind: 'destroyGraph', graph: at('graph') };
    case 'sync':
      return { kind: 'syncStream', stream: at('stream') };
    case 'record':
      return { kind: 'eventRecord', event: at('event'), stream: at('stream') };
    case 'wait':
      return { kind: 'eventWait', event: at('event'), stream: at('stream') };
    case 'freeAsync':
      return { kind: 'freeAsync', allocation: globalId(at('graph'), at('alloc')), stream: at('stream') };
    case 'free':
      return { kind: 'free', allocation: globalId(at('graph'), at('alloc')) };
    case 'syncDevice':
    case 'trim':
      return { kind: name };
    default:
      throw new RecordingError(`unknown operation \`${name}\``);
  }
}

/** The recorder's end of a case: executables, unfreed allocations, graphs, and a synchronisation. */
function destroyAll(driver: Driver): Outcome {
  for (const exec of [...driver.executables.keys()]) step(driver, { kind: 'destroyExec', exec });
  const left = [...driver.allocations.values()].filter((allocation) => allocation.live);
  for (const { id } of left) step(driver, { kind: 'free', allocation: id });
  for (const graph of [...driver.graphs.keys()]) step(driver, { kind: 'destroyGraph', graph });
  return step(driver, { kind: 'syncDevice' });
}
