/** `<chrono>`: clocks that are read, durations and points in time that are made, converted, cast and asked. */

import type { CallExpression, TypeReference } from '../../program/program.ts';
import { typeNamed } from '../../program/type-named.ts';
import type { Argument, CallResult } from '../calls/call.ts';
import { just } from '../calls/call-results.ts';
import { keptByRun } from '../kept-by-run.ts';
import { findClass, lastPart, type ProgramTable, resolveType } from '../program-table.ts';
import { type Scope, typeStoodFor } from '../scope.ts';
import { isType } from '../types/type-arguments.ts';
import { substitute } from '../types/types.ts';
import { unknownValue, type Value } from '../value.ts';
import type { World } from '../world.ts';
import {
  clockUnit,
  countedIn,
  countOf,
  durationClass,
  pointClass,
  readingOf,
  type Time,
  timeIn,
  timeValue,
  type Unit,
} from './chrono-amounts.ts';

/** Nanoseconds of what durations are counted in. */
const periods = {
  nanoseconds: 1,
  microseconds: 1e3,
  milliseconds: 1e6,
  seconds: 1e9,
  minutes: 6e10,
  hours: 3.6e12,
  days: 8.64e13,
  weeks: 6.048e14,
} as const;

const literals = { ns: 1, us: 1e3, ms: 1e6, s: 1e9, min: 6e10, h: 3.6e12 } as const;

/** Parts of a second by their names: `std::milli`. */
const ratios = { nano: 1, micro: 1e3, milli: 1e6, centi: 1e7, deci: 1e8, ratio: 1e9, deca: 1e10, kilo: 1e12 } as const;

const clocks: ReadonlySet<string> = new Set(['steady_clock', 'system_clock', 'high_resolution_clock', 'utc_clock']);

/** What is kept for a run: how often a clock was read, and how often something took its time. */
const clockOf = keptByRun(() => ({ readings: 0, pauses: 0 }));

/** What one event, or one pause, counts beside the steps of a run. */
const longDoing = 1_000;

/** Something may have taken its time. */
export function notePause(world: World): void {
  clockOf(world).pauses++;
}

function now(world: World): Value {
  const clock = clockOf(world);
  return readingOf(++clock.readings, world.steps + longDoing * (world.events.length + clock.pauses));
}

function entryOf<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** What a type of the library is counted in, and whether it is one of points in time; null for all other types. */
export function timeType(world: World, scope: Scope | null, written: TypeReference): TimeType | null {
  // Nearly all are not, which is told without making anything.
  if (!mayBeTime(world.program, written.name) && !(scope && typeStoodFor(scope, written.name))) return null;
  const type = resolveType(world.program, substitute(written, scope));
  if (type.pointers > 0 || type.extents.length > 0) return null;
  const name = lastPart(type.name);
  const isBare = !type.name.includes('::');
  if (findClass(world.program, type.name) || (isBare && type.arguments.length === 0 && name in ratios)) return null;
  const isOfLibrary = isBare || /(?:^|::)chrono::/.test(type.name) || isOfClock(world.program, type.name);
  if (!isOfLibrary) return null;
  const period = entryOf(periods, name);
  if (period !== undefined) return { isPoint: false, unit: { period, isReal: false } };
  if (name === 'duration') {
    if (type.arguments.length > 0) return { isPoint: false, unit: unitGiven(world, type.arguments) };
    return isOfClock(world.program, type.name) ? { isPoint: false, unit: clockUnit } : null;
  }
  if (name !== 'time_point' || (isBare && type.arguments.length === 0)) return null;
  const [, counted] = type.arguments;
  const inside = counted && isType(counted) ? timeType(world, scope, counted) : null;
  return { isPoint: true, unit: inside?.unit ?? clockUnit };
}

interface TimeType {
  readonly isPoint: boolean;
  readonly unit: Unit;
}

const names: ReadonlySet<string> = new Set([...Object.keys(periods), 'duration', 'time_point']);

function mayBeTime(program: ProgramTable, name: string): boolean {
  const last = lastPart(name);
  return names.has(last) || program.aliases.has(name) || program.aliases.has(last);
}

/** `std::chrono::steady_clock::time_point`, `Clock::duration` */
function isOfClock(program: ProgramTable, name: string): boolean {
  const owner = name.slice(0, Math.max(0, name.lastIndexOf('::')));
  return owner !== '' && isClock(program, owner);
}

function isClock(program: ProgramTable, name: string): boolean {
  return !findClass(program, name) && clocks.has(lastPart(resolveType(program, typeNamed(name)).name));
}

/** `<double, std::milli>`, `<int64_t, std::ratio<1, 60>>` */
function unitGiven(world: World, [counts, parts]: TypeReference['arguments']): Unit {
  const number = counts && isType(counts) ? resolveType(world.program, counts).name : 'double';
  const isReal = /^(?:float|double|long double)$/.test(number);
  const ratio = parts && isType(parts) ? resolveType(world.program, parts) : null;
  const period = ratio ? (entryOf(ratios, lastPart(ratio.name)) ?? 1e9) : 1e9;
  const [above, below] = (ratio?.arguments ?? []).map((each) =>
    !isType(each) && each.kind === 'number' ? each.value : 1,
  );
  return { period: (period * (above ?? 1)) / (below ?? 1), isReal };
}

/** `std::chrono::milliseconds(5)`, `Milliseconds(end - begin)`, `Clock::time_point(d)`; null where the type is none of these. */
export function timeMade(world: World, scope: Scope, type: TypeReference, values: readonly Argument[]): Value | null {
  const wanted = timeType(world, scope, type);
  if (!wanted) return null;
  const [given] = values;
  const list = given?.value.kind === 'sequence' ? given.value.sequence : null;
  const first = list ? list.cells.get(0)?.value : given?.value;
  if (!first) return timeValue({ ...wanted, nanoseconds: 0, readings: new Map() });
  return asTime(first, wanted);
}

function asTime(given: Value, { isPoint, unit }: TimeType): Value {
  const time = timeIn(given);
  if (time) return countedIn({ ...time, isPoint }, unit);
  if (given.kind !== 'number') return { kind: 'unknown' };
  return timeValue({ isPoint, nanoseconds: given.value * unit.period, readings: new Map(), unit });
}

/** A time where another type of times is asked for; null for all else. */
export function convertedTime(world: World, value: Value, type: TypeReference): Value | null {
  const time = timeIn(value);
  const wanted = time && timeType(world, null, type);
  if (!wanted || (wanted.unit.period === time.unit.period && wanted.unit.isReal === time.unit.isReal)) return null;
  return countedIn(time, wanted.unit);
}

const casts: Readonly<Record<string, (ticks: number) => number>> = {
  duration_cast: Math.trunc,
  time_point_cast: Math.trunc,
  clock_cast: Math.trunc,
  floor: Math.floor,
  ceil: Math.ceil,
  // Halves go to the even one.
  round: (ticks) => (Math.abs(ticks % 1) === 0.5 ? 2 * Math.round(ticks / 2) : Math.round(ticks)),
};

/** Whether a function of that name may be one that {@link timeCall} knows. */
export function isOfTimes(name: string): boolean {
  return others.has(name) || names.has(name) || Object.hasOwn(casts, name) || name.startsWith('operator""');
}

const others: ReadonlySet<string> = new Set(['now', 'zero', 'min', 'max', 'abs']);

/** Calls of the library for times, by how they are written in full; null for all other calls. */
export function timeCall(
  world: World,
  scope: Scope,
  qualified: string,
  { templateArguments: templates, arguments: { length: count } }: CallExpression,
  given: () => readonly Argument[],
): Value | null {
  const name = lastPart(qualified);
  const owner = qualified.slice(0, Math.max(0, qualified.length - name.length - 2));
  if (name === 'now') return owner !== '' && isClock(world.program, owner) ? now(world) : null;
  if (name === 'zero' || name === 'min' || name === 'max') {
    const type = owner === '' || templates.length > 0 ? null : timeType(world, scope, typeNamed(owner));
    return type && limitOf(name, type);
  }
  const literal = /^operator""(\w+)$/.exec(qualified)?.[1];
  if (literal !== undefined) {
    const period = entryOf(literals, literal);
    const [number] = period === undefined ? [] : given();
    if (number?.value.kind !== 'number' || period === undefined) return null;
    const isReal = number.value.type === 'real' || number.value.type === 'float';
    return asTime(number.value, { isPoint: false, unit: { period, isReal } });
  }
  const round = entryOf(casts, name);
  if (round) {
    const [wanted] = templates;
    const type = wanted && isType(wanted) ? timeType(world, scope, wanted) : null;
    const [time] = type ? given() : [];
    const inside = timeIn(time?.value);
    return type && inside ? countedIn(inside, type.unit, round) : type && { kind: 'unknown' };
  }
  if (name === 'abs' && /(?:^|::)chrono::abs$/.test(qualified)) return magnitude(timeIn(given()[0]?.value));
  // `seconds()`, without its namespace, is somebody's stop watch.
  const isMade = names.has(name) && (owner !== '' || count === 1) && !world.program.functions.has(qualified);
  return isMade ? timeMadeIn(world, scope, qualified, templates, given) : null;
}

function timeMadeIn(
  world: World,
  scope: Scope,
  name: string,
  templates: TypeReference['arguments'],
  given: () => readonly Argument[],
): Value | null {
  const type = typeNamed(name, templates);
  return timeType(world, scope, type) && timeMade(world, scope, type, given());
}

function magnitude(time: Time | null): Value {
  if (!time || time.readings.size > 0) return { kind: 'unknown' };
  return timeValue({ ...time, nanoseconds: Math.abs(time.nanoseconds) });
}

function limitOf(name: string, { isPoint, unit }: TimeType): Value {
  const most = unit.isReal ? Number.MAX_VALUE : 2 ** 63 * unit.period;
  const nanoseconds = name === 'zero' ? 0 : name === 'max' ? most : -most;
  return timeValue({ isPoint, nanoseconds, readings: new Map(), unit });
}

/** A method of a time; null when it has none of that name. */
export function timeMethod(value: Value, name: string): CallResult | null {
  const time = timeIn(value);
  if (!time) {
    const isOne = value.kind === 'record' && [durationClass, pointClass].includes(value.record.className);
    return isOne && (name === 'count' || name === 'time_since_epoch') ? just(unknownValue) : null;
  }
  if (name === 'count') return just(countOf(value, time.unit));
  if (name === 'time_since_epoch') return just(timeValue({ ...time, isPoint: false }));
  return null;
}
