/** CUDA C++ text to the host program: preprocess, parse, lower. */

import type { Parser } from 'web-tree-sitter';
import type { MacroDefinition, Module } from '../../program/program.ts';
import type { PartTexts } from './included-parts.ts';
import { createModuleCache, lowerModule, type ModuleCache } from './lower-module.ts';
import { defaultDefines, preprocess } from './preprocess.ts';
import { type LastPreprocessed, preprocessedAgain } from './preprocess-again.ts';
import { preprocessedBehind } from './preprocess-behind.ts';
import { retireAll } from './retired-macros.ts';

/**
 * Reads one file. `known` are the macros of files included before it; `cache` makes the next reading of it quicker. `check` is called
 * between its items, and may throw to end it. `isTyped`: what is half typed is taken as it was when it was whole, if `cache` has it.
 * `parts`: the files that are included inside braces. `atUse`: macros of the file that are read where they are used. `isIncluded`: the
 * methods of its classes are read when they are needed. `alone`: the text as it was preprocessed by itself.
 */
export function parseCuda(
  parser: Parser,
  file: string,
  text: string,
  known?: ReadonlyMap<string, MacroDefinition>,
  defines: ReadonlyMap<string, string> = defaultDefines,
  cache: ModuleCache = createModuleCache(),
  check: () => void = () => undefined,
  isTyped = false,
  parts?: PartTexts,
  atUse: ReadonlySet<string> = new Set(),
  isIncluded = false,
  alone: LastPreprocessed | null = null,
): Module {
  const { read } = cache;
  const isSame = read !== null && read.known === known && read.parts === parts && isSameMap(read.defines, defines);
  const result =
    (isSame && preprocessedAgain(file, read, text)) ||
    (known && alone?.text === text && preprocessedBehind(alone.result, defines, known, parts)) ||
    preprocess(file, text, defines, known, parts);
  cache.read = { text, result, known, parts, defines };
  const preprocessed = retireAll(result, atUse);
  return lowerModule(parser, file, preprocessed, cache, check, isTyped, isIncluded);
}

function isSameMap(first: ReadonlyMap<string, string>, second: ReadonlyMap<string, string>): boolean {
  if (first.size !== second.size) return false;
  for (const [name, value] of first) if (second.get(name) !== value) return false;
  return true;
}
