/** Operators as the names of functions: `operator=`, `operator()`. */

import { as, kindAt, type Made, made, type Reading, sign } from './nodes.ts';

/** Those that are one sign; what converts, what begins with `>` or is a word is left to the parser. */
const signs = new Set(
  '= == != + - * / % += -= *= /= %= < <= >= << <<= ++ -- ! ~ & | ^ && || &= |= ^= -> ->* ,'.split(' '),
);

/** Behind the name of an operator that begins at a token; -1 where none does, or one that is not plain. */
export function endOfOperatorName({ tokens }: Reading, from: number): number {
  const { kinds, starts, ends } = tokens;
  if (kinds[from] !== 'operator') return -1;
  const first = kinds[from + 1]!;
  if (signs.has(first)) return from + 2;
  const closing = first === '(' ? ')' : first === '[' ? ']' : null;
  return closing !== null && kinds[from + 2] === closing && starts[from + 2] === ends[from + 1] ? from + 3 : -1;
}

export function operatorName(reading: Reading): Made {
  const word = sign(reading);
  const kind = kindAt(reading);
  const isPair = kind === '(' || kind === '[';
  const symbol = sign(reading, null, isPair ? 2 : 0);
  if (isPair) reading.at++;
  // Commas and arrows are left out of every tree.
  const children = kind === '->' || kind === ',' ? [word] : [word, symbol];
  return as(null, made('operator_name', word.start, symbol.end, children));
}
