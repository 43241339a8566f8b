/** What a launch gives a kernel. */

import type { Parameter } from '../../program/program.ts';
import { convertedTo } from '../expressions/conversions.ts';
import { asReturned } from '../objects/implicit.ts';
import type { Scope } from '../scope.ts';
import { substitute } from '../types/types.ts';
import { type Cell, createCell } from '../value.ts';
import type { World } from '../world.ts';
import type { Argument } from './call.ts';

/** What a kernel is given: of a list the object that its parameter is, of an object that its parameter is not, what the object converts to. */
export function passedCell(
  world: World,
  scope: Scope,
  { value, cell, expression, span }: Argument,
  parameter: Parameter | undefined,
): Cell {
  if (expression?.kind === 'list' && parameter)
    return createCell('', asReturned(world, scope, parameter.type, value, span), parameter.type);
  // The cell is the pointer's that was cast.
  if (expression?.kind === 'cast' && value.kind === 'device')
    return createCell(cell?.name ?? '', value, substitute(expression.type, scope));
  const converted = value.kind === 'record' && parameter ? convertedTo(world, value.record, parameter.type) : null;
  return converted ? createCell(cell?.name ?? '', converted, parameter?.type ?? null) : (cell ?? createCell('', value));
}
