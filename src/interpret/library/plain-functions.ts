/** Functions of the C library that only make one value of others, `toupper`, `abs`, `__builtin_clz`: called, and handed to who calls them. */

import type { Value } from '../value.ts';
import { bitFunction, isBitFunction } from './bit-functions.ts';
import { characterFunction, isCharacterFunction } from './character-functions.ts';
import { isMathFunction, mathFunction } from './math-functions.ts';

export function isPlainFunction(name: string): boolean {
  return isBitFunction(name) || isCharacterFunction(name) || isMathFunction(name);
}

/** What a function of that name makes of values. */
export function plainFunction(name: string, values: readonly (Value | undefined)[]): Value {
  if (isMathFunction(name)) return mathFunction(name, values);
  return isBitFunction(name) ? bitFunction(name, values[0], values[1]) : characterFunction(name, values[0]);
}
