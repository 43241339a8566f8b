/**
 * Checks that fail as they are written, through the macros and functions of the program that they are made of:
 * `CHECK_THAT(false, "no such size");`.
 */

import type { CallExpression, Expression, Statement } from '../../program/program.ts';
import { eachNode, someNode } from '../../program/walk.ts';
import { functionsNamed } from '../function-names.ts';
import { lastPart } from '../program-table.ts';
import type { World } from '../world.ts';
import { leaves } from './decisions.ts';

/** What is known to hold, or not to, by the names that it goes by. */
type Truths = ReadonlyMap<string, boolean>;

const nothing: Truths = new Map();
const deepest = 4;

/** Whether a macro or a function of the program is given something false, and leaves for that. */
export function isFailedCheck(world: World, expression: Expression, depth: number): boolean {
  return expression.kind === 'call' && callFails(world, expression, nothing, depth);
}

function callFails(world: World, call: CallExpression, truths: Truths, depth: number): boolean {
  const { callee, arguments: given } = call;
  if (callee.kind !== 'name' || depth > deepest) return false;
  if (!given.some((each) => truthOf(each, truths) === false)) return false;
  const macro = world.program.macro(callee.name);
  if (macro) {
    const body = macro.parameters && world.program.expand(callee.name);
    if (!macro.parameters || !body) return false;
    const inner = named(macro.parameters, given, truths);
    if (body.kind === 'expression') return expressionFails(world, body.expression, inner, depth + 1);
    return statementsFail(world, body.body, inner, depth + 1, true);
  }
  const definitions = functionsNamed(world, lastPart(callee.name))?.filter(({ body }) => body) ?? [];
  return (
    definitions.length > 0 &&
    definitions.every(({ parameters, body }) => {
      const names = parameters.map(({ name }) => name);
      return statementsFail(world, body!.statements, named(names, given, truths), depth + 1, false);
    })
  );
}

function named(parameters: readonly string[], given: readonly Expression[], truths: Truths): Truths {
  const own = new Map<string, boolean>();
  for (const [index, name] of parameters.entries()) {
    const truth = given[index] ? truthOf(given[index], truths) : null;
    if (truth !== null) own.set(name, truth);
  }
  return own;
}

/** `isOfMacro`: a `return` among them leaves the function that uses the macro. */
function statementsFail(
  world: World,
  statements: readonly Statement[],
  truths: Truths,
  depth: number,
  isOfMacro: boolean,
): boolean {
  const own = new Map(truths);
  for (const each of statements) {
    if (each.kind === 'return') return isOfMacro;
    if (each.kind === 'declare') {
      for (const { name, initializer } of each.declarations) {
        const truth = initializer ? truthOf(initializer, own) : null;
        if (truth === null) own.delete(name);
        else own.set(name, truth);
      }
    } else if (each.kind === 'expression') {
      forgetAssignedIn(each.expression, own);
      if (expressionFails(world, each.expression, own, depth)) return true;
    } else if (each.kind === 'block') {
      if (statementsFail(world, each.body, own, depth, isOfMacro)) return true;
    } else if (each.kind === 'loop' && each.bodyFirst) {
      if (statementsFail(world, [each.body], own, depth, isOfMacro)) return true;
    } else if (each.kind === 'if') {
      const truth = truthOf(each.condition, own);
      const arm = truth === null ? null : truth ? each.whenTrue : each.whenFalse;
      if (arm && statementsFail(world, [arm], own, depth, isOfMacro)) return true;
      if (truth === null && someNode(each, ({ kind }) => kind === 'return' || kind === 'goto')) return false;
    } else return false;
  }
  return false;
}

/** Of what is given something else nobody knows any more whether it holds. */
function forgetAssignedIn(expression: Expression, truths: Map<string, boolean>): void {
  eachNode(expression, (node) => {
    const target = node.kind === 'assign' ? node.target : node.kind === 'update' ? node.operand : null;
    if (target?.kind === 'name') truths.delete(target.name);
  });
}

function expressionFails(world: World, expression: Expression, truths: Truths, depth: number): boolean {
  if (expression.kind === 'call' && callFails(world, expression, truths, depth)) return true;
  return leaves(world, { kind: 'expression', expression, span: expression.span }, depth);
}

/** Whether an expression is true or false as it is written; null where that hangs on anything. */
export function truthOf(expression: Expression, truths: Truths = nothing): boolean | null {
  switch (expression.kind) {
    case 'number':
      return expression.value !== 0;
    case 'string':
      return true;
    case 'name':
      return expression.name === 'true'
        ? true
        : expression.name === 'false'
          ? false
          : (truths.get(expression.name) ?? null);
    case 'cast':
      return truthOf(expression.operand, truths);
    case 'unary': {
      const truth = expression.operator === '!' ? truthOf(expression.operand, truths) : null;
      return truth === null ? null : !truth;
    }
    case 'binary': {
      const { operator } = expression;
      if (operator !== '&&' && operator !== '||') return null;
      const sides = [truthOf(expression.left, truths), truthOf(expression.right, truths)];
      const deciding = operator === '||';
      return sides.includes(deciding) ? deciding : sides.includes(null) ? null : !deciding;
    }
    case 'call': {
      // `__builtin_expect(!(x), 0)`
      const [first] = expression.arguments;
      const { callee } = expression;
      return first && callee.kind === 'name' && callee.name === '__builtin_expect' ? truthOf(first, truths) : null;
    }
    default:
      return null;
  }
}
