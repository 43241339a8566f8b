/** What a piece of the program assigns: to forget it where the piece is not run, or not to its end. */

import type { CallExpression, Expression } from '../../program/program.ts';
import { eachNode } from '../../program/walk.ts';
import { unknownValue, type Value } from '../value.ts';

export interface Assigned {
  /** Variables. */
  readonly names: ReadonlySet<string>;
  /** Arrays of which an element is assigned, as they are written: `a` of `a[i]`, `s.a` of `s.a[i].x`, `p` of `*p`. */
  readonly arrays: readonly Expression[];
  /** Members: `s.total`, `this->count`. */
  readonly members: readonly Expression[];
  /** Something else: what a function returned. */
  readonly others: boolean;
  /** Calls, which may assign as well. */
  readonly calls: readonly CallExpression[];
  /** Variables that only live inside. */
  readonly declared: ReadonlySet<string>;
}

const cache = new WeakMap<object, Assigned>();

export function assignedIn(root: object): Assigned {
  const known = cache.get(root);
  if (known) return known;
  const names = new Set<string>();
  const arrays: Expression[] = [];
  const members: Expression[] = [];
  const calls: CallExpression[] = [];
  const declared = new Set<string>();
  let others = false;
  eachNode(root, (node) => {
    if (node.kind === 'call') calls.push(node);
    else if (node.kind === 'declare') for (const each of node.declarations) declared.add(each.name);
    else if (node.kind === 'forEach' && node.declaration) declared.add(node.declaration.name);
    const target = node.kind === 'assign' ? node.target : node.kind === 'update' ? node.operand : null;
    if (!target) return;
    const array = arrayOf(target);
    if (target.kind === 'name') names.add(target.name);
    else if (array !== null) arrays.push(array);
    else if (target.kind === 'member') members.push(target);
    else others = true;
  });
  const result = { names, arrays, members, others, calls, declared };
  cache.set(root, result);
  return result;
}

/** The outermost array of an element: `a` of `a[i]`, `a[i][j]`, `a[i].x`, `*a`. */
function arrayOf(target: Expression): Expression | null {
  let current = target;
  let array: Expression | null = null;
  for (;;) {
    if (current.kind === 'index') array = current = current.object;
    else if (current.kind === 'member') current = current.object;
    else if (current.kind === 'unary' && current.operator === '*') array = current = current.operand;
    else return array;
  }
}

/** A value that says nothing about memory or CUDA: forgetting it loses a number, not an identity. */
export function isScalarValue(value: Value): boolean {
  return value.kind === 'number' || value.kind === 'symbol' || value.kind === 'string' || value.kind === 'unknown';
}

/** Forgets the numbers in an array. */
export function forgetElements(value: Value): void {
  const sequence = value.kind === 'sequence' || value.kind === 'pointer' ? value.sequence : null;
  if (!sequence) return;
  sequence.isZero = false;
  for (const cell of sequence.cells.values()) if (isScalarValue(cell.value)) cell.value = unknownValue;
}
