/** Whether a text may use certain macros: told by its words, before anybody looks where they stand. */

/** What is looked for. */
export interface MacroUses {
  readonly names: ReadonlySet<string>;
  /** Macros that count beside a literal, or beside one another, only; null where there are none. */
  readonly besides: RegExp | null;
}

/** `texts`: the names of macros that stand for texts. */
export function macroUses(names: readonly string[], texts: readonly string[]): MacroUses | null {
  if (names.length === 0 && texts.length === 0) return null;
  const text = `(?:${texts.join('|')})`;
  const besides = texts.length > 0 ? new RegExp(`"\\s*${text}\\b|\\b${text}(?:\\s*"|\\s+${text}\\b)`) : null;
  return { names: new Set(names), besides };
}

export function mayUse({ names, besides }: MacroUses, text: string): boolean {
  return (names.size > 0 && hasWordOf(text, names)) || besides?.test(text) === true;
}

const words = /\b[A-Za-z_]\w*/g;

/** Whether one of the words stands in the text, be it in a comment. */
export function hasWordOf(text: string, names: ReadonlySet<string> | ReadonlyMap<string, unknown>): boolean {
  const written = text.match(words);
  if (written) for (let index = 0; index < written.length; index++) if (names.has(written[index]!)) return true;
  return false;
}
