/** Whether something can be called with arguments of some types: `std::is_invocable_v<F &, int>`, `std::invocable<F, int>`. */

import { numbersOf } from '../../program/number-types.ts';
import type { Expression, Parameter, TypeReference } from '../../program/program.ts';
import { childNodes, isNode } from '../../program/walk.ts';
import { runningIn } from '../calls/other-function.ts';
import { handleTypeOf } from '../handle-types.ts';
import { findClass, lastPart, resolveType } from '../program-table.ts';
import { isThunk, lookUp, type Scope } from '../scope.ts';
import type { Value } from '../value.ts';
import type { World } from '../world.ts';
import { expandedTypes } from './packs.ts';
import { isType } from './type-arguments.ts';
import { substitute } from './types.ts';

/** What is told apart of a function: what it takes, and whether that is all. */
interface Taking {
  readonly parameters: readonly Parameter[];
  readonly takesAnything?: boolean;
  readonly returnType?: TypeReference;
  /** Of a lambda its statements, of a function what may still have to be read. */
  readonly body?: object | null;
}

/** The traits that ask it, with how many arguments stand before what is called. */
const asking = new Map([
  ['is_invocable', 0],
  ['is_nothrow_invocable', 0],
  ['is_invocable_r', 1],
  ['is_nothrow_invocable_r', 1],
]);

/** What such a trait says of its arguments; null for other traits, where nobody knows what is called, or whether one type becomes another. */
export function isInvocable(
  world: World,
  scope: Scope,
  trait: string,
  list: readonly (TypeReference | Expression)[],
): boolean | null {
  const before = asking.get(trait);
  if (before === undefined) return null;
  const [callee, ...given] = expandedTypes(scope, list).slice(before);
  if (!callee || !isType(callee) || given.some((each) => isType(each) && each.name.endsWith('...'))) return null;
  const candidates = takenBy(world, scope, callee);
  if (!candidates || candidates.length === 0) return null;
  let isOpen = false;
  for (const each of candidates) {
    const fits = takes(
      world,
      scope,
      each,
      given.map((type) => (isType(type) ? type : null)),
    );
    if (fits) return true;
    isOpen ||= fits === null;
  }
  return isOpen ? null : false;
}

const stripping = /^(?:std::)?(?:decay|remove_cvref|remove_reference|remove_cv|remove_const)_t$/;

function takenBy(world: World, scope: Scope, written: TypeReference): readonly Taking[] | null {
  const [inner] = written.arguments;
  if (stripping.test(written.name) && inner && isType(inner)) return takenBy(world, scope, inner);
  const type = resolveType(world.program, substitute(written, scope));
  const definition = type.pointers === 0 ? findClass(world.program, type.name) : undefined;
  if (definition) return world.program.functions.get(`${definition.name}::operator()`) ?? [];
  const value = valueDeclaredAs(world, scope, written.name);
  if (value?.kind === 'closure') return [value.lambda];
  return value?.kind === 'function' ? (world.program.functions.get(value.name) ?? null) : null;
}

/** Whether a call gives nothing: `std::is_void_v<std::invoke_result_t<F, A...>>`; null for other types, and where that is not known. */
export function givesNothing(world: World, scope: Scope, { name, arguments: list }: TypeReference): boolean | null {
  const [callee] = /^(?:std::)?invoke_result_t$/.test(name) ? list : [];
  const candidates = callee && isType(callee) ? takenBy(world, scope, callee) : null;
  const answers = new Set((candidates ?? []).map((each) => isWithoutResult(world, each)));
  const [only = null] = answers;
  return answers.size === 1 ? only : null;
}

function isWithoutResult(world: World, { returnType, body }: Taking): boolean | null {
  if (returnType && returnType.name !== 'auto') return returnType.name === 'void' && returnType.pointers === 0;
  if (!Array.isArray(body)) return null;
  const values = returnedIn(body);
  if (values.length === 0) return true;
  // `return next(x);` may give nothing.
  return values.some((value) => value.kind !== 'call' || givesSomething(world, value)) ? false : null;
}

/** What a lambda returns, and not what those in it do. */
function returnedIn(node: object): Expression[] {
  if (isNode(node) && node.kind === 'lambda') return [];
  if (isNode(node) && node.kind === 'return') return node.value ? [node.value] : [];
  return childNodes(node).flatMap(returnedIn);
}

/** Whether a function is called that is known to return something. */
function givesSomething({ program, models }: World, { callee }: Expression & { kind: 'call' }): boolean {
  if (callee.kind !== 'name') return false;
  const known = program.functions.get(lastPart(callee.name));
  if (!known) return models.rows.has(callee.name);
  return known.every(({ returnType: { name, pointers } }) => name !== 'auto' && (name !== 'void' || pointers > 0));
}

/** What a variable, a parameter or a member holds that is declared with a template parameter as its type, or that `decltype(f)` names. */
function valueDeclaredAs(world: World, scope: Scope, name: string): Value | null {
  const variable = /^decltype\(\s*(\w+)\s*\)$/.exec(name)?.[1];
  const parameter = runningIn(world)
    .at(-1)
    ?.parameters.find(({ type, isPack }) => type.name === name && !isPack);
  const found = variable ?? parameter?.name;
  const entry = found ? lookUp(scope, found) : undefined;
  if (entry && !isThunk(entry)) return entry.value;
  for (let current: Scope | null = scope; current && current !== world.globals; current = current.parent)
    for (const each of current.names?.values() ?? []) if (!isThunk(each) && each.type?.name === name) return each.value;
  const fields = scope.self ? [...scope.self.fields.values()] : [];
  return fields.find(({ type }) => type?.name === name)?.value ?? null;
}

function takes(
  world: World,
  scope: Scope,
  { parameters, takesAnything }: Taking,
  given: readonly (TypeReference | null)[],
): boolean | null {
  const isOpen = takesAnything === true || parameters.some(({ isPack }) => isPack);
  const required = parameters.filter(({ defaultValue, isPack }) => !defaultValue && !isPack).length;
  if (given.length < required || (given.length > parameters.length && !isOpen)) return false;
  let isKnown = true;
  for (const [index, type] of given.entries()) {
    const parameter = parameters[index];
    const becomes = !parameter || parameter.isPack ? true : type && isTaken(world, scope, parameter.type, type);
    if (becomes === false) return false;
    isKnown &&= becomes !== null;
  }
  return isKnown ? true : null;
}

/** Whether something of a type may be given for a parameter; null where that is not known. */
function isTaken(world: World, scope: Scope, asked: TypeReference, given: TypeReference): boolean | null {
  const [own, its] = [asked, given].map((type) => resolveType(world.program, substitute(type, scope)));
  if (!own || !its || own.name === 'auto') return own ? true : null;
  if (lastPart(own.name) === lastPart(its.name) && own.pointers === its.pointers) return true;
  const [handle, other] = [handleTypeOf(own), handleTypeOf(its)];
  if (handle !== other) return handle && other ? false : isPlain(handle ? its : own) ? false : null;
  if (numbersOf(own.name) !== null && numbersOf(its.name) !== null && own.pointers + its.pointers === 0) return true;
  return null;
}

/** A number, which is no handle. */
function isPlain({ name, pointers }: TypeReference): boolean {
  return pointers === 0 && numbersOf(name) !== null;
}
