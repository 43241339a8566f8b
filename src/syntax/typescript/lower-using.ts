/** `using buffer = …`: what a block disposes of at its end, whichever way it is left. */

import type { Statement } from '../../program/program.ts';
import { childByField, childOfType, namedChildren, type SyntaxNode } from '../syntax-tree.ts';
import { declaration, languageCall, nameAt } from './built.ts';
import { lowerExpression, spanOf, type TypeScriptContext, textOf } from './lower-expressions.ts';

/** The assignments that follow `using`, or `await using`; none for any other statement. */
export function usedIn(statement: SyntaxNode): readonly SyntaxNode[] {
  if (statement.type !== 'expression_statement') return [];
  const [expression] = namedChildren(statement);
  const all = expression?.type === 'sequence_expression' ? namedChildren(expression) : expression ? [expression] : [];
  const used = all.map((each) => (each.type === 'await_expression' ? (namedChildren(each)[0] ?? each) : each));
  const isUsing = used[0]?.type === 'assignment_expression' && childOfType(used[0], 'using') !== undefined;
  return isUsing ? used : [];
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
  const at = statements.findIndex((each) => usedIn(each).length > 0);
  if (at < 0) return statements.flatMap(lower);
  const used = usedIn(statements[at]!);
  const rest = statements.slice(at + 1);
  const behind = (next: number): Statement[] => {
    if (next === used.length) return lowerInOrder(context, rest, lower);
    const { declared, disposed } = lowerUsing(context, used[next]!);
    const { span } = disposed;
    const body: Statement = { kind: 'block', body: behind(next + 1), span };
    return [declared, { kind: 'try', body, handlers: [], caught: [], finalizer: disposed, span }];
  };
  return [...statements.slice(0, at).flatMap(lower), ...behind(0)];
}
