/** Elements that are added to containers: as they are given, or made of what is given. */

import type { CallExpression } from '../../program/program.ts';
import type { Argument, CallResult } from '../calls/call.ts';
import { done, found, just } from '../calls/call-results.ts';
import { arrive, leaveMembers } from '../closure-holdings.ts';
import { store } from '../expressions/assign.ts';
import { constructValue } from '../objects/construct.ts';
import { holdsNoObject, initialised } from '../objects/copies.ts';
import { convertedFrom } from '../objects/implicit.ts';
import { weakOf } from '../objects/weak-pointers.ts';
import { findClass, lastPart } from '../program-table.ts';
import type { Scope } from '../scope.ts';
import { defaultValue } from '../types/types.ts';
import { type Cell, createElement, type Sequence, unknownValue, type Value } from '../value.ts';
import type { World } from '../world.ts';
import { isHeap, raiseLast } from './heaps.ts';
import { asIterator } from './ranges.ts';
import { wrapped } from './reference-wrappers.ts';
import { addedToSet, insert } from './sequence-contents.ts';

/** `push_back`, `push`, `emplace` and their like. */
export function addedAs(
  world: World,
  scope: Scope,
  sequence: Sequence,
  name: string,
  values: readonly Argument[],
  expression: CallExpression,
): CallResult {
  const { span } = expression;
  const [first] = values;
  if (sequence.isSet && first) {
    const isMade = values.length > 1 || (name.startsWith('emplace') && isMadeFrom(world, sequence, first.value));
    const given: Argument = isMade
      ? { value: constructed(world, scope, sequence, values, expression), cell: null, span }
      : first;
    return just(addedToSet(world, scope, sequence, given, span));
  }
  // `v.emplace(at, …)`: made there.
  if (name === 'emplace' && first && asIterator(first.value)?.sequence === sequence) {
    const value = constructed(world, scope, sequence, values.slice(1), expression);
    return just(insert(world, scope, sequence, [first, { value, cell: null, span }]));
  }
  const make = /^(?:unchecked_)?emplace/.test(name) ? constructed : pushed;
  return arrived(first, added(world, scope, sequence, make(world, scope, sequence, values, expression)));
}

/** `nodes.emplace(3)`: an object of the program is made from what is none. */
function isMadeFrom(world: World, { elementType }: Sequence, value: Value): boolean {
  return elementType !== null && value.kind !== 'record' && findClass(world.program, elementType.name) !== undefined;
}

/** `push_front` and `emplace_front`: all others move up. */
export function addInFront(
  world: World,
  scope: Scope,
  sequence: Sequence,
  name: string,
  values: readonly Argument[],
  expression: CallExpression,
): void {
  const cells = [...sequence.cells];
  sequence.cells.clear();
  for (const [index, cell] of cells) sequence.cells.set(index + 1, cell);
  const make = name === 'push_front' ? pushed : constructed;
  const front = storedElement(world, scope, sequence, 0, make(world, scope, sequence, values, expression));
  sequence.cells.set(0, front);
  if (sequence.length !== null) sequence.length++;
}

/** What was put there, a lambda that owns something, is not on its way any more. */
function arrived(given: Argument | undefined, result: CallResult): CallResult {
  if (given?.isOnItsWay && result.cell?.value === given.value) arrive(given.value);
  return result;
}

/** A new element at the back; in a priority queue it goes where it belongs. */
function added(world: World, scope: Scope, sequence: Sequence, value: Value): CallResult {
  const cell = append(world, scope, sequence, value);
  if (!isHeap(sequence)) return found(cell);
  raiseLast(world, scope, sequence);
  return done;
}

/** What `push_back` adds: an object that is given away or copied is made anew by its class's constructor. */
function pushed(
  world: World,
  scope: Scope,
  sequence: Sequence,
  values: readonly Argument[],
  expression: CallExpression,
): Value {
  const given = values[0];
  if (!given) return unknownValue;
  const { value } = given;
  const reference = wrapped(world, sequence.elementType, value, given.cell);
  if (reference) return reference;
  const seen = sequence.elementType?.name.endsWith('weak_ptr') ? weakOf(value) : null;
  if (seen) return seen;
  const other = sequence.elementType ? convertedFrom(world, scope, sequence.elementType, given) : null;
  // What it is converted to is moved there, and goes.
  const made = { value: other ?? value, cell: null, span: expression.span, isTemporary: true };
  if (other) return other.kind === 'record' ? initialised(world, scope, made, expression.span) : other;
  if (value.kind !== 'record' || !sequence.elementType) return value;
  if (!given.cell) return initialised(world, scope, given, expression.span);
  if (value.record.className.startsWith('std::')) return initialised(world, scope, given, expression.span);
  return constructValue(world, scope, sequence.elementType, values, expression.span);
}

/** At the back, as it is given. */
export function append(world: World, scope: Scope, sequence: Sequence, value: Value): Cell {
  const index = sequence.length ?? sequence.cells.size;
  const cell = storedElement(world, scope, sequence, index, value);
  sequence.cells.set(index, cell);
  if (sequence.length !== null) sequence.length = index + 1;
  return cell;
}

function storedElement(world: World, scope: Scope, sequence: Sequence, index: number, value: Value): Cell {
  const begun = sequence.elementType ? defaultElement(world, scope, sequence, value) : unknownValue;
  const cell = createElement(sequence, index, begun);
  store(world, scope, cell, value);
  if (sequence.elementType && cell.value !== value) leaveMembers(value);
  return cell;
}

function defaultElement(world: World, scope: Scope, sequence: Sequence, value: Value): Value {
  const isList = value.kind === 'sequence' && value.sequence.name === 'list';
  const isBare = value.kind === 'record' && value.record.className === '';
  return sequence.elementType && (isList || isBare)
    ? defaultValue(world, scope, sequence.elementType, sequence.name)
    : unknownValue;
}

function constructed(
  world: World,
  scope: Scope,
  sequence: Sequence,
  values: readonly Argument[],
  expression: CallExpression,
): Value {
  if (!sequence.elementType) return values[0]?.value ?? unknownValue;
  const [only] = values;
  const reference = only && wrapped(world, sequence.elementType, only.value, only.cell);
  if (reference) return reference;
  const isElement =
    only?.value.kind === 'record' &&
    (only.value.record.className === lastPart(sequence.elementType.name) ||
      only.value.record.className.startsWith('std::') ||
      only.value.record.className === '');
  if (values.length === 1 && only && isElement) return pushed(world, scope, sequence, values, expression);
  if (values.length === 1 && only && holdsNoObject(world, sequence.elementType))
    return convertedFrom(world, scope, sequence.elementType, only) ?? only.value;
  return constructValue(world, scope, sequence.elementType, values, expression.span);
}
