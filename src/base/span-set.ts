/** A set of places, by what they cover and not by identity. */

import type { Span } from './span.ts';

/** Lengths below this have a key of their own with every start that a text can have. */
const longest = 2 ** 24;

function keyOf(start: number, end: number): number {
  return start * longest + Math.min(end - start, longest - 1);
}

/** Iterating gives what was added to this set; `base` is only looked at. */
export class SpanSet implements Iterable<Span> {
  readonly #files = new Map<string, Map<number, Span>>();
  readonly #base: SpanSet | null;

  constructor(base: SpanSet | null = null) {
    this.#base = base;
  }

  /** Does nothing when the base has it. */
  add(span: Span): void {
    if (this.#base?.has(span)) return;
    let inFile = this.#files.get(span.file);
    if (!inFile) {
      inFile = new Map();
      this.#files.set(span.file, inFile);
    }
    inFile.set(keyOf(span.start, span.end), span);
  }

  addAll(spans: Iterable<Span>): void {
    for (const span of spans) this.add(span);
  }

  has({ file, start, end }: Span): boolean {
    return this.hasAt(file, start, end);
  }

  hasAt(file: string, start: number, end: number): boolean {
    return (this.#files.get(file)?.has(keyOf(start, end)) ?? false) || (this.#base?.hasAt(file, start, end) ?? false);
  }

  *[Symbol.iterator](): Iterator<Span> {
    for (const inFile of this.#files.values()) yield* inFile.values();
  }
}
