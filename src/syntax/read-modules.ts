/** A file and the files it includes, read and lowered; each once, cycles and all. */

import type { Parser } from 'web-tree-sitter';
import { createSourceText, type SourceText } from '../base/source-text.ts';
import type { MacroDefinition, Module } from '../program/program.ts';
import { createModuleCache, type ModuleCache } from './cuda/lower-module.ts';
import { parseCuda } from './cuda/parse.ts';
import { defaultDefines, preprocess } from './cuda/preprocess.ts';
import { parseTypeScript } from './typescript/parse.ts';

export type ReadInclude = (name: string, from: string) => { readonly file: string; readonly text: string } | undefined;

/** Caches of the files read last, so that a keystroke costs what it changed. */
export type ModuleCaches = Map<string, ModuleCache>;

/** Files of which the items are kept. */
const keptFiles = 6;

function cacheFor(caches: ModuleCaches | undefined, file: string): ModuleCache {
  const known = caches?.get(file) ?? createModuleCache();
  if (!caches) return known;
  caches.delete(file);
  caches.set(file, known);
  for (const name of caches.keys()) {
    if (caches.size <= keptFiles) break;
    caches.delete(name);
  }
  return known;
}

export interface FrontEnd {
  readonly kind: 'cuda' | 'typescript';
  readonly parser: Parser;
}

/** Files beyond this are not followed. */
const maximumFiles = 64;

/** The primary file's module first, then those of its includes. */
export function readModules(
  frontEnd: FrontEnd,
  file: string,
  text: string,
  readInclude?: ReadInclude,
  caches?: ModuleCaches,
  check: () => void = () => undefined,
): { modules: Module[]; sources: Map<string, SourceText> } {
  const sources = new Map<string, SourceText>([[file, createSourceText(file, text)]]);
  if (frontEnd.kind === 'typescript') return { modules: [parseTypeScript(frontEnd.parser, file, text)], sources };
  const included: Module[] = [];
  const macros = new Map<string, MacroDefinition>();
  const visit = (from: string, content: string): void => {
    for (const include of preprocess(from, content).includes) {
      const found = sources.size < maximumFiles ? readInclude?.(include.name, from) : undefined;
      if (!found || sources.has(found.file)) continue;
      sources.set(found.file, createSourceText(found.file, found.text));
      visit(found.file, found.text);
      const module = parseCuda(
        frontEnd.parser,
        found.file,
        found.text,
        new Map(macros),
        defaultDefines,
        cacheFor(caches, found.file),
        check,
      );
      for (const [name, macro] of module.macros) macros.set(name, macro);
      included.push(module);
    }
  };
  if (readInclude) visit(file, text);
  return {
    modules: [
      parseCuda(frontEnd.parser, file, text, macros, defaultDefines, cacheFor(caches, file), check),
      ...included,
    ],
    sources,
  };
}
