/** What a piece of the program assigns: to forget it where the piece is not run, or not to its end. */

import { Attached } from '../../base/attached.ts';
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
  /** The last parts of what is assigned: `x` of `a[i].x`. */
  readonly fields: ReadonlySet<string>;
  /** Something else: what a function returned. */
  readonly others: boolean;
  /** Calls, which may assign as well. */
  readonly calls: readonly CallExpression[];
  /** Variables that only live inside. */
  readonly declared: ReadonlySet<string>;
}

const cache = new Attached<object, Assigned>();

export function assignedIn(root: object): Assigned {
  const known = cache.get(root);
  if (known) return known;
  const names = new Set<string>();
  const arrays: Expression[] = [];
  const members: Expression[] = [];
  const calls: CallExpression[] = [];
  const declared = new Set<string>();
  const fields = new Set<string>();
  /** Names that stand for something else: references, pointers, the element of a loop over a range. */
  const aliases = new Map<string, { readonly place: Expression; readonly isPointer: boolean }>();
  let others = false;
  const assign = (target: Expression): void => {
    const array = arrayOf(target);
    if (target.kind === 'name') names.add(target.name);
    else if (array !== null) arrays.push(array);
    else if (target.kind === 'member') members.push(target);
    else others = true;
  };
  eachNode(root, (node) => {
    if (node.kind === 'call') calls.push(node);
    else if (node.kind === 'declare') {
      for (const each of node.declarations) {
        declared.add(each.name);
        const isPointer = each.type.pointers > 0 && !each.type.isReference;
        if (each.initializer && (each.type.isReference || isPointer))
          aliases.set(each.name, { place: each.initializer, isPointer });
      }
    } else if (node.kind === 'forEach') {
      const { declaration, range } = node;
      if (declaration) declared.add(declaration.name);
      const isCopy = declaration ? !declaration.type.isReference : node.isOfCopies;
      if (!isCopy)
        for (const name of declaration ? [declaration.name] : node.names)
          aliases.set(name, {
            place: { kind: 'index', object: range, index: range, span: range.span },
            isPointer: false,
          });
    }
    const target = node.kind === 'assign' ? node.target : node.kind === 'update' ? node.operand : null;
    if (!target) return;
    if (target.kind === 'member') fields.add(target.name);
    assign(target);
  });
  const through = [...names].map((name): [string, boolean] => [name, true]);
  for (const target of [...arrays, ...members]) through.push([rootOf(target), false]);
  for (let index = 0; index < through.length; index++) {
    const [name, isItself] = through[index]!;
    const source = aliases.get(name);
    if (!source || (source.isPointer && isItself)) continue;
    aliases.delete(name);
    const { place } = source;
    if (source.isPointer && place.kind !== 'unary') arrays.push(place.kind === 'binary' ? place.left : place);
    else if (isPlace(place)) assign(place.kind === 'unary' && place.operator === '&' ? place.operand : place);
    through.push([rootOf(place), true]);
  }
  const result = { names, arrays, members, fields, others, calls, declared };
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

/** The variable that what is written begins with; nothing where it is none. */
export function rootOf(written: Expression): string {
  let current = written;
  for (;;) {
    if (current.kind === 'name') return current.name;
    if (current.kind === 'index' || current.kind === 'member') current = current.object;
    else if (current.kind === 'unary') current = current.operand;
    else if (current.kind === 'binary') current = current.left;
    else return '';
  }
}

/** Something of which it is written where it is. */
function isPlace({ kind }: Expression): boolean {
  return kind === 'name' || kind === 'member' || kind === 'index' || kind === 'unary';
}

/** A value that says nothing about memory or CUDA: forgetting it loses a number, not an identity. */
export function isScalarValue(value: Value): boolean {
  return value.kind === 'number' || value.kind === 'symbol' || value.kind === 'string' || value.kind === 'unknown';
}

/** Forgets the numbers in an array, and those of its structures that are called as one of `fields`. */
export function forgetElements(value: Value, fields: ReadonlySet<string> | null = null): void {
  const sequence = value.kind === 'sequence' || value.kind === 'pointer' ? value.sequence : null;
  if (!sequence) return;
  sequence.isZero = false;
  for (const cell of sequence.cells.values()) {
    if (isScalarValue(cell.value)) cell.value = unknownValue;
    else if (fields && cell.value.kind === 'record')
      for (const [name, field] of cell.value.record.fields)
        if (fields.has(name) && isScalarValue(field.value)) field.value = unknownValue;
  }
}
