/** What a template asks of what it is given. */

import type { Span } from '../base/span.ts';
import type { Expression, Parameter, TypeReference } from './program.ts';

/** `requires(T t) { t.close(); typename T::type; }`. */
export interface RequiresExpression {
  readonly kind: 'requires';
  readonly parameters: readonly Parameter[];
  readonly needs: readonly (Expression | TypeReference)[];
  /** How it was written. */
  readonly text: string;
  readonly span: Span;
}
