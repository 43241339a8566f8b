/** The command line of a compiler: its words, and what they say of folders and symbols. */

/** The text of a file; undefined for what is not there. */
export type ReadText = (path: string) => string | undefined;

/** A command line as words, as a shell takes it apart: quotes hold a word together, also in the midst of it. */
export function wordsOf(command: string): string[] {
  const word = /(?:"(?:\\[\s\S]|[^"\\])*"|'[^']*'|\\[\s\S]|[^\s"'\\])+/g;
  const part = /"((?:\\[\s\S]|[^"\\])*)"|'([^']*)'|\\([\s\S])/g;
  return [...command.matchAll(word)].map(([written]) =>
    written.replace(part, (_, double?: string, single?: string, escaped?: string) =>
      double === undefined ? (single ?? escaped ?? '') : double.replace(/\\(["\\$`])/g, '$1'),
    ),
  );
}

/** Response files in response files that are followed. */
const deepest = 4;

/** Words of all response files of a command. */
const mostWords = 20_000;

/** The words with those of response files in their places: `@flags.rsp`, and what nvcc's manual has as `--options-file`. */
export function withResponses(words: readonly string[], read: ReadText): readonly string[] {
  let left = mostWords;
  const replaced = (given: readonly string[], depth: number): readonly string[] => {
    const contents = (names: string): readonly string[] =>
      names.split(',').flatMap((name) => {
        const found = wordsOf((depth < deepest && left > 0 && read(name)) || '');
        left -= found.length;
        return replaced(found, depth + 1);
      });
    return given.flatMap((word, index) => {
      const names = /^(?:@|--options-file=|-optf=)(.+)$/.exec(word)?.[1];
      if (names !== undefined) return contents(names);
      return isOptionsFile.test(given[index - 1] ?? '') ? contents(word) : [word];
    });
  };
  return replaced(words, 0);
}

const isOptionsFile = /^(?:--options-file|-optf)$/;

/** Where the command has headers looked for, in order. */
export function includeFolders(words: readonly string[]): string[] {
  return valuesOf(words, /^(?:-I|-iquote|-isystem|--include-path=?|\/I)/);
}

/** `-DNAME=VALUE` that no `-UNAME` takes back, and what nvcc defines for `--default-stream per-thread` (nvcc manual, `--default-stream`). */
export function definedSymbols(words: readonly string[]): string[] {
  const undone = new Set(valuesOf(words, /^(?:-U|\/U|--undefine-macro=?)/));
  const defined = valuesOf(words, /^(?:-D|\/D|--define-macro=?)/).filter((each) => !undone.has(each.split('=', 1)[0]!));
  const streams = words.flatMap((word, index) => {
    const stream = /^--?default-stream(?:=(.*))?$/.exec(word);
    return stream ? [stream[1] ?? words[index + 1]] : [];
  });
  return streams.includes('per-thread') ? [...defined, 'CUDA_API_PER_THREAD_DEFAULT_STREAM=1'] : defined;
}

/** What stands behind an option, in its word or in the next one. */
function valuesOf(words: readonly string[], option: RegExp): string[] {
  return words.flatMap((word, index) => {
    const flag = option.exec(word)?.[0];
    if (flag === undefined) return [];
    const value = word.length > flag.length ? word.slice(flag.length) : words[index + 1];
    return value ? [value] : [];
  });
}
