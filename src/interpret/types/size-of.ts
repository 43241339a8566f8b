/** `sizeof`: of types, variables, packs and elements. */

import type { Span } from '../../base/span.ts';
import type { Expression, TypeReference } from '../../program/program.ts';
import { pointee } from '../../program/retyped.ts';
import { typeNamed } from '../../program/type-named.ts';
import { evaluate } from '../expressions/evaluate.ts';
import { cellOf, place } from '../expressions/locate.ts';
import { findName } from '../expressions/names.ts';
import { asSpan } from '../library/spans.ts';
import { distanceTo } from '../objects/containing.ts';
import { findClass, resolveType } from '../program-table.ts';
import { isThunk, type Scope, typeStoodFor } from '../scope.ts';
import { numberValue, unknownValue, type Value } from '../value.ts';
import type { World } from '../world.ts';
import { numberName, typeOfGiven, typeOfNumber } from './deduction.ts';
import { packLength } from './packs.ts';
import { isType } from './type-arguments.ts';
import { alignmentOfType, bytesOfType } from './type-bytes.ts';
import { containerOf } from './types.ts';

/** `sizeof(T)`, `sizeof x`, `sizeof...(pack)`, `offsetof(T, member)`. What is not known is a symbol. */
export function sizeOfExpression(world: World, scope: Scope, expression: Expression & { kind: 'sizeof' }): Value {
  const known = (bytes: number | null, name: string, span: Span): Value => {
    if (bytes !== null) return numberValue(bytes, 'u64');
    const symbol = `sizeof(${name})`;
    if (!world.symbols.has(symbol)) world.symbols.set(symbol, span);
    return { kind: 'symbol', size: { kind: 'symbol', name: symbol }, hint: null };
  };
  if (expression.beforeMember) return distanceTo(world, scope, expression.beforeMember, expression.type);
  if (expression.isAlignment) {
    const type = expression.type ?? (expression.operand && typeReadAs(world, scope, expression.operand));
    const alignment = type ? alignmentOfType(world, type, scope) : null;
    return alignment === null ? { kind: 'unknown' } : numberValue(alignment, 'u64');
  }
  if (expression.type) {
    const asVariable = expression.type.pointers === 0 ? findName(world, scope, expression.type.name) : undefined;
    const member =
      asVariable || !expression.type.name.includes('::') ? null : memberType(world, scope, expression.type.name);
    if (member) return known(bytesOfType(world, member, scope), expression.type.name, expression.span);
    if (!asVariable || isThunk(asVariable))
      return known(bytesOfType(world, expression.type, scope), expression.type.name, expression.span);
    return known(
      asVariable.type ? bytesOfType(world, asVariable.type, scope) : null,
      expression.type.name,
      expression.span,
    );
  }
  const operand = expression.operand && unchanged(expression.operand);
  if (!operand) return unknownValue;
  const count = operand.kind === 'name' ? packLength(world, scope, operand.name) : null;
  if (count !== null) return numberValue(count, 'u64');
  const ofMemberPointer = memberPointerBytes(world, operand);
  if (ofMemberPointer !== null) return numberValue(ofMemberPointer, 'u64');
  if (operand.kind === 'string') return numberValue((operand.whole ?? operand.value).length + 1, 'u64');
  const asType = typeReadAs(world, scope, operand);
  if (asType) return known(bytesOfType(world, asType, scope), asType.name, expression.span);
  if (calculated.has(operand.kind) || (operand.kind === 'unary' && /^[-+~!]$/.test(operand.operator))) {
    const value = evaluate(world, scope, operand);
    const ofNumber = value.kind === 'number' ? typeNamed(numberName(value)) : null;
    if (ofNumber) return known(bytesOfType(world, ofNumber, scope), ofNumber.name, expression.span);
  }
  if (operand.kind === 'call') {
    const found = place(world, scope, operand);
    const type = found.cell?.type ?? typeOfGiven({ ...found, span: operand.span });
    return known(bytesOfType(world, type, scope), 'expression', operand.span);
  }
  const ofLiteral = operand.kind === 'construct' ? literalBytes(world, scope, operand) : null;
  if (ofLiteral !== null) return known(ofLiteral, 'expression', operand.span);
  const ofMember = operand.kind === 'name' ? memberType(world, scope, operand.name) : null;
  if (ofMember) return known(bytesOfType(world, ofMember, scope), ofMember.name, expression.span);
  const cell = cellOf(world, scope, operand);
  const declared = cell?.type?.name === 'auto' && cell.type.pointers === 0 ? null : cell?.type;
  const held =
    cell?.value.kind === 'record' ? typeOfGiven({ value: cell.value, cell: null, span: operand.span }) : null;
  const type = forObject(world, scope, operand, declared ?? typeOfNumber(cell?.value ?? null) ?? held);
  if (operand.kind === 'unary' && operand.operator === '*' && !type) {
    const pointer = cellOf(world, scope, operand.operand);
    const pointed = forObject(world, scope, operand.operand, pointer?.type ?? null);
    const behind = pointed && behindAddress(world, pointed);
    if (pointed)
      return known(behind && bytesOfType(world, behind, scope), pointer?.name ?? 'expression', expression.span);
  }
  if (
    cell?.value.kind === 'sequence' &&
    !asSpan(world, cell.type) &&
    !cell.value.sequence.byValue &&
    cell.value.sequence.elementType &&
    cell.value.sequence.length !== null
  ) {
    const unit = bytesOfType(world, cell.value.sequence.elementType, scope);
    return known(unit === null ? null : unit * cell.value.sequence.length, cell.name, expression.span);
  }
  const written = type ?? pointedTo(world, scope, operand);
  return known(written ? bytesOfType(world, written, scope) : null, cell?.name ?? 'expression', expression.span);
}

/** `sizeof((int[]){ a, b })`: of an array, as many as stand there. */
function literalBytes(world: World, scope: Scope, literal: Expression & { kind: 'construct' }): number | null {
  const { type, isNew } = literal;
  const [list] = literal.arguments;
  if (isNew) return null;
  if (type.extents.length === 0 || type.extents[0] || list?.kind !== 'list') return bytesOfType(world, type, scope);
  const each = bytesOfType(world, { ...type, extents: type.extents.slice(1) }, scope);
  if (!each || list.elements.some(({ name, index }) => name !== null || index !== undefined)) return null;
  // `{ __VA_ARGS__ }` in a macro.
  const counts = list.elements.map(({ value }) => {
    const given = value.kind === 'name' ? findName(world, scope, value.name) : undefined;
    return given && isThunk(given) ? given.expressions.length : 1;
  });
  return each * counts.reduce((sum, count) => sum + count, 0);
}

/** `n` of `sizeof(n++)` and `sizeof(n = 3)`: nothing is done there, and what is named is of the same type. */
function unchanged(operand: Expression): Expression {
  if (operand.kind === 'update') return operand.operand;
  return operand.kind === 'assign' ? operand.target : operand;
}

/** `&T::member`: where it lies in an object, and of a method what `int (T::*)()` has. */
function memberPointerBytes(world: World, operand: Expression): number | null {
  if (operand.kind !== 'unary' || operand.operator !== '&' || operand.operand.kind !== 'name') return null;
  const { name } = operand.operand;
  const end = name.lastIndexOf('::');
  const owner = end > 0 ? findClass(world.program, name.slice(0, end)) : undefined;
  const member = name.slice(end + 2);
  if (owner?.fields.some((field) => field.name === member && !field.isStatic)) return 8;
  const method = owner?.methods.find((each) => each.name === `${owner.name}::${member}`);
  return method ? (method.isStatic ? 8 : 16) : null;
}

/** What is a number of its own, rather than a place that has a type. */
const calculated = new Set<Expression['kind']>(['number', 'binary', 'sizeof']);

/** `sizeof(T)` reads like `sizeof(variable)`, `sizeof(T<N>)` like one of its kind, and `sizeof(T[4])` like an element; null for what is no type. */
function typeReadAs(world: World, scope: Scope, operand: Expression): TypeReference | null {
  if (operand.kind === 'index') {
    const element = typeReadAs(world, scope, operand.object);
    return element && { ...element, extents: [operand.index, ...element.extents] };
  }
  if (operand.kind !== 'name') return null;
  const { name, template } = operand;
  const found = findName(world, scope, name);
  // `sizeof(type)` in a macro's body, where its parameter stands for a type.
  if (found && isThunk(found)) return typeStoodFor(scope, name);
  if (found || memberType(world, scope, name)) return null;
  return typeNamed(name, template && !template.qualifier ? template.arguments : []);
}

/** `sizeof(data)` in `static constexpr int bytes = sizeof(data);`, where there is no object whose member it could be. */
function memberType(world: World, { self }: Scope, name: string): TypeReference | null {
  const end = name.lastIndexOf('::');
  const owner = end > 0 ? findClass(world.program, name.slice(0, end)) : undefined;
  if (owner) return owner.fields.find((field) => field.name === name.slice(end + 2))?.type ?? null;
  if (!self || self.fields.size > 0) return null;
  return findClass(world.program, self.className)?.fields.find((field) => field.name === name)?.type ?? null;
}

/** `buffer.data` of a `Buffer<float>`, whose class says that it is a `T *`: what T is for that object. */
function forObject(world: World, scope: Scope, operand: Expression, type: TypeReference | null): TypeReference | null {
  const member = operand.kind === 'unary' ? operand.operand : operand.kind === 'index' ? operand.object : operand;
  if (!type || member.kind !== 'member') return type;
  const held = evaluate(world, scope, member.object);
  const object = held.kind === 'pointer' ? held.cell.value : held;
  const bound = object.kind === 'record' ? object.record.templates?.types.get(type.name) : undefined;
  return bound
    ? { ...type, name: bound.name, arguments: bound.arguments, pointers: bound.pointers + type.pointers }
    : type;
}

/** What `*p` is: behind an owner what it owns, of an array its element; null for another object. */
function behindAddress({ program }: World, type: TypeReference): TypeReference | null {
  if (type.pointers > 0) return pointee(type);
  const meant = resolveType(program, type);
  if (meant.pointers > 0) return pointee(meant);
  const [owned] = containerOf(meant) === 'pointer' ? meant.arguments : [];
  if (owned && isType(owned)) return owned;
  return meant.extents.length > 0 ? { ...meant, extents: meant.extents.slice(1) } : null;
}

/** `p[0]`, `p[1][2]`, where what `p` points to has no place of its own, as memory of the device. */
function pointedTo(world: World, scope: Scope, operand: Expression): TypeReference | null {
  if (operand.kind !== 'index') return null;
  const type =
    forObject(world, scope, operand.object, cellOf(world, scope, operand.object)?.type ?? null) ??
    pointedTo(world, scope, operand.object);
  if (type && type.extents.length > 0) return { ...type, extents: type.extents.slice(1) };
  return type && type.pointers > 0 ? pointee(type) : null;
}
