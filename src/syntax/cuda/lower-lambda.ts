/** Lambdas, with what they capture and what they say they return. */

import type { Span } from '../../base/span.ts';
import type { LambdaExpression } from '../../program/program.ts';
import { childByField, namedChildren, type SyntaxNode } from '../syntax-tree.ts';
import { isMarked } from './device-lambdas.ts';
import { type LowerContext, spanOf, textOf } from './lower-context.ts';
import { lowerExpression } from './lower-expressions.ts';
import { lowerTaken } from './lower-functions.ts';
import { lowerBody } from './lower-statements.ts';
import { templateParametersIn } from './lower-templates.ts';
import { trailingType } from './lower-types.ts';

export function lowerLambda(context: LowerContext, node: SyntaxNode): LambdaExpression {
  const captures = childByField(node, 'captures');
  const declarator = childByField(node, 'declarator');
  const parameters = declarator ? childByField(declarator, 'parameters') : undefined;
  const body = childByField(node, 'body');
  const isOnDevice = body !== undefined && isForDevice(context, captures, declarator ?? body);
  const statements = body ? lowerBody(context, body) : [];
  const returnType = declarator ? trailingType(context, declarator) : null;
  const written = captures
    ? textOf(context, captures)
        .slice(1, -1)
        .split(',')
        .map((each) => each.trim())
    : [];
  return {
    kind: 'lambda',
    ...lowerTaken(context, parameters),
    ...templateOf(context, node),
    // What the device runs the host does not.
    body: isOnDevice ? [] : statements,
    ...(isOnDevice ? { bodyOnDevice: () => statements } : {}),
    capturesByReference: written.flatMap((each) => /^&\s*([A-Za-z_]\w*)$/.exec(each)?.[1] ?? []),
    capturesByValue: written.includes('=') ? '=' : written.filter((each) => /^[A-Za-z_]\w*$/.test(each)),
    ownVariables: (captures ? namedChildren(captures) : []).flatMap((child): LambdaExpression['ownVariables'] => {
      if (child.type === 'this' && written.some((each) => /^\*\s*this$/.test(each)))
        return [ownThis(spanOf(context, child))];
      const name = childByField(child, 'left');
      const value = childByField(child, 'right');
      return child.type === 'lambda_capture_initializer' && name && value
        ? [
            {
              name: textOf(context, name),
              value: lowerExpression(context, value),
              ...(textOf(context, child).startsWith('&') ? { isAlias: true } : {}),
            },
          ]
        : [];
    }),
    ...(returnType ? { returnType } : {}),
    ...(declarator?.children.some((child) => textOf(context, child) === 'mutable') ? { isMutable: true } : {}),
    span: spanOf(context, node),
  };
}

/** What stands between its captures and its parameters. */
function templateOf(
  context: LowerContext,
  node: SyntaxNode,
): Pick<LambdaExpression, 'templateParameters' | 'templateDefaults'> {
  const list = childByField(node, 'template_parameters');
  if (!list) return {};
  const { names, defaults } = templateParametersIn(context, list);
  return { templateParameters: names, ...(defaults.length > 0 ? { templateDefaults: defaults } : {}) };
}

/** `[*this]`: a copy of the object. */
function ownThis(span: Span): LambdaExpression['ownVariables'][number] {
  return {
    name: '*this',
    value: { kind: 'unary', operator: '*', operand: { kind: 'name', name: 'this', span }, span },
  };
}

/** Whether `__device__` stood behind what it captures. */
function isForDevice(context: LowerContext, captures: SyntaxNode | undefined, next: SyntaxNode): boolean {
  return captures !== undefined && isMarked(context.text.slice(captures.end, next.start));
}
