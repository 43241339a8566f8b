/**
 * Durations and points in time of `<chrono>`: nanoseconds, and readings of a clock of which nobody knows more than that a later one
 * is not less than an earlier one, and that hardly any time goes by where nothing happens between the two.
 */

import { createCell, createRecord, numberValue, truth, truthValue, unknownValue, type Value } from '../value.ts';

/** An amount of time, or a point in it. */
export interface Time {
  readonly isPoint: boolean;
  readonly nanoseconds: number;
  /** How often each reading of a clock is in it. */
  readonly readings: ReadonlyMap<Reading, number>;
  /** Nanoseconds of what it is counted in, and whether that is counted in fractions. */
  readonly unit: Unit;
}

/** A reading: which one of the run it is, and how much the run had done by then. */
type Reading = string;

export interface Unit {
  readonly period: number;
  readonly isReal: boolean;
}

export const durationClass = 'std::chrono::duration';
export const pointClass = 'std::chrono::time_point';
export const clockUnit: Unit = { period: 1, isReal: false };

/** Readings beyond which an amount is only unknown, as where a loop adds up what its rounds take. */
const mostReadings = 16;
/** What a run does between two readings so close that less than {@link moment} nanoseconds go by. */
const smallDoing = 60;
const moment = 1e6;

/** A reading of a clock. */
export function readingOf(count: number, doing: number): Value {
  return timeValue({
    isPoint: true,
    nanoseconds: 0,
    readings: new Map<Reading, number>([[`${count}/${doing}`, 1]]),
    unit: clockUnit,
  });
}

/** An object of the library for an amount, or a point in time. */
export function timeValue({ isPoint, nanoseconds, readings, unit }: Time): Value {
  const record = createRecord(isPoint ? pointClass : durationClass, true);
  const parts: [string, Value][] = [
    // What is asked of one that is not known, and of its copies, is the same each time.
    ['(amount)', readings.size === 0 ? numberValue(nanoseconds) : { kind: 'unknown' }],
    ['(nanoseconds)', numberValue(nanoseconds)],
    ['(period)', numberValue(unit.period)],
    ['(fractions)', truthValue(unit.isReal)],
    ...[...readings].map(([reading, times]): [string, Value] => [reading, numberValue(times)]),
  ];
  for (const [name, value] of parts) record.fields.set(name, createCell(name, value));
  return { kind: 'record', record };
}

/** The time that an object is; null for all else. */
export function timeIn(value: Value | undefined): Time | null {
  if (value?.kind !== 'record') return null;
  const { className, fields } = value.record;
  if (className !== durationClass && className !== pointClass) return null;
  const nanoseconds = fields.get('(nanoseconds)')?.value;
  const period = fields.get('(period)')?.value;
  if (nanoseconds?.kind !== 'number' || period?.kind !== 'number') return null;
  const readings = new Map<Reading, number>();
  for (const [name, cell] of fields)
    if (cell.value.kind === 'number' && /^\d+\/\d+$/.test(name)) readings.set(name, cell.value.value);
  const isReal = truth(fields.get('(fractions)')?.value ?? unknownValue) === true;
  return {
    isPoint: className === pointClass,
    nanoseconds: nanoseconds.value,
    readings,
    unit: { period: period.value, isReal },
  };
}

/** What stands for an amount that is compared: a number, or what is the same for all copies. */
function amountOf(value: Value): Value {
  return (value.kind === 'record' ? value.record.fields.get('(amount)')?.value : undefined) ?? { kind: 'unknown' };
}

/** How often an object counts its unit: a number where that is known. */
export function countOf(value: Value, unit: Unit): Value {
  const time = timeIn(value);
  if (!time || time.readings.size > 0) return amountOf(value);
  const count = wholeTicks(time.nanoseconds, unit) / unit.period;
  return numberValue(count, unit.isReal ? 'real' : 'i64');
}

/** Cut to whole units, towards zero, where it is counted in these. */
function wholeTicks(nanoseconds: number, { period, isReal }: Unit): number {
  return isReal ? nanoseconds : Math.trunc(nanoseconds / period) * period;
}

/** The same amount counted in something else. */
export function countedIn(time: Time, unit: Unit, round: (ticks: number) => number = Math.trunc): Value {
  const nanoseconds =
    unit.isReal || time.readings.size > 0 ? time.nanoseconds : round(time.nanoseconds / unit.period) * unit.period;
  return timeValue({ ...time, nanoseconds, unit });
}

/** What comes of an operator with a time on one side of it at least; null where there is none. */
export function combinedTimes(operator: string, left: Value, right: Value): Value | null {
  const [first, second] = [timeIn(left), timeIn(right)];
  if (!first && !second) return null;
  if (first && second) return ofTwo(operator, first, second, left, right);
  const [time, number] = first ? [first, right] : [second!, left];
  if (number.kind !== 'number') return unknownValue;
  const amount = number.value;
  const isReal = time.unit.isReal || number.type === 'real' || number.type === 'float';
  const unit = { ...time.unit, isReal };
  switch (operator) {
    case '*':
      return scaled(time, amount, unit);
    case '/':
      return first && amount !== 0 ? scaled(time, 1 / amount, unit) : unknownValue;
    case '%':
      return time.readings.size > 0 || amount === 0
        ? unknownValue
        : timeValue({ ...time, nanoseconds: time.nanoseconds % (amount * unit.period) });
    // `++ticks`
    case '+':
    case '-':
      return first
        ? timeValue({ ...time, nanoseconds: time.nanoseconds + (operator === '+' ? amount : -amount) * unit.period })
        : unknownValue;
    default:
      return unknownValue;
  }
}

function scaled(time: Time, by: number, unit: Unit): Value {
  const readings = new Map<Reading, number>(
    [...time.readings].map(([reading, times]): [Reading, number] => [reading, times * by]),
  );
  return timeValue({ ...time, nanoseconds: wholeTicks(time.nanoseconds * by, unit), readings, unit });
}

/** `-d` */
export function negatedTime(value: Value): Value | null {
  const time = timeIn(value);
  return time && scaled(time, -1, time.unit);
}

function ofTwo(operator: string, first: Time, second: Time, left: Value, right: Value): Value {
  const unit = {
    period: Math.min(first.unit.period, second.unit.period),
    isReal: first.unit.isReal || second.unit.isReal,
  };
  switch (operator) {
    case '+':
      return sum(first, second, 1, unit, first.isPoint || second.isPoint);
    case '-':
      return sum(first, second, -1, unit, first.isPoint && !second.isPoint);
    case '/':
    case '%': {
      if (first.readings.size + second.readings.size > 0 || second.nanoseconds === 0) return unknownValue;
      if (operator === '%') return timeValue({ ...first, nanoseconds: first.nanoseconds % second.nanoseconds, unit });
      const ratio = first.nanoseconds / second.nanoseconds;
      return numberValue(unit.isReal ? ratio : Math.trunc(ratio), unit.isReal ? 'real' : 'i64');
    }
    default:
      return comparedTimes(operator, first, second, left, right);
  }
}

function sum(first: Time, second: Time, sign: number, unit: Unit, isPoint: boolean): Value {
  const readings = together(first, second, sign);
  if (readings.size > mostReadings) return unknownValue;
  return timeValue({ isPoint, nanoseconds: first.nanoseconds + sign * second.nanoseconds, readings, unit });
}

function together(first: Time, second: Time, sign: number): Map<Reading, number> {
  const readings = new Map(first.readings);
  for (const [reading, times] of second.readings) {
    const all = (readings.get(reading) ?? 0) + sign * times;
    if (all === 0) readings.delete(reading);
    else readings.set(reading, all);
  }
  return readings;
}

function comparedTimes(operator: string, first: Time, second: Time, left: Value, right: Value): Value {
  const [least, most] = boundsOf(together(first, second, -1), first.nanoseconds - second.nanoseconds);
  const isLess = most < 0 ? true : least >= 0 ? false : null;
  const isMore = least > 0 ? true : most <= 0 ? false : null;
  const isSame = isLess || isMore ? false : isLess === false && isMore === false ? true : null;
  const answers: Readonly<Record<string, boolean | null>> = {
    '<': isLess,
    '>': isMore,
    '<=': isMore === null ? null : !isMore,
    '>=': isLess === null ? null : !isLess,
    '==': isSame,
    '!=': isSame === null ? null : !isSame,
  };
  if (operator === '<=>') {
    if (isSame) return numberValue(0);
    return isLess ? numberValue(-1) : isMore ? numberValue(1) : unknownValue;
  }
  const answer = answers[operator];
  if (answer === undefined) return unknownValue;
  if (answer !== null) return truthValue(answer);
  const asked = { left: amountOf(left), right: amountOf(right) };
  if (operator !== '!=') return { kind: 'unknown', from: { operator, ...asked } };
  const equal: Value = { kind: 'unknown', from: { operator: '==', ...asked } };
  return { kind: 'unknown', from: { operator: '==', left: equal, right: numberValue(0) } };
}

/** What an amount is at least, and at most: what goes by from reading to reading, and is never less than nothing. */
function boundsOf(readings: ReadonlyMap<Reading, number>, nanoseconds: number): readonly [number, number] {
  const inOrder = [...readings].map(([reading, times]) => ({ at: placeOf(reading), times }));
  inOrder.sort((one, other) => one.at[0] - other.at[0]);
  let [least, most] = [nanoseconds, nanoseconds];
  let behind = inOrder.reduce((all, { times }) => all + times, 0);
  for (const [index, { at, times }] of inOrder.entries()) {
    const before = inOrder[index - 1]?.at;
    // What all clocks have in front of their first reading is nobody's concern, only that it is not less than nothing.
    const gap = before && at[1] - before[1] < smallDoing ? moment : Number.POSITIVE_INFINITY;
    if (behind > 0) most += behind * gap;
    if (behind < 0) least += behind * gap;
    behind -= times;
  }
  return [least, most];
}

function placeOf(reading: Reading): readonly [number, number] {
  const [count, doing] = reading.split('/').map(Number);
  return [count!, doing!];
}
