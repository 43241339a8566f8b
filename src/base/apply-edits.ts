/** Text edits applied to a text. */

import type { TextEdit } from './finding.ts';

/** Applies edits to a text, last first so that offsets stay true; at one place, in the order given. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const ordered = edits
    .map((edit, index) => ({ edit, index }))
    .sort((first, second) => second.edit.span.start - first.edit.span.start || second.index - first.index);
  let result = text;
  for (const { edit } of ordered)
    result = result.slice(0, edit.span.start) + edit.newText + result.slice(edit.span.end);
  return result;
}
