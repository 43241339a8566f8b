/** `template <class T, class P = Default, int... N>`: the parameters, and what they are when nobody says. */

import { isNumberName } from '../../program/number-types.ts';
import type { Expression, TypeReference } from '../../program/program.ts';
import { childByField, namedChildren, type SyntaxNode } from '../syntax-tree.ts';
import { constraintsOfHead } from './lower-constraints.ts';
import type { LowerContext } from './lower-context.ts';
import { lowerExpression } from './lower-expressions.ts';
import { lowerDeclarator, lowerTypeName } from './lower-types.ts';

export interface TemplateHead {
  /** `T...` for a pack. */
  readonly names: readonly string[];
  /** In the same order; empty when no parameter has one. */
  readonly defaults: readonly (TypeReference | Expression | null)[];
  /** The names of a head before this one: of the class, where a member template is defined outside of it. */
  readonly outer?: readonly string[];
  /** What it asks of what is given for them. */
  readonly constraints?: readonly Expression[];
}

export const noTemplate: TemplateHead = { names: [], defaults: [] };

export function templateHeadOf(context: LowerContext, node: SyntaxNode): TemplateHead {
  const list = childByField(node, 'parameters');
  const constraints = constraintsOfHead(context, node);
  return { ...templateParametersIn(context, list), ...(constraints.length > 0 ? { constraints } : {}) };
}

/** What stands between the brackets; nothing for no list. */
export function templateParametersIn(
  context: LowerContext,
  list: SyntaxNode | undefined,
): Pick<TemplateHead, 'names' | 'defaults'> {
  const defaults: (TypeReference | Expression | null)[] = [];
  const names = (list ? namedChildren(list) : []).map((child) => {
    const type = childByField(child, 'default_type');
    const value = childByField(child, 'default_value');
    // `template <class> class Holder`: its own parameters come first, then its name.
    const own = child.type === 'template_template_parameter_declaration' ? namedChildren(child).at(-1)! : child;
    const first = childByField(own, 'declarator') ?? childByField(own, 'name') ?? namedChildren(own)[0];
    const name = first && first !== type ? lowerDeclarator(context, first).name.replace(/^\.\.\.\s*/, '') : '';
    // `template <Allocator A = Heap>`: what is asked of the type stands where the type of a number would.
    const named = type ?? (value && isNamedType(context, child, value) ? value : undefined);
    defaults.push(named ? lowerTypeName(context, named) : value ? lowerExpression(context, value) : null);
    return own.type.startsWith('variadic_') ? `${name}...` : name;
  });
  return { names, defaults: defaults.some((each) => each !== null) ? defaults : [] };
}

/** A default that is a name, of a parameter that is no number: it reads as an argument of that name does. */
function isNamedType(context: LowerContext, parameter: SyntaxNode, { type }: SyntaxNode): boolean {
  const written = childByField(parameter, 'type');
  return (
    (type === 'identifier' || type === 'template_function') &&
    written !== undefined &&
    written.type !== 'primitive_type' &&
    !isNumberName(lowerTypeName(context, written).name)
  );
}
