/** Expressions of C++ that say little to the host program: folds, assembly, requirements, texts in parts, `get<1>(t) = 0`. */

import type { Expression, Statement, TypeReference } from '../../program/program.ts';
import { childByField, childOfType, namedChildren, type SyntaxNode } from '../syntax-tree.ts';
import { textLiteral } from './literals.ts';
import { type LowerContext, spanOf, textOf } from './lower-context.ts';
import { lowerExpression } from './lower-expressions.ts';
import { lowerParameters } from './lower-functions.ts';
import { templateArgumentsOf } from './lower-postfix.ts';
import { lowerTemplateArguments, lowerTypeName } from './lower-types.ts';

/** `(f(x), ...)`, `(..., f(x))` and, with what it begins with, `(0 + ... + x)`. */
export function lowerFold(context: LowerContext, node: SyntaxNode): Expression {
  const operator = childByField(node, 'operator');
  return {
    kind: 'fold',
    operator: operator ? textOf(context, operator) : ',',
    parts: namedChildren(node).map((part) => lowerExpression(context, part)),
    isLeft: /^\(\s*\.\.\./.test(textOf(context, node)),
    span: spanOf(context, node),
  };
}

/** `asm("…" : "=r"(x))` does nothing to what CUDA sees: the variables that it writes are unknown afterwards. */
export function lowerAssembly(context: LowerContext, node: SyntaxNode): Expression {
  const span = spanOf(context, node);
  const outputs = childByField(node, 'output_operands');
  const written = outputs ? namedChildren(outputs).flatMap((each) => childByField(each, 'value') ?? []) : [];
  const expressions = written.map(
    (target): Expression => ({
      kind: 'assign',
      operator: '=',
      target: lowerExpression(context, target),
      value: { kind: 'name', name: `asm ${node.start}`, span },
      span,
    }),
  );
  return { kind: 'sequence', expressions, span };
}

/** `requires(T t) { t.size(); }`. */
export function lowerRequirement(context: LowerContext, node: SyntaxNode): Expression {
  const parameters = childByField(node, 'parameters');
  const needs = childByField(node, 'requirements');
  return {
    kind: 'requires',
    parameters: parameters ? lowerParameters(context, parameters) : [],
    needs: (needs ? namedChildren(needs) : []).flatMap((each): (Expression | TypeReference)[] => {
      const [inner] = namedChildren(each);
      if (!inner) return [];
      return [each.type === 'type_requirement' ? lowerTypeName(context, inner) : lowerExpression(context, inner)];
    }),
    text: textOf(context, node).replace(/\s+/g, ' '),
    span: spanOf(context, node),
  };
}

/** `std::get<1>(t) = 0;`, which reads like a function that a class leaves to others; null for what is a definition. */
export function lowerZeroAssignment(context: LowerContext, node: SyntaxNode): Statement | null {
  const span = spanOf(context, node);
  const declarator = childByField(node, 'declarator');
  const callee = declarator && childByField(declarator, 'declarator');
  const parameters = declarator && childByField(declarator, 'parameters');
  if (!callee || !parameters || childByField(node, 'type') || !childOfType(node, 'pure_virtual_clause')) return null;
  const template = templateArgumentsOf(callee);
  const target: Expression = {
    kind: 'call',
    callee: lowerExpression(context, callee),
    templateArguments: template ? lowerTemplateArguments(context, template) : [],
    arguments: namedChildren(parameters).map(
      (each): Expression => ({ kind: 'name', name: textOf(context, each), span: spanOf(context, each) }),
    ),
    span: declarator ? spanOf(context, declarator) : span,
  };
  const value: Expression = { kind: 'number', value: 0, span };
  return { kind: 'expression', expression: { kind: 'assign', operator: '=', target, value, span }, span };
}

/** `sizeof(T)`, `sizeof x`, and `offsetof(T, member)`. */
export function lowerSizeof(context: LowerContext, node: SyntaxNode): Expression {
  const span = spanOf(context, node);
  const type = childByField(node, 'type');
  const value = childByField(node, 'value');
  const member = childByField(node, 'member');
  return {
    kind: 'sizeof',
    type: type ? lowerTypeName(context, type) : null,
    operand: value ? lowerExpression(context, value) : null,
    ...(member ? { beforeMember: textOf(context, member) } : {}),
    ...(node.type === 'alignof_expression' ? { isAlignment: true } : {}),
    span,
  };
}

/** `"a" "b"`; where one is a macro's, `PREFIX "b"`, they are put together when it is known. */
export function concatenated(context: LowerContext, node: SyntaxNode): Expression {
  const span = spanOf(context, node);
  const parts = namedChildren(node);
  if (parts.every(({ type }) => type !== 'identifier')) return textLiteral(textOf(context, node), span);
  return parts
    .map((part) => lowerExpression(context, part))
    .reduce((left, right) => ({ kind: 'binary', operator: '+', left, right, span }));
}
