/** A model row applied to a call: its access paths resolved, its effects written to the trace. */

import type { Span } from '../../base/span.ts';
import type { ModelEffect, ModelRow } from '../../models/model.ts';
import type { Argument } from '../calls/call.ts';
import type { Scope } from '../scope.ts';
import { createCell, createRecord, heldBy, statusValue, unknownValue, type Value } from '../value.ts';
import { emit, noteGap, visit, type World } from '../world.ts';
import { effectAppliers, enqueuedIn } from './effects.ts';
import { forgetManaged } from './managed-variables.ts';
import { type PathContext, pathCell, pathValue } from './paths.ts';

/** What an effect is applied with. */
export interface EffectContext extends PathContext {
  readonly scope: Scope;
  readonly row: ModelRow;
  readonly span: Span;
}

export function applyRow(
  world: World,
  scope: Scope,
  row: ModelRow,
  values: readonly Argument[],
  span: Span,
  self: PathContext['self'] = null,
): Value {
  const context: EffectContext = { world, scope, row, span, arguments: values, self, result: createCell('return') };
  world.called.add(span);
  world.status = 0;
  world.written.length = 0;
  for (const effect of effectsOf(context)) {
    const apply = effectAppliers[effect.verb];
    if (apply) apply(context, effect);
    else if (effect.verb === 'error.clear') continue;
    else noteGap(world, 'model', `${row.name}: no such verb: ${effect.verb}`, span);
  }
  if (row.unsafeInCapture && !(row.effects ?? []).some(({ verb }) => sayThatTheyAreUnsafe.has(verb)))
    emit(world, row.name, span, [], {
      verb: 'call.unsafeInCapture',
      stream: enqueuedIn(context),
      ...(row.waitsInFact ? { waitsInFact: true } : {}),
    });
  forgetManaged(world);
  if (world.status !== 0) for (const [cell, before] of world.written.reverse()) cell.value = before;
  return resultOf(context);
}

const sayThatTheyAreUnsafe: ReadonlySet<string> = new Set(['memory.allocate', 'memory.free', 'pool.create']);

function effectsOf(context: EffectContext): readonly ModelEffect[] {
  const { row, world, span } = context;
  const select = row.select;
  if (!select) return row.effects ?? [];
  const value = pathValue(context, select.path);
  for (const [name, effects] of Object.entries(select.cases)) {
    const constant = world.models.constants.get(name) ?? Number(name);
    if ((value.kind === 'number' && value.value === constant) || (value.kind === 'string' && value.value === name))
      return effects;
  }
  noteGap(world, 'unknown argument', `${row.name}: ${select.path} is not known`, span);
  return row.effects ?? [];
}

/** Success, unless the path says otherwise. */
function openStatus({ world, row, span }: EffectContext): Value {
  const name = `${row.name} at ${span.start} #${visit(world, `status ${span.file}:${span.start}`)}`;
  world.mayFail?.add(name);
  return { kind: 'symbol', size: { kind: 'symbol', name }, hint: 0, isStatus: true };
}

function resultOf(context: EffectContext): Value {
  const returns = context.row.returns;
  if (returns === undefined) return context.result.value;
  if (returns === 'status') return context.world.mayFail ? openStatus(context) : statusValue(context.world.status);
  if (returns === 'lastError') {
    const error = context.world.lastError;
    if (context.row.effects?.some((effect) => effect.verb === 'error.clear')) context.world.lastError = 0;
    return statusValue(error);
  }
  if (typeof returns === 'string') return pathValue(context, returns);
  const record = createRecord('', true);
  for (const [name, path] of Object.entries(returns.record)) {
    const given = pathCell(context, path);
    // An address from outside stays the one that was given.
    const isAddress = given?.type && given.type.pointers > 0;
    record.fields.set(
      name,
      isAddress ? createCell(given.name, heldBy(given), given.type) : createCell(name, pathValue(context, path)),
    );
  }
  return record.fields.size > 0 ? { kind: 'record', record: { ...record, className: context.row.name } } : unknownValue;
}
