/** The source file that goes with a header, by its name. */

/** Names of source files by the name of a header without its ending, in the order in which they are looked for. */
export function companionsOf(header: string): readonly string[] {
  const name = /([^/\\]+)\.(?:h|hpp|hh|hxx|cuh)$/.exec(header)?.[1];
  if (name === undefined) return [];
  const endings = ['.cu', '.cpp', '.cc', '.cxx', '.c'];
  return ['', '../src/'].flatMap((folder) => endings.map((ending) => `${folder}${name}${ending}`));
}
