/**
 * A text that was preprocessed by itself, as it is behind the macros of other files: the same where none of its directives asks for one of
 * those. A header is looked through for what it includes first, and read behind what that defines.
 */

import type { MacroDefinition } from '../../program/program.ts';
import { isOfBraces } from './brace-macros.ts';
import type { PartTexts } from './included-parts.ts';
import { defaultDefines, type Preprocessed } from './preprocess.ts';

/** What `preprocess` would say behind `known`, from what it said of the text behind nothing; null where only `preprocess` itself can tell. */
export function preprocessedBehind(
  alone: Preprocessed,
  defines: ReadonlyMap<string, string>,
  known: ReadonlyMap<string, MacroDefinition>,
  parts: PartTexts | undefined,
): Preprocessed | null {
  if (alone.asksForAll || (parts && parts.size > 0) || defines.size !== defaultDefines.size) return null;
  for (const [name, value] of defines) if (defaultDefines.get(name) !== value) return null;
  for (const name of alone.asked) if (known.has(name)) return null;
  for (const macro of known.values()) {
    const { name, body } = macro;
    if (name.includes(' ') || body.includes('_Pragma') || alone.macros.has(name)) return null;
    if (isOfBraces(macro) && alone.text.includes(name)) return null;
  }
  return { ...alone, macros: new Map([...known, ...alone.macros]) };
}
