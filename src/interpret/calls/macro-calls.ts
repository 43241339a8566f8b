/** Uses of function-like macros: the body runs where it is used, and its parameters are the user's own expressions. */

import type { CallExpression, Expression, TypeReference } from '../../program/program.ts';
import { typeNamed } from '../../program/type-named.ts';
import { place } from '../expressions/locate.ts';
import { inMacro } from '../expressions/macro-parameters.ts';
import { handleTypeOf } from '../handle-types.ts';
import { bind, createScope, isThunk, lookUp, type Scope, typeStoodFor } from '../scope.ts';
import { executeBlock } from '../statements/execute.ts';
import { unknownValue } from '../value.ts';
import type { World } from '../world.ts';
import { evaluateArguments } from './arguments.ts';
import type { CallResult } from './call.ts';

/** Runs a function-like macro's body where it was used; its parameters are the user's expressions. */
export function expandCall(world: World, scope: Scope, expression: CallExpression, name: string): CallResult {
  const body = world.program.expand(name);
  if (!body || world.macroDepth > 24) {
    const values = evaluateArguments(world, scope, expression.arguments);
    return { value: values.length === 1 ? values[0]!.value : unknownValue, cell: null };
  }
  const inner = macroScope(world, scope, expression, name);
  if (body.kind === 'expression') return inMacro(world, inner, place, body.expression);
  const completion = inMacro(world, inner, executeBlock, body.body);
  return { value: completion?.kind === 'return' ? completion.value : unknownValue, cell: null };
}

/** `PICK(__VA_ARGS__, F2, F1)(x)`: the name that a macro comes to, which is called then; null where it comes to something else. */
export function chosenByMacro(world: World, scope: Scope, callee: Expression): (Expression & { kind: 'name' }) | null {
  if (callee.kind !== 'call' || callee.callee.kind !== 'name') return null;
  const { name } = callee.callee;
  const body = world.program.macro(name)?.parameters ? world.program.expand(name) : null;
  if (body?.kind !== 'expression' || body.expression.kind !== 'name') return null;
  const entry = lookUp(macroScope(world, scope, callee, name), body.expression.name);
  const chosen = entry && isThunk(entry) ? entry.expressions[0] : undefined;
  return chosen?.kind === 'name' && world.program.macro(chosen.name)?.parameters ? chosen : null;
}

/** `#define f(x) g(f(x))`: in its own body a macro is not expanded again, its name is that of a function there. */
export function isInItself(scope: Scope, name: string): boolean {
  for (let current: Scope | null = scope; current; current = current.parent)
    if (current.macro?.name === name) return true;
  return false;
}

/** The scope a macro's body runs in: the user's, with the parameters bound to the user's expressions. */
export function macroScope(world: World, scope: Scope, expression: CallExpression, name: string): Scope {
  const parameters = world.program.macro(name)?.parameters ?? [];
  const given = spread(scope, expression.arguments);
  const inner = createScope(scope);
  inner.macro = { name, user: scope, span: expression.span };
  parameters.forEach((parameter, index) => {
    if (parameter === '...' || parameter.endsWith('...')) {
      const key = parameter === '...' ? '__VA_ARGS__' : parameter.slice(0, -3).trim();
      const rest = given.slice(index);
      const isOne = rest.every((each) => each.scope === rest[0]?.scope);
      bind(inner, key, {
        kind: 'thunk',
        expressions: rest.map((each) => each.expression),
        scope: isOne ? (rest[0]?.scope ?? scope) : scope,
      });
      return;
    }
    const value = given[index];
    const type = value && typeGiven(world, value.scope, value.expression);
    if (type) inner.templateTypes = new Map([...(inner.templateTypes ?? []), [parameter, type]]);
    bind(inner, parameter, {
      kind: 'thunk',
      expressions: value ? [value.expression] : [],
      scope: value?.scope ?? scope,
    });
  });
  return inner;
}

/** `PUT(list, struct_name, x)` where the macro's body says `(type *)p` and `type{x}`: what its parameter stands for then. */
function typeGiven(world: World, scope: Scope, expression: Expression): TypeReference | null {
  if (expression.kind !== 'name') return null;
  const { name } = expression;
  const given = typeStoodFor(scope, name);
  if (given) return given;
  const { classes, aliases } = world.program;
  const type = typeNamed(name);
  const isType =
    classes.has(name) || aliases.has(name) || world.models.structures.has(name) || handleTypeOf(type) !== null;
  return isType ? type : null;
}

/** The arguments of a use, with `__VA_ARGS__` of a macro around it spread out; each in the scope that it was written in. */
function spread(scope: Scope, list: readonly Expression[]): { expression: Expression; scope: Scope }[] {
  const given: { expression: Expression; scope: Scope }[] = [];
  for (const expression of list) {
    const entry =
      expression.kind === 'name' && expression.name === '__VA_ARGS__' ? lookUp(scope, expression.name) : undefined;
    if (!entry || !isThunk(entry)) given.push({ expression, scope });
    else for (const each of entry.expressions) given.push({ expression: each, scope: entry.scope });
  }
  return given;
}

/** `using scalar_t = float;`: in a macro's body, also what the user's expressions mean by that name, which stand in it as text. */
export function nameType(scope: Scope, name: string, type: TypeReference): void {
  scope.templateTypes ??= new Map();
  scope.templateTypes.set(name, type);
  for (let current: Scope | null = scope; current; current = current.parent) {
    if (current.macro) {
      nameType(current.macro.user, name, type);
      return;
    }
  }
}
