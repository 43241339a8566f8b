/** Variables that `var` declares in a block or a loop: the whole function has them, and each round of a loop the same one. */

import type { Statement } from '../../program/program.ts';
import { childByField, namedChildren, type SyntaxNode } from '../syntax-tree.ts';
import { declaration, nameAt, nothingAt } from './built.ts';
import { lowerExpression, spanOf, type TypeScriptContext, textOf } from './lower-expressions.ts';

const ownVariables =
  /^(?:arrow_function|function_expression|generator_function|function_declaration|generator_function_declaration|method_definition|class|class_declaration|abstract_class_declaration|internal_module|module)$/;

const deepest = 200;

/** Declares what `var` does in the blocks and loops among these statements, and notes where it is only stored to there. */
export function hoistedVariables(
  context: TypeScriptContext,
  statements: readonly SyntaxNode[],
  taken: ReadonlySet<string>,
): readonly Statement[] {
  if (!context.hasVar) return [];
  const declared = new Map<string, Statement>();
  const declare = (name: SyntaxNode): void => {
    const text = textOf(context, name);
    const span = spanOf(context, name);
    if (!taken.has(text)) declared.set(text, declaration(text, nothingAt(span), span, span));
  };
  const visit = (node: SyntaxNode, depth: number): void => {
    if (depth > deepest || ownVariables.test(node.type)) return;
    const names = namesIn(node, depth);
    if (names.length > 0) context.hoisted.add(node);
    for (const name of names) declare(name);
    for (const each of node.children) visit(each, depth + 1);
  };
  for (const each of statements) visit(each, 0);
  return [...declared.values()];
}

/** What is taken apart keeps to its block. */
function namesIn(node: SyntaxNode, depth: number): readonly SyntaxNode[] {
  const left = node.type === 'for_in_statement' ? childByField(node, 'left') : undefined;
  if (left) return left.type === 'identifier' && childByField(node, 'kind')?.type === 'var' ? [left] : [];
  if (node.type !== 'variable_declaration' || depth === 0) return [];
  const names = namedChildren(node).flatMap((each) => childByField(each, 'name') ?? []);
  return names.every(({ type }) => type === 'identifier') ? names : [];
}

/** `var x = 1, y;` of variables that the function has already. */
export function storedTo(context: TypeScriptContext, node: SyntaxNode): Statement[] {
  return namedChildren(node).flatMap((each): Statement[] => {
    const name = childByField(each, 'name');
    const value = childByField(each, 'value');
    if (!name || !value) return [];
    const span = spanOf(context, each);
    const target = nameAt(textOf(context, name), spanOf(context, name));
    const assigned = lowerExpression(context, value);
    return [
      {
        kind: 'expression',
        expression: { kind: 'assign', operator: '=', target, value: assigned, isScript: true, span },
        span,
      },
    ];
  });
}
