/** Where the questions about what is not known were asked: what is decided once may be heard of in several places of the text. */

import type { Span } from '../../base/span.ts';
import type { Decision } from '../../trace/decision.ts';
import { type Size, symbolsOf } from '../../trace/size.ts';
import { keptByRun } from '../kept-by-run.ts';
import type { World } from '../world.ts';

/** Where anything was asked about a symbol, by its name. */
const placesOf = keptByRun(() => new Map<string, Span[]>());

/** A condition over symbols was asked there, whoever answered it. */
export function noteAsked(world: World, condition: Size, span: Span): void {
  const places = placesOf(world);
  for (const name of symbolsOf(condition)) {
    const known = places.get(name);
    if (!known) places.set(name, [span]);
    else if (!known.some(({ file, start }) => start === span.start && file === span.file)) known.push(span);
  }
}

/** The places where a decision of this run is asked about, or may be. */
export function placesAsked(world: World, { condition, span }: Pick<Decision, 'condition' | 'span'>): readonly Span[] {
  if (!condition) return [span];
  const places = placesOf(world);
  return [...new Set([...symbolsOf(condition)].flatMap((name) => places.get(name) ?? []))];
}
