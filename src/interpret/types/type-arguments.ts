/** Template arguments, which are types or expressions. */

import type { Span } from '../../base/span.ts';
import type { Expression, TypeReference } from '../../program/program.ts';
import { isType } from '../../program/type-named.ts';

export { isType };

/** A number or a condition; a name that the parser took for a type is one, too. */
export function asExpression(argument: TypeReference | Expression, span: Span): Expression {
  if (!isType(argument)) return argument;
  const { name, arguments: list, qualifier } = argument;
  if (list.length === 0 && !qualifier) return { kind: 'name', name, span };
  return { kind: 'name', name, template: { arguments: list, qualifier: qualifier ?? null }, span };
}
