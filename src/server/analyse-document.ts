/** One analysis of one version of one document. Whatever goes wrong becomes an outcome, never an exception. */

import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Analysis, AnalysisInput, Engine } from '../pipeline.ts';
import type { Relevance } from '../relevance/relevance.ts';
import type { Attempts } from './attempt.ts';
import { languageOf } from './languages.ts';

export type Outcome =
  | { readonly kind: 'analysed'; readonly analysis: Analysis }
  /** Nothing of ours is in the text, or the product is switched off. */
  | { readonly kind: 'irrelevant' }
  /** The engine failed on this text: it is set aside until it changes. */
  | { readonly kind: 'quarantined'; readonly reason: string }
  /** The text became old while it was being read. */
  | { readonly kind: 'stale' };

export interface Surroundings {
  /** The text may be in the middle of being typed. */
  readonly isTyped: boolean;
  readonly attempts: Attempts;
  readonly relevance: Relevance;
  readonly readInclude: NonNullable<AnalysisInput['readInclude']>;
  readonly sourcesNear: NonNullable<AnalysisInput['sourcesNear']>;
  readonly models: NonNullable<AnalysisInput['models']>;
  readonly defines: NonNullable<AnalysisInput['defines']>;
  readonly isStale: () => boolean;
}

/** Analyses the document, or says why not. */
export function analyseDocument(engine: Engine, document: TextDocument, around: Surroundings): Outcome {
  const input = inputOf(document, around);
  if (input === null) return { kind: 'irrelevant' };
  const result = around.attempts.attempt(() => engine.analyse(input), around.isStale);
  switch (result.kind) {
    case 'done':
      return { kind: 'analysed', analysis: result.value };
    case 'cancelled':
      return { kind: 'stale' };
    case 'failed':
      return { kind: 'quarantined', reason: result.reason };
  }
}

/** Has the engine rehearse the document's analysis; false when it was stopped, or failed. */
export function rehearseDocument(engine: Engine, document: TextDocument, around: Surroundings): boolean {
  const input = inputOf(document, around);
  return input !== null && around.attempts.attempt(() => engine.rehearse(input), around.isStale).kind === 'done';
}

/** What the engine is given; null when nothing of ours is in the text. */
function inputOf(document: TextDocument, around: Surroundings): AnalysisInput | null {
  const { uri } = document;
  const language = languageOf(uri, document.languageId);
  const text = document.getText();
  const { relevance, readInclude, sourcesNear, models, defines, isTyped } = around;
  if (language === undefined || !relevance.isRelevant(uri, text, language, models, readInclude, sourcesNear))
    return null;
  const { isCancelled } = around.attempts;
  return { file: uri, text, language, readInclude, sourcesNear, models, defines, isTyped, isCancelled };
}
