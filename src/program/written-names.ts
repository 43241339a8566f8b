/** Names as people know them, of classes that go by another one because they share theirs. */

import { lastPart } from './full-names.ts';

/** `classes`: by their full names, what they are called now. */
export function writtenNames(classes: ReadonlyMap<string, string>): (name: string) => string {
  const full = new Map([...classes].flatMap(([name, own]) => (own === lastPart(name) ? [] : [[own, name] as const])));
  if (full.size === 0) return (name) => name;
  return (name) =>
    name.replace(/(::~?)?(\w+)/g, (found, before: string | undefined, word: string) => {
      const known = full.get(word);
      if (known === undefined) return found;
      return before === undefined ? known : `${before}${lastPart(known)}`;
    });
}
