/**
 * `void run(this auto &self)`: a parameter for the object itself, which the grammar does not know. The word becomes white space, with
 * a sign among it that nobody writes and that says what the parameter is for. No character moves.
 */

import { blank } from './scan.ts';

const mark = '\v';

/** Not `(this and …)`, nor the others that are operators. */
const word = /\bthis(?<=\(\s*this)(?=\s+(?!(?:and|or|xor|not_eq|bitand|bitor)\b)[A-Za-z_:])/g;

export function markObjectParameters(text: string): string {
  return text.includes('this') ? text.replace(word, (written) => mark + blank(written.slice(1))) : text;
}

/** Whether the first parameter is for the object, by what stands before it. */
export function isForObject(before: string): boolean {
  return before.includes(mark);
}
