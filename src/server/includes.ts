/**
 * What the compilation database says of a document, and resolves `#include "name"` and `import 'name'`: beside the file that says it, by its compile command, or in the folders above.
 * Open documents come before the disk.
 */

import { createCompileCommands } from '../base/compile-commands.ts';
import { createSourcesNear } from '../base/sources-near.ts';
import type { AnalysisInput } from '../pipeline.ts';
import { createRecentAnswers, type RecentAnswers } from './recent-answers.ts';

export interface CompilationOfDocuments {
  readonly readInclude: NonNullable<AnalysisInput['readInclude']>;
  readonly sourcesNear: NonNullable<AnalysisInput['sourcesNear']>;
  /** Symbols that the document is compiled with. */
  readonly defines: (uri: string) => readonly string[];
}

/** `readText` gives the text of a URI, undefined when there is none; `listFolder` the names in a folder, by its URI. Which file an include means is kept among `recent`. */
export function createCompilation(
  readText: (uri: string) => string | undefined,
  listFolder: (uri: string) => readonly string[] | undefined = () => undefined,
  recent: RecentAnswers = createRecentAnswers(),
): CompilationOfDocuments {
  const commands = createCompileCommands((path) => readText(uriOf(path)));
  const findInclude = (name: string, from: string, isAngled: boolean | undefined): string | undefined => {
    const file = isAngled ? undefined : resolve(name, from);
    if (file !== undefined && readText(file) !== undefined) return file;
    const path = pathOf(from);
    const found = path === undefined ? undefined : commands.find(name.replaceAll('\\', '/'), path, isAngled);
    return found && uriOf(found.path);
  };
  const readInclude: CompilationOfDocuments['readInclude'] = (name, from, isAngled) => {
    const file = recent.of(`${isAngled ? '<' : '"'}${name}\n${from}`, () => findInclude(name, from, isAngled));
    const text = file === undefined ? undefined : readText(file);
    return file === undefined || text === undefined ? undefined : { file, text };
  };
  const defines = (uri: string): readonly string[] => {
    const path = pathOf(uri);
    return path === undefined ? [] : commands.defines(path);
  };
  const near = createSourcesNear(commands.compiledWith, (folder) => listFolder(uriOf(folder)));
  const sourcesNear: CompilationOfDocuments['sourcesNear'] = (uri, headers = []) => {
    const path = pathOf(uri);
    return path === undefined
      ? []
      : near(
          path,
          headers.flatMap((each) => pathOf(each) ?? []),
        );
  };
  return { readInclude, sourcesNear, defines };
}

/** Undefined where a relative name means nothing, as in a document that was never saved. */
function resolve(name: string, from: string): string | undefined {
  try {
    return new URL(asReference(name.replaceAll('\\', '/')), from).href;
  } catch {
    return undefined;
  }
}

/** Undefined for a document that is no file. */
function pathOf(uri: string): string | undefined {
  try {
    if (!uri.startsWith('file:')) return undefined;
    const path = decodeURIComponent(new URL(uri).pathname);
    return /^\/[A-Za-z]:\//.test(path) ? path.slice(1) : path;
  } catch {
    return undefined;
  }
}

function uriOf(path: string): string {
  return new URL(`file://${path.startsWith('/') ? '' : '/'}${asReference(path)}`).href;
}

/** A path as it stands in a URI, as editors write it: `%`, `#` and `?` are parts of names. */
function asReference(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}
