/** `#pragma pack`: from which place of a file on members begin at multiples of how many bytes at the most. */

import type { MacroDefinition } from '../../program/program.ts';
import { blank } from './scan.ts';

/** From `at` on; null where there is no limit. */
export interface Packing {
  readonly at: number;
  readonly limit: number | null;
}

/** A `pack(…)` as written, and where. */
export interface PackDirective {
  readonly at: number;
  readonly written: string;
}

/** What a `#pragma` says of it, or nothing. */
export function packDirective(pragma: string, at: number): PackDirective[] {
  const written = /^\s*pack\s*\(([^)]*)\)/.exec(pragma)?.[1];
  return written === undefined ? [] : [{ at, written }];
}

const operator = /\b_Pragma\s*\(\s*"((?:\\.|[^"\\])*)"\s*\)/g;

/** The same of `_Pragma("pack(…)")`, as written or as what a macro stands for. */
export function packOperators(text: string, macros: ReadonlyMap<string, MacroDefinition>): PackDirective[] {
  const found: PackDirective[] = [];
  if (text.includes('_Pragma'))
    for (const { index, 1: pragma = '' } of text.matchAll(operator)) found.push(...packDirective(pragma, index));
  for (const { name, body, parameters } of macros.values()) {
    if (parameters !== null || !body.includes('_Pragma')) continue;
    const said = [...body.matchAll(operator)].flatMap(([, pragma = '']) => packDirective(pragma, 0));
    if (said.length === 0) continue;
    for (const { index } of text.matchAll(new RegExp(`\\b${name}\\b`, 'g')))
      found.push(...said.map(({ written }) => ({ at: index, written })));
  }
  return found;
}

/** The text without the operator, which says nothing else here. */
export function withoutPragmas(text: string): string {
  return text.includes('_Pragma') ? text.replace(operator, blank) : text;
}

/** What holds from where, in the order of the text. */
export function packingsOf(directives: readonly PackDirective[]): readonly Packing[] {
  const kept: { readonly name: string | null; readonly limit: number | null }[] = [];
  let limit: number | null = null;
  return [...directives]
    .sort((first, second) => first.at - second.at)
    .map(({ at, written }) => {
      const words = written.split(',').map((word) => word.trim());
      const [verb = ''] = words;
      const name = words.slice(1).find((word) => /^[A-Za-z_]\w*$/.test(word)) ?? null;
      if (verb === 'push') kept.push({ name, limit });
      else if (verb === 'pop') {
        const from = name === null ? kept.length - 1 : kept.map((each) => each.name).lastIndexOf(name);
        if (from >= 0) limit = kept.splice(from)[0]!.limit;
      } else if (verb === '') limit = null;
      const number = words.find((word) => /^\d+$/.test(word));
      if (number !== undefined) limit = Number(number) || null;
      return { at, limit };
    });
}

/** What holds at an offset. */
export function limitAt(packings: readonly Packing[], offset: number): number | null {
  let limit: number | null = null;
  for (const each of packings) {
    if (each.at > offset) break;
    ({ limit } = each);
  }
  return limit;
}

/** What holds where a piece of the text begins, and changes in it: the piece reads the same where that is the same. */
export function packingWithin(packings: readonly Packing[], start: number, end: number): string {
  if (packings.length === 0) return '';
  const changes = packings.filter(({ at }) => at > start && at < end);
  const own = [{ at: start, limit: limitAt(packings, start) }, ...changes];
  if (own.every(({ limit }) => limit === null)) return '';
  return `${own.map(({ at, limit }) => `${at - start}=${limit}`).join(' ')}\n`;
}
