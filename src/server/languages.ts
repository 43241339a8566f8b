/** The front end for a document. */

import type { Language } from '../pipeline.ts';
import { languageOfName } from '../relevance/languages.ts';

const byLanguageId: Readonly<Record<string, Language>> = {
  cuda: 'cuda',
  'cuda-cpp': 'cuda',
  cpp: 'cuda',
  c: 'cuda',
  typescript: 'typescript',
};

/** Its file name decides, its language id only where the name says nothing (untitled). */
export function languageOf(uri: string, languageId: string): Language | undefined {
  return languageOfName(uri.replace(/[?#].*$/, '')) ?? byLanguageId[languageId];
}
