/** A file and the files it includes, read and lowered; each once, cycles and all. */

import type { Parser } from 'web-tree-sitter';
import { companionsOf } from '../base/companion-names.ts';
import { createSourceText, type SourceText } from '../base/source-text.ts';
import { commandLine, type MacroDefinition, type Module } from '../program/program.ts';
import {
  clashingMacros,
  definingAlone,
  isProgram,
  joined,
  leavingOpen,
  leftOpen,
  seemsToDefine,
} from './companions.ts';
import { type DefinedAround, definedBefore, givenTo } from './cuda/defined-before.ts';
import { isPartOfFile, type PartTexts } from './cuda/included-parts.ts';
import { createModuleCache, type ModuleCache } from './cuda/lower-module.ts';
import { parseCuda } from './cuda/parse.ts';
import { defaultDefines, type Preprocessed, preprocess } from './cuda/preprocess.ts';
import { type LastPreprocessed, preprocessedAgain } from './cuda/preprocess-again.ts';
import { type KeptScripts, type ParsedScript, readScripts } from './typescript/read-scripts.ts';

/** A file found. */
interface FileRead {
  readonly file: string;
  readonly text: string;
}

/** `isAngled`: it is looked for where the project has its headers, and not beside the file. */
export type ReadInclude = (name: string, from: string, isAngled?: boolean) => FileRead | undefined;

/**
 * Names, relative to a file, of source files that may be compiled with it and that define what its headers declare; without it only
 * those that go with headers by name are found.
 */
export type SourcesNear = (file: string, headers?: readonly string[]) => readonly string[];

/** `NAME` and `NAME=VALUE`, as behind `-D`, as the lines they amount to. */
function definitionsOf(defines: readonly string[]): string {
  const lines = defines.flatMap((each) => {
    const [, name, value] = /^([A-Za-z_]\w*)(?:=([^\n]*))?$/.exec(each.trim()) ?? [];
    return name === undefined ? [] : [`#define ${name} ${value ?? '1'}\n`];
  });
  return lines.join('');
}

/** What is kept of a file that was read, so that a keystroke costs what it changed. */
interface KeptFile {
  readonly items: ModuleCache;
  /** The last reading: it holds for the same text behind the same macros. */
  last: {
    readonly text: string;
    readonly given: string;
    readonly isTyped: boolean;
    readonly known: ReadonlyMap<string, MacroDefinition>;
    readonly parts: PartTexts | undefined;
    readonly module: Module;
  } | null;
  /** What the text includes as far as it says by itself. */
  includes?: LastPreprocessed;
  /** What the text seems to define, for a file that was only looked at. */
  seen?: { readonly text: string; readonly names: ReadonlySet<string> };
  /** The same of a file of TypeScript. */
  script?: ParsedScript;
}

/** The files read last, latest at the end. */
export type ModuleCaches = Map<string, KeptFile>;

/** Characters of text of which the readings are kept, whatever a program needs besides. */
const keptCharacters = 600_000;

/** Stands between the name of a file that others include and the macros that were read where they are used. */
const withMacros = '\n';

/** Forgets what was read longest ago, but nothing of the program just read. */
function forgetOldest(caches: ModuleCaches, inUse: ReadonlyMap<string, SourceText>): void {
  let characters = 0;
  for (const kept of caches.values()) characters += charactersOf(kept);
  for (const [file, kept] of caches) {
    if (characters <= keptCharacters || inUse.has(file.split(withMacros, 1)[0]!)) return;
    caches.delete(file);
    characters -= charactersOf(kept);
  }
}

function charactersOf({ last, script, seen }: KeptFile): number {
  return (last ?? script ?? seen)?.text.length ?? 0;
}

function keptFor(caches: ModuleCaches, file: string): KeptFile {
  const kept = caches.get(file) ?? { items: createModuleCache(), last: null };
  caches.delete(file);
  caches.set(file, kept);
  return kept;
}

/** Whether the two hold the same definitions: those of a file that is not read again stay the same objects. */
function sameMacros(
  first: ReadonlyMap<string, MacroDefinition>,
  second: ReadonlyMap<string, MacroDefinition>,
): boolean {
  if (first.size !== second.size) return false;
  for (const [name, macro] of first) if (second.get(name) !== macro) return false;
  return true;
}

function sameParts(first: PartTexts | undefined, second: PartTexts | undefined): boolean {
  if (!first || !second) return first === second;
  if (first.size !== second.size) return false;
  for (const [name, text] of first) if (second.get(name) !== text) return false;
  return true;
}

function copyOf(parts: PartTexts | undefined): PartTexts | undefined {
  return parts && new Map(parts);
}

export interface FrontEnd {
  readonly kind: 'cuda' | 'typescript';
  readonly parser: Parser;
}

/** A larger source file, in characters, is not read into another's program. */
const largestCompanion = 400_000;

/** Files beyond this are not followed. */
const maximumFiles = 64;

/** What a file is read with. */
export interface ModulesReading {
  readonly readInclude?: ReadInclude | undefined;
  readonly sourcesNear?: SourcesNear | undefined;
  /** Symbols that the compiler is given, `NAME` or `NAME=VALUE`. */
  readonly defines?: readonly string[] | undefined;
  /** What is half typed is taken as it was when it was whole. */
  readonly isTyped?: boolean | undefined;
  /** Makes the next reading quicker. */
  readonly caches?: ModuleCaches;
  /** Called now and then; may throw to end the reading. */
  readonly check?: () => void;
}

/** Modules, and the texts of all files that took part. */
interface ReadProgram {
  readonly modules: Module[];
  readonly sources: Map<string, SourceText>;
}

/** The primary file's module first, then those of its includes. */
export function readModules(
  { kind, parser }: FrontEnd,
  file: string,
  text: string,
  reading: ModulesReading = {},
): ReadProgram {
  const { caches = new Map() } = reading;
  const readProgram = kind === 'typescript' ? readScriptProgram : readCudaProgram;
  const program = readProgram(parser, file, text, { ...reading, caches });
  forgetOldest(caches, program.sources);
  return program;
}

type KeptReading = ModulesReading & { readonly caches: ModuleCaches };

function readScriptProgram(parser: Parser, file: string, text: string, reading: KeptReading): ReadProgram {
  const { caches, readInclude } = reading;
  const sources = new Map<string, SourceText>([[file, createSourceText(file, text)]]);
  const scripts: KeptScripts = {
    get: (name) => caches.get(name)?.script,
    set: (name, script) => {
      keptFor(caches, name).script = script;
    },
  };
  return { modules: readScripts(parser, file, text, readInclude, scripts, sources), sources };
}

function readCudaProgram(parser: Parser, file: string, text: string, reading: KeptReading): ReadProgram {
  const { caches, check, readInclude, sourcesNear, defines = [], isTyped = false } = reading;
  const sources = new Map<string, SourceText>([[file, createSourceText(file, text)]]);
  const included: Module[] = [];
  const given = definitionsOf(defines);
  const symbols = new Map(defaultDefines);
  const macros = new Map<string, MacroDefinition>();
  /** By file: what it includes inside braces. */
  const partsOf = new Map<string, Map<string, string>>();
  const read = (name: string, content: string, atUse: ReadonlySet<string> = new Set()): Module => {
    const isIncluded = name !== file;
    const kept = keptFor(caches, isIncluded ? `${name}${withMacros}${[...atUse].join()}` : name);
    const { last } = kept;
    const isSame = last?.text === content && last.given === given && last.isTyped === isTyped;
    // What is the same stays the same object: what hangs on it is kept.
    const parts = last && sameParts(last.parts, partsOf.get(name)) ? last.parts : copyOf(partsOf.get(name));
    const known = last && sameMacros(last.known, macros) ? last.known : new Map(macros);
    if (isSame && last.parts === parts && last.known === known) return last.module;
    const module = parseCuda(parser, name, content, {
      known,
      defines: symbols,
      cache: kept.items,
      ...(check ? { check } : {}),
      isTyped,
      parts,
      atUse,
      isIncluded,
      alone: caches.get(isIncluded ? `${name}${withMacros}` : name)?.includes,
    });
    kept.last = { text: content, given, isTyped, known, parts, module };
    return module;
  };
  if (given !== '') {
    const module = read(commandLine, given);
    sources.set(commandLine, createSourceText(commandLine, given));
    for (const [name, macro] of module.macros) {
      macros.set(name, macro);
      // What is assumed of the compiler gives way.
      if (symbols.has(name)) symbols.set(name, macro.body.trim());
    }
    included.push(module);
  }
  const visit = (from: string, looked: Preprocessed, around: DefinedAround): void => {
    for (const include of looked.includes) {
      const found = sources.size < maximumFiles ? readInclude?.(include.name, from, include.isAngled) : undefined;
      const before: DefinedAround = (name) => definedBefore(looked, name, include.span.start) ?? around(name);
      const isOfFile = found && !include.isPart && isPartOfFile(include, found.text, before);
      if (found && (include.isPart || isOfFile)) {
        const parts = partsOf.get(from) ?? new Map<string, string>();
        partsOf.set(from, parts.set(include.name, found.text));
      }
      if (!found || isOfFile || sources.has(found.file)) continue;
      sources.set(found.file, createSourceText(found.file, found.text));
      const alone = lookedThrough(keptFor(caches, `${found.file}${withMacros}`), found.file, found.text);
      // What a source file tells its headers, and theirs; what headers tell one another often turns on whole libraries.
      const told = around === nothingAround ? before : around;
      const asked = givenTo(alone, macros, told);
      visit(found.file, asked ? preprocess(found.file, found.text, symbols, asked) : alone, told);
      for (const [name, macro] of asked ?? []) macros.set(name, macro);
      const module = read(found.file, found.text);
      for (const name of asked?.keys() ?? []) macros.delete(name);
      for (const [name, macro] of module.macros) if (asked?.get(name) !== macro) macros.set(name, macro);
      included.push(module);
    }
  };
  if (readInclude) visit(file, lookedThrough(keptFor(caches, file), file, text), nothingAround);
  const primary = read(file, text);
  /** Reads a source file, and its headers, into the program; leaves no trace where it belongs to another. */
  const take = (found: FileRead): void => {
    const before = included.length;
    const macrosBefore = new Map(macros);
    sources.set(found.file, createSourceText(found.file, found.text));
    visit(
      found.file,
      lookedThrough(keptFor(caches, `${found.file}${withMacros}`), found.file, found.text),
      nothingAround,
    );
    const plain = read(found.file, found.text);
    const modules = [primary, ...included];
    const clashing = clashingMacros(plain, modules);
    const companion = joined(clashing.size === 0 ? plain : read(found.file, found.text, clashing), modules);
    if (companion) {
      included.push(companion);
      return;
    }
    for (const { file: name } of [...included.splice(before), plain]) sources.delete(name);
    macros.clear();
    for (const [name, macro] of macrosBefore) macros.set(name, macro);
  };
  if (readInclude && isProgram(primary)) {
    const program = { primary, included, sources, readInclude, take };
    if (takeCompanionsOfHeaders(program) && sourcesNear) takeSourcesNear(program, sourcesNear, caches);
  }
  return { modules: [primary, ...included], sources };
}

/** A program that takes in source files as long as it leaves something open. */
interface GrowingProgram {
  readonly primary: Module;
  readonly included: readonly Module[];
  readonly sources: ReadonlyMap<string, SourceText>;
  readonly readInclude: ReadInclude;
  /** Adds a file, with its headers, unless it belongs to another program. */
  readonly take: (found: FileRead) => void;
}

/** Takes the files that go with headers by name. Whether something is left open then. */
function takeCompanionsOfHeaders({ primary, included, sources, readInclude, take }: GrowingProgram): boolean {
  let leaving = leavingOpen([primary, ...included]);
  for (const header of [...included]) {
    if (!leaving.has(header)) continue;
    const found = firstOf(companionsOf(header.file), (name) =>
      sources.size < maximumFiles ? readInclude(name, header.file) : undefined,
    );
    if (!found || sources.has(found.file)) continue;
    take(found);
    leaving = leavingOpen([primary, ...included]);
  }
  return leaving.size > 0;
}

/** Takes the source files near the program that alone define what it leaves open. */
function takeSourcesNear(program: GrowingProgram, sourcesNear: SourcesNear, caches: ModuleCaches): void {
  const { primary, included, sources, readInclude, take } = program;
  const headers = included.map((each) => each.file);
  const near = definitionsNear(caches, primary.file, headers, sourcesNear, readInclude);
  while (sources.size < maximumFiles) {
    const others = [...near].filter(([, { file }]) => !sources.has(file));
    const open = leftOpen([primary, ...included], (key) => others.some(([names]) => names.has(key)));
    const next = definingAlone(
      others.map(([names]) => names),
      open,
    );
    const found = next && near.get(next);
    if (!found) break;
    near.delete(next);
    take(found);
  }
}

/** The source files near a file and its headers that are no programs of their own, by what they seem to define. */
function definitionsNear(
  caches: ModuleCaches,
  file: string,
  headers: readonly string[],
  sourcesNear: SourcesNear,
  readInclude: ReadInclude,
): Map<ReadonlySet<string>, FileRead> {
  const near = new Map<ReadonlySet<string>, FileRead>();
  for (const name of sourcesNear(file, headers)) {
    const found = readInclude(name, file);
    if (!found || found.text.length > largestCompanion) continue;
    const kept = keptFor(caches, found.file);
    if (kept.seen?.text !== found.text) kept.seen = { text: found.text, names: seemsToDefine(found.text) };
    near.set(kept.seen.names, found);
  }
  return near;
}

function firstOf<T>(names: readonly string[], find: (name: string) => T | undefined): T | undefined {
  for (const name of names) {
    const found = find(name);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** What a file includes and defines as far as it says by itself, before the macros of others are known. */
function lookedThrough(kept: KeptFile, file: string, text: string): Preprocessed {
  const again = kept.includes && preprocessedAgain(file, kept.includes, text);
  kept.includes = { text, result: again ?? preprocess(file, text) };
  return kept.includes.result;
}

const nothingAround: DefinedAround = () => undefined;
