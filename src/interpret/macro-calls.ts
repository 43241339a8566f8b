/** Uses of function-like macros: the body runs where it is used, and its parameters are the user's own expressions. */

import type { CallExpression } from '../program/program.ts';
import { type CallResult, evaluateArguments } from './call.ts';
import { executeBlock } from './execute.ts';
import { place } from './locate.ts';
import { inMacro } from './names.ts';
import { bind, createScope, type Scope } from './scope.ts';
import { unknownValue } from './value.ts';
import type { World } from './world.ts';

/** Runs a function-like macro's body where it was used; its parameters are the user's expressions. */
export function expandCall(world: World, scope: Scope, expression: CallExpression, name: string): CallResult {
  const body = world.program.expand(name);
  if (!body || world.macroDepth > 24) {
    const values = evaluateArguments(world, scope, expression.arguments);
    return { value: values.length === 1 ? values[0]!.value : unknownValue, cell: null };
  }
  const inner = macroScope(world, scope, expression, name);
  return inMacro(world, () => {
    if (body.kind === 'expression') return place(world, inner, body.expression);
    const completion = executeBlock(world, inner, body.body);
    return { value: completion?.kind === 'return' ? completion.value : unknownValue, cell: null };
  });
}

/** The scope a macro's body runs in: the user's, with the parameters bound to the user's expressions. */
export function macroScope(world: World, scope: Scope, expression: CallExpression, name: string): Scope {
  const parameters = world.program.macro(name)?.parameters ?? [];
  const inner = createScope(scope);
  parameters.forEach((parameter, index) => {
    if (parameter === '...' || parameter.endsWith('...')) {
      const key = parameter === '...' ? '__VA_ARGS__' : parameter.slice(0, -3).trim();
      bind(inner, key, { kind: 'thunk', expressions: expression.arguments.slice(index), scope });
      return;
    }
    const value = expression.arguments[index];
    bind(inner, parameter, { kind: 'thunk', expressions: value ? [value] : [], scope });
  });
  return inner;
}
