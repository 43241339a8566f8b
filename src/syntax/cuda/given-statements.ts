/**
 * Statements that a macro is given which no text defines: they are a block where it stands.
 *
 * - `IF_DEBUG(f(x);)`
 * - `DISPATCH(type, "name", using T = Of<type, true>; kernel<T><<<1, 1>>>(p););`: what stands in front of the first statement is
 *   about which of them are compiled.
 *
 * A semicolon between the brackets of a call is otherwise no C++.
 */

import type { MacroDefinition } from '../../program/program.ts';
import { blank, closingBracket } from './scan.ts';

const aroundStatement = /\b(?=[A-Z])(?<=[;{}]\s*)([A-Z][A-Z0-9_]{2,})\s*\(/g;
const aroundFirstStatement = /\b(?=[A-Z])(?<=(?:^|[;{}])\s*)([A-Z][A-Z0-9_]{2,})\s*\(/g;

/** Dispatches stand in dispatches, one for each type. */
const mostNested = 4;

/** `text` without comments and quoted texts; nothing moves. `isBody`: it begins with a statement. */
export function withGivenStatements(
  text: string,
  known: ReadonlyMap<string, MacroDefinition>,
  isBody: boolean,
): string {
  const uses = isBody ? aroundFirstStatement : aroundStatement;
  let out = text;
  for (let round = 0; round < mostNested; round++) {
    const before = out;
    for (const { index, 0: opening, 1: name } of before.matchAll(uses)) {
      const open = index + opening.length - 1;
      const close = known.has(name!) ? -1 : closingBracket(before, open);
      const from = close < 0 ? null : beginOfStatements(before, open + 1, close);
      if (from === null) continue;
      const statements = out.slice(from, close);
      out = `${out.slice(0, index)}${blank(before.slice(index, open))}{${blank(before.slice(open + 1, from))}${statements}}${out.slice(close + 1)}`;
    }
    if (out === before) break;
  }
  return out;
}

/**
 * Where the first of the statements between two brackets begins: behind the last comma in front of the first semicolon that parts
 * no list between `<` and `>`. Null where there is no semicolon, nor one in a last use of such a macro.
 */
function beginOfStatements(text: string, open: number, close: number): number | null {
  const commas = [open];
  let depth = 0;
  for (let index = open; index < close; index++) {
    const sign = text[index]!;
    if ('([{'.includes(sign)) depth++;
    else if (')]}'.includes(sign)) depth--;
    else if (depth === 0 && sign === ',') commas.push(index + 1);
    else if (depth === 0 && sign === ';') return commas.findLast((from) => closesNoList(text, from, index)) ?? open;
  }
  const last = commas.at(-1)!;
  return isAroundStatements.test(text.slice(last, close)) ? last : null;
}

/** `DISPATCH(type, DISPATCH(other, f(x);))`: the last thing given is another of them. */
const isAroundStatements = /^\s*[A-Z][A-Z0-9_]{2,}\s*\([\s\S]*;\s*\)\s*$/;

/** Whether each `>` of a text has its `<` in it; arrows are none. */
function closesNoList(text: string, from: number, end: number): boolean {
  let opened = 0;
  for (let index = from; index < end; index++) {
    if (text[index] === '<') opened++;
    else if (text[index] === '>' && text[index - 1] !== '-' && --opened < 0) return false;
  }
  return true;
}
