/** Macros as they are defined. */

import type { Span } from '../base/span.ts';

/** The file in which macros stand that the compiler is given by `-D`. */
export const commandLine = '<command line>';

/** In front of a parameter's name, in the name of what stands for `#name` in a body: as long as the sign. */
export const textMark = '$';

/** `#define NAME(parameters) body`: lowered when first used, its spans pointing into the definition. */
export interface MacroDefinition {
  readonly name: string;
  /** null for an object-like macro. `...` as last parameter means variadic. */
  readonly parameters: readonly string[] | null;
  readonly body: string;
  readonly span: Span;
  /** The body's offset in the file. */
  readonly bodyStart: number;
  /** It stands for a file that is included in the middle of something. */
  readonly isIncluded?: boolean;
}
