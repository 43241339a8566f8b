/** `std::index_sequence`: numbers that a pack of template parameters stands for. */

import type { Expression, TypeReference } from '../../program/program.ts';
import { evaluate } from '../expressions/evaluate.ts';
import { lastPart } from '../program-table.ts';
import { bind, type Scope } from '../scope.ts';
import { createCell, createRecord, numberValue, type Value } from '../value.ts';
import type { World } from '../world.ts';
import { expandedTypes } from './packs.ts';
import { asExpression, isType } from './type-arguments.ts';

const className = 'std::index_sequence';

/** The object of `std::make_index_sequence<N>{}`, `std::index_sequence<0, 2>{}` and their like; null for other types, and when the numbers are not known. */
export function indexSequence(
  world: World,
  scope: Scope,
  name: string,
  written: TypeReference['arguments'],
): Value | null {
  const plain = lastPart(name);
  if (plain === 'index_sequence') return listed(world, scope, written);
  if (plain === 'integer_sequence') return listed(world, scope, written.slice(1));
  if (plain === 'index_sequence_for') return counted(expandedTypes(scope, written).length);
  if (plain !== 'make_index_sequence' && plain !== 'make_integer_sequence') return null;
  const last = written.at(-1);
  const count = last && evaluate(world, scope, asExpression(last, world.statement));
  return count?.kind === 'number' ? counted(count.value) : null;
}

/** Numbers of a sequence that are told apart. */
const mostNumbers = 256;

function counted(length: number): Value {
  return sequenceOf(Array.from({ length: Math.min(length, mostNumbers) }, (_, index) => index));
}

/** `std::index_sequence<0, 2, 5>`; null while one of them is not known, as in a pattern. */
function listed(world: World, scope: Scope, written: TypeReference['arguments']): Value | null {
  const numbers: number[] = [];
  for (const each of written.slice(0, mostNumbers)) {
    const value = evaluate(world, scope, asExpression(each, world.statement));
    if (value.kind !== 'number') return null;
    numbers.push(value.value);
  }
  return sequenceOf(numbers);
}

function sequenceOf(numbers: readonly number[]): Value {
  const record = createRecord(className, true);
  for (const [index, number] of numbers.entries())
    record.fields.set(String(index), createCell('', numberValue(number)));
  return { kind: 'record', record };
}

/** Binds the pack `name` where `pattern` is `std::index_sequence<name...>`; whether it did. */
export function deduceIndices(world: World, scope: Scope, name: string, pattern: TypeReference, value: Value): boolean {
  const isPattern = pattern.arguments.some((each) => isType(each) && each.name === `${name}...`);
  if (!isPattern || value.kind !== 'record' || value.record.className !== className) return false;
  const names = [...value.record.fields.values()].map((cell, index) => {
    bind(scope, `${name} #${index}`, cell);
    return `${name} #${index}`;
  });
  const expressions = names.map((each): Expression => ({ kind: 'name', name: each, span: world.statement }));
  bind(scope, name, { kind: 'thunk', isPack: true, scope, expressions });
  return true;
}
