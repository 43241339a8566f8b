/**
 * `#include "ops.def"` inside braces: no header, but a part of the enumeration, the array or the function around it. It is read as a macro
 * that stands where the directive is, and for what the file says there. So is a file without a guard that another one includes several
 * times, `#define T float` before it, then `#define T int`.
 */

import type { MacroDefinition } from '../../program/macro-definition.ts';
import type { Include } from '../../program/module.ts';
import type { DefinedAround } from './defined-before.ts';
import { expandUses } from './expand-uses.ts';
import { macroUses } from './macro-uses.ts';
import type { RetiredMacro } from './retired-macros.ts';
import { endOfComment, someOpenBrace } from './scan.ts';

/** Texts of files by the name that they are included by. */
export type PartTexts = ReadonlyMap<string, string>;

/** Characters in front of a directive that are searched for the brace around it. */
const searched = 40_000;

/** Whether what stands behind `before` lies in braces, other than those of namespaces. */
export function isInBraces(before: string): boolean {
  return someOpenBrace(
    before,
    before.length - searched,
    (brace) => !around.test(before.slice(Math.max(0, brace - 200), brace)),
  );
}

const around = /(?:\bnamespace\b[\w\s:]*|\bextern\s*"[^"]*"\s*)$/;

/** The macro: its name fits into the directive, and no program has one of that name. */
export function partAt(file: string, start: number, end: number, number: number, text: string): MacroDefinition {
  const body = text.replace(/\/\*[\s\S]*?\*\//g, ' ').replace(/\/\/.*$/gm, '');
  return {
    name: `__part_${number}`,
    parameters: null,
    body: body.replace(/\s+/g, ' ').trim(),
    span: { file, start, end },
    bodyStart: start,
    isIncluded: true,
  };
}

/** Whether several directives of the text include a file by that name. */
export function isIncludedAgain(text: string, name: string): boolean {
  const quoted = `"${name}"`;
  let count = 0;
  for (let at = text.indexOf(quoted); at >= 0; at = text.indexOf(quoted, at + 1))
    if (/#[ \t]*include[ \t]*$/.test(text.slice(Math.max(0, at - 40), at)) && ++count > 1) return true;
  return false;
}

/** Whether a file is a part of the one that includes it, outside of all braces: what it says hangs on macros that stand in front of it there. */
export function isPartOfFile({ isRepeated }: Include, text: string, before: DefinedAround): boolean {
  if (isRepeated) return !isGuarded(text);
  // `STEP(take, …)` comes first, and is a macro of the other file's.
  let start = 0;
  for (let end = -1; end !== start; ) {
    end = start;
    while (text.charCodeAt(start) <= 32) start++;
    if (text.charCodeAt(start) === 47) start = endOfComment(text, start);
  }
  const first = /^([A-Za-z_]\w*)\s*\(/.exec(text.slice(start, start + 200))?.[1];
  return first !== undefined && before(first)?.parameters != null && !isGuarded(text);
}

/** Whether a file says nothing when it is included again. */
function isGuarded(text: string): boolean {
  if (/^\s*#\s*pragma\s+once\b/m.test(text)) return true;
  const [, name] = /^\s*#\s*(?:ifndef\s+|if\s+!\s*defined\b[\s(]*)(\w+)/m.exec(text) ?? [];
  if (name === undefined || new RegExp(`#\\s*undef\\s+${name}\\b`).test(text)) return false;
  return new RegExp(`#\\s*define\\s+${name}\\b(?!\\()`).test(text);
}

/** The file's text with the macros that it defines itself, and mostly ends itself, as what they stand for. */
export function withOwnMacros(
  inner: { readonly text: string; readonly macros: Macros; readonly retired: readonly RetiredMacro[] },
  outer: Macros,
): string {
  const { text, macros, retired } = inner;
  const own = new Set([...macros.values()].filter((macro) => outer.get(macro.name) !== macro).map(({ name }) => name));
  for (const { macro } of retired) if (outer.get(macro.name) !== macro) own.add(macro.name);
  if (own.size === 0) return text;
  const uses = macroUses([...own], []);
  return expandUses(text, { macros, retired, rules: { partial: own, uses } }, 0)?.text ?? text;
}

type Macros = ReadonlyMap<string, MacroDefinition>;
