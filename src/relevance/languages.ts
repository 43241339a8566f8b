/** Which files are ours by their names: the same on the command line and in the editor. */

import type { Language } from '../pipeline.ts';

const byExtension: ReadonlyMap<string, Language> = new Map([
  ...['cu', 'cuh', 'cpp', 'cxx', 'cc', 'c', 'h', 'hpp', 'hxx', 'hh'].map((each) => [each, 'cuda'] as const),
  ...['ts', 'mts', 'cts'].map((each) => [each, 'typescript'] as const),
]);

/** The front end for a file by its name or URI; undefined where the name says nothing. */
export function languageOfName(name: string): Language | undefined {
  return byExtension.get(/\.([A-Za-z]+)$/.exec(name)?.[1]?.toLowerCase() ?? '');
}
