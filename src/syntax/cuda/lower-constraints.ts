/** What a function template asks of its arguments: `template <Movable T>`, `requires Movable<T> && …`, `Movable auto x`. */

import type { Expression, Parameter, TypeReference } from '../../program/program.ts';
import type { RequiresExpression } from '../../program/requires-expression.ts';
import { typeNamed } from '../../program/type-named.ts';
import { childByField, childOfType, namedChildren, type SyntaxNode } from '../syntax-tree.ts';
import { type LowerContext, spanOf, textOf } from './lower-context.ts';
import { lowerExpression } from './lower-expressions.ts';
import { lowerTemplateArguments, lowerTypeName, qualifiedName } from './lower-types.ts';

/** What the head of a template says, in `<…>` and behind it. Of `template <Kind K>` only the program tells whether that is a concept. */
export function constraintsOfHead(context: LowerContext, node: SyntaxNode): Expression[] {
  const list = childByField(node, 'parameters');
  const said = (list ? namedChildren(list) : []).flatMap((child) => {
    const type = child.type === 'parameter_declaration' ? childByField(child, 'type') : undefined;
    const name = childByField(child, 'declarator');
    const ofConcept = type && name && isConceptName(type) ? [conceptOn(context, type, textOf(context, name))] : [];
    return [...ofConcept, ...enabledBy(context, child)];
  });
  return [...said, ...requiredBy(context, node)];
}

/** What `std::enable_if_t<…>` asks in a result's type, or in a parameter's of the template; the head of a template inside is its own. */
export function enabledBy(context: LowerContext, node: SyntaxNode): Expression[] {
  if (node.type === 'template_type' && /^enable_if(?:_t)?$/.test(textOf(context, childByField(node, 'name') ?? node))) {
    const asked = namedChildren(childByField(node, 'arguments') ?? node)[0];
    return asked ? [lowerConstraint(context, asked)] : [];
  }
  return throughWhichEnabled.has(node.type) ? namedChildren(node).flatMap((child) => enabledBy(context, child)) : [];
}

const throughWhichEnabled = new Set([
  'dependent_type',
  'optional_parameter_declaration',
  'optional_type_parameter_declaration',
  'qualified_identifier',
]);

/** `f() requires …`. */
export function requiredBy(context: LowerContext, node: SyntaxNode): Expression[] {
  const clause = childOfType(node, 'requires_clause');
  const constraint = clause && (childByField(clause, 'constraint') ?? namedChildren(clause)[0]);
  return constraint ? [lowerConstraint(context, constraint)] : [];
}

/**
 * `auto f(T &t) -> decltype(t.size())`, `f(typename T::type *)`: a template whose head means nothing for what it is given is passed over. As if it
 * required that.
 */
export function meaningsOf(
  context: LowerContext,
  declarator: SyntaxNode,
  parameters: readonly Parameter[],
): RequiresExpression[] {
  const trailing = childOfType(declarator, 'trailing_return_type');
  const result = trailing && trailing.end > trailing.start ? lowerTypeName(context, namedChildren(trailing)[0]!) : null;
  const ofParameters = parameters.map(({ type }) => type);
  const needs = [...(result ? [result] : []), ...ofParameters].flatMap((type): RequiresExpression['needs'] => {
    if (type.of) return [type.of];
    return /^[A-Za-z_]\w*::\w+$/.test(type.name) ? [type] : [];
  });
  if (needs.length === 0) return [];
  const span = spanOf(context, declarator);
  return [{ kind: 'requires', parameters, needs, text: textOf(context, declarator), span }];
}

/** The concept of `Movable auto x`, on a template parameter that stands for the type of `x`. */
export function constraintOfParameter(
  context: LowerContext,
  node: SyntaxNode,
): { readonly parameter: string; readonly constraint: Expression } | null {
  const type = childByField(node, 'type');
  const concept = type?.type === 'placeholder_type_specifier' ? childByField(type, 'constraint') : undefined;
  if (!concept || node.type !== 'parameter_declaration') return null;
  const parameter = `(auto ${node.start})`;
  return { parameter, constraint: conceptOn(context, concept, parameter) };
}

function isConceptName({ type }: SyntaxNode): boolean {
  return type === 'type_identifier' || type === 'template_type' || type === 'qualified_identifier';
}

/** `Movable<T>`, `Convertible<T, int>`. */
function conceptOn(context: LowerContext, node: SyntaxNode, parameter: string): Expression {
  const on: TypeReference = typeNamed(parameter);
  const { name, template } = qualifiedName(context, node);
  const given = template ? lowerTemplateArguments(context, template) : [];
  return { kind: 'name', name, template: { qualifier: null, arguments: [on, ...given] }, span: spanOf(context, node) };
}

function lowerConstraint(context: LowerContext, node: SyntaxNode): Expression {
  const span = spanOf(context, node);
  switch (node.type) {
    case 'constraint_conjunction':
    case 'constraint_disjunction': {
      const [left, right] = [childByField(node, 'left'), childByField(node, 'right')];
      if (!left || !right) break;
      return {
        kind: 'binary',
        operator: node.type === 'constraint_conjunction' ? '&&' : '||',
        left: lowerConstraint(context, left),
        right: lowerConstraint(context, right),
        span,
      };
    }
    case 'template_type':
    case 'qualified_identifier': {
      const { name, template } = qualifiedName(context, node);
      if (!template) break;
      const given = lowerTemplateArguments(context, template);
      return { kind: 'name', name, template: { qualifier: null, arguments: given }, span };
    }
    case 'type_descriptor':
    case 'parenthesized_expression': {
      const [inner] = namedChildren(node);
      if (inner) return lowerConstraint(context, inner);
    }
  }
  return lowerExpression(context, node);
}
