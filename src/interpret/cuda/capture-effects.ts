/** Verbs of stream capture. */

import type { ModelEffect } from '../../models/model.ts';
import { rememberedByProgram } from '../../program/consulted.ts';
import type { FunctionDefinition } from '../../program/program.ts';
import { lastPart } from '../program-table.ts';
import { type Cell, createCell, createSequence, numberValue, unknownValue, type Value, zero } from '../value.ts';
import { createHandle, type World } from '../world.ts';
import type { EffectContext } from './apply-model.ts';
import { captureFrontier, captureId, captureTarget } from './built-so-far.ts';
import { dependencies, handle, handleOrNew, number, pathOf } from './effect-values.ts';
import { type Applier, answer, define, streamOf, write } from './effect-writing.ts';
import { entryOf } from './out-of-reach.ts';
import { pathCell } from './paths.ts';

export const captureEffects: Readonly<Record<string, Applier>> = {
  'capture.begin': (context, effect) => {
    const mode = number(context, effect, 'mode');
    const isGiven = pathOf(effect, 'mode') !== '' && pathCell(context, pathOf(effect, 'mode')) !== null;
    write(context, {
      verb: 'capture.begin',
      stream: identified(context, effect),
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
  'capture.end': (context, effect) => {
    const stream = identified(context, effect);
    write(context, {
      verb: 'capture.end',
      stream,
      graph: capturedGraph(context, effect, stream),
    });
  },
  'capture.refuse': (context, effect) => {
    const stream = streamOf(context, effect);
    if (captureFrontier(context.world.events, stream) !== null)
      write(context, { verb: 'call.unsafeInCapture', stream });
  },
  'capture.info': tellCapture,
  'query.capture': (context, effect) => answer(context, effect, captureStatus(context, streamOf(context, effect))),
  'thread.captureMode': exchangeMode,
};

/** The stream that is captured: one that cannot be read is none that is known, and not the default stream. */
function identified(context: EffectContext, effect: ModelEffect): number {
  const stream = handleOrNew(context, effect, 'stream');
  if (stream !== null) return stream;
  const { externals } = context.world;
  const known = externals.get(unread);
  const unknown =
    known?.kind === 'handle' ? known : createHandle(context.world, 'stream', '', context.span, true, true);
  externals.set(unread, unknown);
  return unknown.id;
}

const unread = 'a stream that is not read';

/** The graph that a capture ends with: the one that the program began to capture into, or a new one. */
function capturedGraph(context: EffectContext, effect: ModelEffect, stream: number): number {
  const target = captureTarget(context.world.events, stream);
  if (target === null) return define(context, effect, 'graph', 'graph');
  const cell = pathCell(context, pathOf(effect, 'graph'));
  if (cell) {
    context.world.written.push([cell, cell.value]);
    cell.value = { kind: 'handle', type: 'graph', id: target };
  }
  return target;
}

/** `cudaStreamCaptureStatusNone` and `cudaStreamCaptureStatusActive`; null for a stream from outside that is not seen to capture. */
function captureStatus({ world }: EffectContext, stream: number): number | null {
  if (world.answers) return world.answers.captureStatus(stream);
  if (captureFrontier(world.events, stream) !== null) return captureActive;
  return world.handles[stream]?.external ? null : 0;
}

/**
 * `cudaThreadExchangeStreamCaptureMode`: what the thread may do while others capture; the variable gets what held before. A
 * thread begins in the global mode (CUDA Runtime API, cudaThreadExchangeStreamCaptureMode).
 */
function exchangeMode(context: EffectContext, effect: ModelEffect): void {
  const { world } = context;
  const mode = number(context, effect, 'mode');
  answer(context, effect, world.threadMode, 'mode');
  world.threadMode = mode;
  const cell = pathCell(context, pathOf(effect, 'mode'));
  write(context, {
    verb: 'thread.captureMode',
    allowsUnsafe: mode === null || mode === 2,
    mode,
    isKept: cell === null || cell.owner !== null || outlives(world, cell),
  });
}

/** Whether what a variable holds, or the mode itself, is another one's affair: it is global; the function, or a lambda, may be what a thread runs. */
function outlives(world: World, cell: Cell): boolean {
  if (world.frames.some(({ name }) => name === 'lambda')) return true;
  const isGlobal = [...(world.globals.names?.values() ?? [])].includes(cell);
  return isGlobal || (!world.isWholeProgram && entryOf(world).some((entry) => isNamedElsewhere(world, entry)));
}

/** Whether other functions name this one: what they call is run in them, so that they hand it to somebody. */
function isNamedElsewhere({ program }: World, entry: FunctionDefinition): boolean {
  return namedElsewhere(program).get(entry, false, () =>
    [...program.functions.values()]
      .flat()
      .some((other) => other !== entry && other.body?.mentions.has(lastPart(entry.name))),
  );
}

const namedElsewhere = rememberedByProgram<FunctionDefinition, boolean>();

/**
 * `cudaStreamGetCaptureInfo` writes the graph under capture and what the stream's next work comes after, as handles that
 * the program may build on, and a number that is the capture's own. Of a stream that is not seen to capture the text says nothing.
 */
function tellCapture(context: EffectContext, effect: ModelEffect): void {
  const { world, span } = context;
  const put = (field: string, value: Value): void => {
    const cell = pathCell(context, pathOf(effect, field));
    // A variable of an enumeration that nobody gave a value looks like an object.
    const isObject = cell?.value.kind === 'record' || cell?.value.kind === 'sequence';
    if (cell && (!isObject || value.kind === 'number')) cell.value = value;
  };
  put('edges', unknownValue);
  const stream = streamOf(context, effect);
  const id = captureId(world.events, stream);
  // A capture that somebody else has begun is none of those that are seen here.
  const ofOthers = world.handles[stream]?.external ? numberValue(firstOfOthers + stream, 'u64') : unknownValue;
  put('id', id === null ? ofOthers : numberValue(id));
  const count = captureFrontier(world.events, stream);
  if (count === null) {
    for (const field of ['status', 'graph', 'dependencies', 'count']) put(field, unknownValue);
    answer(context, effect, captureStatus(context, stream), 'status');
    return;
  }
  put('status', numberValue(world.answers?.captureStatus(stream) ?? captureActive));
  if (effect['graph'] === undefined) return;
  const graph = define(context, effect, 'graph', 'graph');
  const nodes = Array.from({ length: count }, () => createHandle(world, 'node', '', span));
  const cells = nodes.map((node) => createCell('', node));
  const sequence = createSequence('dependencies', count, null, false);
  for (const [index, cell] of cells.entries()) sequence.cells.set(index, cell);
  put('dependencies', cells[0] ? { kind: 'pointer', cell: cells[0], sequence, index: 0 } : zero);
  put('count', numberValue(count));
  write(context, { verb: 'capture.info', stream, graph, nodes: nodes.map(({ id }) => id) });
}

/** Captures that are seen are counted from 1. */
const firstOfOthers = 2 ** 40;

/** `cudaStreamCaptureStatusActive`. */
const captureActive = 1;
