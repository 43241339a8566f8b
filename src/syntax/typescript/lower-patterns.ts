/** `{ a, b: c = 1, ...rest }` and `[a, , b]`: what each of their names stands for. */

import type { Span } from '../../base/span.ts';
import type { Expression, Statement } from '../../program/program.ts';
import { childByField, namedChildren, type SyntaxNode } from '../syntax-tree.ts';
import { declaration, languageCall, nameAt, orElse, textAt } from './built.ts';
import { lowerExpression, spanOf, type TypeScriptContext, textOf, writtenOf } from './lower-expressions.ts';

/** Whether the names are declared by the pattern, or were before. */
type Use = 'declares' | 'assigns';

export function isPattern(node: SyntaxNode): boolean {
  return node.type === 'object_pattern' || node.type === 'array_pattern';
}

/** Statements that give every name of the pattern its part of `value`, which is evaluated once; they stand on `statement`. */
export function lowerPattern(
  context: TypeScriptContext,
  pattern: SyntaxNode,
  value: Expression,
  statement: SyntaxNode,
  use: Use = 'declares',
): Statement[] {
  const names = use === 'declares' ? simpleNames(context, pattern) : null;
  if (names)
    return [
      {
        kind: 'destructure',
        names,
        value: partsOf(pattern, value, spanOf(context, pattern)),
        isReference: false,
        isScript: true,
        span: spanOf(context, statement),
      },
    ];
  return bindPattern(context, pattern, value, statement, use);
}

/** The names of a pattern without patterns in it, without defaults and without a rest; null for all others. */
function simpleNames(context: TypeScriptContext, pattern: SyntaxNode): { name: string; field: string | null }[] | null {
  const children = namedChildren(pattern);
  const out: { name: string; field: string | null }[] = [];
  if (pattern.type === 'array_pattern' && positionsOf(context, pattern).some((position, index) => position !== index))
    return null;
  for (const child of children) {
    const key = childByField(child, 'key');
    const inner = childByField(child, 'value');
    if (child.type === 'shorthand_property_identifier_pattern')
      out.push({ name: textOf(context, child), field: writtenOf(context, child) });
    else if (child.type === 'identifier') out.push({ name: textOf(context, child), field: null });
    else if (child.type === 'pair_pattern' && key?.type === 'property_identifier' && inner?.type === 'identifier')
      out.push({ name: textOf(context, inner), field: textOf(context, key) });
    else return null;
  }
  return out;
}

function bindPattern(
  context: TypeScriptContext,
  target: SyntaxNode,
  value: Expression,
  statement: SyntaxNode,
  use: Use,
): Statement[] {
  const span = spanOf(context, statement);
  const own = spanOf(context, target);
  const right = childByField(target, 'right');
  const left = childByField(target, 'left');
  if (/assignment_pattern$/.test(target.type) && left && right)
    return bindPattern(context, left, orElse(value, lowerExpression(context, right), own), statement, use);
  if (!isPattern(target)) {
    const assigned = lowerExpression(context, target);
    if (use === 'declares') return [declaration(textOf(context, target), value, own, span)];
    return [
      {
        kind: 'expression',
        expression: { kind: 'assign', operator: '=', target: assigned, value, isScript: true, span: own },
        span,
      },
    ];
  }
  const held = nameAt(`(pattern ${target.start})`, own);
  const parts =
    target.type === 'object_pattern' ? partsOfObject(context, target, held) : partsOfArray(context, target, held);
  return [
    declaration(`(pattern ${target.start})`, partsOf(target, value, own), own, span),
    ...parts.flatMap((part) => bindPattern(context, part.target, part.value, statement, use)),
  ];
}

/** `[a, b]` takes what a loop over the value would find; a call or a name may stand for anything that can be gone through. */
function partsOf(pattern: SyntaxNode, value: Expression, span: Span): Expression {
  const isPlain = pattern.type === 'object_pattern' || value.kind === 'list' || value.kind === 'index';
  return isPlain ? value : languageCall('Array.parts', [value], span);
}

interface Part {
  readonly target: SyntaxNode;
  readonly value: Expression;
}

function partsOfObject(context: TypeScriptContext, pattern: SyntaxNode, held: Expression): Part[] {
  const named: Expression[] = [];
  return namedChildren(pattern).map((child): Part => {
    const span = spanOf(context, child);
    if (child.type === 'rest_pattern')
      return { target: namedChildren(child)[0] ?? child, value: languageCall('Object.rest', [held, ...named], span) };
    const key = childByField(child, 'key');
    const target = childByField(child, 'value') ?? child;
    const written = key ?? childByField(child, 'left') ?? child;
    const index =
      key?.type === 'computed_property_name'
        ? lowerExpression(context, namedChildren(key)[0] ?? key)
        : textAt(writtenOf(context, written).replace(/^['"]|['"]$/g, ''), span);
    named.push(index);
    const value: Expression =
      index.kind === 'string'
        ? { kind: 'member', object: held, name: index.value, isScript: true, span }
        : { kind: 'index', object: held, index, isScript: true, span };
    return { target, value };
  });
}

function partsOfArray(context: TypeScriptContext, pattern: SyntaxNode, held: Expression): Part[] {
  const positions = positionsOf(context, pattern);
  return namedChildren(pattern).map((child, at): Part => {
    const span = spanOf(context, child);
    const index: Expression = { kind: 'number', value: positions[at] ?? at, span };
    if (child.type === 'rest_pattern')
      return { target: namedChildren(child)[0] ?? child, value: languageCall('Array.rest', [held, index], span) };
    return { target: child, value: { kind: 'index', object: held, index, isScript: true, span } };
  });
}

/** Where each part of an array's pattern stands: in `[, a]` the first is left out. */
function positionsOf(context: TypeScriptContext, pattern: SyntaxNode): number[] {
  const out: number[] = [];
  let position = 0;
  let end = pattern.start + 1;
  for (const child of namedChildren(pattern)) {
    const between = context.text.slice(end, child.start).replace(/\/\*.*?\*\/|\/\/[^\n]*/gs, '');
    position += between.split(',').length - 1;
    out.push(position);
    end = child.end;
  }
  return out;
}
