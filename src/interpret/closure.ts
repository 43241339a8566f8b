/**
 * What a run from an entry can see of the program: the item that defines it, every item that defines a name mentioned there,
 * and so on; and what runs before every entry. When none of these changes, neither does the run. Of a function whose body the
 * run has not read, only the head counts.
 */

import { firstIndex } from '../base/first-index.ts';
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
}

export function createClosureMemory(): ClosureMemory {
  return { names: new Set(), words: new WeakMap() };
}

/** `memory` must be new when a macro has changed. `check` is called between items, and may throw. */
export function createClosureTable(program: ProgramTable, memory: ClosureMemory, check: () => void): ClosureTable {
  const all: Candidate[] = program.modules.flatMap((module) =>
    (module.items ?? []).map((item) => ({ file: module.file, item })),
  );
  const order = new Map(all.map((placed, index) => [placed, index]));
  const byBody = new Map(all.flatMap((placed) => (placed.item.body ? [[placed.item.body, placed]] : [])));
  const byName = new Map<string, Candidate[]>();
  for (const placed of all) {
    check();
    for (const word of new Set(placed.item.names.flatMap(wordsOfName))) {
      const known = byName.get(word);
      if (known) known.push(placed);
      else byName.set(word, [placed]);
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
  const byFile = new Map(
    program.modules.map((module) => [module.file, all.filter((placed) => placed.file === module.file)]),
  );
  const everywhere = all.filter(({ item }) => item.runsAlways || item.names.some(isOperator));
  return {
    of: (definition, bodies) => {
      if (program.modules.some((module: Module) => module.items === null)) return null;
      const own = itemAt(byFile.get(definition.span.file) ?? [], definition.span.start);
      if (!own) return null;
      const found = new Set<Candidate>([own, ...everywhere]);
      for (const body of bodies) {
        const placed = byBody.get(body);
        if (placed) found.add(placed);
      }
      // A set can be walked while it grows.
      const followed = new Set<string>();
      const follow = (word: string): void => {
        if (followed.has(word)) return;
        followed.add(word);
        for (const next of byName.get(word) ?? []) found.add(next);
        for (const inner of wordsInMacro(word)) follow(inner);
      };
      for (const placed of found) {
        check();
        const { item } = placed;
        for (const word of namesIn(isRead(item, bodies) ? item.mentions() : item.headMentions())) follow(word);
      }
      check();
      const items = [...found]
        .sort((first, second) => (order.get(first) ?? 0) - (order.get(second) ?? 0))
        .map(({ file, item }) => ({
          file,
          item,
          seen: isRead(item, bodies) ? `${file}#${item.id}` : `${file}#head ${item.headId}`,
        }));
      const macros = [...followed]
        .filter((word) => program.macro(word) !== undefined)
        .sort()
        .flatMap((word) => macroItem(program, word));
      return [...items, ...macros];
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

/** The item around an offset; items are in order of the text. */
function itemAt(items: readonly Candidate[], offset: number): Candidate | undefined {
  const found = items[firstIndex(items.length, (index) => items[index]!.item.end > offset)];
  return found && found.item.start <= offset ? found : undefined;
}
