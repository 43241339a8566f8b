/**
 * `TEST_F(Fixture, Name) { … }`: the body of a method of a class that is made from the fixture, whose members it sees.
 * `TEST(Suite, Name) { … }`, `TEST_CASE("what it does") { … }`: a function that nobody else calls.
 */

import type { FunctionDefinition, TypeReference } from '../../program/program.ts';
import { typeNamed } from '../../program/type-named.ts';
import { childByField, type SyntaxNode } from '../syntax-tree.ts';
import type { LowerContext } from './lower-context.ts';
import { lowerTaken } from './lower-functions.ts';

/** Which argument of a macro is the class, if one is, and which names the test. */
interface Places {
  readonly fixture: 0 | 1 | null;
  readonly test: 0 | 1;
  /** The name is a text, `TEST_CASE_METHOD(Fixture, "what it does")`. */
  readonly isTitle?: boolean;
}

const first: Places = { fixture: 0, test: 1 };
const titled: Places = { ...first, isTitle: true };
const alone: Places = { fixture: null, test: 0 };

/** Macros of test libraries that begin such a method. */
const macros: ReadonlyMap<string, Places> = new Map([
  ...['TEST_F', 'TEST_P', 'TYPED_TEST', 'TYPED_TEST_P'].map((name) => [name, first] as const),
  ...['BENCHMARK_F', 'BENCHMARK_DEFINE_F', 'BENCHMARK_TEMPLATE_F', 'BENCHMARK_TEMPLATE_DEFINE_F'].map(
    (name) => [name, first] as const,
  ),
  ...['TEST_CASE_METHOD', 'TEST_CASE_FIXTURE', 'TEST_CASE_PERSISTENT_FIXTURE', 'TEMPLATE_TEST_CASE_METHOD'].map(
    (name) => [name, titled] as const,
  ),
  ['BOOST_FIXTURE_TEST_CASE', { fixture: 1, test: 0 }],
  ['BOOST_AUTO_TEST_CASE', alone],
  ['TEST', { ...alone, test: 1 }],
  ...['TEST_CASE', 'SCENARIO'].map((name) => [name, { ...alone, isTitle: true }] as const),
]);

/**
 * What the parser takes for a function of that name, as the method that it stands for; anything else as it is. `around`: the class of the
 * tests in the suite around it, as `BOOST_FIXTURE_TEST_SUITE(name, Fixture)` says it.
 */
export function inFixture(
  context: LowerContext,
  node: SyntaxNode,
  definition: FunctionDefinition,
  around = '',
): FunctionDefinition {
  const places = definition.className === null && definition.body ? macros.get(definition.name) : undefined;
  if (!places) return definition;
  const { parameters } = definition;
  const test = parameters[places.test]?.type.name;
  if (!test || definition.returnType.name !== '' || parameters.some(({ name }) => name !== '')) return definition;
  // What it is in need not be a class, and is none that it sees.
  const isOfSuite = around !== '' && definition.name === 'BOOST_AUTO_TEST_CASE';
  if (places.fixture === null && !isOfSuite) {
    const suite = places.test === 1 ? `${parameters[0]?.type.name}.` : '';
    return { ...definition, name: `${suite}${test} (${definition.name})`, parameters: [], isTest: true };
  }
  const fixture = places.fixture === null ? typeNamed(around) : parameters[places.fixture]?.type;
  if (!fixture?.name) return definition;
  // `BENCHMARK_TEMPLATE_F(Fixture, Name, double)`
  const given: readonly TypeReference[] = parameters.slice(2).map(({ type }) => type);
  const types = fixture.arguments.length > 0 ? fixture.arguments : given;
  // No method of the fixture is called so.
  return {
    ...definition,
    name: `${fixture.name}::${test} (${definition.name})`,
    className: fixture.name,
    parameters: takenBehind(context, node),
    isTest: types.length > 0 ? types : true,
  };
}

/** `(benchmark::State &state)` of `BENCHMARK_F(Fixture, Name)(benchmark::State &state) { … }`. */
function takenBehind(context: LowerContext, node: SyntaxNode): FunctionDefinition['parameters'] {
  const outer = childByField(node, 'declarator');
  const inner = outer && childByField(outer, 'declarator');
  if (inner?.type !== 'function_declarator') return [];
  return lowerTaken(context, childByField(outer!, 'parameters')).parameters;
}

/**
 * What a macro that names its test by a text is given, as parameters that can be read: `Fixture, what_it_does`. It is as long as what is
 * written; null where it is another macro, or is given something else.
 */
export function titledTest(macro: string, given: string): string | null {
  const places = macros.get(macro);
  if (!places?.isTitle) return null;
  const before = places.fixture === null ? '' : (classAndComma.exec(given)?.[0] ?? null);
  const title = before === null ? undefined : /^\s*"([^"\\]*)"/.exec(given.slice(before.length))?.[1];
  if (before === null || title === undefined) return null;
  const word = title.replace(/\W/g, '_') || '_';
  return `${before}${/^\d/.test(word) ? '_' : ' '}${word}`.padEnd(given.length);
}

const classAndComma = /^\s*[A-Za-z_][\w:]*(?:\s*<[\w:\s,*]*>)?\s*,/;
