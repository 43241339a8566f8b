/**
 * Which texts are worth an analysis. Most C, C++ and TypeScript files have nothing to do with CUDA and must cost nothing. One has when it
 * names something of CUDA's, when it names a function that a user's model describes, or when it names a function, a class or a macro
 * of a header of the project in which CUDA is called.
 */

import { companionsOf } from '../base/companion-names.ts';
import { testMacros } from '../base/test-macros.ts';
import { parseModelFile } from '../models/user-models.ts';
import type { AnalysisInput, Language } from '../pipeline.ts';
import { addNamesThatCall, mentions } from './names-that-call.ts';

/** A name of CUDA's host API, a kernel launch, or our own name (annotations, the TypeScript API). */
const ours = /cuda[A-Z]\w|\bcu(?:Graph|Stream|Mem|Launch|Event|Ctx|Kernel)[A-Z]|<<<|graphmem|\brmm::|cuda_runtime/;

const directive = /^[ \t]*#[ \t]*include[ \t]*(?:"([^"\n]+)"|<([^>\n]+)>)/gm;

/** A source file that is made part of this one, whether anything in it is named here or not. */
const includedSource = /^[ \t]*#[ \t]*include[ \t]*["<][^">\n]+\.(?:cu|c|cc|cpp|cxx)[">]/m;

const beginning = /\bmain\s*\(/;

/** The beginning of a program, or a test: it is read with other source files of the project. */
const program = new RegExp(`\\b(?:main|${testMacros.join('|')})\\s*\\(`);

/** Headers that are looked into for one file: as many as are read with it. */
const mostHeaders = 64;

type ReadInclude = NonNullable<AnalysisInput['readInclude']>;
type SourcesNear = NonNullable<AnalysisInput['sourcesNear']>;
type Models = NonNullable<AnalysisInput['models']>;

export interface Relevance {
  /** Whether the text of `file` can contain anything we speak of. */
  isRelevant(
    file: string,
    text: string,
    language: Language,
    models: Models,
    readInclude: ReadInclude,
    sourcesNear?: SourcesNear,
  ): boolean;
  /** An open file has this text now. Answers whether it is a header for which that changes anything; then all are looked into again. */
  edited(file: string, text: string): boolean;
  /** Files came, went or changed. */
  forget(): void;
}

interface Header {
  /** Of its own, and of what it includes: the names in which CUDA is called. */
  readonly names: ReadonlySet<string>;
  /** Those of what it includes. */
  readonly included: ReadonlySet<string>;
  readonly includes: string;
}

/** Remembers the headers that it looked into, since many files include the same ones. */
export function createRelevance(): Relevance {
  /** The file of a header, by including file and what it says; null for what is not there. */
  const found = new Map<string, string | null>();
  const headers = new Map<string, Header>();
  let named: { readonly models: Models; readonly pattern: RegExp | null } | undefined;

  const namesOfIncludes = (file: string, text: string, readInclude: ReadInclude, left: { count: number }) => {
    const names = new Set<string>();
    for (const [, quoted, angled] of text.matchAll(directive)) {
      const isAngled = quoted === undefined;
      const name = quoted ?? angled ?? '';
      const key = `${file}\n${isAngled ? '<' : '"'}${name}`;
      const known = found.get(key);
      let header = known;
      if (known === undefined) {
        if (left.count <= 0) break;
        const read = readInclude(name, file, isAngled);
        header = read?.file ?? null;
        found.set(key, header);
        if (read && !headers.has(read.file)) {
          left.count--;
          // In a circle of headers the first one begins without the names of the others.
          headers.set(read.file, headerOf('', new Set()));
          headers.set(read.file, headerOf(read.text, namesOfIncludes(read.file, read.text, readInclude, left)));
        }
      }
      for (const each of (header && headers.get(header)?.names) || []) names.add(each);
    }
    return names;
  };

  /** What is called in the source files that go with the headers of a program, and in those near it. */
  const namesOfCompanions = (
    file: string,
    text: string,
    readInclude: ReadInclude,
    sourcesNear: SourcesNear,
    left: { count: number },
  ) => {
    const names = new Set<string>();
    for (const [, quoted, angled] of text.matchAll(directive)) {
      const header = found.get(`${file}\n${quoted === undefined ? '<' : '"'}${quoted ?? angled ?? ''}`);
      for (const name of header ? companionsOf(header) : []) {
        const key = `${header}\n"${name}`;
        if (!found.has(key) && left.count-- > 0) {
          const read = readInclude(name, header!);
          found.set(key, read?.file ?? null);
          if (read && !headers.has(read.file)) headers.set(read.file, headerOf(read.text, headers.get(header!)!.names));
        }
        const companion = found.get(key);
        for (const each of (companion && headers.get(companion)?.names) || []) names.add(each);
      }
    }
    for (const name of sourcesNear(file)) {
      const key = `${file}\n"${name}`;
      if (!found.has(key)) {
        if (left.count-- <= 0) break;
        const read = readInclude(name, file);
        found.set(key, read?.file ?? null);
        // What begins by itself is another program.
        const isPart = read && !beginning.test(read.text);
        if (isPart && !headers.has(read.file)) headers.set(read.file, headerOf(read.text, new Set()));
      }
      const source = found.get(key);
      for (const each of (source && headers.get(source)?.names) || []) names.add(each);
    }
    return names;
  };

  const forget = (): void => {
    found.clear();
    headers.clear();
  };

  return {
    isRelevant(file, text, language, models, readInclude, sourcesNear = () => []) {
      if (ours.test(text)) return true;
      if (named?.models !== models) named = { models, pattern: namePattern(models) };
      if (named.pattern?.test(text)) return true;
      if (language !== 'cuda') return false;
      const left = { count: mostHeaders };
      const names = namesOfIncludes(file, text, readInclude, left);
      return (
        mentions(text, names) ||
        (names.size > 0 && includedSource.test(text)) ||
        (program.test(text) && mentions(text, namesOfCompanions(file, text, readInclude, sourcesNear, left)))
      );
    },
    edited(file, text) {
      const known = headers.get(file);
      if (!known) return false;
      const now = headerOf(text, known.included);
      const isSame =
        now.includes === known.includes &&
        now.names.size === known.names.size &&
        [...now.names].every((name) => known.names.has(name));
      if (!isSame) forget();
      return !isSame;
    },
    forget,
  };
}

function headerOf(text: string, included: ReadonlySet<string>): Header {
  const names = new Set(included);
  addNamesThatCall(text, names);
  return { names, included, includes: [...text.matchAll(directive)].map(([line]) => line).join('\n') };
}

/** The functions that users' models describe, by their plain names; null where there are none. */
function namePattern(models: Models): RegExp | null {
  const names = models.flatMap((each) => {
    const parsed = parseModelFile(each.file, each.text);
    return parsed.kind === 'model' ? parsed.model.rows.map((row) => row.name.split('::').at(-1) ?? row.name) : [];
  });
  if (names.length === 0) return null;
  const patterns = names.map((name) => {
    const [start = '', end] = name.split('*').map((part) => part.replace(/[^\w]/g, '\\$&'));
    return end === undefined ? `${start}\\b` : end === '' ? start : `${start}\\w*${end}\\b`;
  });
  return new RegExp(`\\b(?:${patterns.join('|')})`);
}
