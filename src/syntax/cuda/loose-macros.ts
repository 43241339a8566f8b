/**
 * Macros that stand for an expression without brackets around it: `#define SUM 2 + 3`. Beside an operator that binds tighter, `SUM * 2`,
 * their parts belong to others than it looks: they are read as the text they stand for.
 */

import { Attached } from '../../base/attached.ts';
import type { MacroDefinition } from '../../program/program.ts';

/** How tightly operators bind; those of one group are taken from left to right. */
const rows = ['?', '||', '&&', '|', '^', '&', '== !=', '< > <= >=', '<< >>', '+ -', '* / %'];
const strengths = new Map(rows.flatMap((row, index) => row.split(' ').map((each) => [each, index + 1] as const)));

/** Of what stands in front of an operand, or behind it: casts, calls, members. */
const tightest = rows.length + 1;

const tokens =
  /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[A-Za-z_]\w*|\d[\w.']*|<<<|>>>|[-+*/%&|^<>=!]=|<<|>>|->|\+\+|--|&&|\|\||::|##|[^\s]/g;

const closing = /^[)\]}]$/;

/** What of an expression is not inside brackets. */
interface Outside {
  /** The weakest operator; null where there is none. */
  readonly weakest: number | null;
  /** Macros among them may hold together less than they look. */
  readonly names: readonly string[];
}

/** Null for what is no expression of operators and operands. */
function outsideOf(text: string): Outside | null {
  let weakest: number | null = null;
  const names: string[] = [];
  let nesting = 0;
  let isOperand = false;
  for (const [token] of text.matchAll(tokens)) {
    if (/^[([{]$/.test(token)) nesting++;
    else if (closing.test(token)) nesting--;
    else if (nesting === 0) {
      if (/^(?:[;,={#\\]|[-+*/%&|^]=|<<=|>>=|<<<|>>>|##)$/.test(token)) return null;
      const strength = isOperand ? strengths.get(token) : undefined;
      if (strength !== undefined) {
        weakest = Math.min(weakest ?? strength, strength);
        isOperand = false;
        continue;
      }
      if (/^[A-Za-z_]/.test(token)) names.push(token);
    }
    isOperand = /^[\w"')\]}]/.test(token) && !/^(?:return|sizeof|case|throw|delete|new|else|do)$/.test(token);
  }
  return nesting === 0 ? { weakest, names } : null;
}

type Macros = ReadonlyMap<string, MacroDefinition>;

/** A longer text is no expression that somebody forgot the brackets of. Characters. */
const longest = 400;

/** Macros in macros that are followed. */
const deepest = 8;

const outsides = new Attached<MacroDefinition, { readonly of: Outside | null }>();

/** How loosely the body of a macro holds together beside operators; null where it does not fall apart. */
export function loosenessOf(macros: Macros, macro: MacroDefinition): number | null {
  const outside = outsideOfBody(macro);
  return outside && weakestOf(macros, outside);
}

function outsideOfBody(macro: MacroDefinition): Outside | null {
  let outside = outsides.get(macro);
  if (outside === undefined) {
    outside = { of: macro.body.length > longest ? null : outsideOf(macro.body) };
    outsides.set(macro, outside);
  }
  return outside.of;
}

/** The weakest operator there, and in the macros that are named there; each of them is looked at once. */
function weakestOf(macros: Macros, outside: Outside): number | null {
  if (outside.names.length === 0) return outside.weakest;
  let found: number | null = null;
  let level: readonly Outside[] = [outside];
  const seen = new Set<string>();
  for (let depth = 0; depth <= deepest && level.length > 0; depth++) {
    const next: Outside[] = [];
    for (const { weakest, names } of level) {
      if (weakest !== null) found = Math.min(found ?? weakest, weakest);
      for (const name of names) {
        const inner = seen.has(name) ? undefined : macros.get(name);
        seen.add(name);
        const own = inner && outsideOfBody(inner);
        if (own) next.push(own);
      }
    }
    level = next;
  }
  return found;
}

/** Whether an operator beside the use of a macro, from `start` to `end` of the text, takes a part of what the macro stands for. */
export function isTornApart(macros: Macros, macro: MacroDefinition, text: string, start: number, end: number): boolean {
  const looseness = loosenessOf(macros, macro);
  if (looseness === null) return false;
  return strengthBefore(text, start) >= looseness || strengthBehind(text, end) > looseness;
}

function strengthBefore(text: string, start: number): number {
  const before = text.slice(Math.max(0, start - 40), start).trimEnd();
  const operator = /(?:<<|>>|&&|\|\||[=!<>]=|->|\+\+|--|[-+*/%&|^<>!~):?=.])$/.exec(before)?.[0] ?? '';
  if (/^(?:[!~.)]|->|\+\+|--)$/.test(operator)) return tightest;
  return /^[?:]$/.test(operator) ? 0 : (strengths.get(operator) ?? 0);
}

function strengthBehind(text: string, end: number): number {
  const behind = text.slice(end, end + 40).trimStart();
  const operator =
    /^(?:<<<|[-+*/%&|^]=|<<=|>>=|<<|>>|&&|\|\||[=!<>]=|->|\+\+|--|[-+*/%&|^<>[(.?])/.exec(behind)?.[0] ?? '';
  if (/^(?:[[(.]|->|\+\+|--)$/.test(operator)) return tightest;
  return strengths.get(operator) ?? 0;
}

/** Whether one of the arguments falls apart where the macro's body has the parameter beside an operator: `SQUARE(n + 1)` with `x * x`. */
export function tearsArguments(macros: Macros, macro: MacroDefinition, given: readonly string[]): boolean {
  return pullsOf(macro).some(({ before, behind }, index) => {
    const argument = given[index];
    if ((before === 0 && behind === 0) || argument === undefined || argument.length > longest) return false;
    const outside = outsideOf(argument);
    const looseness = outside && weakestOf(macros, outside);
    return looseness !== null && (before >= looseness || behind > looseness);
  });
}

/** How tightly the operators beside a parameter bind where they do it most. */
interface Pull {
  readonly before: number;
  readonly behind: number;
}

const pulls = new Attached<MacroDefinition, readonly Pull[]>();

/** Of each parameter. What is made a text, or part of a name, falls apart otherwise. */
function pullsOf(macro: MacroDefinition): readonly Pull[] {
  let own = pulls.get(macro);
  if (own === undefined) {
    own = (macro.parameters ?? []).map((name) => pullOn(name, macro.body));
    pulls.set(macro, own);
  }
  return own;
}

function pullOn(name: string, body: string): Pull {
  let [before, behind] = [0, 0];
  if (/^\w+$/.test(name) && body.includes(name))
    for (const { index: start } of body.matchAll(new RegExp(`(?<!#\\s*)\\b${name}\\b(?!\\s*##)`, 'g'))) {
      before = Math.max(before, strengthBefore(body, start));
      behind = Math.max(behind, strengthBehind(body, start + name.length));
    }
  return { before, behind };
}
