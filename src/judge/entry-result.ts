/** What the runs from one entry gave. */

import type { Finding, Gap } from '../base/finding.ts';
import type { Span } from '../base/span.ts';
import type { Facts } from '../checks/facts.ts';
import type { Report } from '../checks/run.ts';
import type { Entry } from '../interpret/entries.ts';
import type { TurnedChoices } from '../interpret/uneventful.ts';
import type { BuiltGraph } from '../scene/function-summaries.ts';

export interface EntryResult {
  readonly entry: Entry;
  readonly findings: readonly Finding[];
  readonly gaps: readonly Gap[];
  /** What its runs reached. */
  readonly reached: { readonly called: readonly Span[]; readonly entered: readonly Span[] };
  /** The choices that were turned. */
  readonly turned: TurnedChoices;
  readonly steps: number;
  readonly built: readonly BuiltGraph[];
  /** Everything about it. Kept from the run, or made anew when it is asked for: few ever ask, and it is large. */
  readonly full: () => EntryDetails;
}

export interface EntryDetails {
  /** The ordinary path. */
  readonly facts: Facts;
  readonly reports: readonly Report[];
}
