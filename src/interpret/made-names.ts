/** What memory is called that the host makes without giving it a name, as `malloc` and `new` do: after the first variable that leads to it. */

import type { Cell, Sequence, Value } from './value.ts';

/** The variable, and in how deep a call it stands: one further out says more. */
export interface Called {
  readonly name: string;
  readonly depth: number;
}

const madeUp: ReadonlySet<string> = new Set(['buffer', 'new']);

/** What elements of an array are named after. */
export function calledName({ called, name }: Pick<Sequence, 'called' | 'name'>): string {
  return called?.name ?? name;
}

/** A variable leads to the first element from here on. */
export function nameMemoryAfter(value: Value, name: string, depth: number): void {
  if (value.kind !== 'pointer' || !value.sequence || value.index !== 0) return;
  const { sequence } = value;
  if (!madeUp.has(sequence.name) || !/^[A-Za-z_]\w*$/.test(name)) return;
  if (sequence.called && sequence.called.depth <= depth) return;
  const before = calledName(sequence);
  sequence.called = { name, depth };
  for (const cell of sequence.cells.values()) rename(cell, before, name);
}

function rename(cell: Cell, before: string, name: string): void {
  if (cell.name.startsWith(`${before}[`)) cell.name = name + cell.name.slice(before.length);
}
