/** Functions of `<cmath>` that sizes are computed with. Those that round are not among them: whether a division was of whole numbers is not kept. */

import { numberValue, unknownValue, type Value } from './value.ts';

const functions: Readonly<Record<string, (...given: readonly number[]) => number>> = {
  pow: (base = 0, exponent = 0) => base ** exponent,
  sqrt: (of = 0) => Math.sqrt(of),
  log2: (of = 0) => Math.log2(of),
  exp2: (of = 0) => 2 ** of,
  abs: (of = 0) => Math.abs(of),
  labs: (of = 0) => Math.abs(of),
};

export function isMathematical(name: string): boolean {
  return Object.hasOwn(functions, name);
}

/** The result for known numbers. */
export function mathematical(name: string, values: readonly Value[]): Value {
  const numbers = values.flatMap((value) => (value.kind === 'number' ? [value.value] : []));
  const result = numbers.length === values.length ? functions[name]?.(...numbers) : undefined;
  return result !== undefined && Number.isFinite(result) ? numberValue(result) : unknownValue;
}
