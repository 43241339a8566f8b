/** Names for the parts of a value: `auto [a, b] = value`, `const {a, b} = value`. */

import type { Span } from '../../base/span.ts';
import type { ClassDefinition, Expression, Statement } from '../../program/program.ts';
import { invokeFunction, invokeMethod, ownerOfMethod } from '../calls/invoke.ts';
import { chooseOverload } from '../calls/overloads.ts';
import { isOwning, putInto } from '../closure-holdings.ts';
import { copyDeep } from '../copied-values.ts';
import { isMove } from '../expressions/assign.ts';
import { elementCell } from '../expressions/elements.ts';
import { membersInOrder } from '../expressions/inner-structures.ts';
import { fieldCell, place } from '../expressions/locate.ts';
import { initialised } from '../objects/copies.ts';
import { lastPart } from '../program-table.ts';
import { isReferredTo } from '../referred-parts.ts';
import { bind, type Scope } from '../scope.ts';
import { partAt } from '../script/properties.ts';
import { isType } from '../types/type-arguments.ts';
import { type Cell, createCell, type RecordObject, unknownValue, type Value } from '../value.ts';
import { nameValueAfter } from '../value-names.ts';
import type { World } from '../world.ts';
import { hasEnd } from './temporaries.ts';

/** `auto [a, b] = value`: the names are the parts of an object without a name, which goes with the scope. */
export function destructure(world: World, scope: Scope, statement: Statement & { kind: 'destructure' }): void {
  const value = destructured(world, scope, statement);
  const own =
    !statement.isScript && value.kind === 'record'
      ? givenParts(world, scope, value.record, statement.names.length, statement.span)
      : null;
  statement.names.forEach((target, index) => {
    let cell: Cell | undefined;
    if (own) cell = own[index];
    else if (statement.isScript) {
      const part = partAt(world, scope, value, target.field ?? String(index), statement.span);
      cell = part.cell ?? createCell(target.name, part.value);
    } else if (value.kind === 'record')
      cell = target.field !== null ? value.record.fields.get(target.field) : partInOrder(world, value.record, index);
    else if (value.kind === 'sequence') cell = elementCell(value.sequence, index);
    if (cell) nameValueAfter(world, cell.value, { name: target.name, owner: null });
    const same =
      statement.isReference || (cell && value.kind === 'record' && isReferredTo(value.record, cell)) ? cell : undefined;
    const named = same ?? createCell(target.name, cell?.value ?? unknownValue, cell?.type ?? null);
    if (!same && isOwning(named.value)) {
      putInto(named);
      scope.owned.push(named);
    }
    bind(scope, target.name, named);
  });
}

/** The part of an object that stands there in its class; a structure of CUDA's has its members also where nothing was stored yet. */
function partInOrder(world: World, record: RecordObject, index: number): Cell | undefined {
  const name = membersInOrder(world, record, null)[index];
  return name === undefined ? undefined : (fieldCell(world, record, name) ?? undefined);
}

/**
 * The parts of an object of a class that says by itself what they are, with a `std::tuple_size` and a `get<I>` (C++20, [dcl.struct.bind]);
 * null for any other.
 */
export function givenParts(
  world: World,
  scope: Scope,
  object: RecordObject,
  count: number,
  span: Span,
): readonly Cell[] | null {
  const sizes = world.program.specialisations.get('tuple_size');
  const isOwn = ({ specialises }: ClassDefinition): boolean => {
    const type = specialises?.[0];
    return type !== undefined && isType(type) && lastPart(type.name) === object.className;
  };
  if (!sizes?.some(isOwn)) return null;
  const isMethod = ownerOfMethod(world, object.className, 'get') !== undefined;
  return Array.from({ length: count }, (_, index) => {
    const place: Expression = { kind: 'number', value: index, span };
    const given = [{ value: { kind: 'record', record: object } as const, cell: null, span }];
    const definition = isMethod ? undefined : chooseOverload(world, scope, 'get', given, [place]);
    const part = isMethod
      ? invokeMethod(world, scope, object, 'get', [], span, [place])
      : definition?.body && invokeFunction(world, definition, given, null, span, [place], scope);
    return (part && (part.cell ?? createCell('', part.value))) || createCell('');
  });
}

function destructured(
  world: World,
  scope: Scope,
  { value, isReference, isScript, span }: Statement & { kind: 'destructure' },
): Value {
  const source = place(world, scope, value);
  if (source.cell && isReference) return source.value;
  if (source.value.kind !== 'record' || !hasEnd(world.program, source.value))
    return source.cell && !isScript ? copyDeep(source.value) : source.value;
  const object = initialised(
    world,
    scope,
    { ...source, span, isMoved: source.isMoved === true || isMove(value) },
    span,
  );
  scope.owned.push(createCell('', object));
  return object;
}
