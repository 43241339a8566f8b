/**
 * Members of bases that go by the name of a member of what derives from them. An object has both: the base's lies under its class
 * and its name, and which one a name means is told by the class that is seen, or whose method runs.
 */

import type { ClassDefinition, Expression } from '../../program/program.ts';
import { objectSeenAs } from '../calls/seen-as.ts';
import { fieldCell } from '../expressions/locate.ts';
import { findClass, lastPart } from '../program-table.ts';
import type { Scope } from '../scope.ts';
import type { Cell, RecordObject, Value } from '../value.ts';
import type { World } from '../world.ts';

const deepest = 8;

/** Under what an object keeps the member that a class declares. */
export function fieldKey({ hidden, fields }: RecordObject, className: string, name: string): string {
  if (!hidden?.has(name)) return name;
  const own = `${className}::${name}`;
  return fields.has(own) ? own : name;
}

/**
 * A class declares a member that one of its bases has, too, or the base beside it, `before`: that one lies under its full name from now
 * on.
 */
export function hideMember(
  world: World,
  record: RecordObject,
  { bases }: ClassDefinition,
  name: string,
  before: string | undefined,
): void {
  const owner = declarer(world, bases, name, 0) ?? (before === undefined ? null : lastPart(before));
  if (owner === null) return;
  const fields = [...record.fields];
  record.fields.clear();
  for (const [key, cell] of fields) record.fields.set(key === name ? `${owner}::${name}` : key, cell);
  record.hidden = new Set(record.hidden).add(name);
}

/** The class among the bases, and theirs, of which the member that goes by its plain name is. */
function declarer(world: World, bases: readonly string[], name: string, depth: number): string | null {
  for (const each of depth > deepest ? [] : bases) {
    const base = findClass(world.program, each);
    if (!base) continue;
    if (declares(base, name)) return lastPart(base.name);
    const further = declarer(world, base.bases, name, depth + 1);
    if (further !== null) return further;
  }
  return null;
}

function declares({ fields }: ClassDefinition, name: string): boolean {
  return fields.some((field) => !field.isStatic && field.name === name);
}

/** The member that a name means where the object is seen as one of a class. */
export function memberSeenAs(world: World, record: RecordObject, className: string, name: string): Cell | undefined {
  const { fields } = record;
  if (!record.hidden?.has(name) || className === record.className) return fields.get(name);
  const owner = declarer(world, [className], name, 0);
  return (owner === null ? undefined : fields.get(`${owner}::${name}`)) ?? fields.get(name);
}

/**
 * `Base::size` in a method: the member that this class, the object's own or one of its bases, has under that name. Nothing where two
 * bases side by side have one, of which the object keeps only one.
 */
export function memberNamed(world: World, record: RecordObject, className: string, name: string): Cell | undefined {
  const isPart = record.className !== '' && isOrHasBase(world, record.className, lastPart(className), 0);
  if (!isPart || (!record.hidden?.has(name) && declarers(world, record.className, name, 0) > 1)) return undefined;
  return memberSeenAs(world, record, lastPart(className), name);
}

/** How many classes there are, this one and its bases, that declare a member of that name. */
function declarers(world: World, className: string, name: string, depth: number): number {
  const definition = depth > deepest ? undefined : findClass(world.program, className);
  if (!definition) return 0;
  const own = declares(definition, name) ? 1 : 0;
  return definition.bases.reduce((sum, base) => sum + declarers(world, base, name, depth + 1), own);
}

function isOrHasBase(world: World, className: string, wanted: string, depth: number): boolean {
  if (lastPart(className) === wanted) return true;
  const bases = depth > deepest ? [] : (findClass(world.program, className)?.bases ?? []);
  return bases.some((base) => isOrHasBase(world, base, wanted, depth + 1));
}

/** What is a part of an object, a copy of its base's, goes by the names that its class gives its members. */
export function keepPartOf(world: World, record: RecordObject, className: string): void {
  for (const name of record.hidden ?? []) {
    const cell = memberSeenAs(world, { ...record, className: '' }, className, name);
    if (cell) record.fields.set(name, cell);
  }
  if (record.hidden) delete record.hidden;
}

/** A member of an object of which a base has one of the same name: by what the object is seen as. */
export function hiddenMember(
  world: World,
  scope: Scope,
  target: Value & { kind: 'record' },
  { object, name, isArrow }: Expression & { kind: 'member' },
): Cell | null {
  const seen = objectSeenAs(world, scope, object, isArrow === true, target);
  const own = seen && memberSeenAs(world, target.record, lastPart(seen.name), name);
  return own ?? fieldCell(world, target.record, name);
}
