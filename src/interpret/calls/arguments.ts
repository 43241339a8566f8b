/** Arguments of calls: what is given, and where it stands. */

import type { Expression, TypeReference } from '../../program/program.ts';
import { typeNamed } from '../../program/type-named.ts';
import { kept } from '../choices/identity.ts';
import { passOn } from '../closure-holdings.ts';
import { isMove } from '../expressions/assign.ts';
import { place } from '../expressions/locate.ts';
import { inMacroArgument } from '../expressions/macro-parameters.ts';
import { findName, placeOfVariable } from '../expressions/names.ts';
import { noteGivenAway } from '../host-ends.ts';
import { isThunk, type Scope } from '../scope.ts';
import { spreadArguments, spreadOperand } from '../script/literals.ts';
import { makesTemporary } from '../statements/temporaries.ts';
import { packScopes } from '../types/packs.ts';
import type { World } from '../world.ts';
import type { Argument } from './call.ts';
import { baseSeen, objectSeenAs } from './seen-as.ts';

/** Evaluates arguments left to right; packs and `__VA_ARGS__` spread out. */
export function evaluateArguments(world: World, scope: Scope, expressions: readonly Expression[]): Argument[] {
  const out: Argument[] = [];
  for (let index = 0; index < expressions.length; index++) {
    const expression = expressions[index]!;
    const pattern = expression.kind === 'unary' && expression.operator === '...' ? expression.operand : null;
    if (pattern && spreadOperand(expression)) {
      out.push(...spreadArguments(world, scope, pattern));
      continue;
    }
    const scopes = pattern && !isPackItself(pattern) ? packScopes(world, scope, pattern) : null;
    const pack = scopes ? null : packOf(world, scope, expression);
    if (pattern && scopes) for (const inner of scopes) out.push(argument(world, inner, pattern));
    else if (pack)
      for (const inner of pack.expressions) out.push(inMacroArgument(world, scope, pack.scope, argument, inner));
    else out.push(argument(world, scope, expression));
  }
  return out;
}

/** `values` of `values...`, and not `Ops::count` of `Ops::count...`. */
function isPackItself(pattern: Expression): boolean {
  return pattern.kind === 'name' && !pattern.template && !pattern.name.includes('::');
}

function packOf(
  world: World,
  scope: Scope,
  expression: Expression,
): { expressions: readonly Expression[]; scope: Scope } | null {
  let name: string | null = null;
  if (expression.kind === 'name' && expression.name === '__VA_ARGS__') name = expression.name;
  else if (expression.kind === 'unary' && expression.operator === '...') {
    let inner = expression.operand;
    while (inner.kind === 'call' && inner.arguments[0]) inner = inner.arguments[0];
    if (inner.kind === 'name') name = inner.name;
  }
  const entry = name ? findName(world, scope, name) : undefined;
  return entry && isThunk(entry) ? entry : null;
}

function argument(world: World, scope: Scope, expression: Expression): Argument {
  // In a macro's body an argument's place is where the user wrote it.
  const entry =
    expression.kind === 'name' && !expression.template ? findName(world, scope, expression.name) : undefined;
  const written = entry && isThunk(entry) ? entry.expressions[0] : undefined;
  const span = written ? written.span : expression.span;
  const found =
    entry && !isThunk(entry) && expression.kind === 'name'
      ? placeOfVariable(world, entry, expression)
      : place(world, scope, expression);
  const { cell } = found;
  const isOnItsWay = passOn(found.value, expression.kind);
  const isMoved = isMove(expression) || found.isMoved === true;
  if (isMoved) noteGivenAway(world, found.value);
  const seen = objectSeenAs(world, scope, expression, false, found.value);
  const given: Argument = {
    value: kept(found),
    cell,
    span,
    expression,
    isMoved,
    isTemporary: makesTemporary(expression, found),
    type: writtenType(world, expression),
    isConst: seen?.isConst === true,
    isOnItsWay,
  };
  const base = seen && baseSeen(world, seen, found.value);
  return base ? { ...given, base } : given;
}

const textOfLibrary = typeNamed('std::string');
const nullPointer = typeNamed('std::nullptr_t');
const textOfC: TypeReference = { ...typeNamed('char'), pointers: 1, isConst: true };

/** What an expression says of its type, where its value does not. */
function writtenType(world: World, expression: Expression): TypeReference | undefined {
  switch (expression.kind) {
    case 'cast':
      return expression.type;
    case 'construct':
      return expression.isNew ? undefined : expression.type;
    case 'call': {
      // `std::string("x")`
      const name = expression.callee.kind === 'name' ? expression.callee.name : '';
      return name === 'std::string' || name === 'string' ? textOfLibrary : undefined;
    }
    case 'string':
      return world.program.isScript ? undefined : textOfC;
    case 'number':
      return expression.isNullPointer ? nullPointer : undefined;
    default:
      return undefined;
  }
}
