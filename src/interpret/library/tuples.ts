/** Pairs and tuples: their parts by place and by type. */

import { isStatusType } from '../../models/cuda-errors.ts';
import type { Expression, TypeReference } from '../../program/program.ts';
import type { Argument } from '../calls/call.ts';
import { arriveIn, putInto } from '../closure-holdings.ts';
import { copyValue } from '../copied-values.ts';
import { listAs } from '../expressions/braced-lists.ts';
import { elementCell } from '../expressions/elements.ts';
import { evaluate } from '../expressions/evaluate.ts';
import { knownNameValue } from '../expressions/names.ts';
import { handleTypeOf } from '../handle-types.ts';
import { initialised } from '../objects/copies.ts';
import { convertedFrom } from '../objects/implicit.ts';
import { weakMadeOf } from '../objects/weak-pointers.ts';
import { lastPart, resolveType } from '../program-table.ts';
import type { Scope } from '../scope.ts';
import { expandedTypes } from '../types/packs.ts';
import { isType } from '../types/type-arguments.ts';
import { substitute } from '../types/types.ts';
import { type Cell, changedSequence, createCell, createRecord, heldBy, unknownValue, type Value } from '../value.ts';
import type { World } from '../world.ts';
import { isText } from './strings.ts';

/** The names of the parts in the object. */
function partName(kind: 'pair' | 'tuple', index: number): string {
  return kind === 'tuple' ? String(index) : index === 0 ? 'first' : 'second';
}

/** `std::pair{a, b}` and `std::tuple{a, b, c}`: with objects of their own. `types` are what the parts are said to be. */
export function tupleOf(
  world: World,
  scope: Scope,
  kind: 'pair' | 'tuple',
  values: readonly Argument[],
  written: readonly (TypeReference | Expression)[] = [],
): Value {
  const types = expandedTypes(scope, written);
  if (types.length > 0 && types.length === values.length && types.every(isOfThing)) return referencesTo(values, kind);
  const record = createRecord(`std::${kind}`, true);
  for (const [index, given] of values.entries()) {
    const name = partName(kind, index);
    const part = types[index];
    const referred = referredPart(part, given);
    if (referred) {
      record.fields.set(name, referred);
      record.refersTo = new Set(record.refersTo).add(name);
      continue;
    }
    const type = part && isType(part) ? substitute(part, scope) : (given.cell?.type ?? null);
    const made =
      part && type
        ? (listAs(world, scope, type, given.value) ??
          weakMadeOf(world, type, given) ??
          convertedFrom(world, scope, type, given))
        : null;
    const own = createCell(name, made ?? initialised(world, scope, given, given.span), type);
    putInto(own);
    if (given.isOnItsWay) arriveIn(own, given.value);
    record.fields.set(name, own);
  }
  return { kind: 'record', record };
}

/** `std::make_pair(std::ref(x), 2)` and `std::pair<int &, int>(x, 2)` have `x` itself in them. */
function referredPart(written: TypeReference | Expression | undefined, { value, cell }: Argument): Cell | null {
  const isWrapper = value.kind === 'pointer' && value.isWrapper === true;
  return written ? (isOfThing(written) ? cell : null) : isWrapper ? value.cell : null;
}

/** What a pair or a tuple is given that is said to hold parts of its own; null where nothing is to do. */
export function withOwnParts(type: TypeReference, value: Value): Value | null {
  if (value.kind !== 'record' || !value.record.refersTo || type.arguments.length === 0 || type.pointers > 0)
    return null;
  const kind = /^(?:std::)?(pair|tuple)$/.exec(type.name)?.[1];
  if (!kind || type.arguments.every(isOfThing)) return null;
  const record = createRecord(`std::${kind}`, true);
  const stays = new Set<string>();
  for (const [index, cell] of [...value.record.fields.values()].entries()) {
    const name = partName(kind === 'pair' ? 'pair' : 'tuple', index);
    const written = type.arguments[index];
    const isReference = written !== undefined && isOfThing(written);
    if (isReference) stays.add(name);
    const own = written && isType(written) ? written : null;
    record.fields.set(name, isReference ? cell : createCell(name, copyValue(heldBy(cell)), own));
  }
  if (stays.size > 0) record.refersTo = stays;
  return { kind: 'record', record };
}

/** `std::pair<A, B> p;`: what its parts begin as, by what `make` makes of a type. */
export function emptyTuple(type: TypeReference, scope: Scope, make: (part: TypeReference) => Value): Value {
  const kind = lastPart(type.name) === 'pair' ? 'pair' : 'tuple';
  const record = createRecord(`std::${kind}`, true);
  const parts = expandedTypes(scope, type.arguments).map((each) => (isType(each) ? substitute(each, scope) : null));
  for (const [index, part] of parts.entries()) {
    const name = partName(kind, index);
    record.fields.set(name, createCell(name, undefined, part));
  }
  // GCC's tuples make their last part first.
  const cells = [...record.fields.values()];
  for (const cell of kind === 'tuple' ? cells.reverse() : cells) if (cell.type) cell.value = make(cell.type);
  return { kind: 'record', record };
}

/** `T &`: a part that is somebody else's. */
export function isOfThing(type: TypeReference | Expression | undefined): boolean {
  return type !== undefined && isType(type) && type.isReference && !type.takesMoved;
}

/** `std::tie(a, b)`, `std::pair<A &, B &>(a, b)`: the things themselves. */
export function referencesTo(values: readonly Argument[], kind: 'pair' | 'tuple' = 'tuple'): Value {
  const record = createRecord(`std::${kind}`, true);
  record.released = true;
  const named = new Set<string>();
  for (const [index, { value, cell }] of values.entries()) {
    const name = partName(kind, index);
    record.fields.set(name, cell ?? createCell(name, value));
    if (cell) named.add(name);
  }
  record.refersTo = named;
  return { kind: 'record', record };
}

/** Parts of an array that are told apart. */
const mostParts = 256;

/** The parts of a pair, a tuple or an array; null for anything else. */
export function partCells(value: Value): readonly Cell[] | null {
  if (value.kind === 'record') return [...value.record.fields.values()];
  if (value.kind !== 'sequence' || value.sequence.length === null) return null;
  const { sequence } = value;
  const length = Math.min(value.sequence.length, mostParts);
  return Array.from({ length }, (_, index) => elementCell(sequence, index));
}

/** `std::get<1>(t)`, `std::get<float *>(t)`. */
export function partNamed(
  world: World,
  scope: Scope,
  tuple: Value | undefined,
  wanted: TypeReference | Expression | undefined,
): Cell | null {
  const cells = tuple ? partCells(tuple) : null;
  if (!cells || !wanted) return null;
  if (!isType(wanted)) {
    const index = evaluate(world, scope, wanted);
    return index.kind === 'number' ? (cells[index.value] ?? null) : null;
  }
  const type = resolveType(world.program, substitute(wanted, scope));
  const given = { ...type, arguments: type.arguments.map((each) => (isType(each) ? substitute(each, scope) : each)) };
  const typed = cells.filter((cell) => cell.type && isSame(resolveType(world.program, cell.type), given));
  if (typed.length === 1) return typed[0]!;
  const index = knownNameValue(world, scope, wanted.name, world.statement);
  if (index?.kind === 'number') return cells[index.value] ?? null;
  const fitting = cells.filter((cell) => fits(cell.value, type));
  return fitting.length === 1 ? fitting[0]! : null;
}

function isSame(first: TypeReference, second: TypeReference): boolean {
  return (
    first.name === second.name &&
    first.pointers === second.pointers &&
    first.arguments.length === second.arguments.length &&
    first.arguments.every((each, index) => {
      const other = second.arguments[index]!;
      return isType(each) && isType(other) ? isSame(each, other) : !isType(each) && !isType(other);
    })
  );
}

/** Whether a value may be one of that type, where nobody said what it is. */
export function fits(value: Value, type: TypeReference): boolean {
  if (value.kind === 'device' || value.kind === 'pointer') return type.pointers > 0;
  if (value.kind === 'handle') return handleTypeOf(type) === value.type;
  if (value.kind === 'string') return isText(type) || (type.pointers === 1 && type.name === 'char');
  if (value.kind === 'number' && value.isStatus) return isStatusType(type.name) && type.pointers === 0;
  return value.kind === 'number' && type.pointers === 0 && handleTypeOf(type) === null;
}

/** `std::to_array({a, b})`. */
export function arrayFrom(list: Value): Value {
  if (list.kind !== 'sequence') return unknownValue;
  return { kind: 'sequence', sequence: changedSequence(list.sequence, { name: 'array', byValue: true }) };
}
