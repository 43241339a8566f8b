/** Operators that are called by their names, `v.operator[](i)`: they are what stands for them. */

import type { Span } from '../../base/span.ts';
import type { Expression, UnaryOperator } from '../../program/program.ts';
import { childByField, childOfType, type SyntaxNode } from '../syntax-tree.ts';
import { type LowerContext, textOf } from './lower-context.ts';

/** What a call names besides the object, which the parser has no room for: `.operator+=`; null for all other calls. */
export function operatorCalled(context: LowerContext, node: SyntaxNode): string | null {
  const behind = childOfType(node, 'ERROR');
  if (!behind || !childOfType(behind, 'operator_name') || childByField(behind, 'scope')) return null;
  const written = textOf(context, behind).replaceAll(/\s/g, '');
  return /^(?:\.|->)operator\W+$/.test(written) ? written : null;
}

/** `object.operator…(given)`, `pointer->operator…(given)` as the expression that calls it; null for what is no such expression. */
export function withOperator(
  object: Expression,
  written: string,
  given: readonly Expression[],
  span: Span,
): Expression | null {
  const operator = written.slice(written.indexOf('operator') + 'operator'.length);
  const operand: Expression = written.startsWith('->')
    ? { kind: 'unary', operator: '*', operand: object, span }
    : object;
  if (operator === '()') return { kind: 'call', callee: operand, templateArguments: [], arguments: given, span };
  if (operator === '++' || operator === '--')
    return { kind: 'update', operator, prefix: given.length === 0, operand, span };
  const [only, ...more] = given;
  if (operator === '->' || more.length > 0) return null;
  const unary = only ? undefined : unaries.find((each) => each === operator);
  if (!only) return unary ? { kind: 'unary', operator: unary, operand, span } : null;
  if (operator === '[]') return { kind: 'index', object: operand, index: only, span };
  if (assigning.test(operator)) return { kind: 'assign', operator, target: operand, value: only, span };
  return { kind: 'binary', operator, left: operand, right: only, span };
}

const unaries: readonly UnaryOperator[] = ['*', '&', '-', '+', '!', '~'];

const assigning = /^(?:[-+*/%&|^]|<<|>>)?=$/;
