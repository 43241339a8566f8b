/**
 * What a compilation database (`compile_commands.json` in a folder above, or in `build` there) says of a file: the symbols it is
 * compiled with, and where `#include "name"` is looked for beyond the including file's folder: the folders of its compile command,
 * then each folder above and its `include`. `#include <name>` is looked for in those folders of the compile command that lie in the
 * project: the toolkit's headers are not needed.
 *
 * Paths are those of the file system with `/`; reading is the caller's affair.
 */

import { definedSymbols, includeFolders, type ReadText, withResponses, wordsOf } from './compiler-words.ts';
import { LazyMap } from './lazy-map.ts';
import { once } from './once.ts';

const databaseName = 'compile_commands.json';

/** A larger file is no source text, bytes; databases of large projects are. */
export function largestText(path: string): number {
  return (path.endsWith(`/${databaseName}`) ? 256 : 16) << 20;
}

/** Folders above a file that are looked into. */
const highest = 12;
/** Folders taken from a compilation database for a file that is not in it. */
const mostFolders = 48;

export interface CompileCommands {
  /** The path of an included file; undefined when it is nowhere. */
  find(name: string, from: string, isAngled?: boolean): { path: string; text: string } | undefined;
  /** Symbols that a file is compiled with, `NAME` or `NAME=VALUE`; none where no command is known. */
  defines(file: string): readonly string[];
  /** Source files of the database that a file is in; none where it is in none. */
  compiledWith(file: string): readonly string[];
}

/** Compilation databases are read once. */
export function createCompileCommands(read: ReadText): CompileCommands {
  const databases = new Map<string, CompilationDatabase | null>();
  const databaseAt = (path: string): CompilationDatabase | null => {
    const known = databases.get(path);
    if (known !== undefined) return known;
    const text = read(path);
    const database = text === undefined ? null : readDatabase(text, joinPath(path, '..'), read);
    databases.set(path, database);
    return database;
  };
  /** A folder that has a database: what lies below it belongs together. */
  const isProject = (folder: string): boolean => databaseOf([folder]) !== undefined;
  const databaseOf = (above: readonly string[]): CompilationDatabase | undefined =>
    firstOf(
      above,
      (folder) => databaseAt(joinPath(folder, databaseName)) ?? databaseAt(joinPath(folder, `build/${databaseName}`)),
    );
  /** By the folder of a file. */
  const nearest = new Map<string, CompilationDatabase | null>();
  const databaseAbove = (above: readonly string[]): CompilationDatabase | null => {
    const [folder = ''] = above;
    let database = nearest.get(folder);
    if (database === undefined) {
      database = databaseOf(above) ?? null;
      nearest.set(folder, database);
    }
    return database;
  };
  return {
    find: (name, from, isAngled = false) => {
      const above = foldersAbove(from);
      const database = databaseAbove(above);
      if (isAngled && !database) return undefined;
      const given = database ? (database.byFile.get(keyOf(from))?.folders ?? database.all) : [];
      const projects = isAngled && database ? above.filter(isProject) : [];
      const folders = isAngled
        ? given.filter((folder) => projects.some((each) => folder === each || folder.startsWith(`${each}/`)))
        : [...above.slice(0, 1), ...given, ...above.slice(1).flatMap((each) => [joinPath(each, 'include'), each])];
      return firstOf(folders, (folder) => {
        const path = joinPath(folder, name);
        const text = read(path);
        return text === undefined ? null : { path, text };
      });
    },
    defines: (file) => databaseAbove(foldersAbove(file))?.byFile.get(keyOf(file))?.defines ?? [],
    compiledWith: (file) => {
      const files = databaseAbove(foldersAbove(file))?.byFile;
      return files?.has(keyOf(file)) ? [...files.keys()] : [];
    },
  };
}

/** What a source file is compiled with, in order. */
interface FileCommand {
  readonly folders: readonly string[];
  readonly defines: readonly string[];
}

interface CompilationDatabase {
  readonly byFile: ReadonlyMap<string, FileCommand>;
  readonly all: readonly string[];
}

function firstOf<T, R>(items: readonly T[], find: (item: T) => R | null): R | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== null) return found;
  }
  return undefined;
}

/** The folder of a file, then those above it. */
function foldersAbove(file: string): string[] {
  const out: string[] = [];
  let folder = file;
  while (out.length < highest) {
    const slash = folder.lastIndexOf('/');
    if (slash < 0) break;
    folder = folder.slice(0, slash);
    out.push(folder === '' ? '/' : folder);
    if (folder === '') break;
  }
  return out.length > 0 ? out : ['.'];
}

/** `folder/name` without `.` and `..`; `name` itself where it is absolute. */
export function joinPath(folder: string, name: string): string {
  const parts = (isAbsolute(name) ? name : `${folder}/${name}`).split('/');
  const out: string[] = [];
  for (const part of parts) {
    if (part === '..' && out.length > 0 && out.at(-1) !== '' && out.at(-1) !== '..') out.pop();
    else if (part !== '.' && (part !== '' || out.length === 0)) out.push(part);
  }
  return out.join('/');
}

/** Editors write the letters of drives small. */
function keyOf(path: string): string {
  return path.replace(/^[A-Z]:/, (drive) => drive.toLowerCase());
}

function isAbsolute(path: string): boolean {
  return path.startsWith('/') || /^[A-Za-z]:\//.test(path);
}

/** What the text of the database `at` a folder says; null when it is none. Entries that are not as they should be are left out. */
function readDatabase(text: string, at: string, read: ReadText): CompilationDatabase | null {
  let entries: unknown;
  try {
    entries = JSON.parse(text);
  } catch {
    return null;
  }
  if (!Array.isArray(entries)) return null;
  const commands: (readonly [string, () => FileCommand])[] = [];
  const all = new Set<string>();
  for (const each of entries) {
    const entry: unknown = each;
    if (typeof entry !== 'object' || entry === null) continue;
    const directory = joinPath(at, plainlyWritten(entry, textOf(entry, 'directory') ?? ''));
    const file = textOf(entry, 'file');
    // A large project has thousands of them, and few are asked for.
    const command = once(() => commandOf(entry, directory, read));
    if (file !== undefined) commands.push([keyOf(joinPath(directory, plainlyWritten(entry, file))), command]);
    if (all.size < mostFolders) for (const folder of command().folders) all.add(folder);
  }
  return { byFile: new LazyMap(commands), all: [...all].slice(0, mostFolders) };
}

function commandOf(entry: object, directory: string, read: ReadText): FileCommand {
  const given: unknown = Reflect.get(entry, 'arguments');
  const written = Array.isArray(given)
    ? given.map((each) => plainlyWritten(entry, String(each)))
    : wordsOf(plainlyWritten(entry, textOf(entry, 'command') ?? ''));
  const words = withResponses(written, (name) => read(joinPath(directory, name)));
  return {
    folders: includeFolders(words).map((folder) => joinPath(directory, folder)),
    defines: definedSymbols(words),
  };
}

/** On Windows a backslash stands between folders, and only before a quote does it mean what it means to a shell. */
function plainlyWritten(entry: object, text: string): string {
  return /^[A-Za-z]:/.test(textOf(entry, 'directory') ?? '') ? text.replace(/\\(?!")/g, '/') : text;
}

function textOf(entry: object, key: string): string | undefined {
  const value: unknown = Reflect.get(entry, key);
  return typeof value === 'string' ? value : undefined;
}
