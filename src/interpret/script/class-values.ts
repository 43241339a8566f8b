/** Classes of TypeScript as values: kept in tables, given to functions, extended by what a variable holds. */

import type { Span } from '../../base/span.ts';
import { typeNamed } from '../../program/type-named.ts';
import type { Argument } from '../calls/call.ts';
import { findName } from '../expressions/names.ts';
import { throughPointers } from '../expressions/through-pointers.ts';
import { constructValue } from '../objects/construct.ts';
import { findClass } from '../program-table.ts';
import { isThunk, type Scope } from '../scope.ts';
import { substitute } from '../types/types.ts';
import { createCell, pointerTo, type Value } from '../value.ts';
import type { World } from '../world.ts';

/** Where the object that a class's static members are says which class that is. */
const classField = '(class)';

/** The class of that name as a value; null where the name is none of TypeScript's classes. */
export function classValue(world: World, scope: Scope, name: string): Value | null {
  if (!world.program.isScript) return null;
  const definition = findClass(world.program, substitute(typeNamed(name), scope).name);
  return definition ? { kind: 'function', name: definition.name, receiver: null } : null;
}

/** The class that a value is; null for any other value. */
export function classIn(world: World, scope: Scope, value: Value): string | null {
  const target = throughPointers(value) ?? value;
  if (target.kind === 'function') return world.program.classes.has(target.name) ? target.name : null;
  const written = target.kind === 'record' ? target.record.fields.get(classField)?.value : undefined;
  return written?.kind === 'string' ? substitute(typeNamed(written.value), scope).name : null;
}

/** The class that a variable of that name holds; null where there is no such variable, or it holds something else. */
export function classHeldBy(world: World, scope: Scope, name: string): string | null {
  const entry = findName(world, scope, name);
  return entry && !isThunk(entry) ? classIn(world, scope, entry.value) : null;
}

/** `new made(…)`: an object of the class that the value is, or of one that nobody here knows. */
export function newOf(
  world: World,
  scope: Scope,
  value: Value,
  written: string,
  values: readonly Argument[],
  span: Span,
): Value {
  const name = classIn(world, scope, value) ?? written;
  const cell = createCell('new', constructValue(world, scope, typeNamed(name), values, span), typeNamed(name));
  return pointerTo(cell);
}
