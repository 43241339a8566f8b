/** Each verb of the models: which paths it reads and which event it writes. */

import { numberOfError } from '../models/cuda-errors.ts';
import type { ModelEffect } from '../models/model.ts';
import { type Effect, type HandleType, legacyStream } from '../trace/event.ts';
import type { EffectContext } from './apply-model.ts';
import { dependencies, devicePointer, handle, handleOrNew, number, pathOf, product } from './effect-values.ts';
import { descriptorsAt, opaqueOperation, operationOf } from './operation.ts';
import { pathCell, pathValue } from './paths.ts';
import { createCell, isNull, numberValue, unknownValue } from './value.ts';
import { createAllocation, createHandle, emit, noteGap, noteStatus } from './world.ts';

type Applier = (context: EffectContext, effect: ModelEffect) => void;

function write(context: EffectContext, effect: Effect): void {
  emit(
    context.world,
    context.row.name,
    context.span,
    context.arguments.map((argument) => argument.span),
    effect,
  );
}

/** Makes a handle and puts it where the path says. */
function define(context: EffectContext, effect: ModelEffect, field: string, type: HandleType): number {
  const cell = pathCell(context, pathOf(effect, field));
  const name = cell?.name && cell.name !== 'return' ? cell.name : '';
  const created = createHandle(context.world, type, name, context.span);
  if (cell?.owner) context.world.owners.set(`handle ${created.id}`, cell.owner);
  if (cell) {
    context.world.written.push([cell, cell.value]);
    cell.value = created;
  }
  return created.id;
}

function defineAllocation(
  context: EffectContext,
  effect: ModelEffect,
  origin: 'graph' | 'stream' | 'device' | 'host' | 'managed',
): number {
  const cell = pathCell(context, pathOf(effect, 'pointer'));
  const allocation = createAllocation(
    context.world,
    cell && cell.name !== 'return' ? cell.name : '',
    context.span,
    origin,
    product(context, effect['bytes']),
  );
  if (cell?.owner) context.world.owners.set(`allocation ${allocation}`, cell.owner);
  if (cell) {
    const elementBytes = cell.value.kind === 'device' ? cell.value.elementBytes : null;
    context.world.written.push([cell, cell.value]);
    cell.value = { kind: 'device', allocation, offset: 0, elementBytes };
  }
  return allocation;
}

export const effectAppliers: Readonly<Record<string, Applier>> = {
  'stream.create': (context, effect) => {
    const flags = number(context, effect, 'flags');
    write(context, {
      verb: 'stream.create',
      stream: define(context, effect, 'stream', 'stream'),
      nonBlocking: flags === 1,
    });
  },
  'stream.destroy': (context, effect) =>
    ifHandle(context, effect, 'stream', 'stream', (stream) => ({ verb: 'stream.destroy', stream })),
  'event.create': (context, effect) =>
    write(context, { verb: 'event.create', event: define(context, effect, 'event', 'event') }),
  'event.destroy': (context, effect) =>
    ifHandle(context, effect, 'event', 'event', (event) => ({ verb: 'event.destroy', event })),
  'event.record': (context, effect) =>
    ifHandle(context, effect, 'event', 'event', (event) => ({
      verb: 'event.record',
      event,
      stream: streamOf(context, effect),
      external: number(context, effect, 'flags') === 1,
    })),
  'stream.wait': (context, effect) =>
    ifHandle(context, effect, 'event', 'event', (event) => ({
      verb: 'stream.wait',
      event,
      stream: streamOf(context, effect),
      external: number(context, effect, 'flags') === 1,
    })),
  'host.synchronise': (context, effect) => {
    const scope = effect['scope'] === 'stream' ? 'stream' : effect['scope'] === 'event' ? 'event' : 'device';
    const target =
      scope === 'device'
        ? null
        : scope === 'stream'
          ? streamOf(context, effect, 'handle')
          : handle(context, effect, 'handle', 'event');
    // Who asks and looks at the answer goes on when the work is done: `while (cudaStreamQuery(s) != cudaSuccess);`
    const query = effect['query'] === true && context.world.unheeded === context.span;
    write(context, { verb: 'host.synchronise', scope, handle: target, query });
  },
  'graph.create': (context, effect) =>
    write(context, { verb: 'graph.create', graph: define(context, effect, 'graph', 'graph') }),
  'graph.destroy': (context, effect) =>
    ifHandle(context, effect, 'graph', 'graph', (graph) => ({ verb: 'graph.destroy', graph })),
  'graph.clone': (context, effect) => {
    const source = handle(context, effect, 'source', 'graph');
    if (source === null) {
      missing(context, 'graph');
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
    if (allocation !== undefined) cell.value = { kind: 'device', allocation, offset: 0, elementBytes: null };
  },
  'edges.add': (context, effect) => changeEdges(context, effect, 'edges.add'),
  'edges.remove': (context, effect) => changeEdges(context, effect, 'edges.remove'),
  'capture.begin': (context, effect) => {
    const mode = number(context, effect, 'mode');
    const isGiven = pathOf(effect, 'mode') !== '' && pathCell(context, pathOf(effect, 'mode')) !== null;
    write(context, {
      verb: 'capture.begin',
      stream: streamOf(context, effect),
      mode: mode === 2 || (mode === null && isGiven) ? 'relaxed' : mode === 1 ? 'threadLocal' : 'global',
      graph: effect['graph'] ? handle(context, effect, 'graph', 'graph') : null,
      dependencies: effect['dependencies'] ? dependencies(context, effect, 'dependencies') : [],
    });
  },
  'capture.update': (context, effect) =>
    write(context, {
      verb: 'capture.update',
      stream: streamOf(context, effect),
      dependencies: dependencies(context, effect, 'dependencies'),
      replaces: effect['flags'] ? number(context, effect, 'flags') === 1 : false,
    }),
  'capture.end': (context, effect) =>
    write(context, {
      verb: 'capture.end',
      stream: streamOf(context, effect),
      graph: define(context, effect, 'graph', 'graph'),
    }),
  'exec.instantiate': (context, effect) => {
    const graph = handle(context, effect, 'graph', 'graph');
    if (graph === null) {
      missing(context, 'graph');
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
  },
  'exec.destroy': (context, effect) =>
    ifHandle(context, effect, 'exec', 'exec', (exec) => ({ verb: 'exec.destroy', exec })),
  'exec.launch': (context, effect) =>
    ifHandle(context, effect, 'exec', 'exec', (exec) => ({
      verb: 'exec.launch',
      exec,
      stream: streamOf(context, effect),
    })),
  'exec.upload': (context, effect) =>
    ifHandle(context, effect, 'exec', 'exec', (exec) => ({
      verb: 'exec.upload',
      exec,
      stream: streamOf(context, effect),
    })),
  'exec.update': (context, effect) => {
    const graph = handle(context, effect, 'graph', 'graph');
    if (graph !== null) ifHandle(context, effect, 'exec', 'exec', (exec) => ({ verb: 'exec.update', exec, graph }));
  },
  'exec.updateNode': (context, effect) =>
    ifHandle(context, effect, 'node', 'node', (node) => ({ verb: 'exec.updateNode', node })),
  'node.enable': (context, effect) =>
    ifHandle(context, effect, 'node', 'node', (node) => ({ verb: 'node.enable', node })),
  'node.child': (context, effect) =>
    ifHandle(context, effect, 'node', 'node', (node) => ({
      verb: 'node.child',
      node,
      graph: define(context, effect, 'graph', 'graph'),
    })),
  'device.trim': (context, effect) =>
    write(context, { verb: 'device.trim', device: number(context, effect, 'device') }),
  'stream.operation': (context, effect) => {
    const operation = operationOf(context, effect);
    const direction = effect['direction'] ? number(context, effect, 'direction') : null;
    const blocking = effect['blocking'] === true && direction !== 3;
    write(context, { verb: 'stream.operation', stream: streamOf(context, effect), operation, blocking });
  },
  'memory.allocate': (context, effect) => {
    const origin = effect['origin'] === 'host' ? 'host' : effect['origin'] === 'managed' ? 'managed' : 'device';
    const allocation = defineAllocation(context, effect, origin);
    write(context, { verb: 'memory.allocate', allocation, unsafeInCapture: context.row.unsafeInCapture === true });
  },
  'memory.free': (context, effect) => {
    const pointer = devicePointer(context, pathOf(effect, 'pointer'));
    const isNullPointer = isNull(pathValue(context, pathOf(effect, 'pointer')));
    write(context, {
      verb: 'memory.free',
      pointer,
      isNull: isNullPointer,
      unsafeInCapture: context.row.unsafeInCapture === true,
    });
  },
  'memory.freeHost': (context, effect) =>
    write(context, { verb: 'memory.freeHost', pointer: devicePointer(context, pathOf(effect, 'pointer')) }),
  'memory.allocateAsync': (context, effect) => {
    const stream = streamOf(context, effect);
    const pool = effect['pool'] ? handle(context, effect, 'pool', 'pool') : null;
    write(context, {
      verb: 'memory.allocateAsync',
      stream,
      allocation: defineAllocation(context, effect, 'stream'),
      pool,
    });
  },
  'memory.freeAsync': (context, effect) => {
    const pointer = devicePointer(context, pathOf(effect, 'pointer'));
    const isNullPointer = isNull(pathValue(context, pathOf(effect, 'pointer')));
    if (!pointer && !isNullPointer) noteGap(context.world, 'unknown pointer', context.row.name, context.span);
    write(context, { verb: 'memory.freeAsync', stream: streamOf(context, effect), pointer, isNull: isNullPointer });
  },
  'pool.default': (context, effect) => {
    const cell = pathCell(context, pathOf(effect, 'pool'));
    const device = number(context, effect, 'device');
    const key = `default pool ${device ?? 0}`;
    const known = context.world.externals.get(key);
    const pool = known ?? createHandle(context.world, 'pool', 'default pool', context.span);
    context.world.externals.set(key, pool);
    if (cell) cell.value = pool;
    if (!known && pool.kind === 'handle') write(context, { verb: 'pool.get', pool: pool.id, device });
  },
  'pool.access': (context, effect) =>
    ifHandle(context, effect, 'pool', 'pool', (pool) => ({
      verb: 'pool.access',
      pool,
      access: descriptorsAt(context, pathOf(effect, 'access'), number(context, effect, 'count') ?? 0),
    })),
  'device.setAttribute': (context, effect) =>
    write(context, {
      verb: 'device.setAttribute',
      attribute: number(context, effect, 'attribute'),
      value: number(context, effect, 'value'),
    }),
  'pool.create': (context, effect) => {
    define(context, effect, 'pool', 'pool');
  },
  'library.create': (context, effect) => {
    define(context, effect, 'library', 'library');
  },
  'library.setStream': (context, effect) => {
    const library = handle(context, effect, 'library', 'library');
    if (library !== null) context.world.libraryStreams.set(library, streamOf(context, effect));
  },
  'library.call': (context, effect) => {
    const library = effect['library'] ? handle(context, effect, 'library', 'library') : null;
    const given = context.arguments.find(
      (argument) => argument.value.kind === 'handle' && argument.value.type === 'stream',
    )?.value;
    const stream =
      given?.kind === 'handle'
        ? given.id
        : library === null
          ? legacyStream
          : (context.world.libraryStreams.get(library) ?? legacyStream);
    write(context, { verb: 'stream.operation', stream, operation: opaqueOperation(context), blocking: false });
  },
  'write.unknown': (context, effect) => {
    const cell = pathCell(context, pathOf(effect, 'target'));
    if (cell && cell.value.kind !== 'record' && cell.value.kind !== 'sequence') cell.value = unknownValue;
  },
  'device.set': (context, effect) => write(context, { verb: 'device.set', device: number(context, effect, 'device') }),
  'query.graphMemory': (context, effect) => {
    const device = number(context, effect, 'device');
    const attribute = number(context, effect, 'attribute');
    const { answers } = context.world;
    answer(
      context,
      effect,
      answers && device !== null && attribute !== null ? answers.graphMemory(device, attribute) : null,
    );
  },
  'query.capture': (context, effect) =>
    answer(context, effect, context.world.answers?.captureStatus(streamOf(context, effect)) ?? null),
  // Recordings of two devices were made where peers can reach each other (`enable_peer_access_does_not_help`).
  'query.peerAccess': (context, effect) => answer(context, effect, context.world.answers ? 1 : null),
  'write.zero': (context, effect) => {
    const cell = pathCell(context, pathOf(effect, 'target'));
    if (cell) cell.value = numberValue(0);
  },
};

/** Writes what CUDA answered; without an answer the text does not determine it. */
function answer(context: EffectContext, effect: ModelEffect, value: number | null): void {
  const cell = pathCell(context, pathOf(effect, 'target'));
  if (!cell) return;
  if (value !== null) cell.value = numberValue(value);
  else if (cell.value.kind !== 'record' && cell.value.kind !== 'sequence') cell.value = unknownValue;
}

function addNode(context: EffectContext, effect: ModelEffect): void {
  const graph = handle(context, effect, 'graph', 'graph');
  const list = dependencies(context, effect, 'dependencies');
  if (graph === null) {
    missing(context, 'graph');
    return;
  }
  if (list === null) noteGap(context.world, 'unknown dependencies', context.row.name, context.span);
  const operation = operationOf(context, effect);
  const nodeCell = pathCell(context, pathOf(effect, 'node'));
  let final = operation;
  if (operation.kind === 'memAlloc') {
    const allocation = defineAllocation(context, effect, 'graph');
    final = { ...operation, allocation };
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
  write(context, { verb: 'node.add', graph, node: created.id, dependencies: list, operation: final });
}

/** A conditional node's bodies are graphs that CUDA creates. */
function defineBodies(context: EffectContext, effect: ModelEffect): readonly number[] {
  const cell = pathCell(context, pathOf(effect, 'bodies'));
  if (!cell) return [];
  const body = createHandle(context.world, 'graph', 'conditional body', context.span);
  const inner = createCell('body', body);
  cell.value = { kind: 'pointer', cell: inner, sequence: null, index: 0 };
  return [body.id];
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
  write(context, { verb, graph, from, to });
}

function ifHandle(
  context: EffectContext,
  effect: ModelEffect,
  field: string,
  type: HandleType,
  make: (id: number) => Effect,
): void {
  const id = handle(context, effect, field, type);
  if (id === null) {
    const value = pathValue(context, pathOf(effect, field));
    if (!isNull(value)) missing(context, type);
    else if (context.world.answers) noteStatus(context.world, numberOfError('cudaErrorInvalidValue'));
    return;
  }
  write(context, make(id));
}

function missing(context: EffectContext, what: string): void {
  noteGap(context.world, 'unknown handle', `${context.row.name}: the ${what} is not known`, context.span);
}

function streamOf(context: EffectContext, effect: ModelEffect, field = 'stream'): number {
  return handleOrNew(context, effect, field) ?? legacyStream;
}
