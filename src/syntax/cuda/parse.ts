/** CUDA C++ text to the host program: preprocess, parse, lower. */

import type { Parser } from 'web-tree-sitter';
import type { MacroDefinition, Module } from '../../program/program.ts';
import type { PartTexts } from './included-parts.ts';
import { createModuleCache, lowerModule, type ModuleCache } from './lower-module.ts';
import { defaultDefines, preprocess } from './preprocess.ts';
import { type LastPreprocessed, preprocessedAgain } from './preprocess-again.ts';
import { preprocessedBehind } from './preprocess-behind.ts';
import { hooksIn, retireAll } from './retired-macros.ts';

/** How a file is read, beyond its text. */
export interface CudaReading {
  /** The macros of files included before it. */
  readonly known?: ReadonlyMap<string, MacroDefinition>;
  /** What is assumed of the compiler. */
  readonly defines?: ReadonlyMap<string, string>;
  /** Makes the next reading of the file quicker. */
  readonly cache?: ModuleCache;
  /** Called between its items; may throw to end it. */
  readonly check?: () => void;
  /** What is half typed is taken as it was when it was whole, if `cache` has it. */
  readonly isTyped?: boolean;
  /** The files that are included inside braces. */
  readonly parts?: PartTexts | undefined;
  /** Macros of the file that are read where they are used. */
  readonly atUse?: ReadonlySet<string>;
  /** Others include it: the methods of its classes are read when they are needed. */
  readonly isIncluded?: boolean;
  /** The text as it was preprocessed by itself. */
  readonly alone?: LastPreprocessed | null | undefined;
}

/** Reads one file. */
export function parseCuda(parser: Parser, file: string, text: string, reading: CudaReading = {}): Module {
  const { known, parts, alone, defines = defaultDefines, cache = createModuleCache() } = reading;
  const { read } = cache;
  const isSame = read !== null && read.known === known && read.parts === parts && isSameMap(read.defines, defines);
  const result =
    (isSame && preprocessedAgain(file, read, text)) ||
    (known && alone?.text === text && preprocessedBehind(alone.result, defines, known, parts)) ||
    preprocess(file, text, defines, known, parts);
  cache.read = { text, result, known, parts, defines };
  const hooks = hooksIn(result, file);
  const preprocessed = retireAll(result, reading.atUse ? new Set([...hooks, ...reading.atUse]) : hooks);
  return lowerModule(parser, file, preprocessed, { ...reading, cache });
}

function isSameMap(first: ReadonlyMap<string, string>, second: ReadonlyMap<string, string>): boolean {
  if (first.size !== second.size) return false;
  for (const [name, value] of first) if (second.get(name) !== value) return false;
  return true;
}
