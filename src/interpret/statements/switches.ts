/** `switch`: the case that its subject leads to, and what follows it. */

import type { Expression, Statement } from '../../program/program.ts';
import { isDefaultCase, type SwitchCase } from '../../program/switch-case.ts';
import { caseMatters } from '../choices/conditions.ts';
import { decide, leaves } from '../choices/decisions.ts';
import { kept } from '../choices/identity.ts';
import { equalTo } from '../choices/questions.ts';
import { convertedObject } from '../expressions/conversions.ts';
import { evaluate } from '../expressions/evaluate.ts';
import { place } from '../expressions/locate.ts';
import { sameValue } from '../expressions/same-values.ts';
import { createScope, type Scope } from '../scope.ts';
import { unknownValue, type Value } from '../value.ts';
import type { World } from '../world.ts';
import { type Completion, execute, executeBlock } from './execute.ts';
import { declareSkipped, indexOfLabel, pathInto } from './labels.ts';
import { noteTemporary } from './temporaries.ts';

/**
 * When `default` leaves, as with an option nobody gave, an ordinary run has the first of the cases that do not leave;
 * -1 where `default` does not leave.
 */
function usualCase(world: World, { cases }: Statement & { kind: 'switch' }): number {
  const fallback = cases.find(isDefaultCase);
  if (!fallback || !leavesSwitch(world, fallback.body)) return -1;
  return cases.findIndex((each) => each.value !== null && !leavesSwitch(world, each.body));
}

/** Whether the statements of a case leave more than the `switch`. */
function leavesSwitch(world: World, body: readonly Statement[]): boolean {
  return body.some((each) => each.kind !== 'break' && leaves(world, each));
}

/** Where no case is known to fit, `default` runs; of a subject that cannot be asked again it is open whether it applies. */
function defaultCase(world: World, statement: Statement & { kind: 'switch' }, usual: number): number {
  const fallback = statement.cases.findIndex(isDefaultCase);
  if (usual < 0) return fallback;
  const arms = { whenTrue: statement.cases[fallback] ?? null, whenFalse: null };
  return decide(world, unknownValue, statement.span, false, true, 'surely', arms) ? fallback : usual;
}

/** What is switched over; an object becomes what its class says. */
function subjectOf(world: World, scope: Scope, subject: Expression): Value {
  const found = place(world, scope, subject);
  const value = kept(found);
  if (value.kind !== 'record') return value;
  noteTemporary(world, subject, found);
  return convertedObject(world, value.record, ({ pointers }) => pointers === 0) ?? { kind: 'unknown' };
}

export function executeSwitch(world: World, scope: Scope, statement: Statement & { kind: 'switch' }): Completion {
  const subject = subjectOf(world, scope, statement.subject);
  const isKnown = subject.kind === 'number' || subject.kind === 'string';
  if (!isKnown && !caseMatters(world, statement)) return undefined;
  const usual = isKnown ? -1 : usualCase(world, statement);
  const isAsked = subject.kind === 'symbol' || (subject.kind === 'unknown' && subject !== unknownValue);
  let start = isAsked ? caseOfName(world, scope, statement, subject) : -1;
  for (const { isBefore, body } of statement.cases)
    if (isBefore) for (const each of body) if (each.kind === 'using') execute(world, scope, each);
  statement.cases.forEach((each, index) => {
    if (start >= 0 || each.value === null) return;
    const isUsual = isAsked && index === usual;
    const value = kept(place(world, scope, each.value));
    if (each.last ? isInRange(world, scope, subject, value, each.last) : isCase(world, subject, value, each, isUsual))
      start = index;
  });
  if (start < 0) start = defaultCase(world, statement, isAsked ? -1 : usual);
  if (start < 0) return undefined;
  const inner = createScope(scope);
  const completion = executeFrom(world, inner, statement.cases, start);
  return completion?.kind === 'break' && completion.loop === undefined ? undefined : completion;
}

/** A constant that nobody here defines is the case of its own name, not one of those before it; -1 where there is none. */
function caseOfName(world: World, scope: Scope, { cases }: Statement & { kind: 'switch' }, subject: Value): number {
  return cases.findIndex(
    ({ value, last }) =>
      value?.kind === 'name' && last === undefined && sameValue(subject, kept(place(world, scope, value))) === true,
  );
}

/** Whether the subject is what a case says; where that is open it is decided. */
function isCase(world: World, subject: Value, value: Value, each: SwitchCase, isUsual: boolean): boolean {
  const span = each.value!.span;
  return (
    sameValue(subject, value) ??
    decide(world, equalTo(world, subject, value, span), span, isUsual, isUsual, 'surely', {
      whenTrue: each,
      whenFalse: null,
    })
  );
}

/** `case 1 ... 5:` */
function isInRange(world: World, scope: Scope, subject: Value, first: Value, last: Expression): boolean {
  const end = evaluate(world, scope, last);
  const isKnown = subject.kind === 'number' && first.kind === 'number' && end.kind === 'number';
  if (isKnown) return first.value <= subject.value && subject.value <= end.value;
  return decide(world, unknownValue, last.span, false, false, 'surely', { whenTrue: null, whenFalse: null });
}

/** The statements from a case on, whichever cases they stand in. One inside a statement of another is entered there. */
function executeFrom(world: World, scope: Scope, cases: readonly SwitchCase[], start: number): Completion {
  const label = cases[start]!.inside;
  const from = label === undefined ? start : cases.slice(0, start).findLastIndex(({ inside }) => inside === undefined);
  const body = cases.slice(from).flatMap((each) => each.body);
  for (const each of cases.slice(0, from)) declareSkipped(world, scope, each.body);
  if (label === undefined) return executeBlock(world, scope, body);
  const at = indexOfLabel(body, label);
  // It stands where no text that compiles has one: in an argument of a macro that nobody here knows.
  if (at < 0) return undefined;
  declareSkipped(world, scope, body.slice(0, at));
  return executeBlock(world, scope, body, at, pathInto(world, scope, body[at]!, label));
}
