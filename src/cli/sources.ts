/** Paths on the command line to analysed files. */

import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { createCompileCommands, largestText } from '../base/compile-commands.ts';
import { decodeText } from '../base/decode-text.ts';
import type { Finding, Fix } from '../base/finding.ts';
import { createSourcesNear } from '../base/sources-near.ts';
import type { Analysis, Engine } from '../pipeline.ts';
import { languageOfName } from '../relevance/languages.ts';
import { createRelevance } from '../relevance/relevance.ts';
import type { CallSite } from '../scene/call-coverage.ts';
import { reasonOf } from './reasons.ts';

const skipped = new Set(['node_modules', '.git', 'build', 'dist']);

/** What the paths of a command line lead to. */
export interface FoundFiles {
  readonly files: readonly string[];
  /** Folders below those named that could not be looked into. */
  readonly unreadable: readonly { readonly file: string; readonly reason: string }[];
}

/** Files named, and those below the folders named, in order. An error where a path that was named cannot be read. */
export function findFiles(paths: readonly string[]): FoundFiles | { readonly error: string } {
  const files: string[] = [];
  const unreadable: { file: string; reason: string }[] = [];
  const walk = (folder: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true }).sort((first, second) =>
      first.name < second.name ? -1 : 1,
    )) {
      const full = path.join(folder, entry.name);
      if (entry.isDirectory()) {
        if (!skipped.has(entry.name)) walkBelow(full);
      } else if (entry.isFile() && languageOfName(entry.name)) files.push(full);
    }
  };
  const walkBelow = (folder: string): void => {
    try {
      walk(folder);
    } catch (error) {
      unreadable.push({ file: folder, reason: reasonOf(error) });
    }
  };
  for (const each of paths) {
    try {
      if (statSync(each).isDirectory()) walk(each);
      else files.push(each);
    } catch (error) {
      return { error: `${reasonOf(error)}: ${each}` };
    }
  }
  return { files, unreadable };
}

export type FileOutcome =
  | { readonly kind: 'analysed'; readonly file: string; readonly analysis: Analysis; readonly milliseconds: number }
  | { readonly kind: 'irrelevant'; readonly file: string; readonly milliseconds: number }
  | {
      readonly kind: 'quarantined';
      readonly file: string;
      readonly reason: string;
      /** It is no source text, whatever its name says: a folder may hold such files. */
      readonly isNoText?: boolean;
      readonly milliseconds: number;
    };

/** What a report says of a file: findings with their fixes, gaps, calls, and the texts that they point into. Plain data, which threads can send. */
export interface FileReport extends Pick<Analysis, 'findings' | 'gaps' | 'status' | 'sources'> {
  readonly fixes: ReadonlyMap<Finding, readonly Fix[]>;
  /** The calls of CUDA in the file; none where nobody asked. */
  readonly calls: readonly CallSite[];
}

export type FileReportOutcome =
  | { readonly kind: 'analysed'; readonly file: string; readonly analysis: FileReport; readonly milliseconds: number }
  | Exclude<FileOutcome, { kind: 'analysed' }>;

/** `withCalls`: count the calls of CUDA, too. Analyses a file and lets go of everything that a report does not say, so that a large tree fits into memory. */
export function reportFile(
  engine: Engine,
  file: string,
  models: readonly { file: string; text: string }[],
  defines: readonly string[],
  withCalls: boolean,
): FileReportOutcome {
  const outcome = analyseFile(engine, file, models, defines);
  return outcome.kind === 'analysed' ? { ...outcome, analysis: reportOf(outcome.analysis, withCalls) } : outcome;
}

function reportOf(analysis: Analysis, withCalls: boolean): FileReport {
  const { findings, gaps, status } = analysis;
  const fixes = new Map(findings.map((finding) => [finding, analysis.fixes(finding)]));
  const spans = [
    ...gaps.map((gap) => gap.span),
    ...findings.flatMap((each) => [
      each.span,
      ...each.related.map((other) => other.span),
      ...each.witness.map((step) => step.span),
    ]),
    ...[...fixes.values()].flat().flatMap((fix) => fix.edits.map((edit) => edit.span)),
  ];
  const mentioned = new Set(spans.map((span) => span.file));
  const sources = new Map([...analysis.sources].filter(([name]) => mentioned.has(name)));
  return { findings, gaps, status, sources, fixes, calls: withCalls ? analysis.callSites() : [] };
}

export function analyseFile(
  engine: Engine,
  file: string,
  models: readonly { file: string; text: string }[],
  defines: readonly string[],
): FileOutcome {
  const started = performance.now();
  const milliseconds = (): number => Math.round((performance.now() - started) * 100) / 100;
  try {
    const bytes = readFileSync(file);
    if (bytes.length > largestText(file))
      return {
        kind: 'quarantined',
        file,
        reason: `larger than ${largestText(file) >> 20} MiB`,
        isNoText: true,
        milliseconds: milliseconds(),
      };
    const text = decodeText(bytes);
    if (text === null)
      return { kind: 'quarantined', file, reason: 'a binary file', isNoText: true, milliseconds: milliseconds() };
    const language = languageOfName(file) ?? 'cuda';
    if (!relevance.isRelevant(file, text, language, models, readInclude, sourcesNear))
      return { kind: 'irrelevant', file, milliseconds: milliseconds() };
    const symbols = [...compileCommands.defines(fullPath(file)), ...defines];
    const analysis = engine.analyse({
      file,
      text,
      language,
      models,
      defines: symbols,
      readInclude,
      sourcesNear,
    });
    return { kind: 'analysed', file, analysis, milliseconds: milliseconds() };
  } catch (error) {
    return {
      kind: 'quarantined',
      file,
      reason: reasonOf(error),
      milliseconds: milliseconds(),
    };
  }
}

/** Texts of files that were looked for, as a command finds them: many files include the same ones. */
const included = new Map<string, string | undefined>();
/** Characters of text that are remembered. */
const mostRemembered = 16 << 20;
let remembered = 0;

/** A file that is included; undefined for what is not there, too large or not text. */
function readIncluded(file: string): string | undefined {
  if (included.has(file)) return included.get(file);
  const text = readFromDisk(file);
  // A compilation database is asked for once, and would leave no room for others.
  if (text && text.length > mostRemembered / 4) return text;
  remembered += text?.length ?? 0;
  if (remembered <= mostRemembered) included.set(file, text);
  return text;
}

function readFromDisk(file: string): string | undefined {
  try {
    const stats = statSync(file, { throwIfNoEntry: false });
    if (!stats?.isFile() || stats.size > largestText(file)) return undefined;
    return decodeText(readFileSync(file)) ?? undefined;
  } catch {
    return undefined;
  }
}

const compileCommands = createCompileCommands(readIncluded);
const relevance = createRelevance();

/** As compilation databases name files. */
function fullPath(file: string): string {
  return path.resolve(file).split(path.sep).join('/');
}

const near = createSourcesNear(compileCommands.compiledWith, (folder) => {
  try {
    return readdirSync(folder);
  } catch {
    return undefined;
  }
});

/** Source files that may be compiled with a file, relative to its folder. */
function sourcesNear(file: string, headers: readonly string[] = []): readonly string[] {
  return near(fullPath(file), headers.map(fullPath));
}

/** `#include "name"`: beside the file that says it, by its compile command, or above. Paths stay relative where they were. */
export function readInclude(name: string, from: string, isAngled = false): { file: string; text: string } | undefined {
  const beside = path.join(path.dirname(from), name);
  const text = isAngled ? undefined : readIncluded(beside);
  if (text !== undefined) return { file: beside, text };
  const found = compileCommands.find(name, fullPath(from), isAngled);
  return found && { file: path.isAbsolute(from) ? found.path : path.relative('.', found.path), text: found.text };
}
