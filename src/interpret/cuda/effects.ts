/** Each verb of the models: which paths it reads and which event it writes. */

import { loaded } from '../../base/loaded.ts';
import { decide } from '../choices/decisions.ts';
import { functionNamed } from '../function-names.ts';
import { isGone } from '../gone.ts';
import { lostByStoring } from '../lost-memory.ts';
import { heldBy, isNull, numberValue, unknownValue } from '../value.ts';
import { firstDevice, noteGap, visit } from '../world.ts';
import type { EffectContext } from './apply-model.ts';
import { callOfCuda } from './callback-calls.ts';
import { captureEffects } from './capture-effects.ts';
import { giveSymbolAddress } from './device-symbols.ts';
import { devicePointer, handle, number, pathOf, pathsOf } from './effect-values.ts';
import {
  type Applier,
  answer,
  define,
  defineAllocation,
  ifHandle,
  streamOf,
  withoutHandle,
  write,
} from './effect-writing.ts';
import { graphEffects } from './graph-effects.ts';
import { hostMemoryNamed, pinHostMemory, unpinHostMemory } from './host-objects.ts';
import { forgetNumbers } from './host-results.ts';
import { libraryEffects } from './library-calls.ts';
import { noteManagedWrites } from './managed-variables.ts';
import { functionName, operationOf } from './operation.ts';
import { pathCell, pathValue } from './paths.ts';
import { writePointerAttributes } from './pointer-queries.ts';
import { poolEffects } from './pool-effects.ts';

/**
 * Whether a query says that the work is done. Who looks at the answer goes on when it does, as in
 * `while (cudaStreamQuery(s) != cudaSuccess);`, or otherwise when it does not: that is a path of its own.
 */
function isDone({ world, span }: EffectContext): boolean {
  if (world.unheeded === span) return false;
  if (world.answers || world.mayFail) return true;
  const nth = visit(world, `query ${span.file}:${span.start}`);
  if (nth > 1 || decide(world, unknownValue, span, true, false, 'surely', undefined, `query ${nth}`)) return true;
  world.status = notReady;
  return false;
}

/** `cudaErrorNotReady`. */
const notReady = 600;

export const effectAppliers: Readonly<Record<string, Applier>> = {
  ...loaded(graphEffects),
  ...loaded(captureEffects),
  ...loaded(libraryEffects),
  ...loaded(poolEffects),
  'symbol.address': giveSymbolAddress,
  'memory.ask': (context, effect) => {
    const { value } = pathCell(context, pathOf(effect, 'pointer')) ?? {};
    if (value?.kind !== 'device' || context.world.allocations[value.allocation]?.origin !== 'managed') return;
    const touched = { allocation: value.allocation, offset: value.offset };
    write(context, { verb: 'host.access', touched, mode: 'about', unknownSince: -1 });
  },
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
    if (scope === 'event' && target === null) withoutHandle(context, effect, 'handle', 'event');
    const query = effect['query'] === true && !isDone(context);
    write(context, { verb: 'host.synchronise', scope, handle: target, query });
  },
  'device.trim': (context, effect) =>
    write(context, { verb: 'device.trim', device: number(context, effect, 'device') }),
  'stream.operation': (context, effect) => {
    const operation = operationOf(context, effect);
    noteManagedWrites(context.world, operation.accesses);
    const direction = effect['direction'] ? number(context, effect, 'direction') : null;
    const blocking = effect['blocking'] === true && direction !== 3;
    write(context, { verb: 'stream.operation', stream: streamOf(context, effect), operation, blocking });
  },
  'memory.allocate': (context, effect) => {
    const origin = effect['origin'] === 'host' ? 'host' : effect['origin'] === 'managed' ? 'managed' : 'device';
    const cell = pathCell(context, pathOf(effect, 'pointer'));
    const loses = cell?.value.kind === 'device' ? lostByStoring(context.world, context.scope, cell) : null;
    const allocation = defineAllocation(context, effect, origin);
    write(context, {
      verb: 'memory.allocate',
      allocation,
      unsafeInCapture: context.row.unsafeInCapture === true,
      ...(loses === null ? {} : { loses }),
    });
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
  'host.pin': (context, effect) => pinHostMemory(context, pathOf(effect, 'pointer')),
  'host.unpin': (context, effect) => unpinHostMemory(context, pathOf(effect, 'pointer')),
  'memory.freeHost': (context, effect) =>
    write(context, {
      verb: 'memory.freeHost',
      pointer: devicePointer(context, pathOf(effect, 'pointer')),
      unknownSince: context.world.unknownAt,
    }),
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
    const ofHost = pointer || isNullPointer ? null : hostMemoryNamed(context, pathOf(effect, 'pointer'));
    if (!pointer && !isNullPointer && ofHost === null)
      noteGap(context.world, 'unknown pointer', context.row.name, context.span);
    write(context, {
      verb: 'memory.freeAsync',
      stream: streamOf(context, effect),
      pointer,
      isNull: isNullPointer,
      ...(ofHost === null ? {} : { ofHost }),
    });
  },
  'device.setAttribute': (context, effect) =>
    write(context, {
      verb: 'device.setAttribute',
      attribute: number(context, effect, 'attribute'),
      value: number(context, effect, 'value'),
    }),
  'write.unknown': (context, effect) => {
    const cell = pathCell(context, pathOf(effect, 'target'));
    if (cell?.value.kind === 'record') forgetNumbers(cell);
    else if (cell && cell.value.kind !== 'sequence') cell.value = unknownValue;
  },
  'write.number': (context, effect) => {
    const { world, span } = context;
    const cell = pathCell(context, pathOf(effect, 'target'));
    if (!cell) return;
    const plain = pathOf(effect, 'label') || context.row.name;
    let name = plain;
    for (let other = 2; world.symbols.has(name); other++) name = `${plain} (${other})`;
    world.symbols.set(name, span);
    cell.value = { kind: 'symbol', size: { kind: 'symbol', name }, hint: null };
  },
  // Nobody knows it, but an ordinary run is one where it is not 0.
  'write.likely': (context, effect) => {
    const { world, row, span } = context;
    const cell = pathCell(context, pathOf(effect, 'target'));
    if (!cell || cell.value.kind === 'record' || cell.value.kind === 'sequence') return;
    const name = `${row.name} at ${span.start} #${visit(world, `likely ${span.file}:${span.start}`)}`;
    cell.value = { kind: 'symbol', size: { kind: 'symbol', name }, hint: 1 };
  },
  'write.value': (context, effect) => {
    const cell = pathCell(context, pathOf(effect, 'target'));
    if (cell) cell.value = pathValue(context, pathOf(effect, 'value'));
  },
  'write.pointees': (context) => {
    for (const { value } of context.arguments)
      if (value.kind === 'pointer' && value.cell.value.kind === 'number') value.cell.value = unknownValue;
  },
  'write.kernel': (context, effect) => {
    const cell = pathCell(context, pathOf(effect, 'target'));
    const name = pathValue(context, pathOf(effect, 'name'));
    if (!cell) return;
    cell.value =
      name.kind === 'string' ? { kind: 'function', name: sourceName(name.value), receiver: null } : unknownValue;
  },
  'write.function': (context, effect) => {
    const cell = pathCell(context, pathOf(effect, 'target'));
    if (cell) cell.value = functionNamed(context.world, pathValue(context, pathOf(effect, 'name')));
  },
  'device.set': (context, effect) => {
    const chosen = pathCell(context, pathOf(effect, 'device'));
    const { world } = context;
    world.device = chosen ? heldBy(chosen) : unknownValue;
    const isOpen = world.device === firstDevice && !world.isWholeProgram;
    write(context, { verb: 'device.set', device: isOpen ? null : number(context, effect, 'device') });
  },
  'device.reset': (context) => write(context, { verb: 'device.reset' }),
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
  // Recordings of two devices were made where peers can reach each other (`enable_peer_access_does_not_help`).
  'query.peerAccess': (context, effect) => answer(context, effect, context.world.answers ? 1 : null),
  'query.handles': (context, effect) => {
    const { events, gone } = context.world;
    // When an event that a capture recorded has come nobody can tell.
    const mayBeCaptured = effect['type'] === 'event' && events.some(({ verb }) => verb === 'capture.begin');
    const handles = pathsOf(effect['handles']).flatMap((path) => {
      const value = pathValue(context, path);
      return value.kind === 'handle' && value.type === effect['type'] && (mayBeCaptured || isGone(gone, value))
        ? [value.id]
        : [];
    });
    if (handles.length > 0) write(context, { verb: 'handle.asked', handles });
  },
  'callback.keep': (context, effect) => {
    const called = pathValue(context, pathOf(effect, 'function'));
    const hostCall = callOfCuda(context.world, called);
    if (hostCall) write(context, { verb: 'callback.given', label: functionName(called) ?? '', hostCall });
  },
  'query.memory': (context, effect) => {
    const pointer = devicePointer(context, pathOf(effect, 'pointer'));
    if (pointer && context.world.gone.allocations.has(pointer.allocation))
      write(context, { verb: 'memory.asked', pointer });
  },
  'query.pointer': (context, effect) =>
    writePointerAttributes(context, pathOf(effect, 'target'), pathOf(effect, 'pointer')),
  'write.zero': (context, effect) => {
    const cell = pathCell(context, pathOf(effect, 'target'));
    if (cell) cell.value = numberValue(0);
  },
  'write.device': (context, effect) => {
    const cell = pathCell(context, pathOf(effect, 'target'));
    if (cell) cell.value = context.world.device;
  },
};

/** A function's name as the text has it, from the one in a module: `_Z5scalePfi` is `scale` (Itanium C++ ABI, 5.1.2). */
function sourceName(symbol: string): string {
  const digits = /^_Z(\d+)/.exec(symbol)?.[1];
  return digits === undefined ? symbol : symbol.slice(2 + digits.length, 2 + digits.length + Number(digits));
}

/** The stream that a call puts work into. */
export function enqueuedIn(context: EffectContext): number | null {
  const enqueues = context.row.effects?.find(({ verb }) => verb === 'stream.operation');
  return enqueues ? streamOf(context, enqueues) : null;
}
