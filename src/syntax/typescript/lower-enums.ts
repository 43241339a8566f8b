/** `enum Kind { A, B = 4, C = A | B }`: an object whose members are numbers or texts, with their names by their numbers. */

import type { Expression, ListElement, Statement } from '../../program/program.ts';
import { childByField, namedChildren, type SyntaxNode } from '../syntax-tree.ts';
import { declaration, textAt } from './built.ts';
import { lowerExpression, spanOf, type TypeScriptContext, textOf } from './lower-expressions.ts';

export function lowerEnum(context: TypeScriptContext, node: SyntaxNode): Statement {
  const span = spanOf(context, node);
  const name = childByField(node, 'name') ?? node;
  const body = childByField(node, 'body');
  const known = new Map<string, Expression>();
  const names: ListElement[] = [];
  let last: Expression | null = null;
  const elements = (body ? namedChildren(body) : []).map((child): ListElement => {
    const written = childByField(child, 'value');
    const key = textOf(context, childByField(child, 'name') ?? child).replace(/^['"]|['"]$/g, '');
    const own = spanOf(context, child);
    const value: Expression = written
      ? withMembers(lowerExpression(context, written), known)
      : last
        ? next(last, own)
        : { kind: 'number', value: 0, type: 'real', span: own };
    last = value;
    known.set(key, value);
    // `Kind[Kind.A]` is the name again; a text is no key.
    if (value.kind !== 'string') names.push({ name: null, index: value, value: textAt(key, own) });
    return { name: key, value };
  });
  const list: Expression = { kind: 'list', isShared: true, isObject: true, elements: [...elements, ...names], span };
  return declaration(textOf(context, name), list, spanOf(context, name), span);
}

/** What a member is that says nothing of itself: one more than the one before it. */
function next(last: Expression, span: Expression['span']): Expression {
  if (last.kind === 'number') return { kind: 'number', value: last.value + 1, type: 'real', span };
  return { kind: 'binary', operator: '+', left: last, right: { kind: 'number', value: 1, type: 'real', span }, span };
}

/** A member may name those before it. */
function withMembers(value: Expression, known: ReadonlyMap<string, Expression>): Expression {
  if (value.kind === 'name') return known.get(value.name) ?? value;
  if (value.kind === 'unary') return { ...value, operand: withMembers(value.operand, known) };
  if (value.kind !== 'binary') return value;
  return { ...value, left: withMembers(value.left, known), right: withMembers(value.right, known) };
}
