/** The calls in which an event happened. */

import type { Span } from '../base/span.ts';

/** One call, innermost last. */
export interface Frame {
  readonly name: string;
  /** Where the function stands: overloads have one name. Lambdas have none. */
  readonly at?: Span;
  /** Of a lambda: the calls in which it was made. */
  readonly made?: readonly Frame[];
  /** Of a lambda: where it is written. */
  readonly lambda?: Span;
  /** Where the function was called. */
  readonly call: Span;
  /** The statement around that call. */
  readonly statement: Span;
}
