/** The engine as tests use it: loaded once a process, grammars from `node_modules`, includes from a folder or nowhere. */

import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Analysis, createEngine, type Language, type ReplayEngine, type WasmName } from '../../src/pipeline.ts';

export const repository = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..', '..');

const folders: Readonly<Record<WasmName, string>> = {
  'web-tree-sitter.wasm': 'web-tree-sitter',
  'tree-sitter-cuda.wasm': 'tree-sitter-cuda',
  'tree-sitter-typescript.wasm': 'tree-sitter-typescript',
};

export function readGrammar(name: WasmName): Promise<Uint8Array> {
  return readFile(path.join(repository, 'node_modules', folders[name], name));
}

let loading: Promise<ReplayEngine> | undefined;

export function testEngine(): Promise<ReplayEngine> {
  loading ??= createEngine(readGrammar);
  return loading;
}

export function languageOf(file: string): Language {
  return file.endsWith('.ts') ? 'typescript' : 'cuda';
}

/** Analyses a text that includes nothing. */
export async function analyseText(
  text: string,
  language: Language = 'cuda',
  file = language === 'cuda' ? 'program.cu' : 'program.ts',
): Promise<Analysis> {
  const engine = await testEngine();
  return engine.analyse({ file, text, language });
}

/** Analyses a file of the repository under its relative name; includes are read beside it. */
export async function analyseRepositoryFile(file: string): Promise<Analysis> {
  const engine = await testEngine();
  return engine.analyse({
    file,
    text: readFileSync(path.join(repository, file), 'utf8'),
    language: languageOf(file),
    readInclude: (name, from) => {
      const included = path.posix.join(path.posix.dirname(from), name);
      const absolute = path.join(repository, included);
      return existsSync(absolute) ? { file: included, text: readFileSync(absolute, 'utf8') } : undefined;
    },
  });
}
