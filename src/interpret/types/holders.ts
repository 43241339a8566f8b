/** What an `optional`, an `expected`, a `variant` or an `any` is where nobody gives it a value. */

import type { TypeReference } from '../../program/program.ts';
import { lastPart } from '../program-table.ts';
import type { Scope } from '../scope.ts';
import { createCell, createRecord, type RecordObject, type Value, zero } from '../value.ts';
import type { World } from '../world.ts';
import { elementTypes } from './element-types.ts';
import { defaultValue, isScalar } from './types.ts';

/** The object: an `expected` begins with a value, and a `variant` with one of its first type. */
export function emptyHolder(world: World, type: TypeReference, scope: Scope): RecordObject {
  const className = `std::${lastPart(type.name)}`;
  const names = namesOf[className] ?? type.arguments.map((_, index) => String(index));
  const record = createRecord(className, true, elementTypes(world, type, scope, names));
  const first = className === 'std::expected' ? 'T' : className === 'std::variant' ? '0' : null;
  const held = first === null ? undefined : record.templates?.types.get(first);
  if (!held) return record;
  record.fields.set('(value)', createCell('(value)', beginningValue(world, scope, held), held));
  if (className === 'std::variant') record.fields.set('(index)', createCell('(index)', zero));
  return record;
}

const namesOf: Readonly<Record<string, readonly string[]>> = {
  'std::optional': ['T'],
  'std::unexpected': ['T'],
  'std::expected': ['T', 'E'],
};

function beginningValue(world: World, scope: Scope, type: TypeReference): Value {
  return type.name === 'void' || isScalar(world.program, type) ? zero : defaultValue(world, scope, type, '(value)');
}
