/** Pointers to functions: what they take tells which function of a name is meant where they are given one. */

import type { TypeReference } from '../../program/program.ts';
import { typeNamed } from '../../program/type-named.ts';
import { childByField, namedChildren, type SyntaxNode } from '../syntax-tree.ts';
import type { LowerContext } from './lower-context.ts';
import { lowerParameters } from './lower-functions.ts';
import type { Declared } from './lower-types.ts';
import { isMarkedMember } from './member-pointers.ts';

/** `int (*f)(double)` as a type. */
export function functionPointer(context: LowerContext, declared: Declared): TypeReference {
  return withTaken(context, { ...typeNamed('std::function'), extents: declared.extents }, declared);
}

/** The same type, with what a function that is pointed to takes; of `std::function<int(double)>` nobody has to know. */
export function withTaken(
  context: LowerContext,
  type: TypeReference,
  { functionDeclarator }: Pick<Declared, 'functionDeclarator'>,
): TypeReference {
  const pointer = functionDeclarator ? childByField(functionDeclarator, 'declarator') : undefined;
  if (!functionDeclarator || !pointer?.type.endsWith('parenthesized_declarator')) return type;
  const list = childByField(functionDeclarator, 'parameters');
  if (!list) return type;
  const takes = lowerParameters(context, list).map((parameter) => parameter.type);
  return isOfMember(context, pointer) ? { ...type, takes, isOfMember: true } : { ...type, takes };
}

/** `R(int, A...)`, a type of functions that a template is given or asks for: what they return, with what they take. */
export function functionType(
  context: LowerContext,
  type: TypeReference,
  { functionDeclarator, pointers }: Pick<Declared, 'functionDeclarator' | 'pointers'>,
): TypeReference | null {
  const list = functionDeclarator && childByField(functionDeclarator, 'parameters');
  if (!functionDeclarator || !list || pointers > 0 || childByField(functionDeclarator, 'declarator')) return null;
  const takes = lowerParameters(context, list).map((parameter) =>
    parameter.isPack ? { ...parameter.type, name: `${parameter.type.name}...` } : parameter.type,
  );
  return { ...type, takes };
}

/** `(T::*f)`, of which the class was blanked. */
function isOfMember(context: LowerContext, pointer: SyntaxNode): boolean {
  const star = namedChildren(pointer)[0];
  return star?.type.endsWith('pointer_declarator') === true && isMarkedMember(context.text, star.start);
}
