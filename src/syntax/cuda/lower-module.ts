/** A file's top level, item by item; what has not changed since the last reading is taken over. */

import type { Parser } from 'web-tree-sitter';
import type { MacroBody, MacroDefinition, Module } from '../../program/program.ts';
import { type Item, type ItemSource, movedItem, readItem } from './lower-item.ts';
import { lowerMacro } from './lower-macro.ts';
import { repairPasted } from './pasted.ts';
import { pieceRules } from './prepare.ts';
import type { Preprocessed } from './preprocess.ts';
import { splitItems } from './split-items.ts';

/** What is kept between two analyses of a file: each item by its text, and the macros it was read with. */
export interface ModuleCache {
  macros: string;
  items: ReadonlyMap<string, Item>;
}

export function createModuleCache(): ModuleCache {
  return { macros: '', items: new Map() };
}

/** Parses and lowers one preprocessed file; items whose text has not changed since `cache` are taken from there. */
export function lowerModule(
  parser: Parser,
  file: string,
  preprocessed: Preprocessed,
  cache: ModuleCache,
  check: () => void = () => undefined,
): Module {
  const text = repairPasted(preprocessed.text);
  const source: ItemSource = {
    parser,
    file,
    text,
    macros: preprocessed.macros,
    retired: preprocessed.retired,
    rules: pieceRules(preprocessed.macros),
  };
  const written = (each: MacroDefinition): string => `${each.name}(${each.parameters})${each.body}`;
  const macros = [
    ...[...preprocessed.macros.values()].map(written),
    // Which of them a use sees hangs on where they stand.
    ...preprocessed.retired.map(({ macro, end }) => `${macro.span.start}-${end} ${written(macro)}`),
  ].join('\n');
  const known: ReadonlyMap<string, Item> = cache.macros === macros ? cache.items : new Map<string, Item>();
  const items = new Map<string, Item>();
  const ranges = splitItems(text);
  const all = ranges.map((range) => {
    check();
    const key = `${range.isInNamespace ? '::' : ''}${text.slice(range.start, range.end)}`;
    const before = known.get(key);
    const item = (before ? movedItem(before, range.start) : null) ?? readItem(source, range);
    items.set(key, item);
    return item;
  });
  cache.macros = macros;
  cache.items = items;
  const bodies = new Map<string, MacroBody | null>();
  return {
    file,
    activeText: text,
    items: all.map((item, index) => ({
      id: item.id,
      start: item.start,
      end: ranges[index]!.end,
      names: item.names,
      runsAlways: item.runsAlways,
      mentions: item.mentions,
    })),
    macroKey: macros,
    functions: all.flatMap((item) => item.functions),
    classes: all.flatMap((item) => item.classes),
    globals: all.flatMap((item) => item.globals),
    statements: [],
    aliases: new Map(all.flatMap((item) => item.aliases)),
    macros: preprocessed.macros,
    includes: preprocessed.includes,
    get unread() {
      return all.flatMap((item) => item.unread());
    },
    expandMacro: (name) => {
      if (!bodies.has(name)) bodies.set(name, lowerMacro(parser, preprocessed, name));
      return bodies.get(name) ?? null;
    },
  };
}
