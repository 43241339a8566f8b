/** A file's top level, item by item; what has not changed since the last reading is taken over. */

import type { Parser } from 'web-tree-sitter';
import type { MacroBody, MacroDefinition, Module } from '../../program/program.ts';
import { type Item, type ItemSource, movedItem, readItem } from './lower-item.ts';
import { lowerMacro } from './lower-macro.ts';
import { repairPasted } from './pasted.ts';
import { pieceRules } from './prepare.ts';
import type { Preprocessed } from './preprocess.ts';
import { type ItemRange, splitItems } from './split-items.ts';

/** What is kept between two analyses of a file: each item by its text, and the macros it was read with. */
export interface ModuleCache {
  macros: string;
  items: ReadonlyMap<string, Item>;
  /** By the text of the head. */
  headIds: ReadonlyMap<string, number>;
}

export function createModuleCache(): ModuleCache {
  return { macros: '', items: new Map(), headIds: new Map() };
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
  const macros = [...preprocessed.macros.values()].map(written).join('\n');
  /** The macros that only a part of the file sees, as far as this item sees them; from where to where, from its beginning. */
  const retiredWithin = ({ start, end }: ItemRange): string =>
    preprocessed.retired
      .filter(({ macro, end: last }) => macro.span.start < end && start < last)
      .map(({ macro, end: last }) => {
        const from = Math.max(-1, macro.span.start - start);
        const to = Math.min(end - start, last - start);
        return `${from}-${to} ${written(macro)}\n`;
      })
      .join('');
  const isSame = cache.macros === macros;
  const known: ReadonlyMap<string, Item> = isSame ? cache.items : new Map<string, Item>();
  const knownHeads: ReadonlyMap<string, number> = isSame ? cache.headIds : new Map<string, number>();
  const items = new Map<string, Item>();
  const headIds = new Map<string, number>();
  const ranges = splitItems(text);
  const all = ranges.map((range) => {
    check();
    const seen = `${range.isInNamespace ? '::' : ''}${retiredWithin(range)}`;
    const key = seen + text.slice(range.start, range.end);
    const head = seen + text.slice(range.start, range.open);
    const before = known.get(key);
    const item = (before ? movedItem(before, range.start) : null) ?? readItem(source, range, knownHeads.get(head));
    items.set(key, item);
    if (item.body) headIds.set(head, item.headId);
    return item;
  });
  cache.macros = macros;
  cache.items = items;
  cache.headIds = headIds;
  const bodies = new Map<string, MacroBody | null>();
  return {
    file,
    activeText: text,
    items: all.map((item, index) => ({
      id: item.id,
      headId: item.headId,
      start: item.start,
      end: ranges[index]!.end,
      names: item.names,
      runsAlways: item.runsAlways,
      mentions: item.mentions,
      headMentions: item.headMentions,
      body: item.body,
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
