/** One object made from another: copied or moved, by its class where that says how. */

import type { Span } from '../base/span.ts';
import type { TypeReference } from '../program/program.ts';
import type { Argument } from './call.ts';
import { constructValue } from './construct.ts';
import { constructorOf, findClass, lastPart } from './program-table.ts';
import type { Scope } from './scope.ts';
import { copyValue, createCell, noteShared, pointedAt, type RecordObject, type Value, zero } from './value.ts';
import type { World } from './world.ts';

/** What an object of its own holds when it is initialised with the argument: what was made for it, or a copy of what was named. */
export function initialised(world: World, scope: Scope, given: Argument, span: Span): Value {
  const { value, cell, isMoved } = given;
  if (cell === null || (value.kind !== 'record' && value.kind !== 'sequence')) return value;
  if (value.kind === 'record' && !value.record.className.startsWith('std::') && value.record.className !== '')
    return constructValue(world, scope, typeOfObject(world, value.record), [given], span);
  const copy = copyValue(value);
  if (isMoved) leaveEmpty(value);
  else noteShared(copy);
  return copy;
}

/** Whether objects of a class are copied or moved by a constructor of its own, which sees to what is left of the other. */
export function saysHowItIsMoved(world: World, className: string): boolean {
  const constructors = world.program.functions.get(constructorOf(className)) ?? [];
  return constructors.some(
    ({ body, parameters }) => body && parameters.length >= 1 && lastPart(parameters[0]!.type.name) === className,
  );
}

/** What is left of an object that was moved from: one of the library has nothing any more, and so have the members of others. */
export function leaveEmpty(value: Value): void {
  if (value.kind === 'record') {
    value.record.released = true;
    if (pointedAt(value.record)) value.record.fields.set('(pointer)', createCell('(pointer)', zero));
    else if (!value.record.className.startsWith('std::'))
      for (const { value: member, owner } of value.record.fields.values())
        if (owner === value.record || owner === null) leaveEmpty(member);
  }
  if (value.kind === 'sequence' && value.sequence.byValue) {
    value.sequence.cells.clear();
    value.sequence.length = 0;
  }
}

/** The class of an object, with what its template parameters stand for. */
export function typeOfObject(world: World, { className, templates }: RecordObject): TypeReference {
  const names = findClass(world.program, className)?.templateParameters ?? [];
  const types = templates ? names.flatMap((name) => templates.types.get(name) ?? []) : [];
  const isWhole = types.length === names.length;
  return {
    name: className,
    arguments: isWhole ? types : [],
    pointers: 0,
    isReference: false,
    isConst: false,
    extents: [],
  };
}
