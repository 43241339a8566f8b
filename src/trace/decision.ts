/** Choices that the text of a program leaves open. */

import type { Span } from '../base/span.ts';

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
  /** At least so many events came before it. */
  readonly at: number;
}
