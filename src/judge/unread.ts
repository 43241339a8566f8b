/** What the front end could not read of a file, as gaps. */

import type { Gap } from '../base/finding.ts';
import type { SpanSet } from '../base/span-set.ts';
import type { Module } from '../program/program.ts';

/** Constructs that no front end rule covers matter when they lie in code that ran, or outside functions; each is said once. */
export function noteUnread(modules: readonly Module[], entered: SpanSet, gaps: Map<string, Gap>): void {
  const [primary] = modules;
  if (!primary || primary.unread.length === 0) return;
  const definitions = [...primary.functions, ...primary.classes.flatMap((each) => each.methods)].filter(
    (each) => each.body,
  );
  for (const { what, span } of primary.unread) {
    const around = definitions.filter((each) => each.span.start <= span.start && span.end <= each.span.end);
    if (around.length > 0 && !around.some((each) => entered.has(each.span))) continue;
    gaps.set(`syntax ${what} ${span.file}:${span.start}`, { kind: 'syntax', name: what, span });
  }
}
