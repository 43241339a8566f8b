/** Elements of braced lists and of object literals. */

import type { Expression } from './program.ts';

/** `{a, .name = b}`, `{[3] = b}`, `{[0 ... 3] = b}` and `{name: b, ...c}`. */
export interface ListElement {
  readonly name: string | null;
  /** The element it says it is. */
  readonly index?: Expression;
  /** The last of those it says it is. */
  readonly lastIndex?: Expression;
  readonly value: Expression;
}
