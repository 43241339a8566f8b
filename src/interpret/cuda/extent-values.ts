/** Expressions of a kernel, for what it touches with certainty: numbers as forms, addresses in what it was given; all else is not known. */

import type { Expression, TypeReference } from '../../program/program.ts';
import { pointee, retyped } from '../../program/retyped.ts';
import { eachNode } from '../../program/walk.ts';
import type { TouchedBytes } from '../../trace/touched-bytes.ts';
import { findName } from '../expressions/names.ts';
import { findClass, lastPart, resolveType } from '../program-table.ts';
import { isThunk } from '../scope.ts';
import { memberPlaceIn } from '../types/class-layout.ts';
import { bytesOfType } from '../types/type-bytes.ts';
import type { World } from '../world.ts';
import {
  type Coordinate,
  clipped,
  constantForm,
  type Domain,
  type Form,
  numberIn,
  plus,
  runsOf,
  scaled,
  within,
} from './device-forms.ts';
import { callInKernel } from './kernel-extents.ts';

/** What a name or an expression is; null where that is not known. */
export type Known =
  | { readonly kind: 'number'; readonly form: Form }
  /** So many bytes behind where the argument at `path` points; `type` is what it points at. */
  | { readonly kind: 'address'; readonly path: string; readonly at: Form; readonly type: TypeReference }
  | { readonly kind: 'object'; readonly path: string; readonly type: TypeReference }
  | null;

export type Names = Map<string, Known>;

/** One reading of a kernel. */
export interface Extents {
  readonly world: World;
  /** Numbers and addresses that it is given, by path. */
  readonly held: ReadonlyMap<string, unknown>;
  readonly threads: Readonly<Record<string, readonly Coordinate[]>>;
  readonly touched: Map<string, TouchedBytes[]>;
  /** Innermost last. */
  names: Names[];
  domain: Domain;
  /** Whether some thread comes here in any case. */
  isSure: boolean;
  steps: number;
  depth: number;
}

const axes = ['x', 'y', 'z'];

export function findHolding({ names }: Extents, name: string): Names | undefined {
  return names.findLast((each) => each.has(name));
}

/** What may be stored somewhere in a piece of code is not known any more. */
export function forgetStored(reading: Extents, node: Parameters<typeof eachNode>[0]): void {
  const forget = (target: Expression): void => {
    if (target.kind === 'name') findHolding(reading, target.name)?.set(target.name, null);
    if (target.kind === 'member' && !target.isArrow) forget(target.object);
  };
  eachNode(node, (each) => {
    if (each.kind === 'assign') forget(each.target);
    else if (each.kind === 'update' || (each.kind === 'unary' && each.operator === '&')) forget(each.operand);
    else if (each.kind === 'call')
      for (const given of each.arguments) if (isReferenced(reading, each.callee)) forget(given);
  });
}

/** Whether a function may store something in what it is given by name. */
function isReferenced({ world }: Extents, callee: Expression): boolean {
  if (callee.kind !== 'name') return true;
  const name = lastPart(callee.name);
  if (/swap|exchange/.test(name)) return true;
  return (
    world.program.functions.get(name)?.some(({ parameters }) => parameters.some(({ type }) => type.isReference)) ===
    true
  );
}

export function formOf(known: Known): Form | null {
  return known?.kind === 'number' ? known.form : null;
}

function ofForm(form: Form | null): Known {
  return form && { kind: 'number', form };
}

/** What the kernel is given at a path. */
export function givenAt({ world, held }: Extents, path: string, type: TypeReference): Known {
  const value = held.get(path);
  if (typeof value === 'number') return Number.isInteger(value) ? ofForm(constantForm(value)) : null;
  const meant = resolveType(world.program, type);
  if (meant.pointers > 0) return { kind: 'address', path, at: constantForm(0), type: pointee(meant) };
  return value === undefined ? { kind: 'object', path, type: meant } : null;
}

/** Bytes at an address are touched by some threads, if this is done at all. */
function touch(reading: Extents, address: Known, isWrite: boolean): void {
  if (!reading.isSure || address?.kind !== 'address') return;
  const bytes = bytesOfType(reading.world, address.type);
  const at = within(address.at, reading.domain);
  if (bytes === null || !at) return;
  const runs = reading.touched.get(address.path) ?? [];
  reading.touched.set(address.path, runs);
  if (runs.length < 256) for (const run of runsOf(at, bytes)) if (run.from >= 0) runs.push({ ...run, isWrite });
}

/** The address of a place in memory; what lies on the way to it is read. */
function placeOf(reading: Extents, expression: Expression): Known {
  if (expression.kind === 'unary' && expression.operator === '*') {
    const address = known(reading, expression.operand);
    return address?.kind === 'address' ? address : null;
  }
  if (expression.kind === 'member') return memberPlace(reading, expression);
  if (expression.kind !== 'index') return null;
  const object = known(reading, expression.object);
  return moved(reading, object, formOf(known(reading, expression.index)), 1);
}

/** `p->count`, `p[i].count`, `p->inner.count`. */
function memberPlace(reading: Extents, { object, name, isArrow }: Expression & { kind: 'member' }): Known {
  const of = isArrow ? known(reading, object) : placeOf(reading, object);
  if (of?.kind !== 'address') return null;
  const place = memberPlaceIn(reading.world, of.type, name);
  return place && { ...of, at: plus(of.at, constantForm(place.offset)), type: place.type };
}

function moved({ world }: Extents, address: Known, by: Form | null, factor: 1 | -1): Known {
  if (address?.kind !== 'address' || !by) return null;
  const bytes = bytesOfType(world, address.type);
  return bytes === null ? null : { ...address, at: plus(address.at, by, bytes * factor) };
}

function isPlace(expression: Expression): boolean {
  if (expression.kind === 'member') return expression.isArrow === true || isPlace(expression.object);
  return expression.kind === 'index' || (expression.kind === 'unary' && expression.operator === '*');
}

/** What an expression is; what it reads and writes is noted. */
export function known(reading: Extents, expression: Expression): Known {
  if (reading.steps-- <= 0) return null;
  switch (expression.kind) {
    case 'number':
      return Number.isSafeInteger(expression.value) ? ofForm(constantForm(expression.value)) : null;
    case 'name':
      return nameIn(reading, expression.name);
    case 'index': {
      const place = placeOf(reading, expression);
      touch(reading, place, false);
      return null;
    }
    case 'unary':
      return unary(reading, expression);
    case 'update':
      return stored(reading, expression.operand, expression.operator.slice(1), ofForm(constantForm(1)));
    case 'assign':
      return stored(reading, expression.target, expression.operator.slice(0, -1), known(reading, expression.value));
    case 'binary':
      return binary(reading, expression);
    case 'conditional': {
      known(reading, expression.condition);
      const results = [true, false].map((holds) => {
        const domain = threadsWhere(reading, expression.condition, holds);
        const branch = holds ? expression.whenTrue : expression.whenFalse;
        const value = whereSure(reading, domain, () => known(reading, branch));
        if (domain !== 'always') forgetStored(reading, branch);
        return domain === 'always' ? value : null;
      });
      return results.find((each) => each !== null) ?? null;
    }
    case 'member':
      return member(reading, expression);
    case 'cast': {
      const inner = known(reading, expression.operand);
      const type = resolveType(reading.world.program, expression.type);
      if (inner?.kind === 'address') return type.pointers > 0 ? { ...inner, type: pointee(type) } : null;
      return /^(?:(?:unsigned|signed|long|int|size_t|u?int(?:32|64)_t|ptrdiff_t|uint) ?)+$/.test(lastPart(type.name))
        ? inner
        : null;
    }
    case 'call':
      return callInKernel(reading, expression);
    case 'sequence':
      return expression.expressions.map((each) => known(reading, each)).at(-1) ?? null;
    case 'string':
      return null;
    default:
      forgetStored(reading, expression);
      return null;
  }
}

function nameIn(reading: Extents, name: string): Known {
  const holding = findHolding(reading, name);
  if (holding) return holding.get(name) ?? null;
  const { world } = reading;
  const macro = world.program.macro(name);
  if (macro) {
    const body = macro.parameters === null ? world.program.expand(name) : null;
    if (body?.kind === 'expression') return known(reading, body.expression);
    // Nobody knows what it does.
    reading.isSure = false;
    return null;
  }
  const constant = world.globals && findName(world, world.globals, name);
  if (!constant || isThunk(constant) || constant.type?.isConst !== true || constant.value.kind !== 'number')
    return null;
  return Number.isSafeInteger(constant.value.value) ? ofForm(constantForm(constant.value.value)) : null;
}

function unary(reading: Extents, expression: Expression & { kind: 'unary' }): Known {
  const { operator, operand } = expression;
  if (operator === '*') {
    touch(reading, placeOf(reading, expression), false);
    return null;
  }
  if (operator === '&') {
    const place = isPlace(operand) ? placeOf(reading, operand) : null;
    if (!place) forgetStored(reading, expression);
    return place;
  }
  const form = formOf(known(reading, operand));
  return operator === '-' && form ? ofForm(scaled(form, -1)) : operator === '+' ? ofForm(form) : null;
}

/** `x = …`, `x += …`, `++x`: in a variable, or in memory. */
function stored(reading: Extents, target: Expression, operator: string, value: Known): Known {
  if (target.kind === 'name') {
    const holding = findHolding(reading, target.name);
    const result = operator === '' ? value : calculated(reading, operator, holding?.get(target.name) ?? null, value);
    holding?.set(target.name, result);
    return result;
  }
  if (isPlace(target)) {
    const place = placeOf(reading, target);
    touch(reading, place, true);
    return null;
  }
  forgetStored(reading, { kind: 'assign', operator: '=', target, value: target, span: target.span });
  if (target.kind === 'member') known(reading, target.object);
  return null;
}

function binary(reading: Extents, { operator, left, right }: Expression & { kind: 'binary' }): Known {
  const first = known(reading, left);
  if (operator === '&&' || operator === '||') {
    whereSure(reading, threadsWhere(reading, left, operator === '&&'), () => known(reading, right));
    forgetStored(reading, right);
    return null;
  }
  return calculated(reading, operator, first, known(reading, right));
}

function calculated(reading: Extents, operator: string, left: Known, right: Known): Known {
  if (operator === '+' && right?.kind === 'address') return moved(reading, right, formOf(left), 1);
  if (left?.kind === 'address')
    return operator === '+' || operator === '-' ? moved(reading, left, formOf(right), operator === '+' ? 1 : -1) : null;
  const [a, b] = [formOf(left), formOf(right)];
  if (!a || !b) return null;
  const [one, other] = [numberIn(a), numberIn(b)];
  switch (operator) {
    case '+':
      return ofForm(plus(a, b));
    case '-':
      return ofForm(plus(a, b, -1));
    case '*':
      return ofForm(other !== null ? scaled(a, other) : one !== null ? scaled(b, one) : null);
    case '<<':
      return ofForm(other !== null && other >= 0 && other < 32 ? scaled(a, 2 ** other) : null);
    case '/':
      return ofForm(one !== null && other ? constantForm(Math.trunc(one / other)) : null);
    case '%':
      return ofForm(one !== null && other ? constantForm(one % other) : null);
    default:
      return null;
  }
}

function member(reading: Extents, expression: Expression & { kind: 'member' }): Known {
  const { object, name, isArrow } = expression;
  if (object.kind === 'name' && axes.includes(name) && !findHolding(reading, object.name)) {
    const axis = axes.indexOf(name);
    const { threads } = reading;
    const coordinate = threads[object.name]?.[axis];
    if (coordinate)
      return ofForm({ constant: 0, parts: coordinate.count > 1 ? new Map([[coordinate, 1]]) : new Map() });
    const size =
      object.name === 'blockDim' ? threads['threadIdx'] : object.name === 'gridDim' ? threads['blockIdx'] : null;
    if (size) return ofForm(constantForm(size[axis]!.count));
  }
  if (isArrow || isPlace(object)) {
    const place = memberPlace(reading, expression);
    if (place?.kind !== 'address' || place.type.extents.length === 0) touch(reading, place, false);
    // An array is where it begins.
    else if (place.type.extents.length === 1) return { ...place, type: retyped(place.type, { extents: [] }) };
    return null;
  }
  const of = known(reading, object);
  if (of?.kind !== 'object') return null;
  const field = findClass(reading.world.program, of.type.name)?.fields.find((each) => each.name === name);
  return field && field.type.extents.length === 0 ? givenAt(reading, `${of.path}.${name}`, field.type) : null;
}

/** The threads in which a condition holds, or does not. */
export function threadsWhere(
  reading: Extents,
  condition: Expression,
  holds: boolean,
): Domain | 'always' | 'never' | null {
  if (condition.kind === 'unary' && condition.operator === '!') return threadsWhere(reading, condition.operand, !holds);
  if (condition.kind !== 'binary') return ofTruth(numberIn(formOf(silently(reading, condition))), holds);
  const { operator, left, right } = condition;
  if (operator === '&&' || operator === '||') {
    const first = threadsWhere(reading, left, holds);
    if ((operator === '&&') !== holds) {
      // One of the two is enough.
      const second = threadsWhere(reading, right, holds);
      if (first === 'always' || second === 'always') return 'always';
      return first === 'never' ? second : second === 'never' ? first : null;
    }
    if (first === null || first === 'never') return first;
    const before = reading.domain;
    if (first !== 'always') reading.domain = first;
    const second = threadsWhere(reading, right, holds);
    reading.domain = before;
    return second === 'always' ? first : second;
  }
  const [a, b] = [formOf(silently(reading, left)), formOf(silently(reading, right))];
  const apart = a && b ? plus(a, b, -1) : null;
  const range = apart && ranges[holds ? operator : (opposite[operator] ?? '')];
  return apart && range ? clipped(apart, range[0], range[1], reading.domain) : null;
}

/** What the difference of two numbers is between, where a comparison of them holds. */
const ranges: Readonly<Record<string, readonly [least: number, most: number]>> = {
  '<': [-Infinity, -1],
  '<=': [-Infinity, 0],
  '>': [1, Infinity],
  '>=': [0, Infinity],
  '==': [0, 0],
};
const opposite: Readonly<Record<string, string>> = { '<': '>=', '<=': '>', '>': '<=', '>=': '<', '!=': '==' };

function ofTruth(truth: number | null, holds: boolean): 'always' | 'never' | null {
  return truth === null ? null : (truth !== 0) === holds ? 'always' : 'never';
}

/** What an expression is, without what it does. */
function silently(reading: Extents, expression: Expression): Known {
  const { isSure } = reading;
  reading.isSure = false;
  const value =
    expression.kind === 'update' || expression.kind === 'assign' || expression.kind === 'call'
      ? null
      : known(reading, expression);
  reading.isSure = isSure;
  return value;
}

/** Does something among the threads that surely come there; nothing where none does for sure. */
export function whereSure<T>(reading: Extents, domain: Domain | 'always' | 'never' | null, work: () => T): T | null {
  if (domain === 'never' || domain === null) return null;
  const before = reading.domain;
  if (domain !== 'always') reading.domain = domain;
  const result = work();
  reading.domain = before;
  return result;
}
