/** CUDA C++ text to the host program: preprocess, parse, lower. */

import type { Parser } from 'web-tree-sitter';
import type { MacroDefinition, Module } from '../../program/program.ts';
import type { PartTexts } from './included-parts.ts';
import { createModuleCache, lowerModule, type ModuleCache } from './lower-module.ts';
import { defaultDefines, preprocess } from './preprocess.ts';
import { retireAll } from './retired-macros.ts';

/**
 * Reads one file. `known` are the macros of files included before it; `cache` makes the next reading of it quicker. `check` is called
 * between its items, and may throw to end it. `isTyped`: what is half typed is taken as it was when it was whole, if `cache` has it.
 * `parts`: the files that are included inside braces. `atUse`: macros of the file that are read where they are used. `isIncluded`: the
 * methods of its classes are read when they are needed.
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
): Module {
  const preprocessed = retireAll(preprocess(file, text, defines, known, parts), atUse);
  return lowerModule(parser, file, preprocessed, cache, check, isTyped, isIncluded);
}
