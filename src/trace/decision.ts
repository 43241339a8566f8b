/** What the text leaves open, and which way a path went there. */

import type { Span } from '../base/span.ts';
import type { Size } from './size.ts';

/** How sure it is that a piece of program does something that CUDA sees. */
export type Acting = 'never' | 'perhaps' | 'surely';

/** A choice that the text leaves open, and how this path took it. */
export interface Decision {
  readonly key: string;
  readonly span: Span;
  readonly taken: boolean;
  /** The arm not taken leaves the function or the program. */
  readonly otherExits: boolean;
  /** Whether CUDA is called in one of the arms. */
  readonly acting: Acting;
  /** It says whether a loop goes on. */
  readonly isLoop: boolean;
  /** A count is 0, and a function leaves because it has nothing to do. */
  readonly isOfNothing: boolean;
  /** A loop that may do something was passed over because of it. */
  readonly passesOver?: boolean;
  /** It chooses nothing but what the program returns. */
  readonly isOfEnd: boolean;
  /** What was asked, where that is about symbols. */
  readonly condition: Size | null;
  /** Where in the text it is asked about, or may be. */
  readonly places: readonly Span[];
  /** At least so many events came before it. */
  readonly at: number;
}
