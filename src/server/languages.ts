/** Which documents are ours, and which of those are worth an analysis. */

import type { Language } from '../pipeline.ts';

const byExtension: Readonly<Record<string, Language>> = {
  cu: 'cuda',
  cuh: 'cuda',
  cpp: 'cuda',
  cxx: 'cuda',
  cc: 'cuda',
  c: 'cuda',
  h: 'cuda',
  hpp: 'cuda',
  hxx: 'cuda',
  hh: 'cuda',
  ts: 'typescript',
  mts: 'typescript',
  cts: 'typescript',
};

const byLanguageId: Readonly<Record<string, Language>> = {
  cuda: 'cuda',
  'cuda-cpp': 'cuda',
  cpp: 'cuda',
  c: 'cuda',
  typescript: 'typescript',
};

/** The front end for a document: its file name decides, its language id only where the name says nothing (untitled). */
export function languageOf(uri: string, languageId: string): Language | undefined {
  const name = /\.([A-Za-z]+)$/.exec(uri.replace(/[?#].*$/, ''))?.[1]?.toLowerCase();
  return (name === undefined ? undefined : byExtension[name]) ?? byLanguageId[languageId];
}

/** A name of CUDA's host API, a kernel launch, or our own name (annotations, the TypeScript API). */
const relevantText =
  /\bcuda[A-Z]\w|\bcu(?:Graph|Stream|Mem|Launch|Event|Ctx|Kernel)[A-Z]|<<<|graphmem|\brmm::|cuda_runtime/;

/** Whether the text can contain anything we speak of. Most C and TypeScript files do not, and must cost nothing. */
export function isRelevant(text: string): boolean {
  return relevantText.test(text);
}
