/** What a member begins as where its declaration in the class says so. */

import type { Declaration, Expression } from '../../program/program.ts';
import { store } from '../expressions/assign.ts';
import { evaluate } from '../expressions/evaluate.ts';
import { wrapperOver } from '../library/reference-wrappers.ts';
import { textHeldBy } from '../library/strings.ts';
import { construct } from '../objects/construct.ts';
import { weakOf } from '../objects/weak-pointers.ts';
import { lastPart, resolveType } from '../program-table.ts';
import type { Scope } from '../scope.ts';
import { type Cell, createSequence, isHolder, numberValue } from '../value.ts';
import { nameSharedAfter } from '../value-names.ts';
import type { World } from '../world.ts';
import { holdsElements, isScalar, substitute } from './types.ts';

/** Gives a member what its declaration says that it begins as. */
export function beginField(
  world: World,
  scope: Scope,
  cell: Cell,
  field: Declaration,
  initial: NonNullable<Declaration['initializer']>,
): void {
  const type = substitute(field.type, scope);
  const isObject = type.extents.length > 0 || !isScalar(world.program, type);
  const isFilled = isObject || (initial.kind === 'list' && initial.elements.length > 0);
  const wrapper = wrapperOver(world, scope, field.type, initial);
  if (wrapper) cell.value = wrapper;
  else if (initial.kind === 'list' && initial.isShared) cell.value = evaluate(world, scope, initial);
  else if (initial.kind === 'list' && isFilled && field.type.name !== 'auto') fillFromList(world, scope, cell, initial);
  else if (!(initial.kind === 'list' && initial.elements.length === 0)) {
    const given = evaluate(world, scope, initial);
    const isInHolder = given.kind !== 'record' && cell.value.kind === 'record' && isHolder(cell.value.record);
    if (given.kind === 'number' || isInHolder) store(world, scope, cell, given);
    else if (given.kind === 'record' && lastPart(field.type.name) === 'weak_ptr') cell.value = weakOf(given) ?? given;
    else if (given.kind === 'string') cell.value = textHeldBy(field.type, given);
    else if (!(cell.value.kind === 'record' && given.kind === 'sequence')) cell.value = given;
    nameSharedAfter(cell);
  } else if (field.type.name === 'auto')
    cell.value = { kind: 'sequence', sequence: createSequence(field.name, 0, null, true) };
  else if (isScalar(world.program, type)) cell.value = numberValue(0);
}

/** `T parts[2] = {}`, `T part{a, b}`: an array or a container is filled, an object is made. */
function fillFromList(world: World, scope: Scope, cell: Cell, list: Expression & { kind: 'list' }): void {
  const { type } = cell;
  if (!type) return;
  const made =
    type.extents.length > 0 || isScalar(world.program, type) || holdsElements(resolveType(world.program, type))
      ? evaluate(world, scope, list)
      : construct(world, scope, { kind: 'construct', type, arguments: [list], isNew: false, span: list.span });
  store(world, scope, cell, made);
}
