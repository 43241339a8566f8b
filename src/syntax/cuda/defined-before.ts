/**
 * What a file defines before it includes another one, as far as that one's directives ask for it: `#define POOL_IMPLEMENTATION` in front of
 * `#include "pool.h"`.
 */

import type { MacroDefinition } from '../../program/program.ts';
import type { Preprocessed } from './preprocess.ts';

/** The macro of that name that the files around see where they include one. */
export type DefinedAround = (name: string) => MacroDefinition | undefined;

/** The macro of that name that a place in the file sees, if the file itself defines it. */
export function definedBefore(
  { macros, retired }: Preprocessed,
  name: string,
  at: number,
): MacroDefinition | undefined {
  const gone = retired.find(({ macro, end }) => macro.name === name && macro.span.start < at && at < end)?.macro;
  if (gone) return gone;
  const last = macros.get(name);
  return last && last.span.start < at ? last : undefined;
}

/** What a file that is included asks for, and those around have defined; null where that is nothing. `known`: what headers in front of it define. */
export function givenTo(
  { asked }: Preprocessed,
  known: ReadonlyMap<string, MacroDefinition>,
  around: DefinedAround,
): ReadonlyMap<string, MacroDefinition> | null {
  let given: Map<string, MacroDefinition> | null = null;
  for (const name of asked) {
    const macro = known.has(name) ? undefined : around(name);
    if (macro) given = (given ?? new Map()).set(name, macro);
  }
  return given;
}
