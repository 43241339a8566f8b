/** Fold expressions: `(f(x), ...)`, `(ok(x) && ...)`, `(0 + ... + x)`, `(flow >> ... >> tasks)`. */

import type { Expression } from '../../program/program.ts';
import { bind, createScope, type Scope } from '../scope.ts';
import { packScopes } from '../types/packs.ts';
import { createCell, numberValue, truth, unknownValue, type Value } from '../value.ts';
import type { World } from '../world.ts';
import { conditionOf } from './conditional.ts';
import { evaluate } from './evaluate.ts';
import { type Place, place } from './locate.ts';

export function foldedValue(world: World, scope: Scope, fold: Expression & { kind: 'fold' }): Value {
  const { operator, parts } = fold;
  const scopes = parts.map((part) => packScopes(world, scope, part));
  const at = scopes.findIndex((each) => each !== null);
  const pattern = parts[at];
  const elements = scopes[at];
  if (!pattern || !elements) return parts.map((part) => evaluate(world, scope, part)).at(-1) ?? unknownValue;
  const initial = parts[1 - at];
  if (operator === ',') {
    if (initial && at === 1) evaluate(world, scope, initial);
    return elements.map((inner) => evaluate(world, inner, pattern)).at(-1) ?? unknownValue;
  }
  const written = elements.map((inner): readonly [Scope, Expression] => [inner, pattern]);
  if (initial) written[at === 1 ? 'unshift' : 'push']([scope, initial]);
  if (operator === '&&' || operator === '||') return quantified(world, written, operator === '&&');
  const places = written.map(([inner, expression]) => place(world, inner, expression));
  // Of nothing there is only a value where the operator says which.
  if (places.length === 0) return unknownValue;
  const isFromLeft = initial ? at === 1 : fold.isLeft;
  return isFromLeft
    ? places.reduce((left, right) => joined(world, scope, fold, left, right)).value
    : places.reduceRight((right, left) => joined(world, scope, fold, left, right)).value;
}

/** One after another, until it is known what comes of all. */
function quantified(world: World, written: readonly (readonly [Scope, Expression])[], isAll: boolean): Value {
  let isKnown = true;
  for (const [scope, expression] of written) {
    const holds = truth(conditionOf(world, scope, expression));
    if (holds === !isAll) return numberValue(isAll ? 0 : 1);
    if (holds === null) isKnown = false;
  }
  return isKnown ? numberValue(isAll ? 1 : 0) : unknownValue;
}

/** Two of them, by the operator as it is written between others: one of the program's own, too. */
function joined(
  world: World,
  scope: Scope,
  { operator, span }: Expression & { kind: 'fold' },
  left: Place,
  right: Place,
): Place {
  const inner = createScope(scope);
  const named = (name: string, { value, cell }: Place): Expression => {
    bind(inner, name, cell ?? createCell('', value));
    return { kind: 'name', name, span };
  };
  return place(world, inner, {
    kind: 'binary',
    operator,
    left: named('(left)', left),
    right: named('(right)', right),
    span,
  });
}
