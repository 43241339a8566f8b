/** Names for the parts of a value: `auto [a, b] = value`, `const {a, b} = value`. */

import type { Statement } from '../../program/program.ts';
import { isOwning, putInto } from '../closure-holdings.ts';
import { isMove, nameValueAfter } from '../expressions/assign.ts';
import { place } from '../expressions/locate.ts';
import { initialised } from '../objects/copies.ts';
import { bind, type Scope } from '../scope.ts';
import { partAt } from '../script/properties.ts';
import { type Cell, createCell, unknownValue, type Value } from '../value.ts';
import type { World } from '../world.ts';
import { hasEnd } from './temporaries.ts';

/** `auto [a, b] = value`: the names are the parts of an object without a name, which goes with the scope. */
export function destructure(world: World, scope: Scope, statement: Statement & { kind: 'destructure' }): void {
  const value = destructured(world, scope, statement);
  statement.names.forEach((target, index) => {
    let cell: Cell | undefined;
    if (statement.isScript) {
      const part = partAt(world, scope, value, target.field ?? String(index), statement.span);
      cell = part.cell ?? createCell(target.name, part.value);
    } else if (value.kind === 'record')
      cell = target.field !== null ? value.record.fields.get(target.field) : [...value.record.fields.values()][index];
    else if (value.kind === 'sequence') cell = value.sequence.cells.get(index);
    if (cell) nameValueAfter(world, cell.value, target.name);
    const same = statement.isReference ? cell : undefined;
    const own = same ?? createCell(target.name, cell?.value ?? unknownValue, cell?.type ?? null);
    if (!same && isOwning(own.value)) {
      putInto(own);
      scope.owned.push(own);
    }
    bind(scope, target.name, own);
  });
}

function destructured(
  world: World,
  scope: Scope,
  { value, isReference, span }: Statement & { kind: 'destructure' },
): Value {
  const source = place(world, scope, value);
  if (source.value.kind !== 'record' || !hasEnd(world.program, source.value)) return source.value;
  if (source.cell && isReference) return source.value;
  const object = initialised(
    world,
    scope,
    { ...source, span, isMoved: source.isMoved === true || isMove(value) },
    span,
  );
  scope.owned.push(createCell('', object));
  return object;
}
