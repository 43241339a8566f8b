/** Why a path could not be read or written, in words. */

import { isTooDeep, tooDeep } from '../base/too-deep.ts';

const reasons: ReadonlyMap<unknown, string> = new Map([
  ['ENOENT', 'no such file or folder'],
  ['ENOTDIR', 'a part of the path is not a folder'],
  ['EISDIR', 'it is a folder'],
  ['EACCES', 'permission denied'],
  ['EPERM', 'permission denied'],
  ['ELOOP', 'its links lead in a circle'],
]);

/** What an error of the file system means; the error's own words where it is another one. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (isTooDeep(error)) return tooDeep;
  return ('code' in error ? reasons.get(error.code) : undefined) ?? error.message;
}
