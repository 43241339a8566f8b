/** Verbs of graphs: nodes, edges, executables. */

import { loaded } from '../../base/loaded.ts';
import type { ModelEffect } from '../../models/model.ts';
import { createCell, createSequence, isNull } from '../value.ts';
import { createHandle, noteGap, noteStatus } from '../world.ts';
import { copiedWhileEmpty } from './addresses-to-come.ts';
import type { EffectContext } from './apply-model.ts';
import { fitsExecutable } from './built-so-far.ts';
import { forgetByCallbacks } from './callbacks.ts';
import { earlyEdges } from './early-start.ts';
import { dependencies, handle, number, pathOf } from './effect-values.ts';
import {
  type Applier,
  answer,
  define,
  defineAllocation,
  ifHandle,
  missing,
  streamOf,
  withoutHandle,
  write,
} from './effect-writing.ts';
import { graphQueries } from './graph-queries.ts';
import { operationOf } from './operation.ts';
import { pathCell, pathValue } from './paths.ts';

export const graphEffects: Readonly<Record<string, Applier>> = {
  ...loaded(graphQueries),
  'graph.create': (context, effect) =>
    write(context, { verb: 'graph.create', graph: define(context, effect, 'graph', 'graph') }),
  'graph.destroy': (context, effect) =>
    ifHandle(context, effect, 'graph', 'graph', (graph) => ({ verb: 'graph.destroy', graph })),
  'graph.clone': (context, effect) => {
    const source = handle(context, effect, 'source', 'graph');
    if (source === null) {
      withoutHandle(context, effect, 'source', 'graph');
      return;
    }
    write(context, { verb: 'graph.clone', graph: define(context, effect, 'graph', 'graph'), source });
  },
  'node.add': addNode,
  'node.update': (context, effect) =>
    ifHandle(context, effect, 'node', 'node', (node) => ({
      verb: 'node.update',
      node,
      operation: operationOf(context, effect),
    })),
  'node.destroy': (context, effect) =>
    ifHandle(context, effect, 'node', 'node', (node) => ({ verb: 'node.destroy', node })),
  'node.parameters': (context, effect) => {
    const node = handle(context, effect, 'node', 'node');
    const cell = pathCell(context, pathOf(effect, 'pointer'));
    const added = context.world.events.find((event) => event.verb === 'node.add' && event.node === node);
    if (!cell || added?.verb !== 'node.add') return;
    const allocation = added.operation.allocation ?? added.operation.freed?.allocation;
    if (allocation !== undefined) cell.value = { kind: 'device', allocation, offset: 0, elementBytes: 1 };
  },
  'edges.add': (context, effect) => changeEdges(context, effect, 'edges.add'),
  'edges.remove': (context, effect) => changeEdges(context, effect, 'edges.remove'),
  'exec.instantiate': (context, effect) => {
    const graph = handle(context, effect, 'graph', 'graph');
    if (graph === null) {
      withoutHandle(context, effect, 'graph', 'graph');
      return;
    }
    const flags = effect['flags'] ? (number(context, effect, 'flags') ?? 0) : 0;
    const upload = (flags & 2) !== 0 && effect['uploadStream'] ? streamOf(context, effect, 'uploadStream') : null;
    const exec = define(context, effect, 'exec', 'exec');
    write(context, {
      verb: 'exec.instantiate',
      exec,
      graph,
      autoFree: (flags & 1) !== 0,
      upload: (flags & 2) !== 0,
      uploadStream: upload,
      deviceLaunch: (flags & 4) !== 0,
    });
    if (upload !== null) write(context, { verb: 'exec.upload', exec, stream: upload });
  },
  'exec.destroy': (context, effect) =>
    ifHandle(context, effect, 'exec', 'exec', (exec) => ({ verb: 'exec.destroy', exec })),
  'exec.launch': (context, effect) => {
    ifHandle(context, effect, 'exec', 'exec', (exec) => ({
      verb: 'exec.launch',
      exec,
      stream: streamOf(context, effect),
    }));
    forgetByCallbacks(context.world);
  },
  'exec.upload': (context, effect) =>
    ifHandle(context, effect, 'exec', 'exec', (exec) => ({
      verb: 'exec.upload',
      exec,
      stream: streamOf(context, effect),
    })),
  'exec.update': (context, effect) => {
    const graph = handle(context, effect, 'graph', 'graph');
    if (graph === null) return;
    const exec = handle(context, effect, 'exec', 'exec');
    const fits = exec === null ? null : fitsExecutable(context.world.events, exec, graph);
    ifHandle(context, effect, 'exec', 'exec', (updated) => ({ verb: 'exec.update', exec: updated, graph }));
    if (context.world.answers) return;
    // Whoever tries to update what is not there yet, and instantiates when that fails, comes to that.
    if (isNull(pathValue(context, pathOf(effect, 'exec')))) noteStatus(context.world, invalidValue);
    if (fits === null) return;
    for (const field of ['result', 'legacyResult'])
      if (effect[field] !== undefined) answer(context, effect, fits ? updateSuccess : updateTopologyChanged, field);
    if (!fits) noteStatus(context.world, updateFailure);
  },
  'exec.updateNode': (context, effect) => {
    if (lacksEvent(context, effect)) {
      withoutHandle(context, effect, 'event', 'event', true);
      return;
    }
    ifHandle(context, effect, 'node', 'node', (node) => ({
      verb: 'exec.updateNode',
      exec: handle(context, effect, 'exec', 'exec'),
      node,
      operation: effect['kind'] === undefined ? null : operationOf(context, effect),
    }));
  },
  'node.enable': (context, effect) =>
    ifHandle(context, effect, 'node', 'node', (node) => {
      const enabled = effect['enabled'] === undefined ? undefined : number(context, effect, 'enabled');
      const change = enabled === undefined ? 'asked' : enabled === null ? 'open' : enabled === 0 ? 'off' : 'on';
      return { verb: 'node.enable', exec: handle(context, effect, 'exec', 'exec'), node, change };
    }),
  'node.child': (context, effect) =>
    ifHandle(context, effect, 'node', 'node', (node) => ({
      verb: 'node.child',
      node,
      graph: define(context, effect, 'graph', 'graph'),
    })),
};

/** `cudaGraphExecUpdateResult` and `cudaError_t` (headers of CUDA 13.0). */
const updateSuccess = 0;
const updateTopologyChanged = 2;
const updateFailure = 910;
const invalidValue = 1;

function addNode(context: EffectContext, effect: ModelEffect): void {
  const graph = handle(context, effect, 'graph', 'graph');
  const list = dependencies(context, effect, 'dependencies');
  if (graph === null) {
    withoutHandle(context, effect, 'graph', 'graph');
    return;
  }
  if (list === null) noteGap(context.world, 'unknown dependencies', context.row.name, context.span);
  if (lacksEvent(context, effect)) {
    withoutHandle(context, effect, 'event', 'event', true);
    return;
  }
  const operation = operationOf(context, effect);
  const nodeCell = pathCell(context, pathOf(effect, 'node'));
  let final = operation;
  if (operation.kind === 'memAlloc') {
    const copiedBy = copiedWhileEmpty(context.world, pathCell(context, pathOf(effect, 'pointer')));
    const allocation = defineAllocation(context, effect, 'graph');
    final = Object.assign(operation, { allocation }, copiedBy === null ? {} : { addressCopiedBefore: copiedBy });
  }
  const created = createHandle(
    context.world,
    'node',
    nodeCell?.name && nodeCell.name !== 'return' ? nodeCell.name : '',
    context.span,
  );
  if (nodeCell) {
    context.world.written.push([nodeCell, nodeCell.value]);
    nodeCell.value = created;
  }
  if (final.kind === 'conditional') final = { ...final, bodies: defineBodies(context, effect) };
  const early = earlyEdges(context, effect, list, [created.id]);
  write(context, {
    verb: 'node.add',
    graph,
    node: created.id,
    dependencies: list,
    ...(lacksList(context, effect) ? { lacksList: true } : {}),
    operation: final,
    ...(early.length > 0 ? { early } : {}),
  });
}

/** Whether dependencies are counted where the list of them is null. */
function lacksList(context: EffectContext, effect: ModelEffect): boolean {
  const count = pathValue(context, pathOf(effect, 'count'));
  return count.kind === 'number' && count.value > 0 && isNull(pathValue(context, pathOf(effect, 'dependencies')));
}

/** Whether the event of an event node is null. */
function lacksEvent(context: EffectContext, effect: ModelEffect): boolean {
  const { kind } = effect;
  if (kind !== 'eventRecord' && kind !== 'eventWait') return false;
  return handle(context, effect, 'event', 'event') === null && isNull(pathValue(context, pathOf(effect, 'event')));
}

/** Most bodies of a conditional node that are followed. */
const maximumBodies = 64;

/** A conditional node's bodies are graphs that CUDA creates, one or, for an else branch or a switch, several. */
function defineBodies(context: EffectContext, effect: ModelEffect): readonly number[] {
  const cell = pathCell(context, pathOf(effect, 'bodies'));
  if (!cell) return [];
  const count = Math.min(Math.max(number(context, effect, 'bodyCount') ?? 1, 1), maximumBodies);
  const bodies = Array.from({ length: count }, () =>
    createHandle(context.world, 'graph', 'conditional body', context.span),
  );
  const sequence = createSequence('bodies', count, null, false);
  for (const [index, body] of bodies.entries()) sequence.cells.set(index, createCell('body', body));
  cell.value = { kind: 'pointer', cell: sequence.cells.get(0) ?? createCell('body'), sequence, index: 0 };
  return bodies.map(({ id }) => id);
}

function changeEdges(context: EffectContext, effect: ModelEffect, verb: 'edges.add' | 'edges.remove'): void {
  const graph = handle(context, effect, 'graph', 'graph');
  if (graph === null) {
    missing(context, 'graph');
    return;
  }
  const from = dependencies(context, effect, 'from');
  const to = dependencies(context, effect, 'to');
  if (from === null || to === null) noteGap(context.world, 'unknown dependencies', context.row.name, context.span);
  const early = verb === 'edges.add' ? earlyEdges(context, effect, from, to ?? []) : [];
  write(context, { verb, graph, from, to, ...(early.length > 0 ? { early } : {}) });
}
