/** What stands in a macro's body, and what its parameters stand for: the text that its user gave, where that was written. */

import type { CallExpression, Expression } from '../../program/program.ts';
import { keptByRun } from '../kept-by-run.ts';
import { isThunk, lookUp, type Scope, type Thunk } from '../scope.ts';
import type { Cell } from '../value.ts';
import type { World } from '../world.ts';
import { evaluate } from './evaluate.ts';

/** Arguments of a macro belong to the text they were written in, whatever the macro does with them: the user's, or another macro's body. */
export function inMacroArgument<T>(
  world: World,
  usedIn: Scope,
  writtenIn: Scope,
  read: (world: World, scope: Scope, expression: Expression) => T,
  expression: Expression,
): T {
  const depth = world.macroDepth;
  const used = parametersUsed(world);
  const outer = used.now;
  world.macroDepth = depth > 1 && isInMacro(writtenIn) ? depth - 1 : 0;
  used.now = { usedIn, calls: world.frames.length, outer };
  try {
    return read(world, writtenIn, expression);
  } finally {
    world.macroDepth = depth;
    used.now = outer;
  }
}

/** What a macro's parameter comes to. `__VA_ARGS__;`: one after another, and the last of them is what it comes to. */
export function standsFor(world: World, usedIn: Scope, { expressions, scope, isPack }: Thunk): Expression | undefined {
  if (isPack || expressions.length < 2) return expressions[0];
  for (const each of expressions.slice(0, -1)) inMacroArgument(world, usedIn, scope, evaluate, each);
  return expressions.at(-1);
}

/** A parameter of a macro that is looked at, and where it stands in the macro's body. */
interface ParameterUsed {
  readonly usedIn: Scope;
  readonly calls: number;
  readonly outer: ParameterUsed | null;
}

const parametersUsed = keptByRun((): { now: ParameterUsed | null } => ({ now: null }));

/** `NEW(item, item->size = 4)` where the macro declares `item`: what a macro is given may name what its body declares. */
export function besideParameter(world: World, scope: Scope, name: string): Cell | undefined {
  let used = parametersUsed(world).now;
  for (; used && used.calls === world.frames.length; used = used.outer)
    for (let current: Scope | null = used.usedIn; current && current !== scope; current = current.parent) {
      const found = current === world.globals ? undefined : current.names?.get(name);
      if (found && !isThunk(found)) return found;
    }
  return undefined;
}

function isInMacro(scope: Scope): boolean {
  for (let current: Scope | null = scope; current; current = current.parent) if (current.macro) return true;
  return false;
}

export function inMacro<B, T>(world: World, scope: Scope, run: (world: World, scope: Scope, body: B) => T, body: B): T {
  world.macroDepth++;
  try {
    return run(world, scope, body);
  } finally {
    world.macroDepth--;
  }
}

/** `(x).field` in a macro whose argument is the field's name, be it handed on by another macro. */
export function namedByArgument(
  scope: Scope,
  expression: Expression & { kind: 'member' },
): Expression & { kind: 'member' } {
  const entry = lookUp(scope, expression.name);
  const given = entry && isThunk(entry) && !entry.isPack ? entry.expressions[0] : undefined;
  if (given?.kind !== 'name' || !entry || !isThunk(entry)) return expression;
  const named = { ...expression, name: given.name };
  return entry.scope === scope ? named : namedByArgument(entry.scope, named);
}

type Member = Expression & { kind: 'member' };

/** The same of `(x).method(a)`: the call, and what is called. */
export function calledByArgument(
  world: World,
  scope: Scope,
  call: CallExpression,
  callee: Member,
): [CallExpression, Member] {
  const named = world.macroDepth > 0 ? namedByArgument(scope, callee) : callee;
  return [named === callee ? call : { ...call, callee: named }, named];
}
