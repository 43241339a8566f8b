/**
 * Functions of the host that a stream or a graph calls, at a time that nobody here knows: what they store is unknown from the
 * moment in which they may run.
 */

import type { ModelEffect } from '../../models/model.ts';
import { forgetAssigned, forgetLater } from '../choices/forgetting.ts';
import type { Value } from '../value.ts';
import type { World } from '../world.ts';
import type { EffectContext } from './apply-model.ts';
import { pathOf } from './effect-values.ts';
import { pathValue } from './paths.ts';

/** A function and what it is given. */
export interface HostCallback {
  readonly called: Value;
  readonly data: Value;
}

/** So many are followed. */
const mostFollowed = 16;

/** A stream or a graph is given a function to call. */
export function noteCallback(context: EffectContext, effect: ModelEffect): void {
  const { world } = context;
  const called = pathValue(context, pathOf(effect, 'function'));
  const data = pathValue(context, pathOf(effect, 'userData'));
  const isKnown = world.callbacks.some((each) => isSame(each.called, called) && isSame(each.data, data));
  if (!isKnown && world.callbacks.length < mostFollowed) world.callbacks.push({ called, data });
  forgetBy(world, { called, data });
}

/** The functions that graphs call may run, again. */
export function forgetByCallbacks(world: World): void {
  for (const callback of world.callbacks) forgetBy(world, callback);
}

function forgetBy(world: World, { called, data }: HostCallback): void {
  if (called.kind === 'closure') {
    forgetAssigned(world, called.scope, called.lambda.body);
    return;
  }
  const held = called.kind === 'pointer' ? called.cell.value : called;
  if (held.kind !== 'function') return;
  for (const definition of world.program.functions.get(held.name) ?? []) forgetLater(world, definition, data);
}

function isSame(first: Value, second: Value): boolean {
  if (first.kind === 'function' && second.kind === 'function') return first.name === second.name;
  if (first.kind === 'pointer' && second.kind === 'pointer') return first.cell === second.cell;
  return first.kind === second.kind && first.kind === 'number';
}
