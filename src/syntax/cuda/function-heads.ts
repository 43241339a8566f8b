/** The heads of functions, read without their bodies. */

import type { MacroDefinition } from '../../program/program.ts';
import { hasError, namedChildren, type SyntaxNode } from '../syntax-tree.ts';
import { expandMacroText, splitArguments } from './expand-macro.ts';
import { beginsClass, expandUses, type PlaceOf, type UseSource } from './expand-uses.ts';
import { blank, closingBracket } from './scan.ts';
import { titledTest } from './test-fixtures.ts';

/** The head of an item: what stands before its body, up to the brace. */
export interface Head {
  readonly text: string;
  readonly placeOf: PlaceOf | null;
}

/**
 * The text in front of a body, with its brace. `TEST(Suite, Name, {` becomes `TEST(Suite, Name) {` where the macro is not known or puts
 * the block behind all else; null where it does something else with it.
 */
export function headOfFunction(written: string, macros: ReadonlyMap<string, MacroDefinition>): string | null {
  const [, name, given] = /^([A-Za-z_]\w*)\s*\(([^(){};]*),\s*\{$/.exec(written) ?? [];
  if (name === undefined || given === undefined) return written;
  if (macros.get(name)?.parameters) {
    const expanded = (block: string): string =>
      (expandMacroText(macros, name, [...splitArguments(given), block]) ?? '').replace(/\s/g, '');
    if (expanded('{}') !== `${expanded('')}{}`) return null;
  }
  return written.replace(/,(\s*\{)$/, ')$1');
}

/** `CLASS(Name) { … };` looks like a function: what stands before the brace. */
export function isClassByMacro(before: string, macros: ReadonlyMap<string, MacroDefinition>): boolean {
  const name = /^[A-Za-z_]\w*(?=\s*\()/.exec(before)?.[0];
  const macro = name === undefined ? undefined : macros.get(name);
  return macro !== undefined && beginsClass(macro);
}

/** As it is written, with its macros expanded where that cannot be read; without words that are macros elsewhere, if there are any. */
export function* waysToRead(head: string, source: UseSource, start: number): Generator<Head> {
  const plain = withoutForeignSpecifiers(head, source.macros);
  if (plain) yield plain;
  yield { text: head, placeOf: null };
  const expanded = expandUses(head, source, start);
  if (expanded) yield expanded;
  const bare = withoutArguments(head, source.macros);
  if (bare) yield bare;
}

/** `TEMPLATE_TEST_CASE("name", "", (pair<int, float>), int) {`: what a macro that nobody has seen is given need be nothing that a function takes. */
function withoutArguments(head: string, macros: ReadonlyMap<string, MacroDefinition>): Head | null {
  const [before, name] = /^\s*([A-Z][A-Z0-9_]+)\s*\(/.exec(head) ?? [];
  if (before === undefined || macros.has(name!)) return null;
  const close = closingBracket(head, before.length - 1);
  if (close < 0 || !/^\s*\{$/.test(head.slice(close + 1))) return null;
  const given = head.slice(before.length, close);
  return { text: before + (titledTest(name!, given) ?? blank(given)) + head.slice(close), placeOf: null };
}

/**
 * `inline API_CALL int f()` in a header whose macros another one defines, which includes it: a word in capitals in front of two
 * more is taken for such a macro. Null when there is none.
 */
function withoutForeignSpecifiers(head: string, macros: ReadonlyMap<string, MacroDefinition>): Head | null {
  const text = head.replace(foreignSpecifier, (word) => (macros.has(word) ? word : ' '.repeat(word.length)));
  return text === head ? null : { text, placeOf: null };
}

const foreignSpecifier =
  /\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b(?=\s+(?!const\b|volatile\b)[A-Za-z_][\w:]*(?:\s*<[^()]*>)?[\s*&]+[A-Za-z_~])/g;

/** Whether the text was read as one function, be it a template or `extern "C"`, with nothing that the parser does not know. */
export function isOneFunction(root: SyntaxNode): boolean {
  let node = root;
  for (;;) {
    const children = namedChildren(node);
    const inner =
      node.type === 'template_declaration' || node.type === 'linkage_specification' ? children.at(-1) : children[0];
    if (!inner || (node.type === 'translation_unit' && children.length !== 1)) return false;
    if (inner.type === 'function_definition') return !hasError(inner);
    if (inner.type !== 'template_declaration' && inner.type !== 'linkage_specification') return false;
    node = inner;
  }
}
