/**
 * `#include "ops.def"` inside braces: no header, but a part of the enumeration, the array or the function around it. It is read as a macro
 * that stands where the directive is, and for what the file says there.
 */

import type { MacroDefinition } from '../../program/macro-definition.ts';
import { someOpenBrace } from './scan.ts';

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
