/** The cases of a `switch`, as they stand in its body. */

import type { Expression, Statement } from './program.ts';

export interface SwitchCase {
  /** Null for `default`, and for what stands before the first case. */
  readonly value: Expression | null;
  /** Of `case first ... last`: the last. */
  readonly last?: Expression;
  readonly body: readonly Statement[];
  /** It stands inside a statement of the case before, a loop or a branch: where this label is. */
  readonly inside?: string;
  /** Statements before the first case, of which only what a label in them leads to is reached, and what they make known. */
  readonly isBefore?: boolean;
}

/** Whether it is `default`. */
export function isDefaultCase({ value, isBefore }: SwitchCase): boolean {
  return value === null && !isBefore;
}
