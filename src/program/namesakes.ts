/** Functions of namespaces that go by the name of one outside: an object of theirs as an argument leads to them, too. */

import { lastPart } from './full-names.ts';
import type { FunctionDefinition } from './program.ts';

/** The functions of namespaces that have the name of one outside of them. */
export function namesakesOf(
  functions: ReadonlyMap<string, readonly FunctionDefinition[]>,
  names: readonly string[],
): ReadonlyMap<string, readonly FunctionDefinition[]> {
  const found = new Map<string, readonly FunctionDefinition[]>();
  for (const full of names) {
    const plain = lastPart(full);
    if (plain !== full) found.set(plain, [...(found.get(plain) ?? []), ...(functions.get(full) ?? [])]);
  }
  return found;
}
