/** Lambdas: what they capture and how, their parameters, body and written return type. */

import type { LambdaExpression } from '../../program/program.ts';
import { childByField, childOfType, namedChildren, type SyntaxNode } from '../syntax-tree.ts';
import { type LowerContext, spanOf, textOf } from './lower-context.ts';
import { lowerExpression } from './lower-expressions.ts';
import { lowerParameters } from './lower-functions.ts';
import { lowerBody } from './lower-statements.ts';
import { lowerTypeName } from './lower-types.ts';

export function lowerLambda(context: LowerContext, node: SyntaxNode): LambdaExpression {
  const captures = childByField(node, 'captures');
  const declarator = childByField(node, 'declarator');
  const parameters = declarator ? childByField(declarator, 'parameters') : undefined;
  const trailing = declarator ? childOfType(declarator, 'trailing_return_type') : undefined;
  const type = trailing ? namedChildren(trailing)[0] : undefined;
  const body = childByField(node, 'body');
  const written = captures
    ? textOf(context, captures)
        .slice(1, -1)
        .split(',')
        .map((each) => each.trim())
    : [];
  return {
    kind: 'lambda',
    parameters: parameters ? lowerParameters(context, parameters) : [],
    body: body ? lowerBody(context, body) : [],
    ...(type ? { returnType: lowerTypeName(context, type) } : {}),
    capturesByReference: written.flatMap((each) => /^&\s*([A-Za-z_]\w*)$/.exec(each)?.[1] ?? []),
    capturesByValue: written.includes('=') ? '=' : written.filter((each) => /^[A-Za-z_]\w*$/.test(each)),
    ownVariables: (captures ? namedChildren(captures) : []).flatMap((child) => {
      const name = childByField(child, 'left');
      const value = childByField(child, 'right');
      return child.type === 'lambda_capture_initializer' && name && value
        ? [{ name: textOf(context, name), value: lowerExpression(context, value) }]
        : [];
    }),
    span: spanOf(context, node),
  };
}
