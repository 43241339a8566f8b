/** Functions without a name, and parameters: patterns, defaults and a rest. */

import type { Span } from '../../base/span.ts';
import type { LambdaExpression, Parameter, Statement } from '../../program/program.ts';
import { childByField, childOfType, namedChildren, type SyntaxNode } from '../syntax-tree.ts';
import { anyType, languageCall, nameAt, nothingAt } from './built.ts';
import { hoistedVariables } from './hoisted-variables.ts';
import { lowerExpression, spanOf, type TypeScriptContext, textOf } from './lower-expressions.ts';
import { isPattern, lowerPattern } from './lower-patterns.ts';
import { lowerBody } from './lower-statements.ts';
import { typeOf } from './lower-types.ts';

/** A function's head and body; the body begins with what patterns and defaults among the parameters say. */
export interface Lowered {
  readonly parameters: readonly Parameter[];
  readonly body: readonly Statement[];
}

export function lowerFunctionParts(context: TypeScriptContext, node: SyntaxNode): Lowered {
  const body = childByField(node, 'body');
  const list = childByField(node, 'parameters');
  const single = childByField(node, 'parameter');
  const written = (list ? namedChildren(list) : single ? [single] : []).filter(
    (each) => childByField(each, 'pattern')?.type !== 'this',
  );
  const before = written.flatMap((each) => parameterStatements(context, each));
  const names = new Set(written.map((each) => textOf(context, childByField(each, 'pattern') ?? each)));
  const hoisted = body?.type === 'statement_block' ? hoistedVariables(context, namedChildren(body), names) : [];
  const statements: readonly Statement[] = !body
    ? []
    : body.type === 'statement_block'
      ? withResult(lowerBody(context, body), { ...spanOf(context, body), start: body.end })
      : [{ kind: 'return', value: lowerExpression(context, body), span: spanOf(context, body) }];
  const own = isGenerator(node) ? generated(context, node, statements) : statements;
  return { parameters: written.map((each) => lowerParameter(context, each)), body: [...hoisted, ...before, ...own] };
}

/** A function that comes to its end gives `undefined`. */
function withResult(body: readonly Statement[], span: Span): readonly Statement[] {
  const last = body.at(-1);
  const isLeft = last?.kind === 'return' || (last?.kind === 'expression' && last.expression.kind === 'throw');
  return isLeft ? body : [...body, { kind: 'return', value: nothingAt(span), span }];
}

export function lowerFunctionExpression(context: TypeScriptContext, node: SyntaxNode): LambdaExpression {
  const isArrow = node.type === 'arrow_function';
  const outer = context.staticOf;
  if (!isArrow) context.staticOf = null;
  const { parameters, body } = lowerFunctionParts(context, node);
  context.staticOf = outer;
  return {
    kind: 'lambda',
    parameters,
    body,
    capturesByReference: [],
    capturesByValue: [],
    ownVariables: [],
    isScript: true,
    ...(isArrow ? {} : { hasThis: true }),
    ...(node.children.some(({ type }) => type === 'get') ? { isGetter: true } : {}),
    span: spanOf(context, node),
  };
}

function lowerParameter(context: TypeScriptContext, node: SyntaxNode): Parameter {
  const pattern = childByField(node, 'pattern') ?? node;
  const annotation = childByField(node, 'type') ?? childOfType(node, 'type_annotation');
  const isRest = pattern.type === 'rest_pattern';
  const inner = isRest ? (namedChildren(pattern)[0] ?? pattern) : pattern;
  const span = spanOf(context, inner);
  return {
    name: isPattern(inner) ? parameterName(inner) : textOf(context, inner),
    type: annotation && !isRest ? typeOf(context, annotation) : anyType,
    defaultValue: nothingAt(span),
    isPack: isRest,
    ...(isRest ? { isArray: true } : {}),
    span,
  };
}

function parameterName(pattern: SyntaxNode): string {
  return `(parameter ${pattern.start})`;
}

/** `x = 1` and `{ a, b }` among the parameters, as statements. */
function parameterStatements(context: TypeScriptContext, node: SyntaxNode): Statement[] {
  const pattern = childByField(node, 'pattern') ?? node;
  const inner = pattern.type === 'rest_pattern' ? (namedChildren(pattern)[0] ?? pattern) : pattern;
  const value = childByField(node, 'value');
  const span = spanOf(context, inner);
  const name = nameAt(isPattern(inner) ? parameterName(inner) : textOf(context, inner), span);
  const otherwise: Statement[] = value
    ? [
        {
          kind: 'expression',
          expression: {
            kind: 'assign',
            operator: '??=',
            target: name,
            value: lowerExpression(context, value),
            isScript: true,
            span,
          },
          span,
        },
      ]
    : [];
  return [...otherwise, ...(isPattern(inner) ? lowerPattern(context, inner, name, inner) : [])];
}

function isGenerator(node: SyntaxNode): boolean {
  return node.type.startsWith('generator_') || node.children.some(({ type }) => type === '*');
}

/** Who is given what a generator yields. */
export const yielded = '(yielded)';

/** A generator's body runs when somebody goes through what it yields, step by step with what is done there. */
function generated(context: TypeScriptContext, node: SyntaxNode, body: readonly Statement[]): readonly Statement[] {
  const span = spanOf(context, node);
  const steps: LambdaExpression = {
    kind: 'lambda',
    parameters: [{ name: yielded, type: anyType, defaultValue: null, isPack: false, span }],
    body,
    capturesByReference: [],
    capturesByValue: [],
    ownVariables: [],
    isScript: true,
    span,
  };
  return [{ kind: 'return', value: languageCall('(generator)', [steps], span), span }];
}
