/** `#pragma push_macro("X")` and `pop_macro`: what a macro is in between, it is not behind that. */

import type { MacroDefinition } from '../../program/program.ts';
import { type RetiredMacro, retire } from './retired-macros.ts';

/** By name, what was pushed, last at the end; undefined where there was no macro of that name. */
export type KeptMacros = Map<string, (MacroDefinition | undefined)[]>;

/** Does what a `#pragma` at that place of a file says, where it is one of these. */
export function keepMacro(
  kept: KeptMacros,
  retired: RetiredMacro[],
  macros: Map<string, MacroDefinition>,
  pragma: string,
  file: string,
  at: number,
): void {
  const [, word, name] = /^\s*(push|pop)_macro\s*\(\s*"(\w+)"\s*\)/.exec(pragma) ?? [];
  if (name === undefined) return;
  const before = kept.get(name) ?? [];
  if (word === 'push') {
    kept.set(name, [...before, macros.get(name)]);
    return;
  }
  if (before.length === 0) return;
  const macro = before.at(-1);
  kept.set(name, before.slice(0, -1));
  if (macros.get(name) === macro) return;
  retire(retired, macros, name, file, at);
  if (macro) macros.set(name, macro);
  else macros.delete(name);
}
