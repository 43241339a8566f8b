/** The road from text to findings and pictures, one phase a line. */

import type { Language as Grammar, Parser } from 'web-tree-sitter';
import type { Finding, Fix, Gap } from './base/finding.ts';
import { LazyMap } from './base/lazy-map.ts';
import { createSourceText, type SourceText } from './base/source-text.ts';
import { type Span, spanKey } from './base/span.ts';
import { buildFacts, type Facts } from './checks/facts.ts';
import { candidateFixes } from './checks/fixes/fixes.ts';
import { type Report, sometimesPrefix } from './checks/run.ts';
import type { DriverOptions } from './driver/driver.ts';
import { explore } from './interpret/explore.ts';
import { Cancelled } from './interpret/world.ts';
import type { EntryResult } from './judge/entry-result.ts';
import { judgeProgram } from './judge/judge-program.ts';
import { linkWithLibrary } from './judge/link-with-library.ts';
import { type FileCache, resultCacheOf } from './judge/result-cache.ts';
import { noteUnread } from './judge/unread.ts';
import { libraryHeaders } from './models/library-headers.ts';
import { buildModelTable, type ModelTable } from './models/model.ts';
import { cudaModels, typescriptModels } from './models/registry.ts';
import { parseModelFile } from './models/user-models.ts';
import { halfTypedIn } from './program/half-typed.ts';
import type { FunctionDefinition } from './program/program.ts';
import type { Step } from './replay/answers.ts';
import { replayCase } from './replay/replay-program.ts';
import { buildScene } from './scene/build-scene.ts';
import { type CallSite, callSites } from './scene/call-coverage.ts';
import { summariseFunctions } from './scene/function-summaries.ts';
import { hoverAt } from './scene/hover.ts';
import type { Scene } from './scene/scene.ts';
import type { WhatIfChange } from './scene/what-if-change.ts';
import { type ModuleCaches, type ReadInclude, readModules, type SourcesNear } from './syntax/read-modules.ts';
import { useRuntime } from './syntax/tree-walk.ts';
import type { Trace } from './trace/event.ts';
import { verifiedFixes } from './verify-fixes.ts';
import { codeFor, type Paths, type ReadAgain, type Reading, type WhatIfCode, whatIfScene } from './what-if/what-if.ts';

export type Language = 'cuda' | 'typescript';

/** What the engine needs from outside: the grammars, read by whoever runs it (a file, a fetch, a test). */
export type WasmName = 'web-tree-sitter.wasm' | 'tree-sitter-cuda.wasm' | 'tree-sitter-typescript.wasm';
export type WasmLoader = (name: WasmName) => Promise<Uint8Array>;

export { Cancelled };

export interface Engine {
  /** Throws {@link Cancelled} when `isCancelled` turns true; anything else that is thrown is a defect of ours. */
  analyse(input: AnalysisInput): Analysis;
  /** Runs through all that an analysis runs through, and keeps nothing of it: the code is compiled when it is needed. Throws like `analyse`. */
  rehearse(input: AnalysisInput): void;
}

/** An engine that can also run recorded programs again. */
export interface ReplayEngine extends Engine {
  /** Reads a program that records what CUDA answers, to predict what it would record. */
  replay(input: AnalysisInput): RecordedProgram;
}

/** A program that records the steps of a case, chosen by its name on the command line. */
export interface RecordedProgram {
  /** The steps predicted for a case; empty when the program has no such case. */
  steps(name: string, options: DriverOptions): readonly Step[];
}

export interface AnalysisInput {
  /** Path or URI; comes back in every span. */
  readonly file: string;
  readonly text: string;
  readonly language: Language;
  /** Reads a file named by `#include "…"` or `import`, relative to `from`; undefined when there is none. */
  readonly readInclude?: ReadInclude;
  /** Names, relative to a file, of source files that may be compiled with it, nearest first. */
  readonly sourcesNear?: SourcesNear;
  /** Symbols that the compiler is given, `NAME` or `NAME=VALUE` as behind `-D`; they come before what is assumed of a current CUDA. */
  readonly defines?: readonly string[];
  /** Contents of users' model files (JSON), in order. */
  readonly models?: readonly { readonly file: string; readonly text: string }[];
  /** The text is being typed: what is half typed is taken as it was in an earlier text that was whole, where there is one. */
  readonly isTyped?: boolean;
  /** Polled between phases and inside loops; when it turns true, `analyse` throws `Cancelled`. */
  readonly isCancelled?: () => boolean;
}

/** One line above a function that builds graphs. */
export interface FunctionSummary {
  readonly name: string;
  /** The function's name in its definition. */
  readonly span: Span;
  readonly nodes: number;
  readonly graphs: number;
  readonly peakBytes: number | null;
  readonly findings: number;
}

export interface Hover {
  readonly span: Span;
  readonly markdown: string;
}

export interface SceneOptions {
  /** Entry function; default `main`, else the first uncalled function. */
  readonly entry?: string;
  /** Values for symbols the text does not determine. */
  readonly settings?: Readonly<Record<string, number>>;
  /** Shows the program as it would be with these changes. */
  readonly changes?: readonly WhatIfChange[];
}

export interface Analysis {
  readonly file: string;
  readonly status: 'ok' | 'partial' | 'quarantined';
  readonly findings: readonly Finding[];
  readonly gaps: readonly Gap[];
  /** The pieces of the program whose text cannot be meant as it stands, as far as they were read: they are being typed. */
  halfTyped(): ReadonlySet<string>;
  /** The calls of CUDA in this file's text, with whether they were interpreted. Computed on demand. */
  callSites(): readonly CallSite[];
  /** Every file that took part, by the name its spans carry. */
  readonly sources: ReadonlyMap<string, SourceText>;
  readonly functions: readonly FunctionSummary[];
  /** Entry functions in order; `scene` shows one, `facts` has the ordinary path of each. */
  readonly entries: readonly string[];
  readonly facts: ReadonlyMap<string, Facts>;
  /** Repairs of a finding, each verified by re-analysing the edited text. Computed on demand. */
  fixes(finding: Finding): readonly Fix[];
  hover(offset: number): Hover | undefined;
  scene(options?: SceneOptions): Scene;
  /** The changes of a what-if as an edit of the text that was proved by analysing it. */
  whatIfCode(options: SceneOptions): WhatIfCode;
  /** One entry of this text, for changes to be tried on; null when there is no such entry. */
  reading(options: SceneOptions): Reading | null;
}

interface Grammars {
  readonly cuda: Parser;
  readonly typescript: Parser;
  readonly caches: ModuleCaches;
  /** Results of the files analysed last; null when each file is read once. */
  readonly results: Map<string, FileCache> | null;
}

export interface EngineOptions {
  /** The same files will be analysed again with other texts: what they hang on is noted. Default true. */
  readonly keepsResults?: boolean;
}

/** Loads the grammars once. Throws when a wasm file cannot be read or does not fit the runtime. */
export async function createEngine(load: WasmLoader, options: EngineOptions = {}): Promise<ReplayEngine> {
  const { Parser: ParserClass, Language: GrammarClass } = await import('web-tree-sitter');
  const runtime = { wasmBinary: await load('web-tree-sitter.wasm') };
  await ParserClass.init(runtime);
  useRuntime(runtime);
  const parserFor = async (name: WasmName): Promise<Parser> => {
    const grammar: Grammar = await GrammarClass.load(await load(name));
    const parser = new ParserClass();
    parser.setLanguage(grammar);
    return parser;
  };
  const grammars: Grammars = {
    cuda: await parserFor('tree-sitter-cuda.wasm'),
    typescript: await parserFor('tree-sitter-typescript.wasm'),
    caches: new Map(),
    results: options.keepsResults === false ? null : new Map(),
  };
  const engine: ReplayEngine = {
    analyse: (input) => analyse(engine, grammars, input),
    rehearse: (input) => void judge({ ...grammars, results: new Map() }, input),
    replay: (input) => {
      const { program, models } = readProgram(grammars, input);
      return {
        steps: (name, options) => replayCase(program, models, name, options, input.isCancelled ?? neverCancelled),
      };
    },
  };
  return engine;
}

/** The linked program of an input, and what is known about the libraries it calls. */
function readProgram(grammars: Grammars, input: AnalysisInput, check: () => void = () => undefined) {
  const userModels = (input.models ?? []).map((model) => parseModelFile(model.file, model.text));
  const models = modelsFor(
    input.language,
    userModels.flatMap((each) => (each.kind === 'model' ? [each.model] : [])),
  );
  const kind = input.language;
  const { caches } = grammars;
  const read = readModules({ kind, parser: grammars[kind] }, input.file, input.text, {
    readInclude: libraryHeaders(input.readInclude),
    sourcesNear: input.sourcesNear,
    defines: input.defines,
    isTyped: input.isTyped,
    caches,
    check,
  });
  const { sources } = read;
  const linked = linkWithLibrary(read.modules, models, (file, text) => {
    const further = readModules({ kind, parser: grammars[kind] }, file, text, { caches, check });
    for (const [name, source] of further.sources) sources.set(name, source);
    return further.modules;
  });
  return { ...linked, models, sources, userModels };
}

const neverCancelled = () => false;

/** Reads and judges the program of an input. */
function judge(grammars: Grammars, input: AnalysisInput) {
  const isCancelled = input.isCancelled ?? neverCancelled;
  const check = (): void => {
    if (isCancelled()) throw new Cancelled();
  };
  check();
  const read = readProgram(grammars, input, check);
  check();
  const world = [
    ...read.modules.flatMap((module) => [module.file, module.macroKey]),
    JSON.stringify([input.models ?? [], input.defines ?? []]),
  ];
  const cache = grammars.results && resultCacheOf(grammars.results, input.file, world);
  return { ...read, ...judgeProgram(read.program, read.models, read.sources, input.file, isCancelled, cache) };
}

function analyse(engine: Engine, grammars: Grammars, input: AnalysisInput): Analysis {
  const { program, models, modules, sources, userModels, results, rest, gaps, reached } = judge(grammars, input);
  for (const each of userModels)
    if (each.kind === 'error')
      gaps.set(each.message, { kind: 'model', name: each.message, span: { file: input.file, start: 0, end: 0 } });
  noteUnread(modules, reached.entered, gaps);
  return toAnalysis({
    engine,
    input,
    sources,
    results,
    rest,
    gaps: [...gaps.values()],
    pathsOf: (name) => {
      const entry = results.find((each) => each.entry.name === name)?.entry;
      return entry ? explore(program, models, entry, { isCancelled: input.isCancelled ?? neverCancelled }) : [];
    },
    definitions: program.allFunctions(),
    written: (name) => program.written(name),
    halfTyped: () => new Set(modules.flatMap(halfTypedIn)),
    callSites: () => callSites(modules, input.text, reached.called, reached.entered, [...gaps.values()]),
  });
}

const builtInModels = new Map<Language, ModelTable>();

function modelsFor(language: Language, users: Parameters<typeof buildModelTable>[0]): ModelTable {
  if (users.length > 0) return withModels(language, users);
  const known = builtInModels.get(language) ?? withModels(language, []);
  builtInModels.set(language, known);
  return known;
}

function withModels(language: Language, users: Parameters<typeof buildModelTable>[0]): ModelTable {
  return buildModelTable([...(language === 'cuda' ? cudaModels : typescriptModels), ...users]);
}

const emptyTrace: Trace = {
  entry: '',
  events: [],
  handles: [],
  allocations: [],
  decisions: [],
  gaps: [],
  untaken: new Map(),
  called: new Set(),
  end: 'complete',
  steps: 0,
  entered: new Set(),
  symbols: new Map(),
};

function findingKey(finding: Finding): string {
  return `${finding.rule} ${spanKey(finding.span)} ${finding.message}`;
}

/** A helper reached from two entries is reported once: what holds always before what holds on some paths. */
function uniqueFindings(findings: readonly Finding[]): Finding[] {
  const seen = new Map<string, Finding>();
  for (const finding of findings) {
    const key = findingKey({ ...finding, message: finding.message.replace(sometimesPrefix, '') });
    if (!seen.has(key) || (seen.get(key)?.certainty !== 'always' && finding.certainty === 'always'))
      seen.set(key, finding);
  }
  return [...seen.values()].sort((first, second) => first.span.start - second.span.start);
}

interface Parts {
  readonly engine: Engine;
  readonly input: AnalysisInput;
  readonly sources: ReadonlyMap<string, SourceText>;
  readonly results: readonly EntryResult[];
  readonly rest: readonly EntryResult[];
  readonly gaps: readonly Gap[];
  /** All paths from an entry, made anew: few ever ask, and they are large. */
  readonly pathsOf: (entry: string) => Paths;
  readonly definitions: readonly FunctionDefinition[];
  readonly written: (name: string) => string;
  readonly callSites: () => readonly CallSite[];
  readonly halfTyped: () => ReadonlySet<string>;
}

function toAnalysis(parts: Parts): Analysis {
  const { engine, input, sources, results, gaps } = parts;
  const facts = new LazyMap(results.map((each) => [each.entry.name, () => each.full().facts] as const));
  const findings = uniqueFindings([
    ...results.flatMap((each) => each.findings),
    ...parts.rest.flatMap((each) => each.findings),
  ]);
  const reportOf = (finding: Finding): Report | undefined => {
    const key = findingKey(finding);
    const owner = [...results, ...parts.rest].find((each) => each.findings.some((other) => findingKey(other) === key));
    return owner?.full().reports.find((report) => findingKey(report.finding) === key);
  };
  const source = sources.get(input.file) ?? createSourceText(input.file, input.text);
  const entries = [...facts.keys()];
  const entryOf = ({ entry }: SceneOptions): string | undefined =>
    entry !== undefined && facts.has(entry)
      ? entry
      : (results.find((each) => each.built.length > 0)?.entry.name ??
        entries.find((name) => (facts.get(name)?.execution.graphs.length ?? 0) > 0) ??
        entries[0]);
  const picture =
    (options: SceneOptions): Reading['picture'] =>
    (shown, found) =>
      buildScene({
        file: input.file,
        entry: entryOf(options) ?? '',
        entries,
        facts: shown,
        reports: found,
        gaps,
        sources,
        settings: options.settings ?? {},
      });
  const readAgain =
    (options: SceneOptions): ReadAgain =>
    (text) => {
      const entry = entryOf(options);
      const again = engine.analyse({ ...input, text, isTyped: false });
      return entry !== undefined && again.facts.has(entry) ? again.reading({ ...options, entry }) : null;
    };
  const analysis: Analysis = {
    file: input.file,
    status: gaps.length > 0 ? 'partial' : 'ok',
    findings,
    gaps,
    callSites: parts.callSites,
    halfTyped: parts.halfTyped,
    sources,
    functions: summariseFunctions(
      input.file,
      parts.definitions,
      results.flatMap((each) => each.built),
      findings,
      parts.written,
    ),
    entries,
    facts,
    fixes: (finding) => {
      const report = reportOf(finding);
      return report ? verifiedFixes(engine, input, analysis, finding, candidateFixes({ sources }, report)) : [];
    },
    hover: (offset) => {
      const text = hoverAt([...facts.values()], source, offset);
      return text
        ? { span: { file: input.file, start: text.start, end: text.end }, markdown: text.markdown }
        : undefined;
    },
    scene: (options = {}) => {
      const entry = entryOf(options);
      const reading = options.changes?.length ? analysis.reading(options) : null;
      if (reading) return whatIfScene(reading, options.changes ?? [], readAgain(options));
      const own = results.find((each) => each.entry.name === entry)?.full().reports ?? [];
      return picture(options)(facts.get(entry ?? '') ?? buildFacts(emptyTrace), own);
    },
    whatIfCode: (options) => {
      const reading = analysis.reading(options);
      return reading
        ? codeFor(reading, options.changes ?? [], readAgain(options))
        : { kind: 'refused', reason: 'There is nothing to change.' };
    },
    reading: (options) => {
      const paths = parts.pathsOf(entryOf(options) ?? '');
      return paths.length === 0
        ? null
        : { file: input.file, text: input.text, sources, gaps: gaps.length, paths, picture: picture(options) };
    },
  };
  return analysis;
}
