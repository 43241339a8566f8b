/** `BEGIN … END`: macros that stand for a brace, which tells where functions and blocks end. */

import type { MacroDefinition } from '../../program/program.ts';

/** Whether a macro stands for nothing but a brace. */
export function isBrace({ parameters, body }: MacroDefinition): boolean {
  return parameters === null && /^\s*[{}]\s*$/.test(body);
}

/** The text with the braces themselves; as it is where one of a pair stands for more than that. No character moves. */
export function withBraces(text: string, macros: ReadonlyMap<string, MacroDefinition>): string {
  const names: string[] = [];
  for (const macro of macros.values()) if (isBrace(macro)) names.push(macro.name);
  if (names.length < 2) return text;
  let depth = 0;
  const made = text.replace(new RegExp(`\\b(?:${names.join('|')})\\b`, 'g'), (name) => {
    const brace = macros.get(name)!.body.trim();
    depth += brace === '{' ? 1 : -1;
    return brace.padEnd(name.length);
  });
  return depth === 0 ? made : text;
}
