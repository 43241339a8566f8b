/** Texts as they grow: one that is longer than anybody reads is not known any more, as `s += s` in a loop makes it. */

/** Characters. */
export const longestText = 1_000_000;

/** Two texts, one behind the other; null where that is too long. */
export function putTogether(text: string, added: string): string | null {
  return text.length + added.length > longestText ? null : text + added;
}
