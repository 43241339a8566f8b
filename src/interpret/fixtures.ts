/**
 * What a test library does around a test in a fixture: an object of the fixture's class is made, made ready by its `SetUp`, used by the
 * test, put in order by `TearDown`, and ends.
 */

import type { ClassDefinition, FunctionDefinition } from '../program/program.ts';
import { typeNamed } from '../program/type-named.ts';
import { invokeFunction } from './calls/invoke.ts';
import { runConstructor } from './objects/constructors.ts';
import { destroyValue } from './objects/destroy.ts';
import { constructorOf, findClass, lastPart, type ProgramTable } from './program-table.ts';
import { createObject } from './types/types.ts';
import type { RecordObject } from './value.ts';
import { ExitSignal, type World } from './world.ts';

/** Methods by which GoogleTest and Boost.Test make a fixture ready, and those that put it in order again. */
export const readyingMethods = ['SetUp', 'setup'] as const;
export const endingMethods = ['TearDown', 'teardown'] as const;

/** Bases of fixtures that belong to the library. */
const libraryBases: ReadonlySet<string> = new Set(['Test', 'TestWithParam', 'WithParamInterface']);

/** The fixture that a test is run on, made and ready; null where too little of its class is seen to know what that does. */
export function beginFixture(world: World, test: FunctionDefinition): RecordObject | null {
  const definition = test.isTest && test.className ? findClass(world.program, test.className) : undefined;
  if (!definition || !isSeen(world.program, definition)) return null;
  const record = createObject(world, world.globals, typeNamed(definition.name), 'when constructed');
  const begins = constructorsOf(world.program, definition).find(takesNothing);
  world.isTestLeft = false;
  runConstructor(world, world.globals, record, definition, begins, [], test.nameSpan);
  runMethod(world, test, record, readyingMethods);
  // `GTEST_SKIP();`: the test itself is not run.
  if (world.isTestLeft) throw new ExitSignal(false);
  return record;
}

/** Puts the fixture in order behind its test, and ends it. */
export function endFixture(world: World, test: FunctionDefinition, record: RecordObject): void {
  runMethod(world, test, record, endingMethods);
  destroyValue(world, { kind: 'record', record });
}

function runMethod(world: World, test: FunctionDefinition, record: RecordObject, names: readonly string[]): void {
  const method = methodOf(world.program, record.className, names, 0);
  if (method?.body) invokeFunction(world, method, [], record, test.nameSpan, [], world.globals);
}

/** Whether all that its class does before and behind a test is seen: of a base that is not, nobody here needs what it does with members of its own. */
function isSeen(program: ProgramTable, definition: ClassDefinition): boolean {
  const methods = [readyingMethods, endingMethods].map((names) => methodOf(program, definition.name, names, 0));
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

function constructorsOf(program: ProgramTable, { name }: ClassDefinition): readonly FunctionDefinition[] {
  const all = program.functions.get(constructorOf(name)) ?? [];
  return all.filter(
    ({ parameters }) => !(parameters.length === 1 && lastPart(parameters[0]!.type.name) === lastPart(name)),
  );
}

function takesNothing({ parameters }: FunctionDefinition): boolean {
  return parameters.every(({ defaultValue }) => defaultValue !== null);
}

/** The method of one of these names that runs for an object of a class: its own, or that of a base. */
function methodOf(
  program: ProgramTable,
  className: string,
  names: readonly string[],
  depth: number,
): FunctionDefinition | undefined {
  const definition = depth > 8 ? undefined : findClass(program, className);
  if (!definition) return undefined;
  for (const name of names) {
    const all = program.functions.get(`${definition.name}::${name}`) ?? [];
    const own = all.find((each) => each.parameters.length === 0 && !each.isStatic);
    if (own) return own;
  }
  for (const base of definition.bases) {
    const found = methodOf(program, base, names, depth + 1);
    if (found) return found;
  }
  return undefined;
}
