/** What the product says: findings (the user's mistakes) and gaps (our own limits). Never mixed, both shown. */

import type { Span } from './span.ts';

export type Severity = 'error' | 'warning' | 'hint' | 'info';

/** `always`: on every explored path; `sometimes`: on some path, worded "may" and one severity weaker. */
export type Certainty = 'always' | 'sometimes';

/** Another place that takes part: where the memory was allocated, freed, used, launched … */
export interface RelatedLocation {
  readonly role: string;
  readonly message: string;
  readonly span: Span;
}

/** One step of the path that proves an order, or one end of the order that is missing. */
export interface WitnessStep {
  readonly span: Span;
  readonly message: string;
}

export interface TextEdit {
  readonly span: Span;
  readonly newText: string;
}

/** A repair. Only fixes whose re-analysis showed the finding gone and no new one are ever offered. */
export interface Fix {
  readonly title: string;
  readonly edits: readonly TextEdit[];
}

export interface Finding {
  readonly rule: string;
  readonly severity: Severity;
  readonly certainty: Certainty;
  readonly message: string;
  readonly span: Span;
  readonly related: readonly RelatedLocation[];
  readonly witness: readonly WitnessStep[];
}

/** Something we did not understand: an unknown callee, a construct without a model, a budget that ran out. */
export interface Gap {
  readonly kind: string;
  readonly name: string;
  readonly span: Span;
}
