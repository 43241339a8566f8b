/** Structures in unions: what is put into one as a whole is what the other members have there, too. */

import type { TypeReference } from '../../program/program.ts';
import type { Cell, RecordObject, Value } from '../value.ts';

/** A structure in a union, or in one that is. */
class Whole implements Cell {
  readonly type: TypeReference | null;
  readonly name: string;
  readonly owner: RecordObject;
  #value: Value;
  readonly #put: () => void;

  constructor({ type, name, value }: Cell, owner: RecordObject, put: () => void) {
    this.type = type;
    this.name = name;
    this.owner = owner;
    this.#value = value;
    this.#put = put;
  }

  get value(): Value {
    return this.#value;
  }

  set value(value: Value) {
    this.#value = value;
    this.#put();
  }
}

/** Where a structure is given a value as a whole, or one in it, `put` is told. */
export function noteWhole(owner: RecordObject, name: string, put: () => void): void {
  const cell = owner.fields.get(name);
  if (cell?.value.kind !== 'record') return;
  if (!(cell instanceof Whole)) owner.fields.set(name, new Whole(cell, owner, put));
  for (const inner of cell.value.record.fields.keys()) noteWhole(cell.value.record, inner, put);
}
