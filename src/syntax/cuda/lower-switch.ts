/**
 * `switch` to the host program's. A case may stand inside a loop or a branch of another (Duff's device): there it is a label, and the
 * `switch` has a case without a body that leads to it.
 */

import type { Expression, Statement } from '../../program/program.ts';
import type { SwitchCase } from '../../program/switch-case.ts';
import { childByField, namedChildren, type SyntaxNode } from '../syntax-tree.ts';
import { type LowerContext, spanOf } from './lower-context.ts';
import { lowerExpression } from './lower-expressions.ts';
import { lowerCondition, lowerStatement } from './lower-statements.ts';

/** With what its condition declares, a block. */
export function lowerSwitch(context: LowerContext, node: SyntaxNode): Statement {
  const body = childByField(node, 'body');
  const { setup, test } = lowerCondition(context, node);
  const span = spanOf(context, node);
  const cases: SwitchCase[] = [];
  const children = body?.type === 'compound_statement' ? namedChildren(body) : body ? [body] : [];
  const isCase = children.map(({ type }) => type === 'case_statement');
  const first = isCase.indexOf(true);
  const mark = context.innerCases.length;
  /** The case that `statements` belong to, and those that stand inside of them. */
  const add = (head: Omit<SwitchCase, 'body'>, statements: readonly SyntaxNode[]): void => {
    const lowered = statements.flatMap((each) => lowerStatement(context, each));
    cases.push({ ...head, body: lowered }, ...context.innerCases.splice(mark));
  };
  const before = first < 0 ? children : children.slice(0, first);
  if (before.length > 0) add({ value: null, isBefore: true }, before);
  children.forEach((child, index) => {
    if (!isCase[index]) return;
    const next = isCase.indexOf(true, index + 1);
    const loose = children.slice(index + 1, next < 0 ? children.length : next);
    const { value, head } = caseHead(context, child);
    add(head, [...namedChildren(child).filter((part) => part !== value), ...loose]);
  });
  const choice: Statement = { kind: 'switch', subject: test, cases, span };
  return setup ? { kind: 'block', body: [setup, choice], span } : choice;
}

/** A case inside a statement of a `switch`: a label, and what stands behind it. */
export function lowerInnerCase(context: LowerContext, node: SyntaxNode): Statement[] {
  const span = spanOf(context, node);
  const label = `case at ${span.start}`;
  const { value, head } = caseHead(context, node);
  context.innerCases.push({ ...head, body: [], inside: label });
  const rest = namedChildren(node).filter((part) => part !== value);
  return [{ kind: 'label', name: label, span }, ...rest.flatMap((part) => lowerStatement(context, part))];
}

interface CaseHead {
  /** Where the value stands; none for `default`. */
  readonly value: SyntaxNode | undefined;
  readonly head: { readonly value: Expression | null; readonly last?: Expression };
}

/** `case a <=> b:` is how `case a ... b:` comes from {@link markCaseRanges}. */
function caseHead(context: LowerContext, node: SyntaxNode): CaseHead {
  const value = childByField(node, 'value');
  if (!value) return { value, head: { value: null } };
  const lowered = lowerExpression(context, value);
  const isRange = lowered.kind === 'binary' && lowered.operator === '<=>';
  return { value, head: isRange ? { value: lowered.left, last: lowered.right } : { value: lowered } };
}
