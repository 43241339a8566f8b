/** What a rule is: a frozen value that queries finished facts. Rules never walk syntax. */

import type { Certainty, Severity } from '../base/finding.ts';
import type { Facts } from './facts.ts';
import type { Repair } from './repair.ts';

/** A step of the proof: an event, and what it shows. */
export interface Step {
  readonly event: number;
  readonly message: string;
}

/** A finding on one path, in terms of the trace. */
export interface Violation {
  /** The event the report stands on. */
  readonly event: number;
  readonly message: string;
  readonly certainty: Certainty;
  /** Where it is not as bad as the rule says. */
  readonly severity?: Severity;
  readonly related: readonly { readonly role: string; readonly event: number; readonly message: string }[];
  readonly witness: readonly Step[];
  readonly repairs: readonly Repair[];
  /** What it is about, so that the same mistake is reported once, whichever path it is met on: an allocation, a graph. */
  readonly subject: string;
  /** What the program calls the memory or the handle that it is about, an element with its index; absent where that has no name. */
  readonly thing?: string;
  /** It is none unless every path that makes the call has it: what it rests on may hang on a choice. */
  readonly isMeantForAllPaths?: boolean;
  /** Further events that it rests on: where the memory it is about was allocated. */
  readonly restsOn?: readonly number[];
  /** The events that the mistake is made of, where not all that is named is: it stands in the call that has these in it. */
  readonly madeOf?: readonly number[];
}

export type RuleGroup = 'A' | 'B' | 'C' | 'D' | 'E' | 'F' | 'G' | 'L' | 'M';

export interface Rule {
  /** Stable id: `graph-use-free-race`. */
  readonly id: string;
  /** Number in the catalogue: `A3`. */
  readonly number: string;
  readonly group: RuleGroup;
  readonly severity: Severity;
  /** One sentence: what is wrong. */
  readonly summary: string;
  /** Why it matters: what CUDA does at run time. */
  readonly why: string;
  readonly remedy: string;
  /** Section of the guide, header comment or recording that the rule rests on. */
  readonly source: string;
  /** A smallest program that violates it; the line under each violation carries carets. */
  readonly bad: string;
  readonly good: string;
  check(facts: Facts): readonly Violation[];
}

export function defineRule(rule: Rule): Rule {
  return Object.freeze(rule);
}
