/** Expressions to values. One case a construct; the larger ones have files of their own. */

import type { Expression, Statement } from '../../program/program.ts';
import { retyped } from '../../program/retyped.ts';
import { typeNamed } from '../../program/type-named.ts';
import { evaluateArguments } from '../calls/arguments.ts';
import type { Argument } from '../calls/call.ts';
import { capturedScope } from '../calls/captures.ts';
import { acting } from '../choices/acting.ts';
import { kept } from '../choices/identity.ts';
import { passOn } from '../closure-holdings.ts';
import { unevaluated } from '../cuda/host-accesses.ts';
import { instanceNamed } from '../cuda/kernel-instances.ts';
import { launchKernel } from '../cuda/launch.ts';
import { noteManagedAddress } from '../cuda/managed-variables.ts';
import { noteDoing } from '../doings.ts';
import { fullName, functionKey, functionsNamed } from '../function-names.ts';
import { flipped, isBitset } from '../library/bitsets.ts';
import { construct } from '../objects/construct.ts';
import { initialised, isCopiedByConstructor } from '../objects/copies.ts';
import { destroyPointee, ownedArray } from '../objects/owners.ts';
import { slicedWhereGiven } from '../objects/slicing.ts';
import { findClass, lastPart, resolveType } from '../program-table.ts';
import { createScope, handled, isThunk, type Scope } from '../scope.ts';
import { literalValue } from '../script/literals.ts';
import { endScope, execute, executeBlock } from '../statements/execute.ts';
import { isShare, noteTemporary } from '../statements/temporaries.ts';
import { packScopes } from '../types/packs.ts';
import { requirement } from '../types/requirements.ts';
import { sizeOfExpression } from '../types/size-of.ts';
import { holdsFunction, substitute } from '../types/types.ts';
import {
  addressOfCell,
  createCell,
  createRecord,
  createSequence,
  nothingThere,
  numberValue,
  pointerTo,
  type Sequence,
  unknownValue,
  type Value,
} from '../value.ts';
import { noteGap, spend, ThrowSignal, type World } from '../world.ts';
import { assign, isMove, update } from './assign.ts';
import { castPlace } from './cast.ts';
import { asCondition, conditionalPlace } from './conditional.ts';
import { writtenEnumOperator } from './enum-operators.ts';
import { foldedValue } from './folds.ts';
import { memberBehind } from './inner-structures.ts';
import { cellOf, elementAt, place } from './locate.ts';
import { findName, nameValue, withoutAlias } from './names.ts';
import { binary, combine, unary } from './operators.ts';
import { positionOf } from './positions.ts';
import { ownAddress, userOperator } from './user-operators.ts';

export function evaluate(world: World, scope: Scope, expression: Expression): Value {
  spend(world);
  switch (expression.kind) {
    case 'number':
      if (expression.isNothing) return nothingThere;
      if (expression.isRounded) return roundedValue(expression);
      return numberValue(expression.value, expression.type);
    case 'string':
      // C's `""` is an address, TypeScript's is nothing where the truth is asked.
      if (expression.value === '' && !world.program.isScript) return { kind: 'string', value: '', whole: '' };
      return { kind: 'string', value: expression.value };
    case 'name':
      if (expression.template) return place(world, scope, expression).value;
      return nameValue(world, scope, expression.name, expression.span);
    case 'unary':
      if (expression.operator === '&')
        return ownAddress(world, scope, expression.operand) ?? addressOf(world, scope, expression.operand);
      if (expression.operator === '*') return cellOf(world, scope, expression)?.value ?? unknownValue;
      if (expression.operator === '...') return spreadValue(world, scope, expression.operand);
      return unaryValue(world, scope, expression);
    case 'fold':
      return foldedValue(world, scope, expression);
    case 'requires':
      return requirement(world, scope, expression);
    case 'update':
      return update(world, scope, expression);
    case 'binary':
      return binary(world, scope, expression);
    case 'assign':
      return assign(world, scope, expression);
    case 'conditional':
      return conditionalPlace(world, scope, expression).value;
    case 'member':
    case 'index':
      return place(world, scope, expression).value;
    case 'call':
      return place(world, scope, expression).value;
    case 'launch':
      noteDoing(world);
      launchKernel(world, scope, expression);
      return unknownValue;
    case 'cast':
      return castPlace(world, scope, expression).value;
    case 'sizeof':
      // `sizeof(f(x))` calls nothing; what the result is only a call tells, which must leave no trace.
      if (expression.operand && acting(world, expression.operand) !== 'never') return unknownValue;
      return unevaluated(world, scope, sizeOfExpression, expression);
    case 'construct':
      noteDoing(world);
      return construct(world, scope, expression);
    case 'delete': {
      noteDoing(world);
      const { value, cell } = place(world, scope, expression.operand);
      destroyPointee(world, value, cell);
      return unknownValue;
    }
    case 'list':
      return listValue(world, scope, expression);
    case 'lambda':
      return {
        kind: 'closure',
        lambda: expression,
        scope: capturedScope(world, scope, expression),
        made: world.frames,
        usedAt: world.macroDepth > 0 ? world.statement : null,
      };
    case 'sequence': {
      if (world.program.operators.has('operator,')) return oneAfterAnother(world, scope, expression.expressions);
      let last: Value = unknownValue;
      for (const each of expression.expressions) {
        const found = place(world, scope, each);
        if (each !== expression.expressions.at(-1)) noteTemporary(world, each, found);
        last = found.value;
      }
      return last;
    }
    case 'block':
      return statementExpression(world, scope, expression.body);
    case 'throw':
      throw new ThrowSignal(thrown(world, scope, expression.operand));
    case 'unknown':
      for (const part of expression.parts) evaluate(world, scope, part);
      noteGap(world, 'syntax', expression.what, expression.span);
      return unknownValue;
  }
}

/** Of 64 bits that are too many for a `number`. */
function roundedValue({ value, type, exact }: Expression & { kind: 'number' }): Value {
  const rounded = { kind: 'number', value, type: type ?? 'i64', isRounded: true } as const;
  return exact === undefined ? rounded : { ...rounded, exact };
}

/** `({ int r = f(); r; })`: the value of its last expression. */
function statementExpression(world: World, scope: Scope, body: readonly Statement[]): Value {
  const last = body.at(-1);
  if (last?.kind !== 'expression') {
    const completion = executeBlock(world, scope, body);
    return completion?.kind === 'return' ? completion.value : unknownValue;
  }
  const inner = createScope(scope);
  for (const statement of body.slice(0, -1)) {
    const completion = execute(world, inner, statement);
    if (completion) return completion.kind === 'return' ? completion.value : unknownValue;
  }
  const value = evaluate(world, inner, last.expression);
  endScope(world, inner);
  return value;
}

/** `a, b, c` where the program says what a comma is, for some class: from left to right. */
function oneAfterAnother(world: World, scope: Scope, expressions: readonly Expression[]): Value {
  let done: Argument | null = null;
  for (const each of expressions.flatMap((part) => (part.kind === 'sequence' ? part.expressions : part))) {
    const next: Argument = { ...place(world, scope, each), span: each.span };
    done = done ? (joinedByComma(world, scope, done, next) ?? next) : next;
  }
  return done?.value ?? unknownValue;
}

function joinedByComma(world: World, scope: Scope, left: Argument, right: Argument): Argument | null {
  const own = userOperator(world, scope, ',', [left, right], right.span);
  return own && { value: own.value, cell: own.cell, span: right.span };
}

/** `f(packs)...`: once for each element of the packs that are named in it. */
function spreadValue(world: World, scope: Scope, pattern: Expression): Value {
  const scopes = packScopes(world, scope, pattern);
  if (!scopes) return evaluate(world, scope, pattern);
  let result: Value = unknownValue;
  for (const inner of scopes) result = evaluate(world, inner, pattern);
  return result;
}

function unaryValue(world: World, scope: Scope, expression: Expression & { kind: 'unary' }): Value {
  const { operator, operand, span } = expression;
  const found = place(world, scope, operand);
  const { value } = found;
  noteTemporary(world, operand, found);
  const own =
    value.kind === 'record'
      ? userOperator(world, scope, operator, [{ ...found, span: operand.span }], span)
      : writtenEnumOperator(world, scope, operator, [{ ...found, expression: operand, span: operand.span }], span);
  if (own) return own.value;
  if (operator === '~' && found.cell && isBitset(world, found.cell.type)) return flipped(world, scope, found);
  return unary(operator, operator === '!' ? asCondition(world, kept(found)) : value);
}

/** `&Step::operator()`, where `Step` is a `std::function`: it calls what it is given first. */
function isCallOfHolder(world: World, scope: Scope, name: string): boolean {
  if (!name.endsWith('::operator()')) return false;
  return holdsFunction(resolveType(world.program, substitute(typeNamed(name.slice(0, -'::operator()'.length)), scope)));
}

function addressOf(world: World, scope: Scope, operand: Expression): Value {
  if (operand.kind === 'name') {
    if (isCallOfHolder(world, scope, operand.name)) return { kind: 'function', name: 'std::invoke', receiver: null };
    const named = operand.name.includes('::') ? withoutAlias(world, scope, operand.name, true) : '';
    const member = named === '' ? null : memberNamed(world, fullName(world, scope, named));
    if (member) {
      const method: Value = { kind: 'function', name: member, receiver: null };
      return instanceNamed(world, scope, method, operand.template?.arguments ?? []);
    }
    const part = partOfPair(world, scope, operand.name);
    if (part) return { kind: 'function', name: part, receiver: null };
    const entry = findName(world, scope, operand.name);
    const full = entry ? '' : fullName(world, scope, operand.name);
    if (!entry && functionsNamed(world, full)) {
      const named: Value = { kind: 'function', name: functionKey(world, full), receiver: null };
      return instanceNamed(world, scope, named, operand.template?.arguments ?? []);
    }
    if (entry && isThunk(entry) && entry.expressions.length === 1)
      return addressOf(world, entry.scope, entry.expressions[0]!);
  }
  const before = world.hostAccesses.length;
  if (operand.kind === 'index') {
    const holder = place(world, scope, operand.object);
    const base = ownedArray(holder.value);
    const index = evaluate(world, scope, operand.index);
    if (base.kind === 'device' || base.kind === 'string') return combine('+', base, index);
    const cell = elementAt(world, scope, holder, index);
    if (cell?.deviceAt) world.hostAccesses.length = before;
    if (!cell) return unknownValue;
    if (base.kind === 'sequence' && index.kind === 'number')
      return { kind: 'pointer', cell, sequence: base.sequence, index: index.value };
    if (base.kind === 'pointer' && base.sequence && index.kind === 'number')
      return { kind: 'pointer', cell, sequence: base.sequence, index: base.index + index.value };
    return addressOfCell(cell);
  }
  const { value, cell } = place(world, scope, operand);
  world.hostAccesses.length = before;
  if (cell?.deviceAt) noteManagedAddress(world, cell.deviceAt);
  if (cell) return addressOfCell(cell);
  // `&(int){2}`: a number without a name has a place all the same.
  return operand.kind === 'construct' && value.kind === 'number' ? pointerTo(createCell('number', value)) : value;
}

/** `&std::pair<int, int>::second`, and with another name for that type. */
function partOfPair(world: World, scope: Scope, name: string): string | null {
  const end = name.lastIndexOf('::');
  const part = name.slice(end + 2);
  if (end < 0 || (part !== 'first' && part !== 'second')) return null;
  const owner = name.slice(0, end);
  const type = resolveType(world.program, substitute(typeNamed(owner), scope));
  return /^(?:std::)?pair$/.test(type.name) ? `std::pair::${part}` : null;
}

/** `Class::member`, where the class has a field or a method of that name, whatever else goes by its last part alone. */
function memberNamed(world: World, name: string): string | null {
  const end = name.lastIndexOf('::');
  const definition = end > 0 ? findClass(world.program, name.slice(0, end)) : undefined;
  if (!definition) return null;
  if (definition.fields.some((field) => !field.isStatic && field.name === lastPart(name))) return name;
  return world.program.functions.has(name) ? functionKey(world, name) : null;
}

/** `.in.a = 1, .in.b = 2`: what is said of one member in two places is put together. */
function joins(before: Value | undefined, value: Value): boolean {
  if (before?.kind === 'sequence' && value.kind === 'sequence') return joinsElements(before.sequence, value.sequence);
  if (before?.kind !== 'record' || value.kind !== 'record' || before.record.className !== '') return false;
  for (const [name, cell] of value.record.fields) before.record.fields.set(name, cell);
  return true;
}

/** `.in[0] = 1, .in[1] = 2`. */
function joinsElements(before: Sequence, list: Sequence): boolean {
  if (before.name !== 'list' || list.name !== 'list') return false;
  for (const [index, cell] of list.cells) before.cells.set(index, cell);
  before.length = Math.max(before.length ?? 0, list.length ?? 0);
  return true;
}

/** What a list says of a part, told from what it says nothing of: that is zero, this may be anything. */
function given(value: Value): Value {
  return value === unknownValue ? { kind: 'unknown' } : value;
}

/** `{a, b}` is a sequence; with names it is a record. */
function listValue(world: World, scope: Scope, expression: Expression & { kind: 'list' }): Value {
  if (expression.isShared) return literalValue(world, scope, expression);
  if (expression.elements.some((element) => element.name !== null)) {
    const record = createRecord('', true);
    let key: string | null = null;
    for (const element of expression.elements) {
      key = element.name ?? memberBehind(key);
      const found = place(world, scope, element.value);
      passOn(found.value, element.value.kind);
      const isMoved = found.isMoved === true || isMove(element.value);
      const located = { ...found, span: element.value.span, isMoved };
      // What such a list names is a part of an object that nothing constructs.
      const isCopy = isShare(world.program, found.value) || isCopiedByConstructor(world, found.value, 0);
      const isOwn = isMoved || (found.cell !== null && isCopy);
      const value = isOwn ? initialised(world, scope, located, expression.span) : given(kept(found));
      if (element.name === '...' && value.kind === 'record')
        for (const [name, cell] of value.record.fields) record.fields.set(name, { ...cell });
      else if (!joins(record.fields.get(key)?.value, value)) record.fields.set(key, createCell(key, value));
    }
    return { kind: 'record', record };
  }
  const values = evaluateArguments(
    world,
    scope,
    expression.elements.map((element) => element.value),
  );
  const sequence = createSequence('list', values.length, null, true);
  const isPlaced = values.length === expression.elements.length;
  let position = 0;
  values.forEach((located, at) => {
    const written = isPlaced ? expression.elements[at]?.index : undefined;
    if (written) position = positionOf(world, evaluate(world, scope, written));
    // What is given away, or shared, is an object of the list's own.
    const isCopied = located.isMoved || (located.cell !== null && isShare(world.program, located.value));
    const value = isCopied ? initialised(world, scope, located, located.span) : given(located.value);
    const cell = createCell(`${position}`, value);
    if (located.cell && !isCopied) {
      sequence.named ??= new Map();
      sequence.named.set(cell, located.cell);
    }
    if (located.cell && !isCopied && value.kind === 'record') {
      sequence.copies ??= new Set();
      sequence.copies.add(cell);
    }
    if (located.cell && isCopied && !located.isMoved) {
      sequence.shared ??= new Map();
      sequence.shared.set(cell, located.cell);
    }
    if (position >= 0 && !(written && joins(sequence.cells.get(position)?.value, value)))
      sequence.cells.set(position, cell);
    const last = isPlaced ? expression.elements[at]?.lastIndex : undefined;
    if (last) position = repeated(world, scope, sequence, position, last, expression.elements[at]!.value);
    position++;
    sequence.length = Math.max(sequence.length ?? 0, position);
  });
  return { kind: 'sequence', sequence };
}

/** `[0 ... 3] = a`: the same for those behind the first. Returns the place of the last. */
function repeated(
  world: World,
  scope: Scope,
  sequence: Sequence,
  first: number,
  written: Expression,
  value: Expression,
): number {
  const last = Math.min(positionOf(world, evaluate(world, scope, written)), first + mostRepeated);
  for (let at = first + 1; at <= last; at++)
    sequence.cells.set(at, createCell(`${at}`, given(evaluate(world, scope, value))));
  return Math.max(first, last);
}

const mostRepeated = 1024;

/** What is thrown; without an operand, again what was caught. */
function thrown(world: World, scope: Scope, operand: Expression | null): Value | undefined {
  if (operand) {
    const { value, cell } = place(world, scope, operand);
    // `throw base;`: the part that its type names, whatever it refers to.
    return (cell?.type && slicedWhereGiven(world, retyped(cell.type, { isReference: false }), value)) ?? value;
  }
  const entry = findName(world, scope, handled);
  return entry && !isThunk(entry) ? entry.value : undefined;
}
