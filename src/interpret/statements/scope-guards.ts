/**
 * Objects that run a lambda when they end, of classes and functions that nobody sees: `auto done = absl::MakeCleanup([&] { … });`,
 * `scope_exit done{[&] { … }};`, `ON_SCOPE_EXIT([&] { … });`, `DEFER(cudaFree(p));`.
 */

import type { Span } from '../../base/span.ts';
import type { LambdaExpression } from '../../program/lambda-expression.ts';
import type { CallExpression, Declaration, Expression, Statement, TypeReference } from '../../program/program.ts';
import { someNode } from '../../program/walk.ts';
import { place } from '../expressions/locate.ts';
import { findName } from '../expressions/names.ts';
import { guardMethods, guardOf } from '../library/scope-guards.ts';
import { findClass, lastPart, resolveType } from '../program-table.ts';
import { bind, isThunk, type Scope } from '../scope.ts';
import { containerOf, holdsFunction } from '../types/types.ts';
import { meantType } from '../types/types-in-classes.ts';
import type { World } from '../world.ts';

/** Makes the guard that a statement declares, to be ended with the scope; false where it declares none. `rest`: what follows in its block. */
export function keepGuard(world: World, scope: Scope, body: readonly Statement[], at: number): boolean {
  const statement = body[at]!;
  const guarded = guardedBy(world, scope, body, at);
  if (!guarded) return false;
  const { lambda, name } = guarded;
  world.statement = statement.span;
  const cell = guardOf(name, place(world, scope, lambda).value);
  if (name !== '') bind(scope, name, cell);
  scope.owned.push(cell);
  return true;
}

function guardedBy(
  world: World,
  scope: Scope,
  body: readonly Statement[],
  at: number,
): { readonly lambda: Expression; readonly name: string } | null {
  const statement = body[at]!;
  if (statement.kind === 'expression') {
    const lambda = putOff(world, scope, statement.expression);
    return lambda && { lambda, name: '' };
  }
  const only = statement.kind === 'declare' && statement.declarations.length === 1 ? statement.declarations[0] : null;
  if (!only || only.isStatic || only.type.pointers > 0) return null;
  const lambda = lambdaKept(world, scope, only);
  return lambda && isOnlyKept(only.name, body.slice(at + 1)) ? { lambda, name: only.name } : null;
}

/** The lambda that a variable is made from, by a class or a function that nobody sees. */
function lambdaKept(world: World, scope: Scope, declaration: Declaration): Expression | null {
  const { initializer, constructorArguments, type } = declaration;
  if (initializer?.kind === 'call') {
    const [given, other] = initializer.arguments;
    return given && !other && isUnseenFunction(world, scope, initializer) ? plainLambda(world, scope, given) : null;
  }
  if (initializer?.kind === 'construct' && !initializer.isNew) {
    const [given, other] = initializer.arguments.flatMap(partsOf);
    return given && !other && isUnseenClass(world, scope, initializer.type) ? plainLambda(world, scope, given) : null;
  }
  const given = constructorArguments ?? partsOf(initializer);
  const lambda = given.length === 1 ? plainLambda(world, scope, given[0]!) : null;
  return lambda && type.name !== 'auto' && isUnseenClass(world, scope, type) ? lambda : null;
}

function partsOf(initializer: Expression | null): readonly Expression[] {
  return initializer?.kind === 'list'
    ? initializer.elements.map(({ value }) => value)
    : initializer
      ? [initializer]
      : [];
}

/** One that takes nothing and returns nothing, as it is written or by its name. */
function plainLambda(world: World, scope: Scope, given: Expression): Expression | null {
  const named = given.kind === 'name' ? findName(world, scope, given.name) : undefined;
  const held = named && !isThunk(named) ? named.value : null;
  const lambda = held?.kind === 'closure' ? held.lambda : given;
  if (lambda.kind !== 'lambda' || lambda.isScript || lambda.parameters.length > 0) return null;
  return someNode(lambda.body, (node) => node.kind === 'return' && node.value !== null) ? null : given;
}

function isUnseenFunction(world: World, scope: Scope, { callee }: CallExpression): boolean {
  if (callee.kind !== 'name' || isOfStandard(callee.name)) return false;
  const { program, models } = world;
  const plain = lastPart(callee.name);
  if (models.callbacks.has(plain) || models.rows.has(plain) || models.hostUses.has(plain)) return false;
  if (findName(world, scope, callee.name) || findClass(program, callee.name)) return false;
  return ![callee.name, plain].some((name) => program.functions.has(name) || program.macro(name) !== undefined);
}

function isUnseenClass(world: World, scope: Scope, type: TypeReference): boolean {
  const meant = resolveType(world.program, meantType(world, scope, type));
  if (meant.isReference || meant.pointers > 0 || meant.extents.length > 0 || isOfStandard(meant.name)) return false;
  return !holdsFunction(meant) && containerOf(meant) === null && !findClass(world.program, meant.name);
}

/** Of the library itself, whose classes and functions are known; what is proposed for it has guards. */
function isOfStandard(name: string): boolean {
  return /^(?:::)?std::(?!experimental::)/.test(name);
}

/** Whether nothing else is done with a variable than to say that it has nothing to do any more. */
function isOnlyKept(name: string, rest: readonly Statement[]): boolean {
  const released = new Set<Expression>();
  return !someNode(rest, (node) => {
    if (node.kind === 'call' && node.callee.kind === 'member' && guardMethods.has(node.callee.name)) {
      const { object } = node.callee;
      released.add(object.kind === 'call' && object.arguments.length === 1 ? object.arguments[0]! : object);
    }
    return node.kind === 'name' && node.name === name && !released.has(node);
  });
}

const putsOff =
  /^(?:defer|(?:\w+_)?(?:DEFER|(?:ON_?)?(?:SCOPE|BLOCK)_?EXIT|SCOPE_?GUARD|(?:ON|AT)_?EXIT|CLEANUP|FINALLY)(?:_\w+)?)$/;

/**
 * `DEFER(cudaFree(p));`: what a macro that nobody sees, and whose name says so, puts off to the end of the scope. What was `SCOPE_EXIT { … };`
 * stores a lambda in something that nobody declares.
 */
function putOff(world: World, scope: Scope, expression: Expression): Expression | null {
  if (expression.kind === 'assign') {
    const { target, value } = expression;
    const isUndeclared = target.kind === 'name' && target.name === '_' && !findName(world, scope, '_');
    return isUndeclared ? plainLambda(world, scope, value) : null;
  }
  if (expression.kind !== 'call') return null;
  const { callee, arguments: given, span } = expression;
  if (callee.kind !== 'name' || given.length !== 1 || !putsOff.test(callee.name)) return null;
  if (!isUnseenFunction(world, scope, expression)) return null;
  const only = given[0]!;
  if (only.kind === 'call' || only.kind === 'block')
    return lambdaOf(
      only.kind === 'call' ? [{ kind: 'expression', expression: only, span: only.span }] : only.body,
      span,
    );
  return plainLambda(world, scope, only);
}

function lambdaOf(body: readonly Statement[], span: Span): LambdaExpression {
  return {
    kind: 'lambda',
    parameters: [],
    body,
    capturesByValue: [],
    capturesByReference: [],
    ownVariables: [],
    span,
  };
}
