/** Memory of a function that was run on its own, of which nobody has the address when it returns. */

import { isThunk, type Scope } from './scope.ts';
import type { Cell, Value } from './value.ts';
import type { World } from './world.ts';

/** Stream-ordered allocations that nothing leads to from outside: from what the function returns, its parameters and object, or the globals. */
export function lostMemory(
  world: World,
  scope: Scope,
  parameters: readonly string[],
  returned: Value | null,
): number[] {
  const made = world.allocations.flatMap(({ origin }, id) => (origin === 'stream' ? [id] : []));
  // An object that is returned may have been given it by a constructor that is not followed.
  if (made.length === 0 || world.mayFail || (returned && !isPlain(returned))) return [];
  const held = new Set(world.entrusted);
  const seen = new Set<object>();
  const open: Value[] = returned ? [returned] : [];
  const follow = (cells: Iterable<Cell>): void => {
    for (const cell of cells) open.push(cell.value);
  };
  const followScope = (from: Scope): void => {
    for (const entry of from.names?.values() ?? []) if (!isThunk(entry)) open.push(entry.value);
  };
  for (const name of parameters) {
    const entry = scope.names?.get(name);
    if (entry && !isThunk(entry)) open.push(entry.value);
  }
  if (scope.self) open.push({ kind: 'record', record: scope.self });
  followScope(world.globals);
  for (const own of [world.threads.own, ...world.threads.parked.map((each) => each.own)]) if (own) followScope(own);
  follow(world.statics.values());
  follow(world.externalResults.values());
  open.push(...world.externals.values(), ...world.unseenArrays.values());
  follow(world.unseenObjects.values());
  for (const { ofPlain, others } of world.gotten.values())
    for (const calls of [ofPlain.values(), ...others.values()]) for (const { cell } of calls) follow([cell]);
  for (let value = open.pop(); value; value = open.pop()) {
    if (value.kind === 'device') held.add(value.allocation);
    const inside = insideOf(value);
    if (inside === null || seen.has(inside)) continue;
    seen.add(inside);
    if (value.kind === 'record') follow(value.record.fields.values());
    else if (value.kind === 'sequence') follow(value.sequence.cells.values());
    else if (value.kind === 'pointer') {
      open.push(value.cell.value);
      if (value.sequence) follow(value.sequence.cells.values());
    } else if (value.kind === 'closure')
      for (let each: Scope | null = value.scope; each?.parent; each = each.parent) followScope(each);
  }
  return made.filter((id) => !held.has(id));
}

function isPlain({ kind }: Value): boolean {
  return kind === 'number' || kind === 'symbol' || kind === 'device' || kind === 'handle';
}

/** What tells whether somebody was there already; null where nothing is inside. */
function insideOf(value: Value): object | null {
  switch (value.kind) {
    case 'record':
      return value.record;
    case 'sequence':
      return value.sequence;
    case 'pointer':
      return value.sequence ?? value.cell;
    case 'closure':
      return value.scope;
    default:
      return null;
  }
}
