/** Expressions of C++ that say little to the host program: folds, assembly, requirements, texts in parts, `get<1>(t) = 0`. */

import type { Span } from '../../base/span.ts';
import type { Expression, Statement, TypeReference } from '../../program/program.ts';
import { childByField, childOfType, namedChildren, type SyntaxNode } from '../syntax-tree.ts';
import { onlyConverts, type PtxAccess, ptxAccesses } from './inline-ptx.ts';
import { textLiteral } from './literals.ts';
import { type LowerContext, spanOf, textOf } from './lower-context.ts';
import { lowerExpression } from './lower-expressions.ts';
import { lowerParameters } from './lower-functions.ts';
import { templateArgumentsOf } from './lower-postfix.ts';
import { lowerTemplateArguments, lowerTypeName } from './lower-types.ts';
import { partMark } from './rare-words.ts';

/** `(f(x), ...)`, `(..., f(x))` and, with what it begins with, `(0 + ... + x)`. */
export function lowerFold(context: LowerContext, node: SyntaxNode): Expression {
  const operator = childByField(node, 'operator');
  return {
    kind: 'fold',
    operator: operator ? textOf(context, operator) : ',',
    parts: namedChildren(node).map((part) => lowerExpression(context, part)),
    isLeft: /^\(\s*\.\.\./.test(textOf(context, node)),
    span: spanOf(context, node),
  };
}

/** Functions of CUDA's that do to memory what an instruction does. */
const sameAs: Readonly<Record<PtxAccess['manner'], string>> = {
  read: '__ldg',
  write: '__stcg',
  atomic: 'atomicAdd',
  copy: '__pipeline_memcpy_async',
};

/** `asm("…" : "=r"(x) : "l"(p))`: the memory that it reads and writes; the variables that it writes are unknown afterwards. */
export function lowerAssembly(context: LowerContext, node: SyntaxNode): Expression {
  const span = spanOf(context, node);
  const operands = (field: string): readonly SyntaxNode[] => {
    const list = childByField(node, field);
    return list ? namedChildren(list).filter((each) => childByField(each, 'value')) : [];
  };
  const [outputs, inputs] = [operands('output_operands'), operands('input_operands')];
  const all = [...outputs, ...inputs];
  const lowered = (operand: SyntaxNode): Expression => lowerExpression(context, childByField(operand, 'value')!);
  const code = childByField(node, 'assembly_code');
  const template = code
    ? [...textOf(context, code).matchAll(/"((?:\\.|[^"\\])*)"/g)].map(([, text]) => text).join('')
    : '';
  const names = all.map((each) => {
    const symbol = childByField(each, 'symbol');
    return symbol ? textOf(context, symbol) : null;
  });
  const touching = ptxAccesses(template, names).map(
    ({ manner, operands: places }): Expression => ({
      kind: 'call',
      callee: { kind: 'name', name: sameAs[manner], span },
      templateArguments: [],
      arguments: places.map((place): Expression => {
        const operand = all[place];
        return operand ? lowered(operand) : { kind: 'number', value: 0, span };
      }),
      span,
    }),
  );
  const isRead = (operand: SyntaxNode): boolean =>
    inputs.includes(operand) || /"\+/.test(textOf(context, operand).split('(', 1)[0]!);
  const reading = all
    .filter(isRead)
    .map((operand): Expression => ({ kind: 'unary', operator: '+', operand: lowered(operand), span }));
  const [input] = inputs;
  const converted = input && onlyConverts(template) ? input : null;
  const writing = outputs.map(
    (target): Expression => ({
      kind: 'assign',
      operator: '=',
      target: lowered(target),
      value: converted ? lowered(converted) : { kind: 'name', name: `asm ${node.start}`, span },
      span,
    }),
  );
  return { kind: 'sequence', expressions: [...reading, ...touching, ...writing], span };
}

/** `requires(T t) { t.size(); }`. */
export function lowerRequirement(context: LowerContext, node: SyntaxNode): Expression {
  const parameters = childByField(node, 'parameters');
  const needs = childByField(node, 'requirements');
  return {
    kind: 'requires',
    parameters: parameters ? lowerParameters(context, parameters) : [],
    needs: (needs ? namedChildren(needs) : []).flatMap((each): (Expression | TypeReference)[] => {
      const [inner] = namedChildren(each);
      if (!inner) return [];
      return [each.type === 'type_requirement' ? lowerTypeName(context, inner) : lowerExpression(context, inner)];
    }),
    text: textOf(context, node).replace(/\s+/g, ' '),
    span: spanOf(context, node),
  };
}

/** `[[assume(n > 0)]];` as the compiler's own function for it. */
export function lowerAssumptions(context: LowerContext, node: SyntaxNode): Statement[] {
  return namedChildren(node).flatMap((each): Statement[] => {
    const name = childByField(each, 'name');
    const given = childOfType(each, 'argument_list');
    if (!name || !given || textOf(context, name) !== 'assume') return [];
    const span = spanOf(context, each);
    const callee: Expression = { kind: 'name', name: '__builtin_assume', span: spanOf(context, name) };
    const conditions = namedChildren(given).map((condition) => lowerExpression(context, condition));
    const expression: Expression = { kind: 'call', callee, templateArguments: [], arguments: conditions, span };
    return [{ kind: 'expression', expression, span }];
  });
}

/** `std::get<1>(t) = 0;`, which reads like a function that a class leaves to others; null for what is a definition. */
export function lowerZeroAssignment(context: LowerContext, node: SyntaxNode): Statement | null {
  const span = spanOf(context, node);
  const declarator = childByField(node, 'declarator');
  const callee = declarator && childByField(declarator, 'declarator');
  const parameters = declarator && childByField(declarator, 'parameters');
  if (!callee || !parameters || childByField(node, 'type') || !childOfType(node, 'pure_virtual_clause')) return null;
  const template = templateArgumentsOf(callee);
  const target: Expression = {
    kind: 'call',
    callee: lowerExpression(context, callee),
    templateArguments: template ? lowerTemplateArguments(context, template) : [],
    arguments: namedChildren(parameters).map(
      (each): Expression => ({ kind: 'name', name: textOf(context, each), span: spanOf(context, each) }),
    ),
    span: declarator ? spanOf(context, declarator) : span,
  };
  const value: Expression = { kind: 'number', value: 0, span };
  return { kind: 'expression', expression: { kind: 'assign', operator: '=', target, value, span }, span };
}

/** `sizeof(T)`, `sizeof x`, and `offsetof(T, member)`. */
export function lowerSizeof(context: LowerContext, node: SyntaxNode): Expression {
  const span = spanOf(context, node);
  const type = childByField(node, 'type');
  const value = childByField(node, 'value');
  const member = childByField(node, 'member');
  return {
    kind: 'sizeof',
    type: type ? lowerTypeName(context, type) : null,
    operand: value ? lowerExpression(context, value) : null,
    ...(member ? { beforeMember: textOf(context, member).replaceAll(partMark, '.') } : {}),
    ...(node.type === 'alignof_expression' ? { isAlignment: true } : {}),
    span,
  };
}

/** `&((T *)0)->part.member`: `offsetof(T, part.member)` as it was written before there was one; null for other addresses. */
export function distanceOfMember(operand: Expression, span: Span): Expression | null {
  const names: string[] = [];
  let object = operand;
  while (object.kind === 'member' && !object.isArrow) {
    names.unshift(object.name);
    object = object.object;
  }
  if (object.kind !== 'member' || object.object.kind !== 'cast') return null;
  const { type, operand: base } = object.object;
  const isNull =
    (base.kind === 'number' && base.value === 0) || (base.kind === 'name' && /^(?:NULL|nullptr)$/.test(base.name));
  if (!isNull || type.pointers !== 1) return null;
  const beforeMember = [object.name, ...names].join('.');
  return { kind: 'sizeof', type: { ...type, pointers: 0 }, operand: null, beforeMember, span };
}

/** `"a" "b"`; where one is a macro's, `PREFIX "b"`, they are put together when it is known. */
export function concatenated(context: LowerContext, node: SyntaxNode): Expression {
  const span = spanOf(context, node);
  const parts = namedChildren(node);
  if (parts.every(({ type }) => type !== 'identifier')) return textLiteral(textOf(context, node), span);
  return parts
    .map((part) => lowerExpression(context, part))
    .reduce((left, right) => ({ kind: 'binary', operator: '+', left, right, span }));
}
