/** Functions of TypeScript's library: `Array.from`, `Object.keys`, `new Set`, and what patterns ask for. */

import type { Span } from '../../base/span.ts';
import type { Argument } from '../calls/call.ts';
import { callWith } from '../calls/callables.ts';
import { combine } from '../expressions/operators.ts';
import { mapCell } from '../library/map-entries.ts';
import type { Scope } from '../scope.ts';
import { createShared, heldBy, nothingThere, numberValue, truth, unknownValue, type Value } from '../value.ts';
import type { World } from '../world.ts';
import { newOf } from './class-values.ts';
import { cloned, errorOf, isErrorName, parsedJson, writtenJson } from './data.ts';
import { disposableStack, dispose } from './disposal.ts';
import { generatorOf, yieldTo } from './generators.ts';
import { elementsOf } from './iterators.ts';
import { isNumberFunction, numberFunction } from './numbers.ts';
import { patternOf } from './patterns.ts';
import { promiseOf, settle, settledWith } from './promises.ts';
import { hasProperty, propertyName } from './properties.ts';
import { setOf } from './sets.ts';
import { isTypedArray, typedArray, typedProperty } from './typed-arrays.ts';
import {
  arrayOf,
  booleanValue,
  isNothing,
  iterated,
  objectWith,
  propertiesOf,
  textOfValue,
  unknownArray,
  valueIn,
} from './values.ts';

interface Call {
  readonly world: World;
  readonly scope: Scope;
  readonly values: readonly Value[];
  readonly span: Span;
}

/** Elements that `Array.from({ length })` makes. */
const mostMade = 400;

/** What `Array.from` is given: something to go through, or only a length. */
function elementsFrom({ world, scope, span }: Call, value: Value): readonly Value[] | null {
  const length =
    value.kind === 'record' && value.record.isShared ? value.record.fields.get('length')?.value : undefined;
  if (!length) return elementsOf(world, scope, value, span);
  return length.kind === 'number' && length.value <= mostMade
    ? Array.from({ length: length.value }, () => nothingThere)
    : null;
}

function arrayFrom(call: Call): Value {
  const { world, scope, values, span } = call;
  const [source = unknownValue, callee] = values;
  const elements = elementsFrom(call, source);
  if (!elements) return unknownArray();
  if (!callee) return arrayOf(elements);
  const made = elements.map((value, index) => {
    const given = [value, numberValue(index, 'real')].map((each): Argument => ({ value: each, cell: null, span }));
    return callWith(world, scope, callee, given, span).value;
  });
  return arrayOf(made);
}

/** `new Array(n)`, `new Array(a, b)`. */
function newArray({ values }: Call): Value {
  const [length] = values;
  if (
    values.length !== 1 ||
    (length && length.kind !== 'number' && length.kind !== 'symbol' && length.kind !== 'unknown')
  )
    return arrayOf(values);
  return length?.kind === 'number' && length.value <= mostMade
    ? arrayOf(Array.from({ length: length.value }, () => nothingThere))
    : unknownArray();
}

function newMap({ world, scope, values: [source], span }: Call): Value {
  const record = createShared('std::unordered_map');
  const pairs = !source || isNothing(source) === true ? [] : elementsOf(world, scope, source, span);
  for (const pair of pairs ?? []) {
    const parts = iterated(pair);
    if (parts) mapCell(record, parts[0] ?? nothingThere).value = parts[1] ?? nothingThere;
    else record.isFilledElsewhere = true;
  }
  if (!pairs) record.isFilledElsewhere = true;
  return { kind: 'record', record };
}

/** The elements by what the function says of each; null where that is not known of one. */
function grouped({
  world,
  scope,
  values: [of = unknownValue, callee = unknownValue],
  span,
}: Call): readonly (readonly [Value, Value[]])[] | null {
  const elements = elementsOf(world, scope, of, span);
  const groups = new Map<string, readonly [Value, Value[]]>();
  for (const [index, value] of (elements ?? []).entries()) {
    const given = [value, numberValue(index, 'real')].map((each): Argument => ({ value: each, cell: null, span }));
    const key = callWith(world, scope, callee, given, span).value;
    const name = propertyName(key);
    if (name === null) return null;
    const group = groups.get(name) ?? ([key, []] as const);
    group[1].push(value);
    groups.set(name, group);
  }
  return elements && [...groups.values()];
}

function assigned({ values: [target = unknownValue, ...sources] }: Call): Value {
  const into = target.kind === 'pointer' ? target.cell.value : target;
  if (into.kind !== 'record') return target;
  for (const source of sources) {
    const properties = propertiesOf(source);
    if (!properties) into.record.isFilledElsewhere = true;
    for (const [name, cell] of properties ?? [])
      into.record.fields.set(name, { ...cell, value: heldBy(cell), owner: into.record });
  }
  return target;
}

const listed =
  (say: (name: Value, value: Value) => Value) =>
  ({ values: [of = unknownValue] }: Call): Value => {
    const properties = propertiesOf(of);
    if (!properties) return unknownArray();
    return arrayOf(properties.map(([name, cell]) => say({ kind: 'string', value: name }, valueIn(cell))));
  };

const functions: Readonly<Record<string, (call: Call) => Value>> = {
  'Array.from': arrayFrom,
  'Array.of': ({ values }) => arrayOf(values),
  'Array.isArray': ({ values: [value = unknownValue] }) =>
    value.kind === 'unknown' ? unknownValue : booleanValue(value.kind === 'sequence'),
  'Array.parts': ({ world, scope, values: [of = unknownValue], span }) => {
    if (of.kind !== 'record' && of.kind !== 'pointer') return of;
    const elements = elementsOf(world, scope, of, span);
    return elements ? arrayOf(elements) : of;
  },
  'Array.rest': ({ values: [of = unknownValue, from] }) => {
    const elements = iterated(of);
    return elements && from?.kind === 'number' ? arrayOf(elements.slice(from.value)) : unknownArray();
  },
  Array: newArray,
  'new Array': newArray,
  'new Set': ({ world, scope, values: [source], span }) =>
    setOf(!source || isNothing(source) === true ? [] : elementsOf(world, scope, source, span)),
  'new Map': newMap,
  'Object.keys': listed((name) => name),
  'Object.values': listed((_, value) => value),
  'Object.entries': listed((name, value) => arrayOf([name, value])),
  'Object.fromEntries': ({ world, scope, values: [of = unknownValue], span }) => {
    const pairs = elementsOf(world, scope, of, span)?.map((pair) => iterated(pair)) ?? [null];
    const known = pairs.flatMap((pair) => {
      const name = pair?.[0] ? propertyName(pair[0]) : null;
      return name === null ? [] : [[name, pair?.[1] ?? nothingThere] as const];
    });
    const record = objectWith(known);
    if (known.length < pairs.length) record.isFilledElsewhere = true;
    return { kind: 'record', record };
  },
  'Object.rest': ({ values: [of = unknownValue, ...without] }) => {
    const names = new Set(without.map(propertyName));
    const properties = propertiesOf(of);
    const record = objectWith(
      (properties ?? []).filter(([name]) => !names.has(name)).map(([name, cell]) => [name, heldBy(cell)] as const),
    );
    if (!properties || names.has(null)) record.isFilledElsewhere = true;
    return { kind: 'record', record };
  },
  'Object.assign': assigned,
  'Object.freeze': ({ values: [value = unknownValue] }) => value,
  'Object.seal': ({ values: [value = unknownValue] }) => value,
  'Object.has': ({ values: [of = unknownValue, name = unknownValue] }) => hasProperty(of, name),
  'Object.hasOwn': ({ values: [of = unknownValue, name = unknownValue] }) => hasProperty(of, name),
  'Object.delete': ({ values: [of = unknownValue, name = unknownValue] }) => {
    const target = of.kind === 'pointer' ? of.cell.value : of;
    const key = propertyName(name);
    if (target.kind !== 'record') return unknownValue;
    if (key === null) target.record.isFilledElsewhere = true;
    else if (target.record.isShared) target.record.fields.delete(key);
    else if (target.record.fields.has(key)) target.record.fields.get(key)!.value = nothingThere;
    return booleanValue(true);
  },
  '(generator)': ({ world, values: [body = unknownValue], span }) => generatorOf(world, body, span),
  '(dispose)': ({ world, scope, values: [value = unknownValue], span }) => {
    dispose(world, scope, value, span);
    return nothingThere;
  },
  '(new)': ({ world, scope, values: [value = unknownValue, written, ...values], span }) => {
    const given = values.map((each): Argument => ({ value: each, cell: null, span }));
    return newOf(world, scope, value, written?.kind === 'string' ? written.value : '', given, span);
  },
  '(yield)': ({ values: [receiver = unknownValue, value = nothingThere] }) => yieldTo(receiver, value, false),
  '(yield all)': ({ values: [receiver = unknownValue, value = nothingThere] }) => yieldTo(receiver, value, true),
  'Promise.all': ({ world, scope, values: [value = unknownValue], span }) => {
    const values = elementsOf(world, scope, value, span);
    return values ? arrayOf(values) : unknownArray();
  },
  'Promise.allSettled': ({ world, scope, values: [value = unknownValue], span }) => {
    const values = elementsOf(world, scope, value, span);
    return values ? arrayOf(values.map(settledWith)) : unknownArray();
  },
  'new Promise': ({ world, scope, values: [executor], span }) => promiseOf(world, scope, executor, span),
  '(pattern)': ({ values: [source, flags] }) =>
    patternOf(source?.kind === 'string' ? source.value : '', flags?.kind === 'string' ? flags.value : ''),
  '(settle)': ({ values: [promise, value = nothingThere] }) => {
    settle(promise, value);
    return nothingThere;
  },
  'new DisposableStack': () => disposableStack(),
  'new AsyncDisposableStack': () => disposableStack(),
  'JSON.parse': ({ values: [text, reviver] }) => (reviver ? { kind: 'unknown' } : parsedJson(text)),
  'JSON.stringify': ({ values: [value] }) => writtenJson(value),
  structuredClone: ({ values: [value = unknownValue] }) => cloned(value),
  Symbol: ({ values: [name], span }) => ({
    kind: 'string',
    value: `[Symbol ${name?.kind === 'string' ? name.value : ''} ${span.file} ${span.start}]`,
  }),
  'Symbol.for': ({ values: [name] }) =>
    name?.kind === 'string' ? { kind: 'string', value: `[Symbol ${name.value}]` } : { kind: 'unknown' },
  'Map.groupBy': (call) => {
    const pairs = grouped(call);
    const record = createShared('std::unordered_map');
    for (const [key, values] of pairs ?? []) mapCell(record, key).value = arrayOf(values);
    if (!pairs) record.isFilledElsewhere = true;
    return { kind: 'record', record };
  },
  'Object.groupBy': (call) => {
    const pairs = grouped(call);
    const named = (pairs ?? []).map(([key, values]) => [propertyName(key) ?? '', arrayOf(values)] as const);
    const record = objectWith(named);
    if (!pairs) record.isFilledElsewhere = true;
    return { kind: 'record', record };
  },
  'Promise.resolve': ({ values: [value = nothingThere] }) => value,
  'Math.max': (call) => extreme(call, '>'),
  'Math.min': (call) => extreme(call, '<'),
  String: ({ values: [value = unknownValue] }) => {
    const text = textOfValue(value);
    return text === null ? { kind: 'unknown' } : { kind: 'string', value: text };
  },
  Number: ({ values: [value = unknownValue] }) => {
    if (value.kind !== 'string') return value.kind === 'number' && value.isNothing ? unknownValue : value;
    const number = Number(value.value);
    return Number.isNaN(number) ? unknownValue : numberValue(number, 'real');
  },
  '(bytes per element)': ({ values: [of = unknownValue, value = unknownValue] }) => {
    const array = (of.kind === 'string' ? typedArray(of.value, []) : null) ?? value;
    return (array.kind === 'sequence' && typedProperty(array.sequence, 'BYTES_PER_ELEMENT')) || unknownValue;
  },
  BigInt: ({ values: [value = unknownValue] }) => value,
  Boolean: ({ values: [value = unknownValue] }) => {
    const known = truth(value);
    return known === null ? unknownValue : booleanValue(known);
  },
  instanceof: ({ world, values: [value = unknownValue, name] }) => {
    const target = value.kind === 'pointer' ? value.cell.value : value;
    if (target.kind !== 'record' || name?.kind !== 'string') return { kind: 'unknown' };
    const holds = isOfClass(world, target.record.className, name.value, 0);
    return holds === null ? { kind: 'unknown' } : booleanValue(holds);
  },
  typeof: ({ values: [value = unknownValue] }) => {
    const kinds: Readonly<Record<string, string>> = {
      string: 'string',
      closure: 'function',
      function: 'function',
      sequence: 'object',
      record: 'object',
      handle: 'object',
    };
    const name = Object.hasOwn(kinds, value.kind) ? kinds[value.kind] : undefined;
    if (name) return { kind: 'string', value: name };
    if (value.kind !== 'number' || !value.type) return { kind: 'unknown' };
    return { kind: 'string', value: value.type === 'bool' ? 'boolean' : 'number' };
  },
};

/** Whether a class is that class or derives from it; null where one of them is not seen. */
function isOfClass(world: World, className: string, wanted: string, depth: number): boolean | null {
  // A class inside a function is called after it.
  if (className === wanted || className.startsWith(`${wanted} (`)) return true;
  if (isErrorName(className)) return wanted === 'Error' || (isErrorName(wanted) ? false : null);
  const definition = world.program.classes.get(className);
  if (!definition || depth > 8) return null;
  const answers = definition.bases.map((base) => isOfClass(world, base, wanted, depth + 1));
  return answers.includes(true) ? true : answers.includes(null) ? null : false;
}

function extreme({ values }: Call, operator: string): Value {
  const [first = unknownValue, ...others] = values;
  return others.reduce((best, value) => {
    const isBetter = truth(combine(operator, value, best));
    return isBetter === null ? unknownValue : isBetter ? value : best;
  }, first);
}

/** What a function of the language's library gives back; null when it is none that is known. */
export function scriptFunction(
  world: World,
  scope: Scope,
  name: string,
  given: readonly Argument[],
  span: Span,
): Value | null {
  const known = Object.hasOwn(functions, name) ? functions[name] : undefined;
  const values = given.map(({ value }) => value);
  if (known) return known({ world, scope, values, span });
  if (!name.startsWith('new ')) return numberFunction(name, values);
  const className = name.slice(4);
  return isErrorName(className) ? errorOf(className, values) : typedArray(className, values);
}

export function isScriptFunction(name: string): boolean {
  if (Object.hasOwn(functions, name) || isNumberFunction(name)) return true;
  return name.startsWith('new ') && (isTypedArray(name.slice(4)) || isErrorName(name.slice(4)));
}
