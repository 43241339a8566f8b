/**
 * What a run from an entry can see of the program: the item that defines it, every item that defines a name mentioned there,
 * and so on; and what runs before every entry. When none of these changes, neither does the run. Of a function whose body the
 * run has not read, only the head counts.
 */

import { firstIndex } from '../base/first-index.ts';
import { once } from '../base/once.ts';
import type { FunctionDefinition, Module, ModuleItem } from '../program/program.ts';
import { lastPart, type ProgramTable } from './program-table.ts';

export interface PlacedItem {
  readonly file: string;
  readonly item: ModuleItem;
  /** What stays the same as long as what the run sees of the item does. */
  readonly seen: string;
}

export interface ClosureTable {
  /** The items that a run from this function hangs on when it has read these bodies, in order; null when the program is not made of items. */
  of(definition: FunctionDefinition, bodies: ReadonlySet<object>): readonly PlacedItem[] | null;
}

/**
 * The words of an item that name something in the program, by its {@link ModuleItem.mentions}: kept from one text to the next
 * as long as the same names are defined and no macro changes.
 */
export interface ClosureMemory {
  names: ReadonlySet<string>;
  words: WeakMap<ReadonlySet<string>, readonly string[]>;
  shape: Shape;
  /** What was listed for these bodies last. */
  readonly listed: WeakMap<ReadonlySet<object>, Listed>;
}

/** Which items there are and what they define, in order: as long as it is the same, so is what an item's words lead to. */
type Shape = readonly Candidate[];

interface Listed {
  readonly shape: Shape;
  /** The item of the function that the run begins with. */
  readonly own: number;
  readonly places: readonly number[];
  readonly items: readonly PlacedItem[];
  readonly macros: readonly string[];
}

export function createClosureMemory(): ClosureMemory {
  return { names: new Set(), words: new WeakMap(), shape: [], listed: new WeakMap() };
}

/** `memory` must be new when a macro has changed. `check` is called between items, and may throw. */
export function createClosureTable(program: ProgramTable, memory: ClosureMemory, check: () => void): ClosureTable {
  const all: Candidate[] = [];
  /** Where the items of a file begin and end among all. */
  const byFile = new Map<string, readonly [number, number]>();
  for (const { file, items } of program.modules) {
    const begin = all.length;
    for (const item of items ?? []) all.push({ file, item });
    byFile.set(file, [begin, all.length]);
  }
  if (!isSameShape(memory.shape, all)) memory.shape = all;
  const { shape } = memory;
  const words = once(() => createWordTable(program, memory, all, check));
  const isWhole = program.modules.every((module: Module) => module.items !== null);
  const macros = new Map<string, readonly PlacedItem[]>();
  const macroItems = (names: readonly string[]) =>
    names.flatMap((name) => {
      const items = macros.get(name) ?? macroItem(program, name);
      macros.set(name, items);
      return items;
    });
  return {
    of: (definition, bodies) => {
      if (!isWhole) return null;
      const own = itemAt(all, byFile.get(definition.span.file) ?? [0, 0], definition.span.start);
      if (own < 0) return null;
      const last = memory.listed.get(bodies);
      const again = last?.shape === shape && last.own === own ? listedAgain(last, all, bodies) : null;
      if (last && again) {
        memory.listed.set(bodies, { ...last, items: again });
        return [...again, ...macroItems(last.macros)];
      }
      const { places, followed } = words().follow(own, bodies);
      const items = places.map((place) => placedAt(all, place, bodies));
      const used = [...followed].filter((word) => program.macro(word) !== undefined).sort();
      memory.listed.set(bodies, { shape, own, places, items, macros: used });
      return [...items, ...macroItems(used)];
    },
  };
}

function isSameShape(first: Shape, second: Shape): boolean {
  return (
    first.length === second.length &&
    first.every((one, index) => {
      const other = second[index]!;
      return (
        one.item === other.item ||
        (one.file === other.file &&
          one.item.runsAlways === other.item.runsAlways &&
          one.item.names.length === other.item.names.length &&
          one.item.names.every((name, place) => name === other.item.names[place]))
      );
    })
  );
}

/** The same items as they stand now; null when what a run sees of one has changed, so that others may hang on it. */
function listedAgain(
  { places, items }: Listed,
  all: readonly Candidate[],
  bodies: ReadonlySet<object>,
): readonly PlacedItem[] | null {
  const again: PlacedItem[] = [];
  for (const [index, place] of places.entries()) {
    const before = items[index]!;
    const { file, item } = all[place]!;
    if (item === before.item) again.push(before);
    else if (!seesTheSame(item, before.item, bodies)) return null;
    else again.push({ file, item, seen: before.seen });
  }
  return again;
}

function seesTheSame(now: ModuleItem, before: ModuleItem, bodies: ReadonlySet<object>): boolean {
  if (isRead(now, bodies) !== isRead(before, bodies)) return false;
  return isRead(now, bodies) ? now.id === before.id : now.headId === before.headId;
}

function placedAt(all: readonly Candidate[], place: number, bodies: ReadonlySet<object>): PlacedItem {
  const { file, item } = all[place]!;
  return { file, item, seen: isRead(item, bodies) ? `${file}#${item.id}` : `${file}#head ${item.headId}` };
}

interface WordTable {
  /** The places of what a run that begins in `own` can see, ascending, and the words that lead there. */
  follow(
    own: number,
    bodies: ReadonlySet<object>,
  ): { readonly places: readonly number[]; readonly followed: ReadonlySet<string> };
}

function createWordTable(
  program: ProgramTable,
  memory: ClosureMemory,
  all: readonly Candidate[],
  check: () => void,
): WordTable {
  const byBody = new Map<object, number>();
  const byName = new Map<string, number[]>();
  for (const [place, { item }] of all.entries()) {
    check();
    if (item.body) byBody.set(item.body, place);
    for (const word of new Set(item.names.flatMap(wordsOfName))) {
      const known = byName.get(word);
      if (known) known.push(place);
      else byName.set(word, [place]);
    }
  }
  if (memory.names.size !== byName.size || [...byName.keys()].some((name) => !memory.names.has(name))) {
    memory.names = new Set(byName.keys());
    memory.words = new WeakMap();
  }
  const namesIn = (mentions: ReadonlySet<string>): readonly string[] => {
    let words = memory.words.get(mentions);
    if (!words) {
      words = [...mentions].filter((word) => byName.has(word) || program.macro(word) !== undefined);
      memory.words.set(mentions, words);
    }
    return words;
  };
  const inMacros = new Map<string, readonly string[]>();
  const wordsInMacro = (name: string): readonly string[] => {
    let words = inMacros.get(name);
    if (!words) {
      words = program.macro(name)?.body.match(/[A-Za-z_]\w*/g) ?? [];
      inMacros.set(name, words);
    }
    return words;
  };
  const everywhere = [...all.keys()].filter((place) => {
    const { item } = all[place]!;
    return item.runsAlways || item.names.some(isOperator);
  });
  return {
    follow: (own, bodies) => {
      const found = new Set<number>([own, ...everywhere]);
      for (const body of bodies) {
        const place = byBody.get(body);
        if (place !== undefined) found.add(place);
      }
      // A set can be walked while it grows.
      const followed = new Set<string>();
      const follow = (word: string): void => {
        if (followed.has(word)) return;
        followed.add(word);
        for (const next of byName.get(word) ?? []) found.add(next);
        for (const inner of wordsInMacro(word)) follow(inner);
      };
      for (const place of found) {
        check();
        const { item } = all[place]!;
        for (const word of namesIn(isRead(item, bodies) ? item.mentions() : item.headMentions())) follow(word);
      }
      check();
      return { places: [...found].sort((first, second) => first - second), followed };
    },
  };
}

/** The words by which something is meant: `C`, `f` for `C::f`, and `C` for `C::~C`. */
function wordsOfName(name: string): readonly string[] {
  return name.match(/[A-Za-z_]\w*/g) ?? [];
}

/** It is used without being named. */
function isOperator(name: string): boolean {
  return lastPart(name).startsWith('operator');
}

type Candidate = Omit<PlacedItem, 'seen'>;

function isRead({ body }: ModuleItem, bodies: ReadonlySet<object>): boolean {
  return body === null || bodies.has(body);
}

/** A macro's definition, for what stands in it; that its text is the same is known otherwise. */
function macroItem(program: ProgramTable, name: string): PlacedItem[] {
  const macro = program.macro(name);
  if (!macro) return [];
  const { file, start, end } = macro.span;
  const mentions = () => new Set<string>();
  const layout = { text: '', tokens: () => null };
  const item = {
    id: 0,
    headId: 0,
    layout,
    start,
    end,
    namespace: '',
    isUnnamed: false,
    usings: [],
    names: [],
    runsAlways: false,
    mentions,
    headMentions: mentions,
    body: null,
    isHalfTyped: false,
  };
  return [{ file, item, seen: `macro ${name}` }];
}

/** The place of the item around an offset, among those from `begin` to `end`, which are in order of the text; −1 for none. */
function itemAt(all: readonly Candidate[], [begin, end]: readonly [number, number], offset: number): number {
  const place = begin + firstIndex(end - begin, (index) => all[begin + index]!.item.end > offset);
  return place < end && all[place]!.item.start <= offset ? place : -1;
}
