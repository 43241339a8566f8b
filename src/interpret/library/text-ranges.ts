/** Texts as ranges of characters: what `begin` and `end` of one lead to, and what iterators say of places in it. */

import type { Argument, CallResult } from '../calls/call.ts';
import { found, just } from '../calls/call-results.ts';
import type { Place } from '../expressions/locate.ts';
import { type Cell, createCell, createSequence, numberValue, type Sequence, type Value, zero } from '../value.ts';
import type { World } from '../world.ts';
import { checkPlace } from './library-exceptions.ts';
import { containerIterator, type Iterator } from './ranges.ts';
import { changedText, characterCell, charactersOf, charactersType, stringMethod } from './strings.ts';

/** The characters of texts in variables, as long as these are as long as they were: iterators stay good, and so do places. */
const ranges = new WeakMap<Cell, Sequence>();

/** The characters of a text; those of a text in a variable are its own, and change it. */
export function charactersIn(text: string, whole: Cell | null): Sequence {
  const known = whole && ranges.get(whole);
  if (known?.length === text.length) return known;
  const sequence = createSequence(whole?.name ?? 'text', text.length, charactersType, false);
  charactersOf(text, whole).forEach((cell, at) => {
    sequence.cells.set(at, cell);
  });
  if (whole) ranges.set(whole, sequence);
  return sequence;
}

/** A method of a text that is known; null where it is none of those that are. */
export function methodOfText(
  world: World,
  before: string,
  holder: Place,
  name: string,
  values: readonly Argument[],
): CallResult | null {
  const iterator = textIterator(holder, name);
  if (iterator) return just(iterator);
  const { cell } = holder;
  // What it is given may have changed it.
  const text = cell?.value.kind === 'string' ? cell.value.value : before;
  const changed = changedText(text, name, withPlaces(name, values));
  // Of a text without a name what it becomes is all there is.
  if (changed && !cell) return just(changed);
  if (changed && cell) {
    cell.value = changed;
    const place = placeAfter(cell, values[0]?.value);
    return place ? just(place) : { value: changed, cell };
  }
  if (name === 'at') checkPlace(world, text, values[0]?.value);
  if (name === 'substr') checkPlace(world, { length: text.length + 1 }, values[0]?.value);
  const at = name === 'front' ? zero : name === 'back' ? numberValue(text.length - 1) : values[0]?.value;
  const character = isElement.has(name) && at ? characterCell(text, cell, at) : null;
  if (character) return found(character);
  const answer = stringMethod(text, name, values);
  // What is written there is in the object.
  return answer && (name === 'data' ? { value: answer, cell } : just(answer));
}

/** Methods that give a character, which may be stored to. */
const isElement = new Set(['front', 'back', 'at', 'operator[]']);

/** `text.begin()` and its like; null for all else. */
export function textIterator({ value, cell }: Place, name: string): Value | null {
  if (value.kind !== 'string' || !isRangeEnd.test(name)) return null;
  return containerIterator(charactersIn(value.value, cell), name);
}

const isRangeEnd = /^c?r?(?:begin|end)$/;

/** `text.erase(from, to)`, `text.insert(at, 'c')`: with iterators into the text as places and counts. */
function withPlaces(name: string, values: readonly Argument[]): readonly Argument[] {
  const [first, second, ...rest] = values;
  if (!first || !isPlace(first.value)) return values;
  const at = number(first, first.value.index);
  switch (name) {
    case 'erase':
    case 'replace': {
      const to = second && isPlace(second.value) ? second.value.index : first.value.index + 1;
      return [at, number(first, to - first.value.index), ...rest];
    }
    case 'insert':
      return second ? [at, ...(second.value.kind === 'number' ? [number(first, 1)] : []), second, ...rest] : values;
    default:
      return values;
  }
}

function isPlace(value: Value): value is Iterator {
  return value.kind === 'pointer' && value.sequence !== null;
}

function number({ span }: Argument, value: number): Argument {
  return { value: numberValue(value), cell: null, span };
}

/** The place in a text, as it is after a change, that an iterator points at. */
function placeAfter(whole: Cell, first: Value | undefined): Value | null {
  if (whole.value.kind !== 'string' || !first || !isPlace(first)) return null;
  const sequence = charactersIn(whole.value.value, whole);
  return { kind: 'pointer', cell: sequence.cells.get(first.index) ?? createCell('end'), sequence, index: first.index };
}
