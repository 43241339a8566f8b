/** Pieces of the host program that several constructs of TypeScript are made of. */

import type { Span } from '../../base/span.ts';
import type { CallExpression, Declaration, Expression, Statement, TypeReference } from '../../program/program.ts';
import { typeNamed } from '../../program/type-named.ts';

export const anyType: TypeReference = typeNamed('auto');

/** `undefined`, and `null`. */
export function nothingAt(span: Span): Expression {
  return { kind: 'number', value: 0, isNothing: true, span };
}

export function nameAt(name: string, span: Span): Expression {
  return { kind: 'name', name, span };
}

export function textAt(value: string, span: Span): Expression {
  return { kind: 'string', value, span };
}

/** A call of a function that the language has, by the name that the interpreter knows it by. */
export function languageCall(name: string, values: readonly Expression[], span: Span): CallExpression {
  return { kind: 'call', callee: nameAt(name, span), templateArguments: [], arguments: values, span };
}

/** `value ?? otherwise`. */
export function orElse(value: Expression, otherwise: Expression, span: Span): Expression {
  return { kind: 'binary', operator: '??', left: value, right: otherwise, isScript: true, span };
}

export function declared(name: string, initializer: Expression | null, nameSpan: Span): Declaration {
  return { name, type: anyType, initializer, constructorArguments: null, isStatic: false, span: nameSpan };
}

export function declaration(name: string, initializer: Expression, nameSpan: Span, span: Span): Statement {
  return { kind: 'declare', declarations: [declared(name, initializer, nameSpan)], span };
}

export function realAt(value: number, span: Span): Expression {
  return { kind: 'number', value, type: 'real', span };
}

/** `NaN`, which nothing is equal to, not even itself. */
export function notANumberAt(span: Span): Expression {
  return { kind: 'binary', operator: '/', left: realAt(0, span), right: realAt(0, span), span };
}
