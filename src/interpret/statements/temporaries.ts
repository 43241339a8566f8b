/**
 * Temporary objects. One that is used where it is made, `Buffer(s).p`, `make(s)->run()`, `use(Guard{m})`, is destroyed at the
 * end of the full expression; one that initialises a variable or a parameter, or that is returned, becomes that object.
 */

import type { Expression } from '../../program/program.ts';
import { place } from '../expressions/locate.ts';
import { destroyValue } from '../objects/destroy.ts';
import { destructorOf, findClass, type ProgramTable } from '../program-table.ts';
import { ownParts } from '../referred-parts.ts';
import type { Scope } from '../scope.ts';
import type { Cell, Value } from '../value.ts';
import type { World } from '../world.ts';

/** Whether the expression makes an object of its own, rather than naming one. */
export function makesTemporary(expression: Expression, { value, cell }: { value: Value; cell: Cell | null }): boolean {
  if (cell !== null || (value.kind !== 'record' && value.kind !== 'sequence')) return false;
  const last = expression.kind === 'sequence' ? expression.expressions.at(-1) : undefined;
  if (last) return makesTemporary(last, { value, cell });
  return expression.kind === 'call' || (expression.kind === 'construct' && !expression.isNew);
}

/** What the expression made, if it made something, goes when the full expression around it ends. */
export function noteTemporary(world: World, expression: Expression, place: { value: Value; cell: Cell | null }): void {
  if (makesTemporary(expression, place)) addTemporary(world, place.value);
}

/** The object goes when the full expression ends. */
export function addTemporary(world: World, value: Value): void {
  // An empty container may be given something before it goes.
  const isContainer = value.kind === 'sequence' && value.sequence.byValue;
  if (isContainer || hasEnd(world.program, value)) world.temporaries.push(value);
}

/** The full expression that began when there were `mark` temporaries has ended. */
export function endTemporaries(world: World, mark: number): void {
  while (world.temporaries.length > mark) {
    const value = world.temporaries.pop();
    if (value) destroyValue(world, value);
  }
}

/** A full expression whose value nobody takes. */
export function evaluateFully(world: World, scope: Scope, expression: Expression): void {
  const mark = world.temporaries.length;
  noteTemporary(world, expression, place(world, scope, expression));
  endTemporaries(world, mark);
}

/** Whether anything runs when the object's life ends: a destructor of its class, or one of what it holds. */
export function hasEnd(program: ProgramTable, value: Value, depth = 0): boolean {
  if (depth > 4) return false;
  if (value.kind === 'sequence')
    return (
      value.sequence.byValue &&
      [...value.sequence.cells.values()].some((each) => hasEnd(program, each.value, depth + 1))
    );
  if (value.kind !== 'record' || value.record.released) return false;
  const { className } = value.record;
  if (className === 'std::unique_ptr' || className === 'std::shared_ptr') return true;
  if (!className.startsWith('std::') && hasDestructor(program, className)) return true;
  for (const { value: part, type } of ownParts(value.record))
    if (hasEnd(program, part, depth + 1) || (type && type.extents.length > 0 && elementsHaveEnd(program, part, depth)))
      return true;
  return false;
}

function elementsHaveEnd(program: ProgramTable, value: Value, depth: number): boolean {
  return (
    value.kind === 'sequence' &&
    [...value.sequence.cells.values()].some((each) => hasEnd(program, each.value, depth + 1))
  );
}

/** Whether all that happens at the object's end is that it lets go of what it shares, so that copies of it take turns. */
export function onlyShares(program: ProgramTable, value: Value, depth = 0): boolean {
  if (depth > 4) return false;
  if (value.kind === 'sequence')
    return [...value.sequence.cells.values()].every((each) => onlyShares(program, each.value, depth + 1));
  if (value.kind !== 'record' || value.record.className === 'std::shared_ptr') return true;
  const { className, fields } = value.record;
  if (className === 'std::unique_ptr' || hasDestructor(program, className)) return false;
  return [...fields.values()].every((each) => onlyShares(program, each.value, depth + 1));
}

/** Whether the class or one of its bases has a destructor that does something, or that is not seen. */
function hasDestructor(program: ProgramTable, className: string, depth = 0): boolean {
  const definition = findClass(program, className);
  if (!definition || depth > 8) return false;
  if (program.functions.get(destructorOf(definition.name))?.some((each) => each.body || !each.isDefaulted)) return true;
  return definition.bases.some((base) => hasDestructor(program, base, depth + 1));
}

/** Whether the object is, or consists of, something that it shares with others. */
export function isShare(program: ProgramTable, value: Value): boolean {
  if (value.kind !== 'record' && value.kind !== 'sequence') return false;
  return onlyShares(program, value) && hasEnd(program, value);
}

/** The elements of a braced list that go when the list goes: those that share something, and, of one that stays a list, those that were made for it. */
export function endingIn(
  program: ProgramTable,
  { sequence }: Value & { kind: 'sequence' },
  isList: boolean,
): readonly Cell[] {
  const { cells, named } = sequence;
  return [...cells.values()].filter(
    (cell) => isShare(program, cell.value) || (isList && !named?.has(cell) && hasEnd(program, cell.value)),
  );
}
