/** What GoogleTest makes ready once for all tests: objects of classes that derive from its `Environment`, which the program registers. */

import type { ClassDefinition, FunctionDefinition } from '../program/program.ts';
import { typeNamed } from '../program/type-named.ts';
import { invokeFunction } from './calls/invoke.ts';
import { constructorsOf, methodOf, takesNothing } from './fixtures.ts';
import { runConstructor } from './objects/constructors.ts';
import { destroyValue } from './objects/destroy.ts';
import { findClass, lastPart } from './program-table.ts';
import { createObject } from './types/types.ts';
import type { RecordObject } from './value.ts';
import type { World } from './world.ts';

const environment = 'Environment';

/** Makes them ready in front of a test; of those whose constructor wants something nobody here knows what they are. */
export function beginEnvironments(world: World, test: FunctionDefinition): readonly RecordObject[] {
  return [...world.program.classes.values()].flatMap((definition) => {
    if (!isEnvironment(world, definition)) return [];
    const constructors = constructorsOf(world.program, definition);
    const begins = constructors.find((each) => takesNothing(each) && (each.body !== null || each.isDefaulted === true));
    if (constructors.length > 0 && !begins) return [];
    const record = createObject(world, world.globals, typeNamed(definition.name), 'when constructed');
    runConstructor(world, world.globals, record, definition, begins, [], test.nameSpan);
    call(world, test, record, 'SetUp');
    return [record];
  });
}

/** Puts them in order behind the test. */
export function endEnvironments(world: World, test: FunctionDefinition, records: readonly RecordObject[]): void {
  for (const record of [...records].reverse()) {
    call(world, test, record, 'TearDown');
    destroyValue(world, { kind: 'record', record });
  }
}

function call(world: World, test: FunctionDefinition, record: RecordObject, name: string): void {
  const method = methodOf(world.program, record.className, [name], false, 0);
  if (method?.body) invokeFunction(world, method, [], record, test.nameSpan, [], world.globals);
}

/** `class Device : public ::testing::Environment`, where the program has no class of that name. */
function isEnvironment({ program }: World, { bases, templateParameters }: ClassDefinition): boolean {
  if (templateParameters.length > 0 || findClass(program, environment)) return false;
  return bases.some((base) => lastPart(base) === environment && base !== environment);
}
