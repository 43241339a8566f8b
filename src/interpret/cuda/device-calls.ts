/** Calls in code of the device: of functions, methods, lambdas and operators of the program, and of what CUDA brings along. */

import type { Expression, FunctionDefinition, Parameter, Statement, TypeReference } from '../../program/program.ts';
import { lastPart, methodsOf, resolveType } from '../program-table.ts';
import { argumentsOf, bindParameters, constantsIn } from './device-arguments.ts';
import { runStatements } from './device-code.ts';
import { evaluateOnDevice } from './device-expressions.ts';
import {
  arrayViews,
  handsBack,
  type Manner,
  mannerOf,
  mannerOfAtomicMethod,
  mannerOfMethod,
  viewMethods,
} from './device-functions.ts';
import { blockIn, find, giveAway, type Local, learn, load, nameIn, type Reading, touch } from './device-memory.ts';
import { eitherOf } from './device-numbers.ts';
import { constructedAs } from './device-objects.ts';
import {
  behind,
  both,
  classesOf,
  classOf,
  copied,
  createThing,
  isAddress,
  noPaths,
  type Thing,
} from './device-things.ts';

type Call = Expression & { readonly kind: 'call' };

/** Names under which the text finds references to atomics. */
export const atomicReference = /^(?:(?:cuda|std|cuda::std)::)?atomic_ref$/;

export function callOnDevice(reading: Reading, local: Local, call: Call): Thing {
  const place = (expression: Expression): Thing => evaluateOnDevice(reading, local, expression);
  const { program } = reading.world;
  const { callee } = call;
  if (callee.kind === 'member') {
    const object = place(callee.object);
    const isPointer = callee.isArrow === true || isAddress(program, object.type) === true;
    const self = isPointer ? indexed(reading, object, null) : object;
    return callMethod(reading, self, callee.name, argumentsOf(reading, local, call.arguments));
  }
  if (callee.kind === 'name') {
    const ran = ranMacro(reading, local, callee.name, call.arguments);
    if (ran) return ran;
    const held = find(reading, local, callee.name);
    const given = argumentsOf(reading, local, call.arguments);
    if (held?.stands && program.functions.has(held.stands.name))
      return callNamed(reading, local, held.stands.name, given, []);
    if (held?.stands) return constructedAs(reading, held.stands.name, given, held.stands);
    if (held) return callThing(reading, held, given);
    const written = call.templateArguments.length > 0 ? call.templateArguments : (callee.template?.arguments ?? []);
    return callNamed(reading, local, callee.name, given, written);
  }
  return callThing(reading, place(callee), argumentsOf(reading, local, call.arguments));
}

function callNamed(
  reading: Reading,
  local: Local,
  name: string,
  given: readonly Thing[],
  written: TypeReference['arguments'],
): Thing {
  const { program } = reading.world;
  const plain = lastPart(name);
  if (atomicReference.test(name)) return atomicOver(given[0]);
  const { self } = local;
  const own = self && !name.includes('::') ? methodNamed(reading, self, plain, given) : undefined;
  if (own && self) return invoke(reading, own, given, self);
  const all = functionsNamed(reading, local, name);
  const definition = chosen(reading, all, given);
  if (definition) return invoke(reading, definition, given, null, constantsIn(reading, local, definition, written));
  if (program.classes.has(plain) || arrayViews.has(plain)) return constructedAs(reading, plain, given);
  if (handsBack.has(plain) && given[0]) return given[0];
  // What another thread has is nothing that this one could not have.
  if (plain.startsWith('__shfl') && given[1]) return copied({ ...load(reading, given[1]), first: null, isSame: false });
  if (plain === 'swap' && given.length === 2) return swapped(reading, given[0]!, given[1]!);
  const manner = plain === 'memcpy_async' ? mannerOfCopy(given) : mannerOf(plain);
  if (manner !== null) return done(reading, given, manner);
  const declared = chosen(reading, program.prototypes.get(plain) ?? [], given, true);
  for (const [index, each] of given.entries()) giveTo(reading, each, declared?.parameters[index]);
  return madeOf(given);
}

function functionsNamed(reading: Reading, local: Local, name: string): readonly FunctionDefinition[] {
  const { functions } = reading.world.program;
  const meant = nameIn(reading, local, name);
  const plain = lastPart(name);
  return functions.get(meant) ?? (meant === name ? functions.get(plain) : undefined) ?? statics(reading, name, plain);
}

/** What somebody unseen makes of what is given. */
function madeOf(given: readonly Thing[]): Thing {
  return createThing({ data: given.reduce((data, each) => both(data, each.data), noPaths) });
}

/** `Policy::put(p, x)` where nobody says what a template parameter is: the one static method of that name. */
function statics(reading: Reading, name: string, plain: string): readonly FunctionDefinition[] {
  if (!name.includes('::')) return [];
  const methods =
    methodsOf(reading.world.program)
      .get(plain)
      ?.filter(({ body }) => body) ?? [];
  return methods.length === 1 && methods[0]!.isStatic ? methods : [];
}

/** Somebody whose body is not seen is given something. */
function giveTo(reading: Reading, given: Thing, parameter: Parameter | undefined): void {
  if (given.lies.size > 0) {
    load(reading, given);
    if (parameter?.type.isReference && !parameter.type.isConst)
      giveAway(reading, createThing({ points: new Set(given.lies) }));
  } else if (parameter?.type.isConst && parameter.type.pointers > 0) touch(reading, given.points, 'r', given);
  else giveAway(reading, given);
}

/** What a function of CUDA's does to what its arguments point at. */
function done(reading: Reading, given: readonly Thing[], manner: Manner): Thing {
  given.forEach((each, index) => {
    const how = manner[Math.min(index, manner.length - 1)];
    const { points, first, data } = load(reading, each);
    if (how === 'a') touch(reading, points, 'x', { first, isAtomic: true, data });
    else if (how === 'r' || how === 'w' || how === 'x') touch(reading, points, how, { first, isAtomic: false, data });
  });
  return createThing();
}

/** `memcpy_async(to, from, …)`, and with a group of threads in front of that. */
function mannerOfCopy(given: readonly Thing[]): Manner {
  const [first] = given;
  return first && (first.points.size > 0 || first.targets.size > 0 || first.element) ? 'wr-' : '-wr-';
}

function swapped(reading: Reading, one: Thing, other: Thing): Thing {
  for (const each of [one, other]) touch(reading, each.lies, 'x', each);
  learn(reading, one, other);
  learn(reading, other, one);
  return createThing();
}

/** `cuda::atomic_ref<T>(x)`. */
export function atomicOver(over: Thing | undefined): Thing {
  const { lies = noPaths, first = null, data = noPaths } = over ?? {};
  return createThing({ lies, isAtomic: true, first, data });
}

/** Something that is held is called: a lambda, or an object of a class with `operator()`. */
function callThing(reading: Reading, held: Thing, given: readonly Thing[]): Thing {
  if (held.code) {
    const { lambda, local } = held.code;
    const returnsPlaces = lambda.returnType?.isReference === true;
    return run(reading, lambda, lambda.parameters, lambda.bodyOnDevice?.() ?? lambda.body, given, {
      ...blockIn(local),
      results: [],
      returnsPlaces,
    });
  }
  const [function_, ...others] = held.functions;
  // Of several that it may be nobody can say which.
  const called =
    others.length === 0
      ? chosen(reading, reading.world.program.functions.get(function_ ?? '') ?? [], given)
      : undefined;
  if (called) return invoke(reading, called, given, null);
  const method = methodNamed(reading, held, 'operator()', given);
  if (method) return invoke(reading, method, given, held);
  if (held.type && arrayViews.has(lastPart(held.type.name)) && held.lies.size === 0)
    return indexed(reading, held, placeInView(given));
  load(reading, held);
  for (const each of [held, ...given]) giveTo(reading, each, undefined);
  return createThing();
}

/** `m(i, j)` begins where the view does where all its indices begin at 0; how far in it is otherwise nobody says. */
function placeInView(given: readonly Thing[]): Thing {
  const index = given.reduce(eitherOf, given[0] ?? createThing());
  return index.first === 0 ? index : createThing({ ...index, first: null });
}

function callMethod(reading: Reading, self: Thing, name: string, given: readonly Thing[]): Thing {
  const method = methodNamed(reading, self, name, given);
  if (method) return invoke(reading, method, given, self);
  const member = self.fields.get(name);
  if (member?.code) return callThing(reading, member, given);
  const collective = self.lies.size === 0 && !classOf(reading.world.program, self) ? mannerOfMethod(name) : null;
  if (collective !== null) return done(reading, given, collective);
  const atomic = self.lies.size > 0 ? mannerOfAtomicMethod(name) : null;
  if (atomic) touch(reading, self.lies, atomic, { ...self, isAtomic: true });
  else if (self.lies.size > 0) {
    load(reading, self);
    giveAway(reading, createThing({ points: new Set(self.lies) }));
  } else if (!viewMethods.has(name)) giveAway(reading, self);
  for (const each of given) giveTo(reading, each, undefined);
  return self.lies.size === 0 && viewMethods.has(name) ? copied(self, null) : madeOf(given);
}

/** The method of that name of an object, or of a class that it stands on. */
export function methodNamed(
  reading: Reading,
  self: Thing,
  name: string,
  given: readonly Thing[],
): FunctionDefinition | undefined {
  const { program } = reading.world;
  for (const each of classesOf(program, classOf(program, self))) {
    const found = chosen(reading, program.functions.get(`${each.name}::${name}`) ?? [], given);
    if (found) return found;
  }
  return undefined;
}

/** `p[i]`, `*p` and `p->`: also as an operator of the program. */
export function indexed(reading: Reading, object: Thing, index: Thing | null): Thing {
  const { program } = reading.world;
  if (index) {
    const method = methodNamed(reading, object, 'operator[]', [index]);
    if (method) return invoke(reading, method, [index], object);
  } else {
    const method = methodNamed(reading, object, 'operator*', []) ?? methodNamed(reading, object, 'operator->', []);
    if (method) return invoke(reading, method, [], object);
  }
  if (object.lies.size === 0 || isAddress(program, object.type) !== true) return behind(reading, object, index);
  // An address that memory of the device holds.
  load(reading, object);
  return createThing();
}

/** Which function of a name is meant: by how many arguments there are, and by what they point at. */
export function chosen(
  reading: Reading,
  all: readonly FunctionDefinition[],
  given: readonly Thing[],
  isDeclared = false,
): FunctionDefinition | undefined {
  const fitting = all.filter(({ body, parameters }) => {
    if (!body && !isDeclared) return false;
    const needed = parameters.filter(({ defaultValue, isPack }) => !defaultValue && !isPack).length;
    return given.length >= needed && (given.length <= parameters.length || parameters.at(-1)?.isPack === true);
  });
  if (fitting.length < 2) return fitting[0];
  // Of two that differ in where they run, the device means its own.
  const scores = fitting.map(({ parameters, isDevice }) =>
    given.reduce((sum, each, index) => sum + likeness(reading, each, parameters[index]), isDevice ? 0.5 : 0),
  );
  return fitting[scores.indexOf(Math.max(...scores))];
}

function likeness(reading: Reading, given: Thing, parameter: Parameter | undefined): number {
  if (!parameter || !given.type) return 0;
  const { program } = reading.world;
  const [is, takes] = [resolveType(program, given.type), resolveType(program, parameter.type)];
  if (is.pointers !== takes.pointers) return -4;
  if (is.name !== takes.name) return 0;
  return is.isConst === takes.isConst ? 3 : is.isConst && (is.pointers > 0 || takes.isReference) ? -2 : 2;
}

const maximumDepth = 12;

/** A function of the program runs. `constants`: what its template parameters stand for, as far as that is known. */
export function invoke(
  reading: Reading,
  definition: FunctionDefinition,
  given: readonly Thing[],
  self: Thing | null,
  constants: ReadonlyMap<string, Thing> = new Map(),
): Thing {
  const { body, parameters, returnType } = definition;
  const isDecltype = returnType.name.startsWith('decltype');
  const local: Local = {
    names: new Map(constants),
    parent: null,
    self: definition.isStatic ? null : self,
    results: [],
    returnsPlaces: returnType.isReference || isDecltype,
  };
  return run(reading, definition, parameters, body?.statements ?? [], given, local);
}

export function run(
  reading: Reading,
  code: object,
  parameters: readonly Parameter[],
  statements: readonly Statement[],
  given: readonly Thing[],
  local: Local,
): Thing {
  if (reading.active.length > maximumDepth || reading.steps <= 0) {
    for (const each of given) giveTo(reading, each, undefined);
    return createThing();
  }
  // What calls itself goes on with what it was given; once more is enough to see what it does to that.
  if (reading.active.filter((each) => each === code).length > 1) return createThing();
  bindParameters(reading, local, parameters, given);
  reading.active.push(code);
  runStatements(reading, local, statements);
  reading.active.pop();
  return resultOf(local);
}

function resultOf({ results }: Local): Thing {
  const [first, ...others] = results;
  if (!first) return createThing();
  if (others.length === 0) return first;
  const lies = new Set(results.flatMap((each) => [...each.lies]));
  const isOne = others.every((each) => each.first === first.first);
  const { data } = madeOf(results);
  if (lies.size > 0) return createThing({ lies, type: first.type, first: isOne ? first.first : null, data });
  return others.reduce(eitherOf, first);
}

/** A macro: what it stands for, with the arguments of its use in it. Null for what is none. */
export function ranMacro(
  reading: Reading,
  local: Local,
  name: string,
  given: readonly Expression[] | null,
): Thing | null {
  const { program } = reading.world;
  const macro = program.macro(name);
  if (!macro || (macro.parameters === null) !== (given === null) || reading.active.includes(macro)) return null;
  const body = program.expand(name);
  if (!body) return null;
  const inner = blockIn(local);
  macro.parameters?.forEach((parameter, index) => {
    const argument = given?.[index];
    if (argument) inner.names.set(parameter, evaluateOnDevice(reading, local, argument));
  });
  reading.active.push(macro);
  let result = createThing();
  if (body.kind === 'expression') result = evaluateOnDevice(reading, inner, body.expression);
  else runStatements(reading, inner, body.body);
  reading.active.pop();
  return result;
}
