/** The file that an item is read from, and what is said of what could not be read. */

import type { Parser } from 'web-tree-sitter';
import type { Span } from '../../base/span.ts';
import type { MacroDefinition } from '../../program/program.ts';
import type { Packing } from './packing.ts';
import type { PieceRules } from './prepare.ts';
import type { RetiredMacro } from './retired-macros.ts';

/** The file an item belongs to. */
export interface ItemSource {
  readonly parser: Parser;
  readonly file: string;
  readonly text: string;
  readonly macros: ReadonlyMap<string, MacroDefinition>;
  readonly retired: readonly RetiredMacro[];
  readonly rules: PieceRules;
  readonly packings: readonly Packing[];
  /** Others include it: what stands in the methods of its classes is read when it is needed. */
  readonly isIncluded: boolean;
}

/** A part that nobody could read. */
export interface Unread {
  readonly what: string;
  readonly span: Span;
}
