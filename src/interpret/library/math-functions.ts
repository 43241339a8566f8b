/** Functions of `<cmath>` that sizes are worked out with: `std::ceil`, `sqrtf`, `pow` … */

import { promoted } from '../../program/number-types.ts';
import { commonType } from '../expressions/arithmetic.ts';
import { type NumberValue, numberValue, unknownValue, unsignedValue, type Value } from '../value.ts';

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
  hypot: [Math.hypot, 2],
  exp: [Math.exp, 1],
  log: [Math.log, 1],
  sin: [Math.sin, 1],
  cos: [Math.cos, 1],
  tan: [Math.tan, 1],
  atan: [Math.atan, 1],
  atan2: [Math.atan2, 2],
};

const wholes: Readonly<Record<string, OfNumbers>> = {
  lround: rounded,
  llround: rounded,
  lrint: toEven,
  llrint: toEven,
};

/** Of two whole numbers: `<numeric>`. */
const ofWholes: Readonly<Record<string, OfNumbers>> = {
  gcd: greatestDivisor,
  lcm: (first, second) => (first === 0 ? 0 : Math.abs(first / greatestDivisor(first, second)) * Math.abs(second)),
};

function greatestDivisor(first: number, second: number): number {
  let [larger, smaller] = [Math.abs(first), Math.abs(second)];
  while (smaller > 0) [larger, smaller] = [smaller, larger % smaller];
  return larger;
}

/** `std::gcd(a, b)`, in the type that both have in common; null for other functions. */
function numericFunction(name: string, first: NumberValue, second: Value | undefined): Value | null {
  if (!Object.hasOwn(ofWholes, name) && name !== 'midpoint') return null;
  if (second?.kind !== 'number') return unknownValue;
  const type = commonType(promoted(first.type), promoted(second.type));
  if (name !== 'midpoint') return numberValue(ofWholes[name]?.(first.value, second.value) ?? 0, type);
  const middle = (second.value - first.value) / 2;
  return numberValue(first.value + (type === 'real' || type === 'float' ? middle : Math.trunc(middle)), type);
}

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
  return plainNames.has(name) || Object.hasOwn(ofWholes, name) || name === 'midpoint';
}

/** What a function of that name makes of numbers. */
export function mathFunction(name: string, values: readonly (Value | undefined)[]): Value {
  const plain = plainNames.get(name) ?? name;
  const [first, second] = values;
  if (first?.kind !== 'number') return unknownValue;
  const ofTwo = numericFunction(name, first, second);
  if (ofTwo) return ofTwo;
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
