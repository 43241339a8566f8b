/** What a piece of the program assigns by name: to forget it where the piece is not run to its end. */

import type { Expression } from '../program/program.ts';
import { eachNode } from '../program/walk.ts';
import { unknownValue, type Value } from './value.ts';

export interface Assigned {
  /** Variables. */
  readonly names: ReadonlySet<string>;
  /** Arrays of which an element is assigned. */
  readonly arrays: ReadonlySet<string>;
  /** Something else: a member, what a function returned. */
  readonly others: boolean;
}

const cache = new WeakMap<object, Assigned>();

export function assignedIn(root: object): Assigned {
  const known = cache.get(root);
  if (known) return known;
  const names = new Set<string>();
  const arrays = new Set<string>();
  let others = false;
  eachNode(root, (node) => {
    const target = node.kind === 'assign' ? node.target : node.kind === 'update' ? node.operand : null;
    if (!target) return;
    const array = arrayOf(target);
    if (target.kind === 'name') names.add(target.name);
    else if (array !== null) arrays.add(array);
    else others = true;
  });
  const result = { names, arrays, others };
  cache.set(root, result);
  return result;
}

/** `a` of `a[i]`, `a[i][j]`, `a[i].x`, `*a`. */
function arrayOf(target: Expression): string | null {
  let current = target;
  let isElement = false;
  for (;;) {
    if (current.kind === 'index') {
      isElement = true;
      current = current.object;
    } else if (current.kind === 'member') current = current.object;
    else if (current.kind === 'unary' && current.operator === '*') {
      isElement = true;
      current = current.operand;
    } else return isElement && current.kind === 'name' ? current.name : null;
  }
}

/** A value that says nothing about memory or CUDA: forgetting it loses a number, not an identity. */
export function isScalarValue(value: Value): boolean {
  return value.kind === 'number' || value.kind === 'symbol' || value.kind === 'string' || value.kind === 'unknown';
}

/** Forgets the numbers in an array. */
export function forgetElements(value: Value): void {
  const sequence = value.kind === 'sequence' || value.kind === 'pointer' ? value.sequence : null;
  for (const cell of sequence?.cells.values() ?? []) if (isScalarValue(cell.value)) cell.value = unknownValue;
}
