/** Template arguments against the pattern of a specialisation: `S<T *>`, `S<T[N]>`, `Mx<A, R...>`, `Front<List<H, T...>>`, `Pair<A, A>`. */

import type { Expression, TypeReference } from '../../program/program.ts';
import { typeNamed } from '../../program/type-named.ts';
import { evaluate } from '../expressions/evaluate.ts';
import { knownNameValue } from '../expressions/names.ts';
import { findClass, lastPart, resolveType } from '../program-table.ts';
import type { Scope } from '../scope.ts';
import type { Value } from '../value.ts';
import type { World } from '../world.ts';
import { isRequirement } from './requirements.ts';
import { isType } from './type-arguments.ts';
import { substitute } from './types.ts';

export type TemplateArgument = TypeReference | Expression;

/** What a pattern makes of the arguments. */
export interface Match {
  /** How closely they fit. */
  score: number;
  /** What each parameter is given, and how many pointers of it the pattern has itself. */
  readonly given: Map<string, { readonly argument: TemplateArgument; readonly pointers: number }>;
  readonly packs: Map<string, readonly TemplateArgument[]>;
}

/** Null where the arguments do not fit. `parameters`: of the specialisation, packs as `R...`. */
export function matched(
  world: World,
  scope: Scope,
  pattern: readonly TemplateArgument[],
  given: readonly TemplateArgument[],
  parameters: readonly string[],
): Match | null {
  const match: Match = { score: 0, given: new Map(), packs: new Map() };
  return fitsAll({ world, scope, parameters, match }, pattern, given, 0) ? match : null;
}

interface Matching {
  readonly world: World;
  readonly scope: Scope;
  readonly parameters: readonly string[];
  readonly match: Match;
}

/** Patterns in patterns that are followed. */
const deepest = 8;

function fitsAll(
  matching: Matching,
  pattern: readonly TemplateArgument[],
  given: readonly TemplateArgument[],
  depth: number,
): boolean {
  const { parameters, match } = matching;
  for (const [index, wanted] of pattern.entries()) {
    const pack = packNamed(wanted);
    if (pack !== null && parameters.includes(`${pack}...`)) {
      match.packs.set(pack, given.slice(index));
      // `S<A>` is closer than `S<A, R...>`.
      match.score -= 0.25;
      return true;
    }
    if (isType(wanted) && isRequirement(wanted)) continue;
    const argument = given[index];
    if (!argument || depth > deepest || !fits(matching, wanted, argument, depth)) return false;
  }
  // What is only required, `std::void_t<…>`, stands for an argument that nobody writes.
  return (
    given.length <= pattern.length && pattern.slice(given.length).every((each) => isType(each) && isRequirement(each))
  );
}

/** `R` of `R...`. */
export function packNamed(argument: TemplateArgument): string | null {
  if (isType(argument)) return argument.name.endsWith('...') ? argument.name.slice(0, -3) : null;
  return argument.kind === 'unary' && argument.operator === '...' && argument.operand.kind === 'name'
    ? argument.operand.name
    : null;
}

function fits(matching: Matching, wanted: TemplateArgument, given: TemplateArgument, depth: number): boolean {
  const { world, scope, parameters, match } = matching;
  const name = isType(wanted) ? wanted.name : wanted.kind === 'name' ? wanted.name : '';
  const isOfFunctions = isType(wanted) && wanted.takes !== undefined && wanted.name !== 'std::function';
  if (isOfFunctions) {
    const taken = isType(given) ? inParts(resolveType(world.program, substitute(given, scope))) : null;
    return taken !== null && fitsAll(matching, inParts(wanted) ?? [], taken, depth + 1);
  }
  if (parameters.includes(name)) {
    if (isType(wanted) && wanted.arguments.length > 0) return fitsTemplate(matching, wanted, given, depth);
    const inner = isType(wanted) ? withoutForm(matching, wanted, given) : given;
    return inner !== null && isParameter(matching, name, isType(wanted) ? wanted.pointers : 0, inner);
  }
  if (isType(wanted) && isType(given)) {
    const actual = resolveType(world.program, substitute(given, scope));
    const expected = resolveType(world.program, wanted);
    if (sameType(expected, actual)) {
      if (expected.arguments.length === 0) {
        if (actual.arguments.length > 0 && !isOfDefaults(world, expected)) return false;
        match.score += 10;
        return true;
      }
      match.score += 5;
      return fitsAll(matching, expected.arguments, withFurther(world, expected, actual), depth + 1);
    }
  }
  if (!sameNumber(world, scope, wanted, given)) return false;
  match.score += 10;
  return true;
}

/** Of `R(A...)`, a type of functions: what they return, and what they take; null for all other types. */
function inParts({ takes, isCalled, ...returned }: TypeReference): readonly TypeReference[] | null {
  const taken = takes ?? (isCalled ? [] : undefined);
  return taken && returned.name !== 'std::function' ? [returned, ...taken] : null;
}

/** `List<>`: of what the template says by itself; another one has no arguments. */
function isOfDefaults({ program }: World, { name }: TypeReference): boolean {
  const template = findClass(program, name);
  return !template || (template.templateDefaults?.some((each) => each !== null) ?? false);
}

/** `L<T...>`, of a template that is a parameter itself. */
function fitsTemplate(
  matching: Matching,
  { name, arguments: wanted }: TypeReference,
  given: TemplateArgument,
  depth: number,
): boolean {
  if (!isType(given)) return false;
  const actual = resolveType(matching.world.program, substitute(given, matching.scope));
  if (actual.pointers > 0 || actual.arguments.length === 0) return false;
  return (
    isParameter(matching, name, 0, typeNamed(actual.name)) && fitsAll(matching, wanted, actual.arguments, depth + 1)
  );
}

/** `std::vector<int>` for a pattern `std::vector<T, A>`: what nobody writes is what the template says by itself. */
function withFurther(
  world: World,
  expected: TypeReference,
  { name, arguments: list }: TypeReference,
): readonly TemplateArgument[] {
  const missing = expected.arguments.length - list.length;
  if (missing <= 0 || packNamed(expected.arguments.at(-1)!) !== null) return list;
  const defaults = findClass(world.program, name)?.templateDefaults?.slice(list.length) ?? [];
  const further = name.startsWith('std::') ? Array.from({ length: missing }, () => byItself) : defaults;
  return [...list, ...further.flatMap((each) => each ?? [])];
}

const byItself = typeNamed('std::allocator');

/** What `T` is in a pattern `const T`, `T &` or `T[N]`; null where what is given is no such type. */
function withoutForm(
  { world, scope, parameters, match }: Matching,
  wanted: TypeReference,
  given: TemplateArgument,
): TemplateArgument | null {
  const { isConst, isReference, extents } = wanted;
  if (!isConst && !isReference && extents.length === 0) return given;
  if (!isType(given)) return null;
  const actual = resolveType(world.program, substitute(given, scope));
  if ((isConst && !actual.isConst) || extents.length > actual.extents.length) return null;
  if (isReference && (!actual.isReference || wanted.takesMoved !== actual.takesMoved)) return null;
  for (const [index, extent] of extents.entries()) {
    const own = actual.extents[index] ?? null;
    if ((extent === null) !== (own === null)) return null;
    if (!extent || !own) continue;
    if (extent.kind === 'name' && parameters.includes(extent.name))
      match.given.set(extent.name, { argument: own, pointers: 0 });
    else if (!sameNumber(world, scope, extent, own)) return null;
  }
  match.score += (isConst ? 1 : 0) + (isReference ? 1 : 0) + extents.length;
  return {
    ...actual,
    isConst: actual.isConst && !isConst,
    isReference: actual.isReference && !isReference,
    extents: actual.extents.slice(extents.length),
  };
}

function sameNumber(world: World, scope: Scope, one: TemplateArgument, other: TemplateArgument): boolean {
  const [left, right] = [argumentValue(world, scope, one), argumentValue(world, scope, other)];
  return left?.kind === 'number' && right?.kind === 'number' && left.value === right.value;
}

/** A parameter takes what is given, of a type without the pointers that the pattern has; named twice it is one thing. */
function isParameter(
  { world, scope, match }: Matching,
  name: string,
  pointers: number,
  given: TemplateArgument,
): boolean {
  const actual = isType(given) ? resolveType(world.program, substitute(given, scope)) : null;
  if (pointers > (actual?.pointers ?? 0)) return false;
  match.score += pointers;
  const before = match.given.get(name)?.argument;
  if (!before) {
    match.given.set(name, { argument: given, pointers });
    return true;
  }
  match.score += 1;
  if (actual && isType(before)) return sameType(resolveType(world.program, substitute(before, scope)), actual);
  return sameNumber(world, scope, before, given);
}

/** Whether two types are one, by name and pointers. */
export function sameType(first: TypeReference, second: TypeReference): boolean {
  return lastPart(first.name) === lastPart(second.name) && first.pointers === second.pointers;
}

/** A template argument as a value: a number, or an enumerator, that may have been taken for a type. */
export function argumentValue(world: World, scope: Scope, argument: TemplateArgument): Value | null {
  if (!isType(argument)) return evaluate(world, scope, argument);
  if (argument.pointers > 0 || argument.arguments.length > 0 || findClass(world.program, argument.name)) return null;
  return knownNameValue(world, scope, argument.name, world.statement);
}
