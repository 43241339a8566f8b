/** `using buffer = …`: what a block disposes of at its end, whichever way it is left. */

import type { Statement } from '../../program/program.ts';
import { childByField, childOfType, namedChildren, type SyntaxNode } from '../syntax-tree.ts';
import { declaration, languageCall, nameAt } from './built.ts';
import { lowerExpression, spanOf, type TypeScriptContext, textOf } from './lower-expressions.ts';

/** The assignment that follows `using`, or `await using`; undefined for any other statement. */
export function usedIn(statement: SyntaxNode): SyntaxNode | undefined {
  if (statement.type !== 'expression_statement') return undefined;
  const [expression] = namedChildren(statement);
  const inner = expression?.type === 'await_expression' ? namedChildren(expression)[0] : expression;
  return inner?.type === 'assignment_expression' && childOfType(inner, 'using') ? inner : undefined;
}

/** The variable, and the call that disposes of what it holds. */
export function lowerUsing(context: TypeScriptContext, used: SyntaxNode): { declared: Statement; disposed: Statement } {
  const span = spanOf(context, used);
  const name = childByField(used, 'left') ?? used;
  const value = childByField(used, 'right') ?? used;
  const own = spanOf(context, name);
  const disposed = languageCall('(dispose)', [nameAt(textOf(context, name), own)], span);
  return {
    declared: declaration(textOf(context, name), lowerExpression(context, value), own, span),
    disposed: { kind: 'expression', expression: disposed, span },
  };
}

/** The statements of a block in order. What stands behind `using` is done before it is disposed of. */
export function lowerInOrder(
  context: TypeScriptContext,
  statements: readonly SyntaxNode[],
  lower: (statement: SyntaxNode) => Statement[],
): Statement[] {
  const at = statements.findIndex((each) => usedIn(each) !== undefined);
  const used = at < 0 ? undefined : usedIn(statements[at]!);
  if (!used) return statements.flatMap(lower);
  const { declared, disposed } = lowerUsing(context, used);
  const { span } = disposed;
  const body = lowerInOrder(context, statements.slice(at + 1), lower);
  return [
    ...statements.slice(0, at).flatMap(lower),
    declared,
    { kind: 'try', body: { kind: 'block', body, span }, handlers: [], caught: [], finalizer: disposed, span },
  ];
}
