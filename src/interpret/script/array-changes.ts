/** Methods of TypeScript's arrays and sets that change what is in them. */

import { sameValue } from '../expressions/same-values.ts';
import { createCell, heldBy, nothingThere, numberValue, type Sequence, unknownValue, type Value } from '../value.ts';
import type { World } from '../world.ts';
import { arrayOf, booleanValue, forgetContents, setElements, textOfValue, unknownArray } from './values.ts';

interface Change {
  readonly sequence: Sequence;
  /** What is in it, all of it known to be there. */
  readonly elements: readonly Value[];
  readonly values: readonly Value[];
  readonly run: (...values: readonly Value[]) => Value;
}

type ArrayChange = (change: Change) => Value;

function lengthAfter(sequence: Sequence, elements: readonly Value[]): Value {
  setElements(sequence, elements);
  return numberValue(elements.length, 'real');
}

/** `a.splice(from, count, …)`, `a.fill(x, from, to)`: a place counted from the front or the back. */
function place(value: Value | undefined, length: number, otherwise: number): number | null {
  if (!value) return otherwise;
  if (value.kind !== 'number') return null;
  return value.value < 0 ? Math.max(0, length + value.value) : Math.min(length, value.value);
}

/** The order of two elements; null when it is not known. */
function order({ values: [compare], run }: Change, first: Value, second: Value): number | null {
  if (compare && compare.kind !== 'number') {
    const answer = run(first, second);
    return answer.kind === 'number' ? answer.value : null;
  }
  const [one, other] = [textOfValue(first), textOfValue(second)];
  if (one === null || other === null) return null;
  return one < other ? -1 : Number(one > other);
}

/** The elements in order; null where that is not known. */
function sorted(change: Change): Value[] | null {
  let isKnown = true;
  const elements = [...change.elements].sort((first, second) => {
    const answer = isKnown ? order(change, first, second) : 0;
    isKnown &&= answer !== null;
    return answer ?? 0;
  });
  return isKnown ? elements : null;
}

const changes: Readonly<Record<string, ArrayChange>> = {
  unshift: ({ sequence, elements, values }) => lengthAfter(sequence, [...values, ...elements]),
  pop: ({ sequence, elements }) => {
    setElements(sequence, elements.slice(0, -1));
    return elements.at(-1) ?? nothingThere;
  },
  shift: ({ sequence, elements }) => {
    setElements(sequence, elements.slice(1));
    return elements[0] ?? nothingThere;
  },
  reverse: ({ sequence, elements }) => {
    setElements(sequence, [...elements].reverse());
    return { kind: 'sequence', sequence };
  },
  sort: (change) => {
    const elements = sorted(change);
    setElements(change.sequence, elements ?? change.elements.map(() => unknownValue));
    return { kind: 'sequence', sequence: change.sequence };
  },
  toSorted: (change) => arrayOf(sorted(change) ?? change.elements.map(() => unknownValue)),
  fill: ({ sequence, elements, values: [value = nothingThere, ...range] }) => {
    const from = place(range[0], elements.length, 0);
    const to = place(range[1], elements.length, elements.length);
    setElements(
      sequence,
      elements.map((element, index) =>
        from === null || to === null ? unknownValue : index >= from && index < to ? value : element,
      ),
    );
    return { kind: 'sequence', sequence };
  },
  splice: ({ sequence, elements, values: [start, count, ...added] }) => {
    const from = place(start, elements.length, 0);
    if (from === null || (count && count.kind !== 'number')) {
      forgetContents(sequence);
      return unknownArray();
    }
    const rest = [...elements];
    const taken = rest.splice(from, count?.value ?? elements.length, ...added);
    setElements(sequence, rest);
    return arrayOf(taken);
  },
  toSpliced: ({ elements, values: [start, count, ...added] }) => {
    const from = place(start, elements.length, 0);
    if (from === null || (count && count.kind !== 'number')) return unknownArray();
    const rest = [...elements];
    rest.splice(from, count?.value ?? elements.length, ...added);
    return arrayOf(rest);
  },
  with: ({ elements, values: [at, value = nothingThere] }) => {
    const index = place(at, elements.length, 0);
    return index === null ? unknownArray() : arrayOf(elements.map((each, own) => (own === index ? value : each)));
  },
  add: ({ sequence, elements, values: [value = nothingThere] }) => {
    const answers = elements.map((element) => sameValue(element, value));
    const isOpen = !answers.includes(true) && answers.includes(null);
    if (isOpen) forgetContents(sequence);
    else if (!answers.includes(true)) setElements(sequence, [...elements, value]);
    return { kind: 'sequence', sequence };
  },
  delete: ({ sequence, elements, values: [value = nothingThere] }) => {
    const answers = elements.map((element) => sameValue(element, value));
    if (answers.includes(null)) {
      forgetContents(sequence);
      return unknownValue;
    }
    setElements(
      sequence,
      elements.filter((_, index) => !answers[index]),
    );
    return booleanValue(answers.includes(true));
  },
  clear: ({ sequence }) => {
    setElements(sequence, []);
    return nothingThere;
  },
};

/** `push` is apart: it is what plans are made with, and needs nothing of what is there. */
export function isArrayChange(name: string): boolean {
  return name === 'push' || Object.hasOwn(changes, name);
}

/** Elements of which each is kept. */
const mostElements = 4_096;

/** A change of an array with more elements than that: what is in it is not known. */
function changedUnseen(sequence: Sequence, length: number, name: string): Value {
  const keepsLength = name === 'fill' || name === 'sort' || name === 'reverse';
  forgetContents(sequence);
  if (!keepsLength) return { kind: 'unknown' };
  sequence.length = length;
  sequence.isZero = false;
  return { kind: 'sequence', sequence };
}

export function arrayChange(
  _world: World,
  sequence: Sequence,
  name: string,
  values: readonly Value[],
  run: (...values: readonly Value[]) => Value,
): Value {
  const { length } = sequence;
  if (name === 'push') {
    if (length === null) return { kind: 'unknown' };
    for (const [index, value] of values.entries())
      sequence.cells.set(length + index, createCell(`${length + index}`, value));
    sequence.length = length + values.length;
    return numberValue(sequence.length, 'real');
  }
  if (length === null && name !== 'clear') return { kind: 'unknown' };
  if (length !== null && length > mostElements) return changedUnseen(sequence, length, name);
  const elements = Array.from({ length: length ?? 0 }, (_, index) => {
    const cell = sequence.cells.get(index);
    return cell ? heldBy(cell) : nothingThere;
  });
  return changes[name]?.({ sequence, elements, values, run }) ?? unknownValue;
}
