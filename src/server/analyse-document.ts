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
  const language = languageOf(document.uri, document.languageId);
  const text = document.getText();
  const { attempts, relevance, readInclude, sourcesNear, models, defines, isStale, isTyped } = around;
  if (language === undefined || !relevance.isRelevant(document.uri, text, language, models, readInclude, sourcesNear))
    return { kind: 'irrelevant' };
  const { isCancelled } = attempts;
  const result = attempts.attempt(
    () =>
      engine.analyse({
        file: document.uri,
        text,
        language,
        readInclude,
        sourcesNear,
        models,
        defines,
        isTyped,
        isCancelled,
      }),
    isStale,
  );
  switch (result.kind) {
    case 'done':
      return { kind: 'analysed', analysis: result.value };
    case 'cancelled':
      return { kind: 'stale' };
    case 'failed':
      return { kind: 'quarantined', reason: result.reason };
  }
}
