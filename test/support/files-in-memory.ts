/** Files of a project that lie in memory, by their paths. */

export type Files = Readonly<Record<string, string>>;

/** Reads what a file includes, relative to it. */
export function readerOf(files: Files) {
  return (name: string, from: string): { readonly file: string; readonly text: string } | undefined => {
    const file = new URL(name, `file:///${from}`).pathname.slice(1);
    const text = files[file];
    return text === undefined ? undefined : { file, text };
  };
}
