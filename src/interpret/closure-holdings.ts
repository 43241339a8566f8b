/**
 * Who has a lambda that owns something. What it owns goes when the last place goes that it was put into. Somebody who is not
 * followed may have it, too: then nobody can tell.
 */

import type { Expression } from '../program/program.ts';
import type { Scope } from './scope.ts';
import type { Cell, Value } from './value.ts';

interface Holding {
  /** Places that have it. */
  places: number;
  /** How often it is on its way to a place, or was given to somebody who is not followed. */
  underWay: number;
  /** How often a function has returned it to somebody who has not taken it yet. */
  returned: number;
}

/** By the scope of what was captured, whose `owned` are the objects. */
const holdings = new WeakMap<Scope, Holding>();

/** The lambda that was put into a place. */
const placed = new WeakMap<Cell, Scope>();

/** The lambda has an object of its own; it was just made. */
export function ownCaptured(captured: Scope, cell: Cell): void {
  captured.owned.push(cell);
  if (!holdings.has(captured)) holdings.set(captured, { places: 0, underWay: 1, returned: 0 });
}

/** The place has it now, beside whoever else does. */
export function putInto(place: Cell): void {
  const { value } = place;
  if (value.kind !== 'closure') return;
  const holding = holdings.get(value.scope);
  const before = placed.get(place);
  if (!holding || before === value.scope) return;
  if (before) giveUp(before);
  placed.set(place, value.scope);
  holding.places++;
}

/** The place does not have it any more, without being its end: what was there was given to another. */
export function leavePlace(place: Cell): void {
  const before = placed.get(place);
  if (!before) return;
  giveUp(before);
  placed.delete(place);
}

/** An object that was made to be copied somewhere else leaves what its members have to the copy. */
export function leaveMembers(value: Value): void {
  if (value.kind === 'record') for (const field of value.record.fields.values()) leavePlace(field);
}

function giveUp(captured: Scope): void {
  const holding = holdings.get(captured);
  if (holding) holding.places--;
}

/** It is an argument. Whether it owns something, so that who puts it into a place has to say that it has arrived. */
export function passOn(value: Value, expression: Expression['kind']): boolean {
  const holding = holdingOf(value);
  if (!holding) return false;
  // A lambda that was just made is on its way.
  if (expression !== 'lambda') holding.underWay++;
  if (expression === 'call' && holding.returned > 0) holding.returned--;
  return true;
}

/** Whether it owns something. */
export function isOwning(value: Value): boolean {
  return holdingOf(value) !== undefined;
}

/** What an expression gave is in a place now. */
export function arriveFrom(value: Value, expression: Expression['kind']): void {
  if (expression === 'lambda') arrive(value);
  else if (expression === 'call') takeReturned(value);
}

/** What was on its way, as a lambda just made is, has come to somebody who is followed. */
export function arrive(value: Value): void {
  const holding = holdingOf(value);
  if (holding && holding.underWay > 0) holding.underWay--;
}

/** What a list gave a member or an element is there now, unless something else was made of it. */
export function arriveIn(place: Cell, value: Value): void {
  if (value.kind === 'closure' && place.value === value) arrive(value);
}

/** What was on its way is in the place now, unless something else was made of it. */
export function takeIn(place: Cell, value: Value): void {
  if (place.value !== value) return;
  putInto(place);
  arrive(value);
}

/** A function returns it. `isNew`: it was made for that. */
export function returnIt(value: Value, isNew: boolean): void {
  const holding = holdingOf(value);
  if (!holding) return;
  holding.returned++;
  if (isNew) arrive(value);
}

/** Who called the function takes what it has returned, if it has. */
function takeReturned(value: Value): void {
  const holding = holdingOf(value);
  if (holding && holding.returned > 0) holding.returned--;
}

/** What a lambda owns of which this was the last place, in the order in which it came; nothing otherwise. */
export function takeCaptured(place: Cell): readonly Cell[] {
  const { value } = place;
  const holding = holdingOf(value);
  if (value.kind !== 'closure' || !holding || placed.get(place) !== value.scope) return [];
  leavePlace(place);
  return holding.places > 0 || holding.underWay > 0 || holding.returned > 0 ? [] : value.scope.owned.splice(0);
}

/** The same of one that was given to somebody who is done with it. */
export function takeUsed(value: Value): readonly Cell[] {
  const holding = holdingOf(value);
  if (value.kind !== 'closure' || !holding) return [];
  arrive(value);
  return holding.places > 0 || holding.underWay > 0 || holding.returned > 0 ? [] : value.scope.owned.splice(0);
}

function holdingOf(value: Value): Holding | undefined {
  return value.kind === 'closure' ? holdings.get(value.scope) : undefined;
}
