/** `std::variant` and `std::any`: which type the value is of, and who is called with it. */

import { numbersOf } from '../../program/number-types.ts';
import type { Expression, TypeReference } from '../../program/program.ts';
import type { Argument, CallResult } from '../calls/call.ts';
import { callWith } from '../calls/callables.ts';
import { evaluate } from '../expressions/evaluate.ts';
import { handleTypeOf } from '../handle-types.ts';
import { findClass, lastPart, resolveType } from '../program-table.ts';
import type { Scope } from '../scope.ts';
import { sameType } from '../types/template-patterns.ts';
import { isType } from '../types/type-arguments.ts';
import { containerOf, isScalar, substitute } from '../types/types.ts';
import {
  type Cell,
  createCell,
  isHolder,
  isNull,
  type NumberValue,
  numberValue,
  partCell,
  pointerTo,
  type RecordObject,
  unknownValue,
  type Value,
  zero,
} from '../value.ts';
import type { World } from '../world.ts';
import { containerIn } from './container-bases.ts';
import { isText } from './strings.ts';
import { fits } from './tuples.ts';

/** The variant that is meant: what a pointer leads to, what an object of a class that derives from one has of it. */
function holderIn(value: Value | undefined): Value | undefined {
  const target = value?.kind === 'pointer' ? value.cell.value : value;
  return target && containerIn(target);
}

/** The value that a variant holds; null for anything else. */
function heldBy(value: Value | undefined): Cell | null {
  const target = holderIn(value);
  if (target?.kind !== 'record') return null;
  if (isHolder(target.record)) return target.record.fields.get('(value)') ?? null;
  // What was put into a container of variants is kept as it is.
  return target.record.className.startsWith('std::') ? null : createCell('(value)', target);
}

/** Which of a variant's types its value is of, by place; null when that is not known. */
export function indexOf(world: World, value: Value | undefined): number | null {
  const cell = heldBy(value);
  const target = holderIn(value);
  if (!cell || cell.value.kind === 'unknown' || target?.kind !== 'record' || !target.record.templates) return null;
  const held = cell.value;
  const place = target.record.fields.get('(index)')?.value;
  if (place) return place.kind === 'number' ? place.value : null;
  const types = alternativesFor(world, target.record, held);
  // Null may be a number, a pointer or a handle.
  if (types.length > 1 && isNull(held) && types.some(([, type]) => mayBeNull(type))) return null;
  // An `int` is one before it is a `float`.
  const own =
    held.kind === 'number' ? types.find(([, { name, pointers }]) => isOfType(held, name, pointers)) : undefined;
  return (own ?? types[0])?.[0] ?? null;
}

/** Which of a variant's types a value may be of, by place. */
function alternativesFor(
  world: World,
  { templates }: RecordObject,
  held: Value,
): readonly (readonly [place: number, type: TypeReference])[] {
  const all = [...(templates?.types ?? [])].map(
    ([name, type]) => [Number(name), resolveType(world.program, type)] as const,
  );
  const found = all.filter(([, type]) => isOf(world, held, type));
  const open = all.filter(([, type]) => isOpen(world, type));
  return found.length === 0 && open.length === 1 ? open : found;
}

/** `std::invoke_result_t<F>`, of which nobody knows what it is. */
function isOpen(world: World, type: TypeReference): boolean {
  if (type.pointers > 0 || isScalar(world.program, type) || containerOf(type) || isText(type)) return false;
  return /^std::\w+_t$/.test(type.name) || !(type.name.startsWith('std::') || findClass(world.program, type.name));
}

function isOfType({ type }: NumberValue, name: string, pointers: number): boolean {
  return pointers === 0 && numbersOf(name) === (type ?? 'int');
}

function isOf(world: World, value: Value, type: TypeReference): boolean {
  if (value.kind === 'record') return type.pointers === 0 && lastPart(value.record.className) === lastPart(type.name);
  if (value.kind === 'sequence') {
    const container = containerOf(type);
    return (container === 'vector' || container === 'array') && mayHold(world, value.sequence.elementType, type);
  }
  if (isText(type) !== (value.kind === 'string') && type.pointers === 0) return false;
  return isScalar(world.program, type) && (fits(value, type) || (isNull(value) && mayBeNull(type)));
}

function mayBeNull(type: TypeReference): boolean {
  return type.pointers > 0 || handleTypeOf(type) !== null;
}

/** Whether elements are of the type that a container names. */
function mayHold(world: World, element: TypeReference | null, { arguments: [written] }: TypeReference): boolean {
  if (!element || !written || !isType(written)) return true;
  return sameType(resolveType(world.program, element), resolveType(world.program, written));
}

/** `std::visit(visitor, variant)`. */
export function visit(
  world: World,
  scope: Scope,
  values: readonly Argument[],
  span: Argument['span'],
): CallResult | null {
  const [visitor, ...variants] = values;
  const cells = variants.map(({ value }) => heldBy(value));
  if (!visitor || cells.some((cell) => cell === null)) return null;
  const given = cells.flatMap((cell, index) => {
    if (!cell) return [];
    const type = cell.type ? null : alternativeOf(world, variants[index]!.value);
    // What it is of, its value may not say.
    const typed =
      type &&
      partCell(
        cell.name,
        type,
        () => cell.value,
        (value) => Object.assign(cell, { value }),
      );
    return [{ value: cell.value, cell: typed ?? cell, span }];
  });
  return callWith(world, scope, visitor.value, given, span);
}

/** The type of what a variant holds, where that is no object, which says so itself; null where it is not known. */
function alternativeOf(world: World, value: Value): TypeReference | null {
  const target = holderIn(value);
  if (target?.kind !== 'record' || heldBy(target)?.value.kind === 'record') return null;
  const index = indexOf(world, target);
  return index === null ? null : (target.record.templates?.types.get(String(index)) ?? null);
}

/** An `any` that nobody has put anything into. */
function isEmptyAny(value: Value | undefined): boolean {
  const target = value?.kind === 'pointer' ? value.cell.value : value;
  if (target?.kind !== 'record' || target.record.className !== 'std::any') return false;
  return !target.record.isFilledElsewhere && !target.record.released;
}

/** The value of a variant, if it is of that type; undefined where the argument is no variant. */
export function heldAs(
  world: World,
  scope: Scope,
  value: Value | undefined,
  wanted: TypeReference | Expression | undefined,
): Cell | null | undefined {
  const cell = heldBy(value);
  if (!cell && isEmptyAny(value)) return null;
  if (!cell || !wanted) return undefined;
  const place = isType(wanted) ? null : evaluate(world, scope, wanted);
  if (place) {
    const index = indexOf(world, value);
    return index === null || place.kind !== 'number' ? undefined : index === place.value ? cell : null;
  }
  if (!isType(wanted)) return undefined;
  if (cell.value.kind === 'unknown') return undefined;
  const type = resolveType(world.program, substitute(wanted, scope));
  if (isOpen(world, type)) {
    const index = indexOf(world, value);
    const holder = holderIn(value);
    const meant = holder?.kind === 'record' ? holder.record.templates?.types.get(String(index)) : undefined;
    return meant ? (isOpen(world, resolveType(world.program, meant)) ? cell : null) : undefined;
  }
  if (!isOf(world, cell.value, type)) return null;
  const at = cell.value.kind === 'number' ? indexOf(world, value) : null;
  // What an `any` holds may say itself of what type it is.
  const own =
    at === null && cell.value.kind === 'number' && !cell.value.isStatus ? (cell.value.type ?? 'int') : undefined;
  if (own && type.pointers === 0 && numbersOf(type.name) !== null && numbersOf(type.name) !== own) return null;
  if (isNull(cell.value) && at === null) return undefined;
  const target = holderIn(value);
  const held = target?.kind === 'record' && at !== null ? target.record.templates?.types.get(String(at)) : undefined;
  if (held && numbersOf(held.name) !== null && numbersOf(type.name) !== null)
    return sameType(resolveType(world.program, held), type) ? cell : null;
  return cell;
}

/** `std::get<T>(v)` and `std::any_cast<T &>(a)`: the place, also where nobody knows of what type its value is; null where it is of another. */
export function placeHeldAs(...question: Parameters<typeof heldAs>): Cell | null | undefined {
  const cell = heldAs(...question);
  const holder = question[2];
  return cell === undefined && holder?.kind === 'record' && isHolder(holder.record) ? heldBy(holder) : cell;
}

/** `std::holds_alternative<T>(v)`. */
export function holdsAlternative(...question: Parameters<typeof heldAs>): Value {
  const cell = heldAs(...question);
  return cell === undefined ? unknownValue : numberValue(cell ? 1 : 0);
}

/** `std::get_if<T>(&v)`. */
export function pointerIf(...question: Parameters<typeof heldAs>): Value {
  const cell = heldAs(...question);
  return cell === undefined ? unknownValue : cell ? pointerTo(cell) : zero;
}

/** `std::any_cast<T>(&a)`: of a null in it nobody knows of what type it is; whoever asks for a pointer or a handle will have put in one. */
export function pointerIntoAny(...question: Parameters<typeof heldAs>): Value {
  const [world, scope, of, wanted] = question;
  const held = heldAs(...question) === undefined ? heldBy(of) : null;
  const isMeant = held !== null && isNull(held.value) && wanted !== undefined && isType(wanted);
  const type = isMeant ? resolveType(world.program, substitute(wanted, scope)) : null;
  return held && type && mayBeNull(type) ? pointerTo(held) : pointerIf(...question);
}
