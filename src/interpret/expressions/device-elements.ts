/** `float &first = data[0]`, `return data_[y * width + x];` of a reference: elements of memory of the device, named without being read. */

import type { Expression } from '../../program/program.ts';
import { seenAs } from '../calls/seen-as.ts';
import { ownedArray } from '../objects/owners.ts';
import type { Scope } from '../scope.ts';
import { type Cell, unknownValue, type Value } from '../value.ts';
import type { World } from '../world.ts';
import { evaluate } from './evaluate.ts';
import { combine } from './operators.ts';

/** The element that a reference is to; null where the expression names anything else. */
export function deviceElement(world: World, scope: Scope, expression: Expression): Cell | null {
  const isIndex = expression.kind === 'index' && !expression.isScript;
  const pointer = isIndex
    ? expression.object
    : expression.kind === 'unary' && expression.operator === '*'
      ? expression.operand
      : null;
  // What it takes to find it is done again for what turns out to be something else.
  if (!pointer || !isRepeatable(pointer)) return null;
  const base = ownedArray(evaluate(world, scope, pointer));
  if (base.kind !== 'device') return null;
  const index = isIndex ? evaluate(world, scope, expression.index) : null;
  const at: Value = index ? combine('+', base, index) : base;
  const deviceAt = at.kind === 'device' ? at : { ...base, offset: null, distance: undefined };
  return { value: unknownValue, type: seenAs(world, scope, expression, 0), name: 'element', owner: null, deviceAt };
}

/** Whether nothing happens when it is evaluated. */
function isRepeatable(expression: Expression): boolean {
  switch (expression.kind) {
    case 'name':
    case 'number':
      return true;
    case 'member':
      return isRepeatable(expression.object);
    case 'cast':
      return isRepeatable(expression.operand);
    case 'binary':
      return isRepeatable(expression.left) && isRepeatable(expression.right);
    default:
      return false;
  }
}
