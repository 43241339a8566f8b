/** `TEST_F(Fixture, Name) { … }`: the body of a method of a class that is made from the fixture, whose members it sees. */

import type { FunctionDefinition } from '../../program/program.ts';

/** Macros of GoogleTest and Boost.Test that begin such a method, and which of their arguments is the class. */
const macros: ReadonlyMap<string, number> = new Map([
  ['TEST_F', 0],
  ['TEST_P', 0],
  ['TYPED_TEST', 0],
  ['TYPED_TEST_P', 0],
  ['BOOST_FIXTURE_TEST_CASE', 1],
]);

/** What the parser takes for a function of that name, as the method that it stands for; anything else as it is. */
export function inFixture(definition: FunctionDefinition): FunctionDefinition {
  const at = definition.className === null && definition.body ? macros.get(definition.name) : undefined;
  const fixture = at === undefined ? undefined : definition.parameters[at]?.type.name;
  const test = at === undefined ? undefined : definition.parameters[1 - at]?.type.name;
  if (!fixture || !test) return definition;
  // No method of the fixture is called so.
  return {
    ...definition,
    name: `${fixture}::${test} (${definition.name})`,
    className: fixture,
    parameters: [],
    isTest: true,
  };
}
