/** `cudaGraphKernelNodeGetParams`: the kernel of a node, and what it was given, as far as that is memory of the device. */

import type { ModelEffect } from '../../models/model.ts';
import type { Operation, TraceEvent } from '../../trace/event.ts';
import { createCell, createSequence, pointerTo, unknownValue, type Value } from '../value.ts';
import type { EffectContext } from './apply-model.ts';
import { placeOfNode } from './built-so-far.ts';
import { handle, pathOf } from './effect-values.ts';
import { kernelDefinition } from './operation.ts';
import { pathCell } from './paths.ts';

/** Writes what the node is known to do into the structure; what is not known is unknown there. */
export function tellKernel(context: EffectContext, effect: ModelEffect): void {
  const node = handle(context, effect, 'node', 'node');
  const operation = node === null ? null : kernelOf(context.world.events, node);
  const definition = operation ? kernelDefinition(context.world, operation.label) : undefined;
  const named: Value = definition ? { kind: 'function', name: definition.name, receiver: null } : unknownValue;
  const function_ = pathCell(context, pathOf(effect, 'function'));
  if (function_) function_.value = named;
  const packed = pathCell(context, pathOf(effect, 'kernelArguments'));
  if (!packed) return;
  packed.value = unknownValue;
  const pointers = definition?.parameters.filter(({ type }) => type.pointers > 0).length;
  if (!operation || !definition || pointers !== operation.accesses.length) return;
  const given = operation.accesses.map(({ pointer }): Value => ({ kind: 'device', ...pointer, elementBytes: null }));
  const sequence = createSequence('kernelParams', definition.parameters.length, null, false);
  for (const [index, { type }] of definition.parameters.entries()) {
    const value = type.pointers > 0 ? given.shift() : undefined;
    sequence.cells.set(index, createCell('', pointerTo(createCell('', value ?? unknownValue))));
  }
  packed.value = { kind: 'pointer', cell: sequence.cells.get(0) ?? createCell(''), sequence, index: 0 };
}

/** What the node does by now; null when it is no kernel that is seen to be added or captured. */
function kernelOf(events: readonly TraceEvent[], handle: number): Operation | null {
  const name = placeOfNode(events, handle)?.node.name;
  if (name === undefined) return null;
  let operation: Operation | null = null;
  for (const event of events) {
    const isSet = (event.verb === 'node.add' || event.verb === 'node.update') && `node ${event.node}` === name;
    if (isSet || (event.verb === 'stream.operation' && `event ${event.index}` === name)) operation = event.operation;
  }
  return operation?.kind === 'kernel' ? operation : null;
}
