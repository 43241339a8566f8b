/** Functions of the C and C++ libraries whose value matters here: `std::move`, `make_unique`, `memset`, `malloc` … */

import type { CallExpression } from '../program/program.ts';
import type { Argument, CallResult } from './call.ts';
import { evaluateArguments } from './call.ts';
import { constructValue } from './construct.ts';
import { elementCell, elementsOf } from './locate.ts';
import { combine } from './operators.ts';
import type { Scope } from './scope.ts';
import { isAlgorithm, standardAlgorithm } from './standard-algorithms.ts';
import { isType } from './type-arguments.ts';
import { unknownCall } from './unknown-call.ts';
import {
  copyValue,
  createCell,
  createRecord,
  createSequence,
  noteShared,
  numberValue,
  unknownValue,
  type Value,
} from './value.ts';
import type { World } from './world.ts';

type Builtin = (
  world: World,
  scope: Scope,
  values: readonly Argument[],
  expression: CallExpression,
) => Value | CallResult;

const identity: Builtin = (_world, _scope, values) => ({
  value: values[0]?.value ?? unknownValue,
  cell: values[0]?.cell ?? null,
});

function pairOf(className: string, names: readonly string[], values: readonly Argument[]): Value {
  const record = createRecord(className, true);
  for (const [index, name] of names.entries()) {
    const given = values[index];
    // A `shared_ptr` put into a pair has one more holder.
    if (given?.cell && !given.isMoved) noteShared(given.value);
    record.fields.set(name, createCell(name, given?.value ?? unknownValue));
  }
  return { kind: 'record', record };
}

/** `std::pair{a, b}` and `std::tuple{a, b, c}`: members by name, or by place. */
export function tupleOf(kind: 'pair' | 'tuple', values: readonly Argument[]): Value {
  return kind === 'pair'
    ? pairOf('std::pair', ['first', 'second'], values)
    : pairOf(
        'std::tuple',
        values.map((_, index) => String(index)),
        values,
      );
}

const choose =
  (operator: '<' | '>'): Builtin =>
  (_world, _scope, values) => {
    const [first, second] = values;
    if (!first || !second) return unknownValue;
    const test = combine(operator, first.value, second.value);
    if (test.kind !== 'number') return first.value.kind === 'number' ? second.value : first.value;
    return test.value !== 0 ? first.value : second.value;
  };

const hostBuffer: Builtin = () => {
  const sequence = createSequence('buffer', null, null, false);
  return { kind: 'pointer', cell: createCell('buffer'), sequence, index: 0 };
};

const makeOwner =
  (className: string): Builtin =>
  (world, scope, values, expression) => {
    const type = expression.templateArguments[0];
    const record = createRecord(className, true);
    const inner = type && isType(type) ? constructValue(world, scope, type, values, expression.span) : unknownValue;
    record.fields.set(
      '(pointer)',
      createCell('(pointer)', {
        kind: 'pointer',
        cell: createCell('object', inner, type && isType(type) ? type : null),
        sequence: null,
        index: 0,
      }),
    );
    return { kind: 'record', record };
  };

const builtins: Readonly<Record<string, Builtin>> = {
  move: identity,
  forward: identity,
  ref: identity,
  cref: identity,
  as_const: identity,
  addressof: (_world, _scope, values) =>
    values[0]?.cell ? { kind: 'pointer', cell: values[0].cell, sequence: null, index: 0 } : unknownValue,
  min: choose('<'),
  max: choose('>'),
  make_pair: (_world, _scope, values) => pairOf('std::pair', ['first', 'second'], values),
  make_tuple: (_world, _scope, values) =>
    pairOf(
      'std::tuple',
      values.map((_, index) => String(index)),
      values,
    ),
  tie: (_world, _scope, values) =>
    pairOf(
      'std::tuple',
      values.map((_, index) => String(index)),
      values,
    ),
  make_unique: makeOwner('std::unique_ptr'),
  make_shared: makeOwner('std::shared_ptr'),
  malloc: hostBuffer,
  calloc: hostBuffer,
  aligned_alloc: hostBuffer,
  free: () => unknownValue,
  memset: (_world, _scope, values) => {
    const target = values[0]?.value;
    const cell = target?.kind === 'pointer' ? target.cell : values[0]?.cell;
    if (cell?.value.kind === 'record' && cell.value.record.open)
      for (const field of cell.value.record.fields.values()) field.value = numberValue(0);
    return unknownValue;
  },
  memcpy: (_world, _scope, values) => {
    const [target, source] = values;
    if (target?.value.kind === 'pointer' && source?.value.kind === 'pointer')
      target.value.cell.value = copyValue(source.value.cell.value);
    return unknownValue;
  },
  swap: (_world, _scope, values) => {
    const [first, second] = values;
    if (first?.cell && second?.cell) [first.cell.value, second.cell.value] = [second.cell.value, first.cell.value];
    return unknownValue;
  },
  exchange: (_world, _scope, values) => {
    const [place, next] = values;
    const before = place?.value ?? unknownValue;
    if (place?.cell && next) place.cell.value = next.value;
    return before;
  },
  get: (_world, _scope, values, expression) => {
    const index = expression.templateArguments[0];
    const target = values[0]?.value;
    if (!index || isType(index) || index.kind !== 'number' || !target) return unknownValue;
    const cell =
      target.kind === 'record'
        ? [...target.record.fields.values()][index.value]
        : target.kind === 'sequence'
          ? elementCell(target.sequence, index.value)
          : undefined;
    return cell ? { value: cell.value, cell } : unknownValue;
  },
  size: (_world, _scope, values) => lengthOf(values[0]?.value),
  begin: (_world, _scope, values) => iteratorAt(values[0]?.value, 0),
  end: (_world, _scope, values) => iteratorAt(values[0]?.value, null),
  data: (_world, _scope, values) => iteratorAt(values[0]?.value, 0),
  strcmp: (_world, _scope, values) => {
    const [first, second] = values.map((each) => each.value);
    if (first?.kind !== 'string' || second?.kind !== 'string') return unknownValue;
    return numberValue(first.value === second.value ? 0 : first.value < second.value ? -1 : 1);
  },
  to_string: (_world, _scope, values) => {
    const value = values[0]?.value;
    return value?.kind === 'number' ? { kind: 'string', value: String(value.value) } : unknownValue;
  },
  atoi: (world, _scope, _values, expression) => symbolOf(world, expression),
  atol: (world, _scope, _values, expression) => symbolOf(world, expression),
  stoi: (world, _scope, _values, expression) => symbolOf(world, expression),
  strtol: (world, _scope, _values, expression) => symbolOf(world, expression),
  strtoul: (world, _scope, _values, expression) => symbolOf(world, expression),
};

/** The value of a library function; null when it is none of them. */
export function standardFunction(
  world: World,
  scope: Scope,
  expression: CallExpression,
  name: string,
): CallResult | null {
  const { callee } = expression;
  // `thrust::sort` is work on the device.
  if (isAlgorithm(name) && callee.kind === 'name' && /^(?:std::(?:ranges::)?)?\w+$/.test(callee.name)) {
    const values = evaluateArguments(world, scope, expression.arguments);
    const value = standardAlgorithm(world, scope, name, values, expression.span);
    return value ? { value, cell: null } : unknownCall(world, name, values, expression.span);
  }
  const builtin = Object.hasOwn(builtins, name) ? builtins[name] : undefined;
  if (!builtin) return null;
  const result = builtin(world, scope, evaluateArguments(world, scope, expression.arguments), expression);
  return 'kind' in result ? { value: result, cell: null } : result;
}

/** Numbers read from outside have no value yet: the variable they are stored in gives them a name. */
function symbolOf(_world: World, _expression: CallExpression): Value {
  return unknownValue;
}

export function lengthOf(value: Value | undefined): Value {
  if (value?.kind === 'sequence' && value.sequence.length !== null) return numberValue(value.sequence.length);
  return unknownValue;
}

/** An iterator is a pointer into the sequence; `null` means its end. */
export function iteratorAt(value: Value | undefined, index: number | null): Value {
  if (value?.kind === 'pointer') return value;
  if (value?.kind !== 'sequence') return unknownValue;
  const position = index ?? value.sequence.length ?? 0;
  const cell = index === null ? createCell('end') : elementsOf(value, Math.max(1, position + 1))?.[position];
  return { kind: 'pointer', cell: cell ?? createCell('end'), sequence: value.sequence, index: position };
}
