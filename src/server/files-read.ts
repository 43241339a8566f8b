/** Reading files from disk for includes: asked for every header after every keystroke, so a file that has not changed is not read again. */

import { largestText } from '../base/compile-commands.ts';
import { decodeText } from '../base/decode-text.ts';

/** Characters of all texts kept. */
const mostKept = 32 * 1024 * 1024;

/** Milliseconds. A file that was written this shortly before may be written again without a later time. */
const settled = 2_000;

interface Kept {
  readonly text: string | undefined;
  readonly modified: number;
  readonly size: number;
}

/** Where files are. Both throw for what is no file. */
export interface Disk {
  /** Bytes, and milliseconds since 1970. What is no file may never end. */
  stat(uri: string): { readonly size: number; readonly mtimeMs: number; isFile(): boolean };
  read(uri: string): Uint8Array;
}

/** Gives texts of files: undefined for what is not a file, is not there, is too large or is not text. */
export function createFileReader(disk: Disk): (uri: string) => string | undefined {
  const files = new Map<string, Kept>();
  let characters = 0;
  const forget = (uri: string): void => {
    characters -= files.get(uri)?.text?.length ?? 0;
    files.delete(uri);
  };
  return (uri) => {
    try {
      const stats = disk.stat(uri);
      const { size, mtimeMs: modified } = stats;
      if (!stats.isFile() || size > largestText(uri)) return undefined;
      const kept = files.get(uri);
      if (kept && kept.modified === modified && kept.size === size) return kept.text;
      forget(uri);
      const text = decodeText(disk.read(uri)) ?? undefined;
      if (Date.now() - modified < settled) return text;
      files.set(uri, { text, modified, size });
      characters += text?.length ?? 0;
      for (const oldest of files.keys()) {
        if (characters <= mostKept) break;
        forget(oldest);
      }
      return text;
    } catch {
      forget(uri);
      return undefined;
    }
  };
}
