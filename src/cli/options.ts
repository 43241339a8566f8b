/** Words of the command line to options and paths, with clear refusals. */

export interface ParsedWords {
  readonly paths: readonly string[];
  /** Options with a value, by name without dashes; repeated ones in order. */
  readonly values: ReadonlyMap<string, readonly string[]>;
  readonly flags: ReadonlySet<string>;
}

export type Parsed =
  | { readonly kind: 'ok'; readonly words: ParsedWords }
  | { readonly kind: 'error'; readonly message: string };

/** Parses `--name value`, `--name=value`, `--flag`, and `-D` as compilers take it. What is not named is refused; behind `--` all are paths. */
export function parseWords(
  words: readonly string[],
  withValue: readonly string[],
  flags: readonly string[] = [],
): Parsed {
  const paths: string[] = [];
  const values = new Map<string, string[]>();
  const set = new Set<string>();
  for (let index = 0; index < words.length; index++) {
    const word = asDefine(words[index]!, withValue);
    if (word === '--') {
      paths.push(...words.slice(index + 1));
      break;
    }
    if (!word.startsWith('-') || word === '-') {
      paths.push(word);
      continue;
    }
    if (!word.startsWith('--')) return { kind: 'error', message: `no such option: ${word}` };
    const [name = '', inline] = word.slice(2).split(/=(.*)/s);
    if (flags.includes(name)) {
      if (inline !== undefined) return { kind: 'error', message: `--${name} takes no value` };
      set.add(name);
    } else if (withValue.includes(name)) {
      const value = inline ?? words[++index];
      if (value === undefined) return { kind: 'error', message: `--${name} needs a value` };
      values.set(name, [...(values.get(name) ?? []), value]);
    } else return { kind: 'error', message: `no such option: --${name}` };
  }
  return { kind: 'ok', words: { paths, values, flags: set } };
}

/** `-DNAME=VALUE` and `-D NAME=VALUE` where symbols can be defined. */
function asDefine(word: string, withValue: readonly string[]): string {
  if (!word.startsWith('-D') || !withValue.includes('define')) return word;
  return word === '-D' ? '--define' : `--define=${word.slice(2)}`;
}

/** The option's last value when it is one of those allowed; an error message otherwise. */
export function choice<T extends string>(
  words: ParsedWords,
  name: string,
  allowed: readonly T[],
): { readonly value: T } | { readonly error: string } {
  const given = words.values.get(name)?.at(-1);
  if (given === undefined) return { value: allowed[0]! };
  const found = allowed.find((each) => each === given);
  return found === undefined
    ? { error: `--${name} must be one of ${allowed.join(', ')}; it is "${given}"` }
    : { value: found };
}
