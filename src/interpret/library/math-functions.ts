/** Functions of `<cmath>` that sizes are worked out with: `std::ceil`, `sqrtf`, `pow` … */

import { numberValue, unknownValue, unsignedValue, type Value } from '../value.ts';

type OfNumbers = (first: number, second: number) => number;

/** To the nearest, halves away from zero; halves to the even one. */
const rounded: OfNumbers = (value) => Math.sign(value) * Math.round(Math.abs(value));
const toEven: OfNumbers = (value) => {
  const below = Math.floor(value);
  return value - below === 0.5 ? 2 * Math.round(value / 2) : Math.floor(value + 0.5);
};

const reals: Readonly<Record<string, readonly [of: OfNumbers, count: 1 | 2]>> = {
  ceil: [Math.ceil, 1],
  floor: [Math.floor, 1],
  trunc: [Math.trunc, 1],
  round: [rounded, 1],
  rint: [toEven, 1],
  nearbyint: [toEven, 1],
  sqrt: [Math.sqrt, 1],
  cbrt: [Math.cbrt, 1],
  fabs: [Math.abs, 1],
  exp2: [(value) => 2 ** value, 1],
  log2: [Math.log2, 1],
  log10: [Math.log10, 1],
  pow: [(base, exponent) => base ** exponent, 2],
  fmin: [Math.min, 2],
  fmax: [Math.max, 2],
  fmod: [(value, by) => value % by, 2],
};

const wholes: Readonly<Record<string, OfNumbers>> = {
  lround: rounded,
  llround: rounded,
  lrint: toEven,
  llrint: toEven,
};

const keepsType = new Set(['abs', 'labs', 'llabs']);

/** `ceil` by all its names: `ceil`, `ceilf` and `ceill`. */
const plainNames = new Map<string, string>([
  ...[...Object.keys(reals), ...Object.keys(wholes)].flatMap((name): [string, string][] => [
    [`${name}f`, name],
    [`${name}l`, name],
  ]),
  ...[...Object.keys(reals), ...Object.keys(wholes), ...keepsType].map((name): [string, string] => [name, name]),
]);

export function isMathFunction(name: string): boolean {
  return plainNames.has(name);
}

/** What a function of that name makes of numbers. */
export function mathFunction(name: string, values: readonly (Value | undefined)[]): Value {
  const plain = plainNames.get(name) ?? name;
  const [first, second] = values;
  if (first?.kind !== 'number') return unknownValue;
  if (keepsType.has(name)) return { ...first, value: Math.abs(first.value) };
  const whole = wholes[plain];
  if (whole) return numberValue(whole(unsignedValue(first), 0), 'i64');
  const [of, count] = reals[plain] ?? [];
  if (!of || (count === 2 && second?.kind !== 'number')) return unknownValue;
  const result = of(unsignedValue(first), second?.kind === 'number' ? unsignedValue(second) : 0);
  if (!Number.isFinite(result)) return unknownValue;
  const isFloat =
    name !== plain ? name.endsWith('f') : values.every((each) => each?.kind === 'number' && each.type === 'float');
  return isFloat ? numberValue(Math.fround(result), 'float') : numberValue(result, 'real');
}
