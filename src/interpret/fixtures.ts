/**
 * What a test library does around a test in a fixture: an object of the fixture's class is made, made ready by its `SetUp`, used by the
 * test, put in order by `TearDown`, and ends.
 */

import type { ClassDefinition, FunctionDefinition, TypeReference } from '../program/program.ts';
import { typeNamed } from '../program/type-named.ts';
import { typesOfTests } from '../program/types-of-tests.ts';
import type { Argument } from './calls/call.ts';
import { invokeFunction } from './calls/invoke.ts';
import { decide, noArms } from './choices/decisions.ts';
import { runConstructor } from './objects/constructors.ts';
import { destroyValue } from './objects/destroy.ts';
import { constructorOf, findClass, lastPart, type ProgramTable, resolveType } from './program-table.ts';
import { createObject } from './types/types.ts';
import { type Cell, type RecordObject, unknownValue } from './value.ts';
import { ExitSignal, type World } from './world.ts';

/** Methods by which test libraries make a fixture ready, and those that put it in order again. */
const readyingMethods = ['SetUp', 'setup'] as const;
const endingMethods = ['TearDown', 'teardown'] as const;
/** Static ones that run once before all tests of a fixture, and once behind them. */
const readyingSuites = ['SetUpTestSuite', 'SetUpTestCase'] as const;
const endingSuites = ['TearDownTestSuite', 'TearDownTestCase'] as const;

/** All that a library calls around a test. */
export const methodsAroundTests: readonly string[] = [
  ...readyingMethods,
  ...endingMethods,
  ...readyingSuites,
  ...endingSuites,
];

/** More types than these are not told apart. */
const mostTypes = 4;

/** Bases of fixtures that belong to the library. */
const libraryBases: ReadonlySet<string> = new Set(['Test', 'TestWithParam', 'WithParamInterface', 'Fixture']);

/**
 * The fixture that a test is run on, made and ready; null where too little of its class is seen to know what that does. `given`: what
 * the test is given, which what makes it ready may take, too.
 */
export function beginFixture(world: World, test: FunctionDefinition, given: readonly Cell[]): RecordObject | null {
  const definition = test.isTest && test.className ? findClass(world.program, test.className) : undefined;
  if (!definition || !isSeen(world.program, definition)) return null;
  const type = typeNamed(definition.name, argumentsOf(world, test, definition));
  runSuite(world, test, definition.name, readyingSuites);
  const record = createObject(world, world.globals, type, 'when constructed');
  const begins = constructorsOf(world.program, definition).find(takesNothing);
  world.isTestLeft = false;
  runConstructor(world, world.globals, record, definition, begins, [], test.nameSpan);
  runMethod(world, test, record, readyingMethods, given);
  // `GTEST_SKIP();`: the test itself is not run.
  if (world.isTestLeft) throw new ExitSignal(false);
  return record;
}

/** What the fixture of a typed test is a template for: each of its types in turn, one a path. */
function argumentsOf(
  world: World,
  test: FunctionDefinition,
  { templateParameters }: ClassDefinition,
): TypeReference['arguments'] {
  if (typeof test.isTest === 'object') return test.isTest;
  if (templateParameters.length === 0) return [];
  const list = world.program.aliases.get(typesOfTests(test.className!));
  const types = list ? resolveType(world.program, list).arguments : [];
  const others = types.slice(1, mostTypes);
  const other = others.find((_type, index) =>
    decide(world, unknownValue, test.nameSpan, false, false, 'surely', noArms, `type ${index + 1}`),
  );
  const chosen = other ?? types[0];
  return chosen ? [chosen] : [];
}

/** Names by which the body of a test knows the type that it is run with, and the class of its fixture. */
export function typesInTest(test: FunctionDefinition, fixture: RecordObject): ReadonlyMap<string, TypeReference> {
  const types = [...(fixture.templates?.types.values() ?? [])];
  const [first] = types;
  if (!first) return new Map();
  const own = typeNamed(test.className!, types);
  return new Map([
    ['TypeParam', first],
    ['TestType', first],
    ['TestFixture', own],
  ]);
}

/** Puts the fixture in order behind its test, and ends it. */
export function endFixture(world: World, test: FunctionDefinition, record: RecordObject, given: readonly Cell[]): void {
  runMethod(world, test, record, endingMethods, given);
  destroyValue(world, { kind: 'record', record });
  runSuite(world, test, record.className, endingSuites);
}

function runMethod(
  world: World,
  test: FunctionDefinition,
  record: RecordObject,
  names: readonly string[],
  given: readonly Cell[],
): void {
  const method = methodOf(world.program, record.className, names, false, 0);
  const values = given.slice(0, method?.parameters.length).map((cell) => argumentIn(cell, test));
  if (method?.body) invokeFunction(world, method, values, record, test.nameSpan, [], world.globals);
}

function runSuite(world: World, test: FunctionDefinition, className: string, names: readonly string[]): void {
  const method = methodOf(world.program, className, names, true, 0);
  if (method?.body) invokeFunction(world, method, [], null, test.nameSpan, [], world.globals);
}

function argumentIn(cell: Cell, test: FunctionDefinition): Argument {
  return { value: cell.value, cell, span: test.nameSpan };
}

/** Whether all that its class does before and behind a test is seen: of a base that is not, nobody here needs what it does with members of its own. */
function isSeen(program: ProgramTable, definition: ClassDefinition): boolean {
  const methods = [readyingMethods, endingMethods].map((names) => methodOf(program, definition.name, names, false, 0));
  if (methods.some((method) => method && !method.body)) return false;
  return (
    areConstructorsSeen(program, definition, 0) && (methods[0] !== undefined || areBasesSeen(program, definition, 0))
  );
}

function areConstructorsSeen(program: ProgramTable, definition: ClassDefinition, depth: number): boolean {
  const own = constructorsOf(program, definition);
  if (own.length > 0 && !own.some((each) => takesNothing(each) && (each.body || each.isDefaulted))) return false;
  return definition.bases.every((name) => {
    const base = depth > 8 ? undefined : findClass(program, name);
    return !base || base === definition || areConstructorsSeen(program, base, depth + 1);
  });
}

/** Whether no base but the library's may do more before a test than is seen. */
function areBasesSeen(program: ProgramTable, definition: ClassDefinition, depth: number): boolean {
  return definition.bases.every((name) => {
    if (libraryBases.has(lastPart(name))) return true;
    const base = depth > 8 ? undefined : findClass(program, name);
    return base !== undefined && base !== definition && areBasesSeen(program, base, depth + 1);
  });
}

export function constructorsOf(program: ProgramTable, { name }: ClassDefinition): readonly FunctionDefinition[] {
  const all = program.functions.get(constructorOf(name)) ?? [];
  return all.filter(
    ({ parameters }) => !(parameters.length === 1 && lastPart(parameters[0]!.type.name) === lastPart(name)),
  );
}

export function takesNothing({ parameters }: FunctionDefinition): boolean {
  return parameters.every(({ defaultValue }) => defaultValue !== null);
}

/** The method of one of these names that runs for an object of a class: its own, or that of a base. */
export function methodOf(
  program: ProgramTable,
  className: string,
  names: readonly string[],
  isStatic: boolean,
  depth: number,
): FunctionDefinition | undefined {
  const definition = depth > 8 ? undefined : findClass(program, className);
  if (!definition) return undefined;
  for (const name of names) {
    const all = program.functions.get(`${definition.name}::${name}`) ?? [];
    const own = all.find((each) => each.parameters.length <= (isStatic ? 0 : 1) && each.isStatic === isStatic);
    if (own) return own;
  }
  for (const base of definition.bases) {
    const found = methodOf(program, base, names, isStatic, depth + 1);
    if (found) return found;
  }
  return undefined;
}
