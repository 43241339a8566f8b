/** What is called, subscripted or asked for a member; and what is reached through a pointer to a member, `o.*m`. */

import type { Span } from '../../base/span.ts';
import type { Expression } from '../../program/program.ts';
import { isType } from '../../program/type-named.ts';
import { childByField, childOfType, namedChildren, type SyntaxNode } from '../syntax-tree.ts';
import { operatorCalled, withOperator } from './called-operators.ts';
import { type LowerContext, spanOf, textOf } from './lower-context.ts';
import { lowerArguments, lowerExpression, lowerOptional } from './lower-expressions.ts';
import { lowerTemplateArguments, lowerTypeName, qualifiedName } from './lower-types.ts';
import { memberPointerIn } from './member-pointers.ts';
import { regrouped } from './regrouped.ts';

/** `o.name`, `p->name`, `o.*m`. */
export function lowerMember(context: LowerContext, node: SyntaxNode): Expression {
  const span = spanOf(context, node);
  const field = childByField(node, 'field');
  const pointer = field ? memberPointerIn(textOf(context, field)) : null;
  if (pointer !== null)
    return {
      kind: 'binary',
      operator: '.*',
      left: lowerOptional(context, childByField(node, 'argument'), node),
      right: { kind: 'name', name: pointer, span },
      span,
    };
  const object = lowerOptional(context, childByField(node, 'argument'), node);
  const name = field ? qualifiedName(context, field).name : '';
  const throughArrow = isArrow(context, node, field);
  // `o.*table.member` is `o.*(table.member)`.
  if (childByField(node, 'argument')?.type !== 'parenthesized_expression' && isThroughPointer(object))
    return { ...object, right: memberOf(object.right, name, throughArrow, span) };
  return memberOf(object, name, throughArrow, span);
}

/** Written out and not spread, so that all have one shape. */
function memberOf(object: Expression, name: string, throughArrow: boolean, span: Span): Expression {
  return throughArrow ? { kind: 'member', object, name, isArrow: true, span } : { kind: 'member', object, name, span };
}

/** `p->name` as opposed to `p.name`. */
function isArrow(context: LowerContext, node: SyntaxNode, field: SyntaxNode | undefined): boolean {
  const object = childByField(node, 'argument');
  return object && field ? context.text.slice(object.end, field.start).includes('->') : false;
}

/** `a[i]`; `o.*m[i]` calls what `m[i]` points to. */
export function lowerIndex(context: LowerContext, node: SyntaxNode): Expression {
  const span = spanOf(context, node);
  const indices = childByField(node, 'indices');
  const of = childByField(node, 'argument');
  const object = lowerOptional(context, of, node);
  const index = lowerOptional(context, indices ? namedChildren(indices)[0] : childByField(node, 'index'), node);
  // `0[p]` is `p[0]`.
  if (of?.type === 'number_literal' && index.kind !== 'number')
    return { kind: 'index', object: index, index: object, span };
  return of?.type === 'field_expression' && object.kind === 'binary'
    ? { ...object, right: { kind: 'index', object: object.right, index, span }, span }
    : { kind: 'index', object, index, span };
}

function isThroughPointer(expression: Expression): expression is Expression & { kind: 'binary' } {
  return expression.kind === 'binary' && expression.operator === '.*';
}

/** A call, a launch, a cast that is written as a call, `int(x)`. */
export function lowerCall(context: LowerContext, node: SyntaxNode): Expression {
  const span = spanOf(context, node);
  const callee = childByField(node, 'function') ?? node.children[0]!;
  const whole = regrouped(context, node);
  if (whole) return lowerExpression(context, whole);
  const list = childByField(node, 'arguments') ?? childOfType(node, 'argument_list');
  const argumentsOfCall = list ? lowerArguments(context, list) : [];
  const launch = childOfType(node, 'kernel_call_syntax');
  if (launch) {
    return {
      kind: 'launch',
      kernel: lowerExpression(context, callee),
      configuration: namedChildren(launch)
        .filter((child) => child.type !== 'argument_list' || child !== list)
        .map((child) => lowerExpression(context, child)),
      arguments: argumentsOfCall,
      span,
    };
  }
  const operator = operatorCalled(context, node);
  const named = operator && withOperator(lowerExpression(context, callee), operator, argumentsOfCall, span);
  if (named) return named;
  // `o.*(table.member)` reads like a call of the mark.
  const field = callee.type === 'field_expression' ? childByField(callee, 'field') : undefined;
  if (field && argumentsOfCall[0] && memberPointerIn(textOf(context, field)) === '') {
    const left = lowerOptional(context, childByField(callee, 'argument'), callee);
    return { kind: 'binary', operator: '.*', left, right: argumentsOfCall[0], span };
  }
  const template = templateArgumentsOf(callee);
  const templateArguments = template ? lowerTemplateArguments(context, template) : [];
  const name = callee.type === 'field_expression' ? '' : qualifiedName(context, callee).name;
  if (/^(static|reinterpret|const|dynamic)_cast$/.test(name)) {
    const type = templateArguments[0];
    const operand = argumentsOfCall[0] ?? { kind: 'unknown' as const, what: 'cast', parts: [], span };
    return type && isType(type)
      ? { kind: 'cast', ...(name === 'dynamic_cast' ? { isAsked: true } : {}), type, operand, span }
      : operand;
  }
  if (callee.type === 'primitive_type' || callee.type === 'sized_type_specifier') {
    return { kind: 'construct', type: lowerTypeName(context, callee), arguments: argumentsOfCall, isNew: false, span };
  }
  // `noexcept(f(x))` calls nothing.
  if (name === 'noexcept') return { kind: 'name', name: textOf(context, node), span };
  const called = lowerExpression(context, callee);
  // `o.*table.at(key)` is `o.*(table.at(key))`.
  if (callee.type === 'field_expression' && isThroughPointer(called)) {
    const right: Expression = {
      kind: 'call',
      callee: called.right,
      templateArguments,
      arguments: argumentsOfCall,
      span,
    };
    return { ...called, right, span };
  }
  if (callee.type === 'parenthesized_expression' && called.kind === 'name')
    return { kind: 'call', callee: called, templateArguments, arguments: argumentsOfCall, isBracketed: true, span };
  return { kind: 'call', callee: called, templateArguments, arguments: argumentsOfCall, span };
}

/** The node that holds the template arguments of what is called. */
export function templateArgumentsOf(callee: SyntaxNode): SyntaxNode | null {
  if (callee.type === 'template_function' || callee.type === 'template_type' || callee.type === 'template_method')
    return childByField(callee, 'arguments') ?? null;
  if (callee.type === 'qualified_identifier') {
    const name = childByField(callee, 'name');
    return name ? templateArgumentsOf(name) : null;
  }
  if (callee.type === 'field_expression') {
    const field = childByField(callee, 'field');
    return field ? templateArgumentsOf(field) : null;
  }
  // `A::template f<T>(x)`.
  const inner = callee.type === 'dependent_name' ? namedChildren(callee).at(-1) : undefined;
  return inner ? templateArgumentsOf(inner) : null;
}
