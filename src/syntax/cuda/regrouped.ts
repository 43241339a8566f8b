/**
 * Chains of operators that the grammar reads as something else: `i < n >> 1` as `i<n> > 1` and `i < n && m > (k)` as a call of `i<n && m>`,
 * templates that nobody means, and `(n) && (m) > 0` as a cast of an address. They are taken apart and put together again by the
 * operators' precedence.
 */

import { childByField, namedChildren, type SyntaxNode } from '../syntax-tree.ts';
import type { LowerContext } from './lower-context.ts';
import { castAsArgument } from './vexing-arguments.ts';

/** What stands between operators, and the operators. */
interface Chain {
  readonly operands: SyntaxNode[];
  readonly operators: SyntaxNode[];
  isMisread: boolean;
}

/** The same operators and operands as they belong together; null where the grammar has read them rightly. */
export function regrouped(context: LowerContext, node: SyntaxNode): SyntaxNode | null {
  if (!mayBeMisread(context, node)) return null;
  const chain: Chain = { operands: [], operators: [], isMisread: false };
  takeApart(context, node, chain);
  return chain.isMisread ? putTogether(node, chain) : null;
}

/** Nearly all are not, which is told without making anything. */
function mayBeMisread(context: LowerContext, node: SyntaxNode): boolean {
  switch (node.type) {
    case 'binary_expression': {
      const left = childByField(node, 'left');
      const right = childByField(node, 'right');
      if (!left || !right) return false;
      if (context.text.startsWith('>>', left.end - 1) && endsInTemplate(left)) return true;
      return mayBeMisread(context, left) || mayBeMisread(context, right);
    }
    case 'call_expression': {
      const callee = childByField(node, 'function');
      return callee !== undefined && endsInTemplate(callee);
    }
    case 'cast_expression':
      return childByField(childByField(node, 'value') ?? node, 'argument')?.type === 'pointer_expression';
    default:
      return false;
  }
}

function endsInTemplate(node: SyntaxNode): boolean {
  if (node.type === 'template_function' || node.type === 'template_method') return true;
  const isPath =
    node.type === 'field_expression' || node.type === 'qualified_identifier' || node.type === 'binary_expression';
  const last = isPath ? node.children.at(-1) : undefined;
  return last !== undefined && endsInTemplate(last);
}

function takeApart(context: LowerContext, node: SyntaxNode, chain: Chain): void {
  switch (node.type) {
    case 'binary_expression':
      takeBinary(context, node, chain);
      return;
    case 'call_expression':
      if (takeCall(context, node, chain)) return;
      break;
    case 'cast_expression':
      if (takeCast(context, node, chain)) return;
      break;
    default:
  }
  chain.operands.push(node);
}

function takeBinary(context: LowerContext, node: SyntaxNode, chain: Chain): void {
  const [left, right] = [childByField(node, 'left'), childByField(node, 'right')];
  const operator = childByField(node, 'operator');
  if (!left || !right || !operator) {
    chain.operands.push(node);
    return;
  }
  takeApart(context, left, chain);
  const isShift = operator.type === '>' && context.text[operator.start - 1] === '>' && left.end === operator.start;
  const last = isShift ? chain.operands.pop() : undefined;
  const parts = last && partsOf(context, last);
  if (parts) takeParts(context, parts, { ...operator, type: '>>' }, chain);
  else {
    if (last) chain.operands.push(last);
    chain.operators.push(operator);
  }
  takeApart(context, right, chain);
}

/** `i<n && m>(k)`; a template is hardly ever given a conjunction. */
function takeCall(context: LowerContext, node: SyntaxNode, chain: Chain): boolean {
  const callee = childByField(node, 'function');
  const list = childByField(node, 'arguments');
  const parts = callee && list && namedChildren(list).length === 1 ? partsOf(context, callee) : null;
  const operator = parts ? childByField(parts.argument, 'operator') : undefined;
  if (!parts || !list || !operator || !/^(?:&&|\|\|)$/.test(operator.type)) return false;
  takeParts(context, parts, { ...operator, type: '>' }, chain);
  chain.operands.push({ ...list, type: 'parenthesized_expression' });
  return true;
}

/** `(n) && m`: no address has one itself. */
function takeCast(context: LowerContext, node: SyntaxNode, chain: Chain): boolean {
  const written = childByField(node, 'type');
  const type = written && childByField(written, 'type');
  const address = childByField(node, 'value');
  const inner = address && childByField(address, 'argument');
  const value = inner && childByField(inner, 'argument');
  if (!type || !/identifier$/.test(type.type) || childByField(written, 'declarator') || !value) return false;
  const operator = address.children[0]!;
  if (operator.type !== '&' || inner.children[0]!.type !== '&' || inner.start !== operator.end) return false;
  chain.operands.push(type);
  chain.operators.push({ ...operator, type: '&&' });
  chain.isMisread = true;
  takeApart(context, value, chain);
  return true;
}

function takeParts(context: LowerContext, { name, argument }: Parts, behind: SyntaxNode, chain: Chain): void {
  chain.operands.push(name);
  chain.operators.push({ ...behind, type: '<' });
  takeApart(context, argument, chain);
  chain.operators.push(behind);
  chain.isMisread = true;
}

interface Parts {
  readonly name: SyntaxNode;
  readonly argument: SyntaxNode;
}

/** What stands before and behind the `<` of `name<argument>`; null for anything else. */
function partsOf(context: LowerContext, node: SyntaxNode): Parts | null {
  if (/^template_(?:function|method)$/.test(node.type)) {
    const name = childByField(node, 'name');
    const argument = onlyArgument(context, childByField(node, 'arguments'));
    return name && argument ? { name: { ...name, field: node.field }, argument } : null;
  }
  const last = node.children.at(-1);
  if (!last || (node.type !== 'field_expression' && node.type !== 'qualified_identifier')) return null;
  const parts = partsOf(context, last);
  if (!parts) return null;
  return { ...parts, name: { ...node, end: parts.name.end, children: [...node.children.slice(0, -1), parts.name] } };
}

/** `n`, `2 * n` and `int(n)`, as an expression. */
function onlyArgument(context: LowerContext, list: SyntaxNode | undefined): SyntaxNode | null {
  const [only, second] = list ? namedChildren(list) : [];
  if (!only || second) return null;
  if (only.type !== 'type_descriptor') return only;
  if (childByField(only, 'declarator')) return castAsArgument(context, only, false);
  return childByField(only, 'type') ?? null;
}

const levels = ['||', '&&', '|', '^', '&', '== !=', '< > <= >=', '<=>', '<< >>', '+ -', '* / %'];
const levelOf = new Map(levels.flatMap((row, level) => row.split(' ').map((each) => [each, level] as const)));

function putTogether(node: SyntaxNode, { operands, operators }: Chain): SyntaxNode {
  const open: SyntaxNode[] = [operands[0]!];
  const waiting: SyntaxNode[] = [];
  const close = (): void => {
    const [right, left, operator] = [open.pop()!, open.pop()!, waiting.pop()!];
    const children = [
      { ...left, field: 'left' },
      { ...operator, field: 'operator' },
      { ...right, field: 'right' },
    ];
    open.push({ ...node, type: 'binary_expression', start: left.start, end: right.end, children });
  };
  for (const [index, operator] of operators.entries()) {
    while (waiting.length > 0 && level(waiting.at(-1)!) >= level(operator)) close();
    waiting.push(operator);
    open.push(operands[index + 1]!);
  }
  while (waiting.length > 0) close();
  return { ...open[0]!, field: node.field };
}

function level({ type }: SyntaxNode): number {
  return levelOf.get(type) ?? 0;
}
