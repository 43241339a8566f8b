/**
 * What functions that only look at what they are given say of something that is not known: the same each time, until that may
 * have changed. An address may stay the same while the text behind it becomes another, so a text has an identity of its own.
 */

import type { TypeReference } from '../../program/program.ts';
import { type SameAnswers, textNow } from '../asked-texts.ts';
import type { Argument, CallResult } from '../calls/call.ts';
import { done, just } from '../calls/call-results.ts';
import { isSame } from '../calls/getters.ts';
import { placeInArray } from '../expressions/array-places.ts';
import type { Place } from '../expressions/locate.ts';
import { heldBy, numberValue, type Sequence, unknownValue, type Value } from '../value.ts';
import type { World } from '../world.ts';
import { textAt } from './c-strings.ts';
import { changesText, isText, noText } from './strings.ts';

/** Answers of one function that are kept. */
const mostAnswers = 64;
/** Characters of an array that are looked at to see whether it still holds the same text. */
const mostCharacters = 64;

/** What a function says that only looks at what it is given; unknown, and another each time, where that cannot be known again. */
export function sameAnswer(world: World, name: string, values: readonly Argument[]): Value {
  const asked: Value[] = [];
  for (const { value } of values) {
    const text = textOf(world, value);
    if (text === unknownValue || text.kind === 'record' || text.kind === 'sequence') return unknownValue;
    asked.push(text);
  }
  const earlier = world.sameAnswers.given.get(name) ?? [];
  const known = earlier.find(
    (each) => each.asked.length === asked.length && each.asked.every((value, index) => isSame(value, asked[index]!)),
  );
  if (known) return known.answer;
  if (earlier.length >= mostAnswers) return unknownValue;
  const answer: Value = { kind: 'unknown' };
  earlier.push({ asked, answer });
  world.sameAnswers.given.set(name, earlier);
  return answer;
}

/** `strcmp(first, second)`: as far as it is not known, whether the texts differ. */
export function comparedTexts(world: World, first: Argument | undefined, second: Argument | undefined): Value {
  if (!first || !second) return unknownValue;
  const [left, right] = [textOf(world, first.value), textOf(world, second.value)];
  if (left.kind === 'string' && right.kind === 'string')
    return numberValue(left.value === right.value ? 0 : left.value < right.value ? -1 : 1);
  if (left.kind === 'string') return comparedTexts(world, second, first);
  if (left.kind !== 'unknown' || left === unknownValue || right === unknownValue) return unknownValue;
  const equal: Value = { kind: 'unknown', from: { operator: '==', left, right } };
  return { kind: 'unknown', from: { operator: '==', left: equal, right: numberValue(0) } };
}

/** Whether it is a method of a text that is not known. */
export function isUnknownText({ value, cell }: Place, method: string): boolean {
  return (
    value.kind === 'unknown' && cell?.type != null && isText(cell.type) && (asking.has(method) || changesText(method))
  );
}

/** What such a method gives, or leaves. */
export function unknownTextMethod(
  world: World,
  { cell }: Place,
  name: string,
  values: readonly Argument[],
): CallResult {
  if (!cell) return done;
  if (changesText(name)) {
    cell.value = unknownValue;
    return { value: unknownValue, cell };
  }
  const self = { value: heldBy(cell), cell, span: world.statement };
  if (name === 'c_str' || name === 'data') return just(self.value);
  const other = name === 'empty' ? { ...self, value: noText } : values[0];
  if (name === 'empty') return just(asEqual(comparedTexts(world, self, other)));
  if (name === 'compare' && values.length === 1) return just(comparedTexts(world, self, other));
  return just(sameAnswer(world, `${name} of a text`, [self, ...values]));
}

/** Methods that only look at a text. */
const asking = new Set(
  (
    'empty size length compare find rfind find_first_of find_first_not_of find_last_of find_last_not_of starts_with ends_with contains ' +
    'substr c_str data at front back'
  ).split(' '),
);

/** Whether they are equal, from whether they differ. */
function asEqual(differ: Value): Value {
  return differ.kind === 'unknown' && differ.from ? differ.from.left : differ;
}

/** The text that a value is or leads to: known, or an unknown that is the same as long as the text is. */
function textOf(world: World, value: Value): Value {
  if (value.kind === 'string') return value;
  const known = textAt(value);
  if (known !== null) return { kind: 'string', value: known };
  if (value === unknownValue) return value;
  const start = placeInArray(world.unseenArrays.get(value) ?? value);
  if (!start) return textNow(world, value);
  const { sequence, index } = start;
  const seen = world.sameAnswers.texts.get(sequence);
  if (seen?.index === index && seen.characters && isUnchanged(sequence, seen.characters)) return seen.text;
  const characters = charactersIn(sequence);
  if (!characters) return unknownValue;
  const text: Value = { kind: 'unknown' };
  world.sameAnswers.texts.set(sequence, { index, characters, text });
  return text;
}

function charactersIn({ cells }: Sequence): ReadonlyMap<number, Value> | null {
  if (cells.size > mostCharacters) return null;
  const out = new Map<number, Value>();
  for (const [index, cell] of cells) out.set(index, heldBy(cell));
  return out;
}

/** Whether nothing has been stored since: what has only been looked at is still not known. */
function isUnchanged({ cells }: Sequence, before: ReadonlyMap<number, Value>): boolean {
  for (const [index, { value }] of cells) {
    const earlier = before.get(index);
    if (earlier ? !isSame(earlier, value) : value.kind !== 'unknown') return false;
  }
  return true;
}

/** What a call was given by an address, or by a reference, may be another text now. `declared`: the types of the parameters. */
export function forgetTexts(
  world: World,
  values: readonly Argument[],
  declared: readonly TypeReference[] | null = null,
): void {
  const { texts, given } = world.sameAnswers;
  values.forEach(({ value, cell }, index) => {
    const type = declared?.[index];
    if (type?.isConst || cell?.type?.isConst) return;
    if (value.kind === 'sequence') texts.delete(value.sequence);
    else if (value.kind === 'pointer') {
      if (value.sequence) texts.delete(value.sequence);
      if (value.cell.value.kind === 'unknown') becomesAnother(texts, value.cell.value);
    } else if (world.questions.has(value) || given.size > 0 || texts.has(value)) {
      const isObject = cell?.type && isText(cell.type);
      if (value.kind === 'unknown' && (!isObject || type?.isReference)) becomesAnother(texts, value);
    }
  });
}

function becomesAnother(texts: SameAnswers['texts'], value: Value): void {
  texts.set(value, { index: 0, characters: null, text: { kind: 'unknown' } });
}
