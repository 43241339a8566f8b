/** CUDA C++ text to the host program: preprocess, parse, lower. */

import type { Parser } from 'web-tree-sitter';
import type { MacroDefinition, Module } from '../../program/program.ts';
import type { PartTexts } from './included-parts.ts';
import { createModuleCache, lowerModule, type ModuleCache } from './lower-module.ts';
import { defaultDefines, preprocess } from './preprocess.ts';

/**
 * Reads one file. `known` are the macros of files included before it; `cache` makes the next reading of it quicker. `check` is called
 * between its items, and may throw to end it. `isTyped`: what is half typed is taken as it was when it was whole, if `cache` has it.
 * `parts`: the files that are included inside braces.
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
): Module {
  return lowerModule(parser, file, preprocess(file, text, defines, known, parts), cache, check, isTyped);
}
