/** `std::reference_wrapper<T>`: a pointer that is taken for what it refers to. */

import type { Expression, TypeReference } from '../../program/program.ts';
import { place } from '../expressions/locate.ts';
import { resolveType } from '../program-table.ts';
import type { Scope } from '../scope.ts';
import { isType } from '../types/type-arguments.ts';
import { type Cell, createCell, isHolder, type Value } from '../value.ts';
import type { World } from '../world.ts';

/** `std::ref(x)`. */
export function referenceTo({ value, cell }: { readonly value: Value; readonly cell: Cell | null }): Value {
  return cell ? { kind: 'pointer', cell, sequence: null, index: 0, isWrapper: true } : value;
}

/** What a wrapper refers to, for a place of another type; any other value as it is. */
export function referredBy({ program }: World, written: TypeReference | null, value: Value): Value {
  if (value.kind !== 'pointer' || !value.isWrapper || !written || written.pointers > 0) return value;
  const type = resolveType(program, written);
  return type.name === 'auto' || holdsWrapper(type) ? value : value.cell.value;
}

/** `reference_wrapper<T>`, and `optional<reference_wrapper<T>>`. */
function holdsWrapper({ name, arguments: given }: TypeReference): boolean {
  return name.endsWith('reference_wrapper') || given.some((each) => isType(each) && holdsWrapper(each));
}

/** What a place of such a type holds when it is given an object or a variable; null for other types, and for what is one already. */
export function wrapped(world: World, type: TypeReference | null, value: Value, cell: Cell | null): Value | null {
  if (!type || type.pointers > 0 || !isWrapperType(resolveType(world.program, type))) return null;
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
export function wrappedInside(world: World, type: TypeReference, value: Value, cell: Cell | null): Value | null {
  const inner = type.arguments[0];
  if (!cell || !inner || !isType(inner) || !/^(?:std::)?optional$/.test(type.name)) return null;
  return value.kind === 'record' && isHolder(value.record) ? null : wrapped(world, inner, value, cell);
}

/** `reference_wrapper<T> r{x}`: it refers to `x`, which is named in its braces; null for other types. */
export function wrapperOver(world: World, scope: Scope, written: TypeReference, initial: Expression): Value | null {
  const type = resolveType(world.program, written);
  if (!isWrapperType(type)) return null;
  const only = initial.kind === 'list' && initial.elements.length === 1 ? initial.elements[0]!.value : initial;
  if (only.kind === 'list') return null;
  const { value, cell } = place(world, scope, only);
  return value.kind === 'pointer' && value.isWrapper ? value : wrapped(world, type, value, cell);
}

export function isWrapperType({ name, pointers, isReference }: TypeReference): boolean {
  return pointers === 0 && !isReference && name.endsWith('reference_wrapper');
}
