/** What something may be that is compared with a value of an enumeration: where all others are denied, it is the last. */

import { isNumberName } from '../../program/number-types.ts';
import type { Expression } from '../../program/program.ts';
import type { Size } from '../../trace/size.ts';
import { noteEnumerated } from '../choices/implied.ts';
import { keptByRun } from '../kept-by-run.ts';
import { lastPart } from '../program-table.ts';
import { isThunk, type Scope } from '../scope.ts';
import type { World } from '../world.ts';
import { findName } from './names.ts';

/** Notes of `kind == Kind::host` which values `Kind` has. */
export function noteEnumeration(world: World, scope: Scope, expression: Expression, condition: Size): void {
  if (expression.kind !== 'binary' || !/^[!=]=$/.test(expression.operator)) return;
  for (const side of [expression.right, expression.left]) {
    const enumeration = side.kind === 'name' ? enumerationOf(world, scope, side.name) : null;
    const values = enumeration === null ? null : valuesOf(world, enumeration);
    if (values) noteEnumerated(world, condition, values);
  }
}

/** `Kind` of `ns::Kind::host`, and of `host`. */
function enumerationOf(world: World, scope: Scope, name: string): string | null {
  const entry = findName(world, scope, name);
  if (!entry || isThunk(entry) || entry.value.kind !== 'number') return null;
  const { type } = entry;
  if (type?.isConst && type.pointers === 0 && !isNumberName(type.name)) return lastPart(type.name);
  const end = name.lastIndexOf('::');
  return end > 0 ? lastPart(name.slice(0, end)) : null;
}

const known = keptByRun(() => new Map<string, readonly number[] | null>());

/** Null where not all are known, and where they leave gaps: those are flags, of which something may have several. */
function valuesOf(world: World, enumeration: string): readonly number[] | null {
  const before = known(world).get(enumeration);
  if (before !== undefined) return before;
  const start = `${enumeration}::`;
  const names = [...world.pendingGlobals.keys(), ...(world.globals.names?.keys() ?? [])];
  const values = names
    .filter((name) => name.startsWith(start))
    .map((name) => {
      const entry = findName(world, world.globals, name);
      return entry && !isThunk(entry) && entry.value.kind === 'number' ? entry.value.value : Number.NaN;
    });
  const distinct = [...new Set(values)];
  const isWhole = distinct.length > 1 && Math.max(...distinct) - Math.min(...distinct) + 1 === distinct.length;
  const found = isWhole ? distinct : null;
  known(world).set(enumeration, found);
  return found;
}
