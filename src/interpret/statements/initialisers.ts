/** What is asked of the value that a variable begins with. */

import type { Expression } from '../../program/program.ts';
import { someNode } from '../../program/walk.ts';
import type { NumberValue } from '../value.ts';

/** Lists of more elements are tables of numbers. */
const mostLinked = 64;

/** Whether a list names the variable that it is for. */
export function namesItself(name: string, list: Expression): boolean {
  if (list.kind !== 'list' || list.elements.length > mostLinked) return false;
  return someNode(list, (node) => node.kind === 'name' && node.name === name);
}

/** Of an enumerator. */
export function isWiderThanInt({ value, isRounded }: NumberValue): boolean {
  return isRounded === true || value >= 2 ** 31 || value < -(2 ** 31);
}
