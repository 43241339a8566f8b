/**
 * Which files are ours, and which of those are worth an analysis: the same on the command line and in the editor.
 *
 * Most C, C++ and TypeScript files have nothing to do with CUDA and must cost nothing. One has when it names something of CUDA's, when it
 * names a function that a user's model describes, or when a header of the project that it includes calls CUDA: then its own text may
 * use the classes and functions of that header only.
 */

import { parseModelFile } from './models/user-models.ts';
import type { AnalysisInput, Language } from './pipeline.ts';

const byExtension: ReadonlyMap<string, Language> = new Map([
  ...['cu', 'cuh', 'cpp', 'cxx', 'cc', 'c', 'h', 'hpp', 'hxx', 'hh'].map((each) => [each, 'cuda'] as const),
  ...['ts', 'mts', 'cts'].map((each) => [each, 'typescript'] as const),
]);

/** The front end for a file by its name or URI; undefined where the name says nothing. */
export function languageOfName(name: string): Language | undefined {
  return byExtension.get(/\.([A-Za-z]+)$/.exec(name)?.[1]?.toLowerCase() ?? '');
}

/** A name of CUDA's host API, a kernel launch, or our own name (annotations, the TypeScript API). */
const ours = /cuda[A-Z]\w|\bcu(?:Graph|Stream|Mem|Launch|Event|Ctx|Kernel)[A-Z]|<<<|graphmem|\brmm::|cuda_runtime/;

/** A call that makes, uses or frees what we follow. A header that only names types asks nothing of CUDA. */
const call =
  /\bcuda(?:Graph|Stream|Malloc|Free|Mem|Launch|Event)\w*\s*\(|\bcu(?:Graph|Stream|Mem|Launch|Event)\w*\s*\(|<<</;

const directive = /^[ \t]*#[ \t]*include[ \t]*(?:"([^"\n]+)"|<([^>\n]+)>)/gm;

/** Headers that are looked into for one file: as many as are read with it. */
const mostHeaders = 64;

type ReadInclude = NonNullable<AnalysisInput['readInclude']>;
type Models = NonNullable<AnalysisInput['models']>;

interface Include {
  readonly name: string;
  readonly isAngled: boolean;
}

interface Header {
  readonly file: string;
  readonly callsCuda: boolean;
  readonly includes: readonly Include[];
}

export interface Relevance {
  /** Whether the text of `file` can contain anything we speak of. */
  isRelevant(file: string, text: string, language: Language, models: Models, readInclude: ReadInclude): boolean;
  /** An open file was edited. Answers whether it is a header that was looked into; then all headers are looked into again. */
  edited(file: string): boolean;
  /** Files came, went or changed. */
  forget(): void;
}

/** Remembers the headers that it looked into, since many files include the same ones. */
export function createRelevance(): Relevance {
  /** By including file and what it says; null for what is not there. */
  const found = new Map<string, Header | null>();
  const headers = new Map<string, Header>();
  let named: { readonly models: Models; readonly pattern: RegExp | null } | undefined;

  const headerAt = ({ name, isAngled }: Include, from: string, readInclude: ReadInclude): Header | null => {
    const key = `${from}\n${isAngled ? '<' : '"'}${name}`;
    const known = found.get(key);
    if (known !== undefined) return known;
    const read = readInclude(name, from, isAngled);
    const header = read ? (headers.get(read.file) ?? headerOf(read)) : null;
    if (header) headers.set(header.file, header);
    found.set(key, header);
    return header;
  };

  /** In the order in which the headers are read with the file. */
  const reachCalls = (
    includes: readonly Include[],
    from: string,
    readInclude: ReadInclude,
    seen: Set<string>,
  ): boolean => {
    for (const include of includes) {
      if (seen.size > mostHeaders) return false;
      const header = headerAt(include, from, readInclude);
      if (!header || seen.has(header.file)) continue;
      seen.add(header.file);
      if (header.callsCuda || reachCalls(header.includes, header.file, readInclude, seen)) return true;
    }
    return false;
  };

  const forget = (): void => {
    found.clear();
    headers.clear();
  };

  return {
    isRelevant(file, text, language, models, readInclude) {
      if (ours.test(text)) return true;
      if (named?.models !== models) named = { models, pattern: namePattern(models) };
      if (named.pattern?.test(text)) return true;
      return language === 'cuda' && reachCalls(includesOf(text), file, readInclude, new Set([file]));
    },
    edited(file) {
      const isHeader = headers.has(file);
      if (isHeader) forget();
      return isHeader;
    },
    forget,
  };
}

function headerOf({ file, text }: { readonly file: string; readonly text: string }): Header {
  return { file, callsCuda: call.test(text), includes: includesOf(text) };
}

function includesOf(text: string): readonly Include[] {
  return [...text.matchAll(directive)].map(([, quoted, angled]) => ({
    name: quoted ?? angled ?? '',
    isAngled: quoted === undefined,
  }));
}

/** The functions that users' models describe, by their plain names; null where there are none. */
function namePattern(models: Models): RegExp | null {
  const names = models.flatMap((each) => {
    const parsed = parseModelFile(each.file, each.text);
    return parsed.kind === 'model' ? parsed.model.rows.map((row) => row.name.split('::').at(-1) ?? row.name) : [];
  });
  if (names.length === 0) return null;
  const patterns = names.map((name) => {
    const plain = name.replace(/\*$/, '').replace(/[^\w]/g, '\\$&');
    return name.endsWith('*') ? plain : `${plain}\\b`;
  });
  return new RegExp(`\\b(?:${patterns.join('|')})`);
}
