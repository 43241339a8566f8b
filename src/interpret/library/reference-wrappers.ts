/** `std::reference_wrapper<T>`: a pointer that is taken for what it refers to. */

import type { TypeReference } from '../../program/program.ts';
import { isType } from '../types/type-arguments.ts';
import { type Cell, createCell, isHolder, type Value } from '../value.ts';

/** `std::ref(x)`. */
export function referenceTo({ value, cell }: { readonly value: Value; readonly cell: Cell | null }): Value {
  return cell ? { kind: 'pointer', cell, sequence: null, index: 0, isWrapper: true } : value;
}

/** What a wrapper refers to, for a place of another type; any other value as it is. */
export function referredBy(type: TypeReference | null, value: Value): Value {
  if (value.kind !== 'pointer' || !value.isWrapper || !type || type.pointers > 0) return value;
  return type.name === 'auto' || holdsWrapper(type) ? value : value.cell.value;
}

/** `reference_wrapper<T>`, and `optional<reference_wrapper<T>>`. */
function holdsWrapper({ name, arguments: given }: TypeReference): boolean {
  return name.endsWith('reference_wrapper') || given.some((each) => isType(each) && holdsWrapper(each));
}

/** What a place of such a type holds when it is given an object or a variable; null for other types, and for what is one already. */
export function wrapped(type: TypeReference | null, value: Value, cell: Cell | null): Value | null {
  if (!type || type.pointers > 0 || !type.name.endsWith('reference_wrapper')) return null;
  if (value.kind === 'pointer' && value.isWrapper) return null;
  if (cell) return referenceTo({ value, cell });
  return value.kind === 'record' ? referenceTo({ value, cell: createCell('', value) }) : null;
}

/** What `wrapper.get()` gives, and `held->get()` of an optional one; null for what holds no wrapper. */
export function referredIn(value: Value, isArrow: boolean): Cell | null {
  const held = isArrow && value.kind === 'record' ? value.record.fields.get('(value)')?.value : value;
  return held?.kind === 'pointer' && held.isWrapper ? held.cell : null;
}

/** `optional<reference_wrapper<T>> held = x`: what it holds refers to `x`; null for all else. */
export function wrappedInside(type: TypeReference, value: Value, cell: Cell | null): Value | null {
  const inner = type.arguments[0];
  if (!cell || !inner || !isType(inner) || !/^(?:std::)?optional$/.test(type.name)) return null;
  return value.kind === 'record' && isHolder(value.record) ? null : wrapped(inner, value, cell);
}
