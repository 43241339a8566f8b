/** Texts put together by `+`. */

import { textAt } from '../library/c-strings.ts';
import { putTogether } from '../library/long-texts.ts';
import { unknownValue, type Value } from '../value.ts';

/** Two texts, or a text and a character, one behind the other. */
export function joined(left: Value, right: Value): Value {
  const [before, after] = [charactersIn(left), charactersIn(right)];
  const value = before === null || after === null ? null : putTogether(before, after);
  return value === null ? unknownValue : { kind: 'string', value };
}

function charactersIn(value: Value): string | null {
  if (value.kind === 'string') return value.value;
  return value.kind === 'number' ? String.fromCharCode(value.value) : textAt(value);
}

/** One is a text, the other an array that may have one in it. */
export function isTextBesideArray(left: Value, right: Value): boolean {
  return isArrayBeside(left, right) || isArrayBeside(right, left);
}

function isArrayBeside(text: Value, { kind }: Value): boolean {
  return text.kind === 'string' && (kind === 'sequence' || kind === 'pointer');
}
