/**
 * Results of entries, kept from one text of a file to the next. An entry's result holds as long as nothing it can see has
 * changed; when what it sees stands somewhere else now, so do its findings.
 */

import type { Finding, Gap } from '../base/finding.ts';
import { once } from '../base/once.ts';
import type { Span } from '../base/span.ts';
import { type ClosureMemory, createClosureMemory, type PlacedItem } from '../interpret/closure.ts';
import type { Entry } from '../interpret/entries.ts';
import type { EntryDetails, EntryResult } from './entry-result.ts';
import { movesBetween } from './moved-places.ts';

export interface ResultCache {
  /**
   * The result of an earlier run that this one would repeat. `itemsFor` lists what a run hangs on that has read these bodies;
   * `again` runs it, for who wants more than the findings. `leftIn`: where the run also hangs on what no other has reached.
   */
  find(entry: Entry, itemsFor: ItemsFor, again: () => EntryDetails, leftIn?: LeftIn): EntryResult | null;
  keep(result: EntryResult, bodies: ReadonlySet<object>, items: readonly PlacedItem[], left?: string): void;
  readonly closures: ClosureMemory;
}

/** Null when nobody can tell. */
export type ItemsFor = (bodies: ReadonlySet<object>) => readonly PlacedItem[] | null;

/** The calls in these bodies that no run has reached. */
export type LeftIn = (bodies: ReadonlySet<object>) => string;

interface Kept {
  readonly result: EntryResult;
  readonly bodies: ReadonlySet<object>;
  /** What no other run had reached of them; empty where that does not matter. */
  readonly left: string;
  readonly items: readonly PlacedItem[];
}

export interface FileCache extends ResultCache {
  /** `world`: what all runs hang on apart from the items: the macros and the models, each a text of its own. */
  enter(world: readonly string[]): void;
}

/** Results kept for one file, and for one entry of it: earlier texts may come back. */
const mostKept = 600;
const mostKeptOfEntry = 4;

/** Files of which results are kept. */
const keptFiles = 4;

/** The cache of a file, among those of the files analysed last. `world` as in {@link FileCache.enter}. */
export function resultCacheOf(files: Map<string, FileCache>, file: string, world: readonly string[]): FileCache {
  const cache = files.get(file) ?? createResultCache();
  files.delete(file);
  files.set(file, cache);
  for (const name of files.keys()) {
    if (files.size <= keptFiles) break;
    files.delete(name);
  }
  cache.enter(world);
  return cache;
}

function createResultCache(): FileCache {
  /** By entry, the latest last. */
  const kept = new Map<string, readonly Kept[]>();
  let closures = createClosureMemory();
  let current: readonly string[] = [];
  const keepLatest = (name: string, latest: Kept, others: readonly Kept[]): void => {
    kept.delete(name);
    kept.set(name, [...others.slice(1 - mostKeptOfEntry), latest]);
    for (const key of kept.keys()) {
      if (kept.size <= mostKept) break;
      kept.delete(key);
    }
  };
  return {
    enter: (world) => {
      // Most of them are the same strings as before, which costs no comparing.
      if (world.length === current.length && world.every((each, index) => each === current[index])) {
        current = world;
        return;
      }
      kept.clear();
      closures = createClosureMemory();
      current = world;
    },
    get closures() {
      return closures;
    },
    keep: (result, bodies, items, left = '') => {
      const { name } = result.entry;
      keepLatest(name, { result: withoutDetails(result), bodies, items, left }, kept.get(name) ?? []);
    },
    find: (entry, itemsFor, again, leftIn = () => '') => {
      const known = kept.get(entry.name) ?? [];
      for (const each of [...known].reverse()) {
        const items = itemsFor(each.bodies);
        if (!items || !seesTheSame(each.items, items) || leftIn(each.bodies) !== each.left) continue;
        const result = movedResult(each, entry, items, once(again));
        if (!result) return null;
        // What stands in for something half typed stands there only about: the whole text may come back.
        const isAbout = items.some(({ item }) => item.isHalfTyped);
        const latest = isAbout ? each : { ...each, result: withoutDetails(result), items };
        keepLatest(
          entry.name,
          latest,
          known.filter((other) => other !== each),
        );
        return result;
      }
      return null;
    },
  };
}

function seesTheSame(first: readonly PlacedItem[], second: readonly PlacedItem[]): boolean {
  return (
    first.length === second.length &&
    first.every((one, index) => one === second[index] || one.seen === second[index]?.seen)
  );
}

/** The details hold a whole run: they go with the analysis that made them. */
function withoutDetails(result: EntryResult): EntryResult {
  return {
    ...result,
    full: () => {
      throw new Error('the details of a kept result are made anew');
    },
  };
}

/** Null when something in it lies outside the items, so that nobody can tell where it is now. */
function movedResult(
  { result, items }: Kept,
  entry: Entry,
  now: readonly PlacedItem[],
  full: () => EntryDetails,
): EntryResult | null {
  const place = movesBetween(items, now);
  if (!place) return { ...result, entry, full };
  let isLost = false;
  const move = (span: Span): Span => {
    const moved = place(span);
    if (!moved) isLost = true;
    return moved ?? span;
  };
  const moved: EntryResult = {
    entry,
    findings: result.findings.map((finding) => movedFinding(finding, move)),
    gaps: result.gaps.map((gap): Gap => ({ ...gap, span: move(gap.span) })),
    reached: movedReached(result.reached, move),
    turned: movedTurned(result.turned, move),
    steps: result.steps,
    built: result.built.map((each) => ({ ...each, created: move(each.created), filled: move(each.filled) })),
    full,
  };
  return isLost ? null : moved;
}

function movedFinding(finding: Finding, move: (span: Span) => Span): Finding {
  return {
    ...finding,
    span: move(finding.span),
    related: finding.related.map((each) => ({ ...each, span: move(each.span) })),
    witness: finding.witness.map((each) => ({ ...each, span: move(each.span) })),
  };
}

function movedReached(reached: EntryResult['reached'], move: (span: Span) => Span): EntryResult['reached'] {
  return { called: reached.called.map(move), entered: reached.entered.map(move) };
}

function movedTurned({ same, other }: EntryResult['turned'], move: (span: Span) => Span): EntryResult['turned'] {
  return { same: same.map((places) => places.map(move)), other: other.map((places) => places.map(move)) };
}
