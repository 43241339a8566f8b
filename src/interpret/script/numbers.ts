/** Functions of TypeScript's `Math` and `Number`, of numbers that are known. */

import { numberValue, unknownValue, type Value } from '../value.ts';
import { booleanValue, textOfValue } from './values.ts';

const ofMath: readonly (keyof typeof Math)[] = [
  ...(['sign', 'hypot', 'clz32', 'imul', 'fround', 'exp', 'expm1', 'log', 'log1p'] as const),
  ...(['sin', 'cos', 'tan', 'asin', 'acos', 'atan', 'atan2', 'sinh', 'cosh', 'tanh'] as const),
];

/** What a text says as a number; null where it says none, which is unknown here. */
function read(number: number): Value {
  return Number.isNaN(number) ? unknownValue : numberValue(number, 'real');
}

function parsedWhole([of, radix]: readonly Value[]): Value {
  const text = of && textOfValue(of);
  if (text === null || text === undefined || (radix && radix.kind !== 'number')) return unknownValue;
  return read(Number.parseInt(text, radix?.kind === 'number' ? radix.value : undefined));
}

function parsedReal([of]: readonly Value[]): Value {
  const text = of && textOfValue(of);
  return text === null || text === undefined ? unknownValue : read(Number.parseFloat(text));
}

const asked =
  (holds: (value: number) => boolean) =>
  ([of]: readonly Value[]): Value =>
    of?.kind === 'number' ? booleanValue(!of.isNothing && holds(of.value)) : unknownValue;

const functions: Readonly<Record<string, (values: readonly Value[]) => Value>> = {
  ...Object.fromEntries(ofMath.map((name) => [`Math.${String(name)}`, calculated(name)])),
  parseInt: parsedWhole,
  parseFloat: parsedReal,
  'Number.parseInt': parsedWhole,
  'Number.parseFloat': parsedReal,
  'Number.isInteger': asked(Number.isInteger),
  'Number.isSafeInteger': asked(Number.isSafeInteger),
  'Number.isFinite': asked(Number.isFinite),
  'Number.isNaN': asked(Number.isNaN),
  isFinite: asked(Number.isFinite),
  isNaN: asked(Number.isNaN),
};

function calculated(name: keyof typeof Math): (values: readonly Value[]) => Value {
  return (values) => {
    const known = values.flatMap((value) => (value.kind === 'number' ? [value.value] : []));
    const calculate: unknown = Math[name];
    if (known.length < values.length || typeof calculate !== 'function') return unknownValue;
    const result: unknown = Reflect.apply(calculate, Math, known);
    return typeof result === 'number' ? read(result) : unknownValue;
  };
}

/** What the function gives back; null when it is none of them. */
export function numberFunction(name: string, values: readonly Value[]): Value | null {
  return Object.hasOwn(functions, name) ? (functions[name]?.(values) ?? null) : null;
}

export function isNumberFunction(name: string): boolean {
  return Object.hasOwn(functions, name);
}
