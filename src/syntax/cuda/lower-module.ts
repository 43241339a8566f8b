/** A file's top level, item by item; what has not changed since the last reading is taken over. */

import type { Parser } from 'web-tree-sitter';
import { Attached } from '../../base/attached.ts';
import { once } from '../../base/once.ts';
import type { ItemLayout } from '../../program/item-layout.ts';
import type { MacroBody, MacroDefinition, Module, TypeReference } from '../../program/program.ts';
import type { PartTexts } from './included-parts.ts';
import type { ItemSource } from './item-source.ts';
import { layoutOf } from './layout.ts';
import { type Item, movedItem, readItem } from './lower-item.ts';
import { lowerMacro } from './lower-macro.ts';
import { packingWithin } from './packing.ts';
import { repairPasted } from './pasted.ts';
import { type PieceRules, pieceRules } from './prepare.ts';
import type { Preprocessed } from './preprocess.ts';
import type { LastPreprocessed } from './preprocess-again.ts';
import { type ItemRange, type SplitText, splitItems } from './split-items.ts';
import { headOf, standInFor, type WholeItems } from './stand-in.ts';
import { typeMacros } from './type-macros.ts';

/** What is kept between two analyses of a file: each item by its text, and the macros it was read with. */
export interface ModuleCache {
  macros: string;
  /** The rules made last, for these macros and those that are gone at the end of the file. */
  rules: { readonly macros: string; readonly retired: string; readonly rules: PieceRules } | null;
  typeMacros: ReadonlyMap<string, TypeReference>;
  items: ReadonlyMap<string, Item>;
  /** Those that stood in earlier texts, the latest last: what is typed is often taken back. */
  left: ReadonlyMap<string, Item>;
  /** By the text of the head. */
  headIds: ReadonlyMap<string, number>;
  whole: WholeItems;
  /** The text read last, and what it was read behind. */
  read: LastRead | null;
  /** What the preprocessor made of it, in items. */
  split: SplitText | null;
}

interface LastRead extends LastPreprocessed {
  readonly known: ReadonlyMap<string, MacroDefinition> | undefined;
  readonly parts: PartTexts | undefined;
  readonly defines: ReadonlyMap<string, string>;
}

export function createModuleCache(): ModuleCache {
  return {
    macros: '',
    rules: null,
    typeMacros: new Map(),
    items: new Map(),
    left: new Map(),
    headIds: new Map(),
    whole: new Map(),
    read: null,
    split: null,
  };
}

/** How a preprocessed file is lowered. */
export interface ModuleLowering {
  readonly cache: ModuleCache;
  /** Called between items; may throw to end it. */
  readonly check?: () => void;
  /** What is half typed is taken as it was when it was whole. */
  readonly isTyped?: boolean;
  /** Others include the file: the methods of its classes are read when they are needed. */
  readonly isIncluded?: boolean;
}

/** Parses and lowers one preprocessed file; items whose text has not changed since `cache` are taken from there. */
export function lowerModule(
  parser: Parser,
  file: string,
  preprocessed: Preprocessed,
  { cache, check, isTyped = false, isIncluded = false }: ModuleLowering,
): Module {
  const text = repairPasted(preprocessed.text);
  const written = definitionsOf(preprocessed.macros);
  const isSame = cache.macros === written;
  // The same text stays the same string: it is long, and compared again by whoever is given it.
  const macros = isSame ? cache.macros : written;
  const retired = preprocessed.retired.map(({ macro }) => definition(macro)).join('\n');
  // They hang on what the macros say, and not on where they stand.
  if (cache.rules?.macros !== macros || cache.rules.retired !== retired)
    cache.rules = { macros, retired, rules: pieceRules(preprocessed.macros, preprocessed.retired) };
  const source: ItemSource = {
    parser,
    file,
    text,
    macros: preprocessed.macros,
    retired: preprocessed.retired,
    rules: cache.rules.rules,
    packings: preprocessed.packings,
    isIncluded,
  };
  /** The macros that only a part of the file sees, as far as this item sees them; from where to where, from its beginning. */
  const retiredWithin = ({ start, end }: ItemRange): string => {
    let isSeen = false;
    for (const { macro, end: last } of preprocessed.retired) if (macro.span.start < end && start < last) isSeen = true;
    if (!isSeen) return '';
    return preprocessed.retired
      .filter(({ macro, end: last }) => macro.span.start < end && start < last)
      .map(({ macro, end: last }) => {
        const from = Math.max(-1, macro.span.start - start);
        const to = Math.min(end - start, last - start);
        return `${from}-${to} ${definition(macro)}\n`;
      })
      .join('');
  };
  const known: ReadonlyMap<string, Item> = isSame ? usable(cache.items, isTyped) : new Map<string, Item>();
  const knownWhole: WholeItems = isSame ? cache.whole : new Map();
  const knownHeads: ReadonlyMap<string, number> = isSame ? cache.headIds : new Map<string, number>();
  const items = new Map<string, Item>();
  const headIds = new Map<string, number>();
  const whole: WholeItems = new Map();
  const ranges = splitItems(text, isSame ? cache.split : null, source.rules.braces);
  cache.split = { text, items: ranges };
  const placed = ranges.map((range) => {
    const seen = `${range.namespace === '' ? '' : `${range.namespace}::`}${range.fixture === '' ? '' : `(${range.fixture})`}${packingWithin(source.packings, range.start, range.end)}${retiredWithin(range)}`;
    const own = text.slice(range.start, range.end);
    return { range, seen, own, key: seen === '' ? own : seen + own };
  });
  const gone = once(() => byTokens(known, new Set(placed.map(({ key }) => key))));
  const all = placed.map(({ range, seen, own, key }) => {
    check?.();
    const same = known.get(key);
    const layout = same?.layout ?? layoutOf(own);
    const before = same ?? (range.missing === 0 ? respaced(gone(), seen, layout) : undefined);
    const head = seen + own.slice(0, range.open - range.start);
    const unchanged = before ? movedItem(before, range.start, layout) : null;
    const earlier = unchanged || !isSame ? undefined : cache.left.get(key);
    const again = earlier ? movedItem(earlier, range.start, layout) : null;
    const read = unchanged ?? again ?? readItem(source, range, layout, knownHeads.get(head));
    const name = headOf(read, head);
    const item = isTyped && !unchanged ? standInFor(read, name, knownWhole, layout) : read;
    items.set(key, item);
    // A head that is spaced otherwise has its names elsewhere: it counts as new when its body changes.
    if (item.body && (item.isStandIn || !isRespaced(item))) headIds.set(head, item.headId);
    if (name !== null) whole.set(name, whole.has(name) ? null : item.isStandIn ? item.original : item);
    return item;
  });
  if (!isSame || cache.typeMacros.size === 0) cache.typeMacros = typeMacros(parser, file, preprocessed.macros);
  cache.macros = macros;
  cache.left = leftOf([...(isSame ? cache.left : []), ...known], items);
  cache.items = items;
  cache.headIds = headIds;
  // What is tried out is no text that was typed.
  cache.whole = isTyped ? whole : knownWhole;
  const bodies = new Map<string, MacroBody | null>();
  return {
    file,
    activeText: text,
    items: all.map((item, index) => ({
      id: item.id,
      headId: item.headId,
      start: item.start,
      end: ranges[index]!.end,
      layout: item.layout,
      names: item.names,
      namespace: item.namespace,
      isUnnamed: ranges[index]!.isUnnamed,
      usings: item.usings,
      runsAlways: item.runsAlways,
      mentions: item.mentions,
      headMentions: item.headMentions,
      body: item.body,
      isHalfTyped: item.isHalfTyped,
    })),
    isHalfTyped: false,
    macroKey: macros,
    functions: all.flatMap((item) => item.functions),
    classes: all.flatMap((item) => item.classes),
    globals: all.flatMap((item) => item.globals),
    statements: [],
    aliases: new Map(all.flatMap((item) => item.aliases)),
    aliasesIn: all.flatMap(({ aliases, namespace }) => aliases.map(([name, type]) => ({ namespace, name, type }))),
    macros: preprocessed.macros,
    typeMacros: cache.typeMacros,
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

/** Items kept that do not stand in the text any more. */
const mostLeft = 8;

function leftOf(before: Iterable<[string, Item]>, items: ReadonlyMap<string, Item>): ReadonlyMap<string, Item> {
  const left = new Map<string, Item>();
  for (const [key, item] of before) if (!item.isStandIn && !items.has(key)) left.set(key, item);
  return new Map([...left].slice(-mostLeft));
}

/** By macro: those of a header are written out again for each file behind it. */
const definitions = new Attached<MacroDefinition, string>();

/** What a macro is, wherever it stands. */
function definition(macro: MacroDefinition): string {
  let text = definitions.get(macro);
  if (text === undefined) {
    text = `${macro.name}(${macro.parameters})${macro.body}`;
    definitions.set(macro, text);
  }
  return text;
}

function definitionsOf(macros: ReadonlyMap<string, MacroDefinition>): string {
  const all: string[] = [];
  for (const macro of macros.values()) all.push(definition(macro));
  return all.join('\n');
}

/** A stand-in only counts while the text is being typed. */
function usable(items: ReadonlyMap<string, Item>, isTyped: boolean): ReadonlyMap<string, Item> {
  if (isTyped || ![...items.values()].some((item) => item.isStandIn)) return items;
  return new Map([...items].filter(([, item]) => !item.isStandIn));
}

/** Items that no longer stand in the text as they did, by their tokens and the macros they saw. */
function byTokens(known: ReadonlyMap<string, Item>, kept: ReadonlySet<string>): ReadonlyMap<string, Item> {
  const gone = new Map<string, Item>();
  for (const [key, item] of known) {
    const tokens = kept.has(key) ? null : item.layout.tokens();
    const seen = key.slice(0, key.length - item.layout.text.length);
    if (tokens && item.unread().length === 0) gone.set(seen + tokens.written, item);
  }
  return gone;
}

/** The item that has the same tokens; not where macros count that are told apart by where they stand. */
function respaced(gone: ReadonlyMap<string, Item>, seen: string, layout: ItemLayout): Item | undefined {
  const tokens = gone.size > 0 && (seen === '' || /^[\w:]+::$/.test(seen)) ? layout.tokens() : null;
  return tokens ? gone.get(seen + tokens.written) : undefined;
}

function isRespaced({ original, layout }: Item): boolean {
  return original !== null && original.layout.text !== layout.text;
}
