/**
 * Results of entries, kept from one text of a file to the next. An entry's result holds as long as nothing it can see has
 * changed; when what it sees stands somewhere else now, so do its findings.
 */

import type { Finding, Gap } from './base/finding.ts';
import { once } from './base/once.ts';
import type { Span } from './base/span.ts';
import { type ClosureMemory, createClosureMemory, type PlacedItem } from './interpret/closure.ts';
import type { Entry } from './interpret/entries.ts';
import type { EntryDetails, EntryResult } from './judge-program.ts';

export interface ResultCache {
  /** The result of an earlier run that this one would repeat. `again` runs it, for who wants more than the findings. */
  find(entry: Entry, items: readonly PlacedItem[], again: () => EntryDetails): EntryResult | null;
  keep(result: EntryResult, items: readonly PlacedItem[]): void;
  readonly closures: ClosureMemory;
}

interface Kept {
  readonly result: EntryResult;
  readonly items: readonly PlacedItem[];
}

export interface FileCache extends ResultCache {
  /** `world`: what all runs hang on apart from the items: the macros and the models. */
  enter(world: string): void;
}

/** Results kept for one file. */
const mostKept = 600;

export function createResultCache(): FileCache {
  const kept = new Map<string, Kept>();
  let closures = createClosureMemory();
  let current = '';
  const keyOf = (entry: Entry, items: readonly PlacedItem[]): string =>
    `${entry.name} ${items.map(({ file, item }) => `${file}#${item.id}`).join(' ')}`;
  return {
    enter: (world) => {
      if (world === current) return;
      kept.clear();
      closures = createClosureMemory();
      current = world;
    },
    get closures() {
      return closures;
    },
    keep: (result, items) => {
      kept.set(keyOf(result.entry, items), { result: withoutDetails(result), items });
      for (const key of kept.keys()) {
        if (kept.size <= mostKept) break;
        kept.delete(key);
      }
    },
    find: (entry, items, again) => {
      const key = keyOf(entry, items);
      const found = kept.get(key);
      if (!found) return null;
      const result = movedResult(found, entry, items, once(again));
      if (!result) return null;
      kept.delete(key);
      kept.set(key, { result: withoutDetails(result), items });
      return result;
    },
  };
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
  const shifts = items.map(({ file, item }, index) => ({ file, item, by: (now[index]?.item.start ?? 0) - item.start }));
  if (shifts.every(({ by }) => by === 0)) return { ...result, entry, full };
  let isLost = false;
  const move = (span: Span): Span => {
    const home = shifts.find(
      ({ file, item }) => file === span.file && item.start <= span.start && span.end <= item.end,
    );
    if (!home) isLost = true;
    return home && home.by !== 0 ? { file: span.file, start: span.start + home.by, end: span.end + home.by } : span;
  };
  const moved: EntryResult = {
    entry,
    findings: result.findings.map((finding) => movedFinding(finding, move)),
    gaps: result.gaps.map((gap): Gap => ({ ...gap, span: move(gap.span) })),
    reached: movedReached(result.reached, move),
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
