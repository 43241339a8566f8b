/** Template arguments are types or expressions; this tells them apart. */

import type { Span } from '../../base/span.ts';
import type { Expression, TypeReference } from '../../program/program.ts';

export function isType(argument: TypeReference | Expression): argument is TypeReference {
  return !('kind' in argument);
}

/** A number or a condition; a name that the parser took for a type is one, too. */
export function asExpression(argument: TypeReference | Expression, span: Span): Expression {
  if (!isType(argument)) return argument;
  const { name, arguments: list, qualifier } = argument;
  if (list.length === 0 && !qualifier) return { kind: 'name', name, span };
  return { kind: 'name', name, template: { arguments: list, qualifier: qualifier ?? null }, span };
}
