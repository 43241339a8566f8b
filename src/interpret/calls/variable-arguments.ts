/** Packs of parameters, and `va_list`: the arguments behind those that a function names, taken one after the other. */

import type { Parameter } from '../../program/program.ts';
import { elementCell } from '../expressions/elements.ts';
import { bind, isThunk, lookUp, type Scope } from '../scope.ts';
import { createCell, createSequence, unknownValue, type Value } from '../value.ts';
import type { Argument } from './call.ts';

/** Where what a parameter is given stands among so many arguments: a pack in front of others leaves them theirs. */
export function placeOfArgument(parameters: readonly Parameter[], count: number, index: number): number {
  if (count === parameters.length) return index;
  const pack = parameters.findIndex(({ isPack }) => isPack);
  return pack < 0 || index <= pack ? index : count - parameters.length + index;
}

/** No name that a program can have. */
const further = '(further arguments)';

export function bindFurther(scope: Scope, values: readonly Argument[]): void {
  const sequence = createSequence('arguments', values.length, null, false);
  for (const [index, { value }] of values.entries()) sequence.cells.set(index, createCell(`${index}`, value));
  bind(scope, further, createCell(further, { kind: 'sequence', sequence }));
}

/** `va_start(list, last)`. */
export function startArguments(scope: Scope, list: Argument | undefined): void {
  const all = lookUp(scope, further);
  const value = all && !isThunk(all) ? all.value : unknownValue;
  if (!list?.cell) return;
  list.cell.value =
    value.kind === 'sequence'
      ? { kind: 'pointer', cell: elementCell(value.sequence, 0), sequence: value.sequence, index: 0 }
      : unknownValue;
}

/** `va_arg(list, type)`: the next one; the list goes on behind it. */
export function nextArgument(list: Argument | undefined): Value {
  const at = list?.value;
  if (!list?.cell || at?.kind !== 'pointer' || !at.sequence || at.index >= (at.sequence.length ?? 0))
    return unknownValue;
  list.cell.value = { ...at, cell: elementCell(at.sequence, at.index + 1), index: at.index + 1 };
  return at.cell.value;
}
