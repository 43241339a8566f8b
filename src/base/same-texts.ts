/** Texts as V8 keeps those that a program is written with. */

/**
 * The same texts, each the one object that V8 has for it: as names of properties, texts become that. Two such texts are compared by where they
 * stand; of a text that was cut out of another, or decoded, the characters are looked at each time.
 */
export function keptOnce(texts: readonly string[]): readonly string[] {
  const names: Record<string, true> = {};
  for (const text of texts) names[text] = true;
  const kept = new Map(Object.keys(names).map((name) => [name, name]));
  return texts.map((text) => kept.get(text) ?? text);
}
