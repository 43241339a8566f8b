/** Unary and binary operators over known, symbolic and unknown values. */

import type { Expression } from '../../program/program.ts';
import { calculate, printSize, type Size } from '../../trace/size.ts';
import { isSameSize } from '../../trace/size-order.ts';
import { compareAddresses } from '../answers.ts';
import { invokeClosure, invokeMethod, ownerOfMethod } from '../calls/invoke.ts';
import { acting, mayAct } from '../choices/acting.ts';
import { decide, isCheckWithMessage, knownSoFar } from '../choices/decisions.ts';
import { kept } from '../choices/identity.ts';
import { noteTurns } from '../choices/turns.ts';
import { movedOnDevice } from '../device-addresses.ts';
import { combinedTimes, negatedTime } from '../library/chrono-amounts.ts';
import { comparedContainers } from '../library/less-than.ts';
import { movedText, textDistance } from '../library/strings.ts';
import { isOpenStream, streamed } from '../library/text-streams.ts';
import { comparedThreeWay } from '../library/three-way.ts';
import { piped } from '../library/views.ts';
import { bytesBetween, throughDistance } from '../objects/containing.ts';
import { asPointer } from '../objects/owners.ts';
import type { Scope } from '../scope.ts';
import { isNothing, joinedTexts } from '../script/values.ts';
import { noteTemporary } from '../statements/temporaries.ts';
import {
  isNull,
  type NumberValue,
  numberValue,
  pointedAt,
  sizeOf,
  truth,
  truthValue,
  unknownValue,
  type Value,
} from '../value.ts';
import type { World } from '../world.ts';
import { comparedInOrder } from './address-order.ts';
import { markedAddress, maskedAddress, multipleOfQuotient, scattered } from './aligned-addresses.ts';
import { arithmetic, asPromoted, negated, rangeOfType } from './arithmetic.ts';
import { elementsBetween, placeInAll, placeInArray } from './array-places.ts';
import { castLikeSum } from './casts-like-sums.ts';
import { conditionAt, conditionOf } from './conditional.ts';
import { asOperand } from './conversions.ts';
import { bytesApart, bytesInAll, movedInObject, stepInElements } from './counted-in-bytes.ts';
import { elementCell, elementOrEnd } from './elements.ts';
import { writtenEnumOperator } from './enum-operators.ts';
import { evaluate } from './evaluate.ts';
import { isTextBesideArray, joined } from './joined-texts.ts';
import { cellOf, place } from './locate.ts';
import { openComparison } from './open-ends.ts';
import { operand, relational } from './operands.ts';
import { isInput, mayReadInto, readInto } from './reading.ts';
import { sameValue } from './same-values.ts';
import { movedUnknown } from './unknown-addresses.ts';
import { isOperatorOfProgram, takesObject, userOperator } from './user-operators.ts';

export function unary(operator: string, operand: Value): Value {
  if (operator === '!') {
    const known = truth(operand);
    if (known !== null) return truthValue(!known);
    return symbolic('==', operand, numberValue(0));
  }
  if (operator === '...') return operand;
  if (operator === '+') return operand.kind === 'number' ? asPromoted(operand) : operand;
  if (operand.kind === 'number')
    return operator === '-' || operator === '~' ? (negated(operator, operand) ?? unknownValue) : operand;
  if (operand.kind === 'symbol' && operator === '-') return symbolic('-', numberValue(0), operand);
  if (operand.kind === 'record' && operator === '-') return negatedTime(operand) ?? unknownValue;
  return unknownValue;
}

export function binary(world: World, scope: Scope, expression: Expression & { kind: 'binary' }): Value {
  const { operator, span } = expression;
  if (expression.isScript && operator !== '&&' && operator !== '||') return scriptBinary(world, scope, expression);
  const isOwn = isOperatorOfProgram(world.program, operator);
  if (operator === '&&' || operator === '||')
    return isOwn
      ? perhapsOwnLogical(world, scope, expression)
      : logical(world, scope, expression, conditionOf(world, scope, expression.left));
  if (operator === '.*') return place(world, scope, expression).value;
  if (operator === '<<' && isCheckWithMessage(world, expression.left)) return evaluate(world, scope, expression.left);
  const cast = castLikeSum(world, scope, expression);
  if (cast) return evaluate(world, scope, cast);
  const leftPlace = isOwn ? place(world, scope, expression.left) : null;
  const left = leftPlace ? kept(leftPlace) : operand(world, scope, expression.left, operator);
  if ((operator === '<<' || operator === '>>') && isOpenStream(left)) {
    const target = place(world, scope, expression.right);
    const operands = [
      { value: left, cell: leftPlace?.cell ?? null, span: expression.left.span },
      { ...target, span: expression.right.span },
    ];
    const own = isOwn ? userOperator(world, scope, operator, operands, span) : null;
    return own?.value ?? streamed(world, scope, operator, left, target, expression.right);
  }
  if (operator === '>>' && left.kind !== 'number' && left.kind !== 'symbol') {
    if (isInput(world, scope, expression.left)) {
      readInto(world, cellOf(world, scope, expression.right));
      return unknownValue;
    }
    const mayBeRead = expression.right.kind === 'name' || expression.right.kind === 'member';
    if (left.kind === 'unknown' && mayBeRead) mayReadInto(cellOf(world, scope, expression.right));
  }
  const rightPlace = isOwn ? place(world, scope, expression.right) : null;
  const right = rightPlace ? kept(rightPlace) : operand(world, scope, expression.right, operator);
  if (leftPlace && rightPlace) {
    noteTemporary(world, expression.left, leftPlace);
    noteTemporary(world, expression.right, rightPlace);
    const operands = [
      { expression: expression.left, span: expression.left.span, ...leftPlace },
      { expression: expression.right, span: expression.right.span, ...rightPlace },
    ];
    const own =
      userOperator(world, scope, operator, operands, span) ??
      writtenEnumOperator(world, scope, operator, operands, span);
    if (own) return own.value;
  }
  const times = left.kind === 'record' || right.kind === 'record' ? combinedTimes(operator, left, right) : null;
  if (times) return times;
  const held =
    left.kind === 'record' ||
    left.kind === 'sequence' ||
    (right.kind === 'record' && right.record.className === 'std::optional');
  const parts = held ? comparedContainers(world, scope, operator, left, right) : null;
  if (parts) return parts;
  const view = operator === '|' ? piped(world, scope, left, right, span) : null;
  if (view) return view;
  // `task(…)->*[&](cudaStream_t s) { … }`: an operator that we do not see runs what it is given.
  if (
    right.kind === 'closure' &&
    expression.right.kind === 'lambda' &&
    mayAct(world, { kind: 'block', body: expression.right.body, span })
  )
    return invokeClosure(world, right, [], span).value;
  const sign =
    (operator === '>=' || operator === '<') && left.kind !== 'number'
      ? ofUnsigned(world, scope, expression, right)
      : null;
  if (sign) return sign;
  // `"--n=5" + 4`
  if (operator === '+' && expression.left.kind === 'string' && left.kind === 'string' && right.kind === 'number')
    return movedText({ ...left, whole: left.value }, right.value) ?? unknownValue;
  const aligned =
    operator === '*' && left.kind === 'unknown' ? multipleOfQuotient(world, scope, expression, right) : null;
  if (aligned) return aligned;
  const apart = operator === '-' && left.kind === 'pointer' ? bytesApart(world, left, right) : null;
  if (apart) return apart;
  const moved = left.kind === 'unknown' ? movedUnknown(world, scope, expression, left, right) : null;
  if (moved) return moved;
  const known = world.answers ? compareAddresses(world, operator, left, right) : null;
  if (known) return known;
  const first = asOperand(world, left);
  const second = asOperand(world, right);
  noteTurns(world, operator, first, second);
  const combined = combine(operator, first, second);
  return combined.kind === 'number' ? combined : (comparedInOrder(world, operator, first, second) ?? combined);
}

/** `+` that may join texts, and `??`. */
function scriptBinary(world: World, scope: Scope, { left, right, operator }: Expression & { kind: 'binary' }): Value {
  const first = kept(place(world, scope, left));
  if (operator === '??') {
    const isAbsent = isNothing(first);
    return isAbsent === true ? kept(place(world, scope, right)) : first;
  }
  const second = kept(place(world, scope, right));
  if (operator === '+') {
    const [before, after] = [ownText(world, scope, first, left), ownText(world, scope, second, right)];
    return joinedTexts(before, after) ?? combine(operator, before, after);
  }
  return joinedTexts(first, second) ?? combine(operator, first, second);
}

/** What an object's `toString` says; any other value as it is. */
function ownText(world: World, scope: Scope, value: Value, { span }: Expression): Value {
  const target = value.kind === 'pointer' ? value.cell.value : value;
  const says = target.kind === 'record' && ownerOfMethod(world, target.record.className, 'toString');
  return says ? invokeMethod(world, scope, target.record, 'toString', [], span).value : value;
}

/** Smart pointers are compared by where they point. */
function whereItPoints(value: Value): Value {
  return value.kind === 'record' ? (pointedAt(value.record) ?? value) : value;
}

/** Combines two values; pointers move, equal things compare equal, numbers calculate. */
export function combine(operator: string, first: Value, second: Value): Value {
  const times = first.kind === 'record' || second.kind === 'record' ? combinedTimes(operator, first, second) : null;
  if (times) return times;
  const left = whereItPoints(first);
  const right = whereItPoints(second);
  if (operator === '<=>') return comparedThreeWay(left, right) ?? unknownValue;
  if (left.kind === 'number' && right.kind === 'number')
    return besideNothing(operator, left, right) ?? arithmetic(operator, left, right) ?? unknownValue;
  // `first + i * rows` in the first round, however many rows there are.
  if (operator === '*' && (isNought(left, right) || isNought(right, left))) return numberValue(0);
  if (operator === '==' || operator === '===') return equality(left, right, true);
  if (operator === '!=' || operator === '!==') return equality(left, right, false);
  const apart = operator === '-' && (right.kind === 'pointer' || right.kind === 'sequence') ? order(left, right) : null;
  if (apart !== null) return numberValue(apart);
  if (operator === '+' && isTextBesideArray(left, right)) return joined(left, right);
  if (operator === '+' || operator === '-') {
    const moved = movePointer(operator, left, right) ?? (operator === '+' ? movePointer(operator, right, left) : null);
    if (moved) return moved;
  }
  if (operator === '-') {
    const distance = textDistance(left, right);
    if (distance !== null) return numberValue(distance);
  }
  const masked = operator === '&' ? (maskedAddress(left, right) ?? maskedAddress(right, left)) : null;
  if (masked) return masked;
  const marked = markedAddress(operator, left, right);
  if (marked) return marked;
  const placed = relational.has(operator) ? order(left, right) : null;
  if (placed !== null) return truthValue(calculate(operator, placed, 0) === 1);
  if (operator === '+' && (left.kind === 'string' || right.kind === 'string')) return joined(left, right);
  return symbolic(operator, scattered(operator, left), scattered(operator, right));
}

/** `n >= 0` and `n < 0` of what has no sign, whatever it is; null for all other comparisons. */
function ofUnsigned(
  world: World,
  scope: Scope,
  { operator, left }: Expression & { kind: 'binary' },
  right: Value,
): Value | null {
  if (right.kind !== 'number' || right.value !== 0 || (left.kind !== 'name' && left.kind !== 'member')) return null;
  const type = cellOf(world, scope, left)?.type;
  const storage = type ? rangeOfType(world.program, type, scope) : null;
  return storage?.kind === 'unsigned' && type?.pointers === 0 ? truthValue(operator === '>=') : null;
}

/** TypeScript's `0 === undefined`: no number is equal to what is not there. Null for other comparisons. */
function besideNothing(operator: string, left: NumberValue, right: NumberValue): Value | null {
  if ((left.isNothing === true) === (right.isNothing === true)) return null;
  if (operator === '==' || operator === '===') return truthValue(false);
  return operator === '!=' || operator === '!==' ? truthValue(true) : null;
}

function isNought(value: Value, other: Value): boolean {
  return value.kind === 'number' && value.value === 0 && (other.kind === 'unknown' || other.kind === 'symbol');
}

/** Characters of a size that is not known, written out, beyond which it is only unknown. */
const longestText = 1_000;

/** What comes of two values of which at least one is not known. */
function symbolic(operator: string, left: Value, right: Value): Value {
  const leftSize = sizeOf(left);
  const rightSize = sizeOf(right);
  if (!leftSize || !rightSize) return compared(operator, left, right);
  const leftHint = hintOf(left);
  const rightHint = hintOf(right);
  const hint = leftHint === null || rightHint === null ? null : calculate(operator, leftHint, rightHint);
  const leftText = printSize(leftSize);
  const rightText = printSize(rightSize);
  // `n <= n`, whatever it is; what is read in several rounds has one name, and may be another each time.
  const ofTheSame =
    leftText === rightText && isSameSize(leftSize, rightSize) ? sameOnBothSides.get(operator) : undefined;
  if (ofTheSame !== undefined) return ofTheSame;
  // Nobody reads more; `x = x * x` in a loop would double it each time.
  if (leftText.length + rightText.length > longestText) return unknownValue;
  return { kind: 'symbol', size: simplify({ kind: 'operation', operator, left: leftSize, right: rightSize }), hint };
}

/** What operators give of a number and itself. */
const sameOnBothSides: ReadonlyMap<string, Value> = new Map([
  ['-', numberValue(0)],
  ...['==', '<=', '>='].map((operator): [string, Value] => [operator, truthValue(true)]),
  ...['!=', '<', '>'].map((operator): [string, Value] => [operator, truthValue(false)]),
]);

/** A comparison with something that is not known is not known either, and the same each time. */
function compared(operator: string, left: Value, right: Value): Value {
  const isEqual = operator === '==' || operator === '!=';
  const isAsked = isEqual || relational.has(operator);
  if (!isAsked || !isComparable(left, isEqual) || !isComparable(right, isEqual)) return unknownValue;
  if (operator !== '!=') return { kind: 'unknown', from: { operator, left, right } };
  const equal: Value = { kind: 'unknown', from: { operator: '==', left, right } };
  return { kind: 'unknown', from: { operator: '==', left: equal, right: numberValue(0) } };
}

function isComparable(value: Value, isEqual: boolean): boolean {
  if (value.kind === 'string') return isEqual;
  return value !== unknownValue && (value.kind === 'unknown' || sizeOf(value) !== null);
}

/** `x * 1` and `x + 0` say nothing more than `x`. */
function simplify(size: Size & { kind: 'operation' }): Size {
  if (size.right.kind === 'number') {
    if (size.operator === '*' && size.right.value === 1) return size.left;
    if ((size.operator === '+' || size.operator === '-') && size.right.value === 0) return size.left;
  }
  if (size.left.kind === 'number' && size.operator === '*' && size.left.value === 1) return size.right;
  return size;
}

function hintOf(value: Value): number | null {
  if (value.kind === 'number') return value.value;
  return value.kind === 'symbol' ? value.hint : null;
}

function equality(first: Value, second: Value, wanted: boolean): Value {
  const withNull = isNull(first) || isNull(second);
  const [left, right] = withNull ? [asPointer(first), asPointer(second)] : [first, second];
  const same = sameValue(left, right);
  const open = same === null ? openComparison(left, right, wanted) : null;
  if (open) return open;
  return same === null ? symbolic(wanted ? '==' : '!=', left, right) : truthValue(same === wanted);
}

/** What comes before in an order that nobody chose, as of handles in a set; null for values without one. */
function order(left: Value, right: Value): number | null {
  const distance = textDistance(left, right);
  if (distance !== null) return distance;
  if (left.kind === 'string' && right.kind === 'string')
    return left.value < right.value ? -1 : Number(left.value > right.value);
  if (left.kind === 'handle' && right.kind === 'handle') return left.id - right.id;
  if (left.kind === 'device' && right.kind === 'device') return bytesBetween(left, right);
  let [one, other] = [placeInArray(left), placeInArray(right)];
  if (one && other && left.kind === 'pointer' && right.kind === 'pointer' && left.bytesEach && right.bytesEach)
    [one, other] = [bytesInAll(one, left.bytesEach), bytesInAll(other, right.bytesEach)];
  if (one && other && one.sequence !== other.sequence && one.sequence.row && other.sequence.row) {
    const [first, second] = [placeInAll(one), placeInAll(other)];
    if (first.depth === second.depth) [one, other] = [first, second];
  }
  // A span sees the same elements.
  if (!one || !other || one.sequence.cells !== other.sequence.cells) return null;
  const between = elementsBetween(other.index, one.index);
  return between === null ? null : between * (left.kind === 'pointer' && left.isReverse ? -1 : 1);
}

function movePointer(operator: string, pointer: Value, step: Value): Value | null {
  if (pointer.kind === 'device') {
    if (step.kind === 'device') {
      const bytes = operator === '-' && pointer.elementBytes !== null ? bytesBetween(pointer, step) : null;
      return bytes === null ? unknownValue : numberValue(bytes / pointer.elementBytes!, 'i64');
    }
    if (step.kind === 'number' && step.value === 0) return pointer;
    return movedOnDevice(pointer, step, operator === '-');
  }
  if (pointer.kind === 'string')
    return step.kind === 'number' ? movedText(pointer, operator === '-' ? -step.value : step.value) : null;
  const around = throughDistance(operator, pointer, step);
  if (around) return around;
  const isBack = (operator === '-') !== (pointer.kind === 'pointer' && pointer.isReverse === true);
  const by = step.kind === 'number' ? (isBack ? -step.value : step.value) : null;
  const amount = pointer.kind === 'pointer' && by !== null ? stepInElements(pointer, by) : by;
  if (pointer.kind === 'sequence' && !pointer.sequence.byValue)
    return amount === null
      ? unknownValue
      : { kind: 'pointer', cell: elementCell(pointer.sequence, amount), sequence: pointer.sequence, index: amount };
  if (pointer.kind === 'pointer' && pointer.sequence) {
    if (amount === null) return unknownValue;
    const index = pointer.index + amount;
    return { ...pointer, cell: elementOrEnd(pointer.sequence, index), index };
  }
  return pointer.kind === 'pointer' ? movedInObject(pointer, amount) : null;
}

/** Where the program has an `operator&&` for its objects: that one evaluates both sides, others do not. */
function perhapsOwnLogical(world: World, scope: Scope, expression: Expression & { kind: 'binary' }): Value {
  const left = place(world, scope, expression.left);
  if (!takesObject(world, expression.operator, left.value))
    return logical(world, scope, expression, conditionAt(world, expression.left, left));
  noteTemporary(world, expression.left, left);
  const right = place(world, scope, expression.right);
  noteTemporary(world, expression.right, right);
  const operands = [
    { span: expression.left.span, ...left },
    { span: expression.right.span, ...right },
  ];
  return userOperator(world, scope, expression.operator, operands, expression.span)?.value ?? unknownValue;
}

function logical(world: World, scope: Scope, expression: Expression & { kind: 'binary' }, left: Value): Value {
  const isAnd = expression.operator === '&&';
  let known = truth(left);
  if (expression.isScript && known !== null)
    return known === isAnd ? kept(place(world, scope, expression.right)) : left;
  const acts = known === null ? acting(world, expression.right) : 'never';
  if (acts !== 'never')
    known = decide(world, left, expression.left.span, isAnd, false, acts, {
      whenTrue: isAnd ? expression.right : null,
      whenFalse: isAnd ? null : expression.right,
    });
  else known ??= knownSoFar(world, left);
  if (known === !isAnd) return expression.isScript ? left : truthValue(!isAnd);
  const right = conditionOf(world, scope, expression.right);
  const other = expression.isScript ? truth(right) : knownSoFar(world, right);
  // It is one of the two, and it is open which.
  const isOneOfTwo = right.kind !== 'symbol' && (right.kind !== 'number' || (!isAnd && other === true));
  if (expression.isScript && isOneOfTwo) return known !== null ? right : { kind: 'unknown' };
  if (known !== null) return other === null ? right : truthValue(other);
  if (other === !isAnd) return truthValue(!isAnd);
  return other === null
    ? left.kind === 'symbol' && right.kind === 'symbol'
      ? symbolic(expression.operator, left, right)
      : unknownValue
    : left;
}
