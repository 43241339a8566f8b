/** The name, which no program can write, for the types that the tests in a fixture are run with. */

export function typesOfTests(fixture: string): string {
  return `${fixture} (types)`;
}
