/** What a run has been asked about texts and other things that it does not know, and what it said. */

import type { Sequence, Value } from './value.ts';
import type { World } from './world.ts';

/** What was asked about, and the answer. */
interface Answer {
  readonly asked: readonly Value[];
  readonly answer: Value;
}

/** A text that is not known, and the characters of its array when it was first asked for. */
interface SeenText {
  readonly index: number;
  readonly characters: ReadonlyMap<number, Value> | null;
  readonly text: Value;
}

/** What a run has asked so far. */
export interface SameAnswers {
  readonly given: Map<string, Answer[]>;
  /** Texts by the array that they lie in, or by the unknown that leads to them. */
  readonly texts: Map<Sequence | Value, SeenText>;
  /** A number for each text that something unknown was compared with: what is one of them is none of the others. */
  readonly numbers: Map<string, number>;
}

/** What an unknown stands for where the text that it leads to may have become another. */
export function textNow(world: World, value: Value): Value {
  return world.sameAnswers.texts.get(value)?.text ?? value;
}

/** The number that stands for a known text in questions. */
export function numberOfText({ sameAnswers: { numbers } }: World, text: string): number {
  const known = numbers.get(text) ?? numbers.size + 1;
  numbers.set(text, known);
  return known;
}
