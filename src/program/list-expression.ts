/** A list in braces, or an array or object of TypeScript's. */

import type { Span } from '../base/span.ts';
import type { ListElement } from './list-element.ts';

/** `{a, .b = c}`, `[a, b]`, `{ a, b: c }`. */
export interface ListExpression {
  readonly kind: 'list';
  readonly elements: readonly ListElement[];
  /** It is an array or object by itself, which whoever is given it shares: TypeScript's. */
  readonly isShared?: boolean;
  /** It is what a constructor is given, `new T({a})`, and not how an object begins, `new T{a}`. */
  readonly isArgument?: boolean;
  /** It is an object also where it is empty. */
  readonly isObject?: boolean;
  readonly span: Span;
}
