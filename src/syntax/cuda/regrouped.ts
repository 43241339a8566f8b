/**
 * Chains of operators that the grammar reads as something else: `i < n >> 1` as `i<n> > 1`, `i < n && m > (k)` as a call of `i<n && m>` and
 * `i < get<1>(t)` as one of `i<(get < 1)>`, templates that nobody means, and `(n) && (m) > 0` as a cast of an address. They are
 * taken apart and put together again by the operators' precedence. So is `(a) - n * 2`, which the grammar takes for a cast of `-n`.
 */

import { childByField, namedChildren, type SyntaxNode } from '../syntax-tree.ts';
import { comparedMember, isLikeType } from './compared-members.ts';
import { type LowerContext, textOf } from './lower-context.ts';
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
      if (markBehind(context, left) || markBehind(context, right)) return true;
      return mayBeMisread(context, left) || mayBeMisread(context, right);
    }
    case 'call_expression': {
      const callee = childByField(node, 'function');
      return callee !== undefined && (endsInTemplate(callee) || comparedMember(context, callee) !== null);
    }
    case 'qualified_identifier':
      return comparedMember(context, node) !== null;
    case 'cast_expression': {
      const value = childByField(node, 'value');
      if (!value) return false;
      if (value.type === 'cast_expression') return mayBeMisread(context, value);
      return childByField(value, 'argument')?.type === 'pointer_expression' || signBehind(context, node) !== null;
    }
    case 'template_function':
      return childByField(node, 'arguments')?.children.find(({ named }) => named)?.type === 'binary_expression';
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
    case 'qualified_identifier':
      if (takeMember(context, node, null, chain)) return;
      break;
    case 'template_function':
      if (takeInner(context, partsOf(node), null, chain)) return;
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
  const parts = last ? partsOf(last) : null;
  const argument = parts && onlyArgument(context, parts.list);
  if (parts && argument) takeComparison(context, parts.name, argument, { ...operator, type: '>>' }, chain);
  else {
    if (last) chain.operands.push(last);
    chain.operators.push(operator);
  }
  takeApart(context, right, chain);
}

/** `i<n && m>(k)`; a template is hardly ever given a conjunction. */
function takeCall(context: LowerContext, node: SyntaxNode, chain: Chain): boolean {
  const callee = childByField(node, 'function');
  const given = childByField(node, 'arguments');
  if (callee && given && takeMember(context, callee, node, chain)) return true;
  const parts = callee ? partsOf(callee) : null;
  if (!parts || !given) return false;
  if (takeInner(context, parts, given, chain)) return true;
  const argument = namedChildren(given).length === 1 ? onlyArgument(context, parts.list) : null;
  const operator = argument ? childByField(argument, 'operator') : undefined;
  if (!argument || !operator || !/^(?:&&|\|\|)$/.test(operator.type)) return false;
  takeComparison(context, parts.name, argument, { ...operator, type: '>' }, chain);
  chain.operands.push({ ...given, type: 'parenthesized_expression' });
  return true;
}

/** `i<(Type < 2)>::count`, and a call of such a function. */
function takeMember(context: LowerContext, node: SyntaxNode, call: SyntaxNode | null, chain: Chain): boolean {
  const compared = comparedMember(context, node);
  if (!compared) return false;
  const { name, operator, member } = compared;
  const callee = { ...member, field: 'function' };
  const called = call?.children.map((each) => (each.field === 'function' ? callee : each));
  chain.operands.push(name, call && called ? { ...call, field: null, start: member.start, children: called } : member);
  chain.operators.push(operator);
  chain.isMisread = true;
  return true;
}

/** `i<(get < 1)>(t)`, `i<(n && get < 1)>(t)` and `i<(size < 1)>`: the inner one is the template. */
function takeInner(context: LowerContext, parts: Parts | null, given: SyntaxNode | null, chain: Chain): boolean {
  const [first, ...more] = parts ? namedChildren(parts.list) : [];
  const operator = first?.type === 'binary_expression' ? childByField(first, 'operator') : undefined;
  const whole = parts && first ? closed(first, more, parts.list, given) : null;
  if (!parts || !operator || !whole) return false;
  chain.operands.push(parts.name);
  chain.operators.push({ ...operator, type: '<' });
  chain.isMisread = true;
  takeApart(context, whole, chain);
  return true;
}

/** The same with its last comparison as a template, which is called with what is given; null where no comparison comes last. */
function closed(
  node: SyntaxNode,
  more: readonly SyntaxNode[],
  list: SyntaxNode,
  given: SyntaxNode | null,
): SyntaxNode | null {
  const [left, right] = [childByField(node, 'left'), childByField(node, 'right')];
  const operator = childByField(node, 'operator')?.type;
  if (node.type !== 'binary_expression' || !left || !right) return null;
  if (operator === '<') return instance(left, { ...list, children: [{ ...right, field: null }, ...more] }, given);
  const inner = operator === '&&' || operator === '||' ? closed(right, more, list, given) : null;
  return (
    inner && { ...node, children: node.children.map((each) => (each === right ? { ...inner, field: 'right' } : each)) }
  );
}

/** `name<list>`, or a call of it; in `(int)name` what is cast. */
function instance(name: SyntaxNode, list: SyntaxNode, given: SyntaxNode | null): SyntaxNode | null {
  const value = name.type === 'cast_expression' ? childByField(name, 'value') : undefined;
  if (value) {
    const inner = instance(value, list, given);
    return (
      inner && {
        ...name,
        children: name.children.map((each) => (each === value ? { ...inner, field: 'value' } : each)),
      }
    );
  }
  const template = templateNamed(name, list);
  if (!template || !given) return template;
  return {
    ...template,
    type: 'call_expression',
    end: given.end,
    children: [{ ...template, field: 'function' }, given],
  };
}

function templateNamed(name: SyntaxNode, list: SyntaxNode): SyntaxNode | null {
  const children = [
    { ...name, field: 'name' },
    { ...list, field: 'arguments' },
  ];
  const whole = { ...name, end: list.end, children };
  if (name.type === 'identifier') return { ...whole, type: 'template_function' };
  if (name.type === 'field_identifier') return { ...whole, type: 'template_method' };
  const last =
    name.type === 'field_expression' || name.type === 'qualified_identifier' ? name.children.at(-1) : undefined;
  const inner = last ? templateNamed(last, list) : null;
  return inner && { ...name, end: list.end, children: [...name.children.slice(0, -1), inner] };
}

/** The sign in `(a) - n * 2`, which is read as `((a)-n) * 2`, a cast, where a sum is meant; null where it is a cast. */
function signBehind(context: LowerContext, node: SyntaxNode): SyntaxNode | null {
  const written = childByField(node, 'type');
  const type = written && childByField(written, 'type');
  const value = childByField(node, 'value');
  if (type?.type !== 'type_identifier' || childByField(written!, 'declarator') || value?.type !== 'unary_expression')
    return null;
  const sign = value.children[0]!;
  if (sign.type === '+') return sign;
  if (sign.type !== '-') return null;
  return /\s/.test(context.text[sign.end] ?? '') || !isLikeType(context, textOf(context, type)) ? sign : null;
}

/** The same of `k * (a) & b`, read as an address or what one leads to, of which the other operators would get the whole. */
function markBehind(context: LowerContext, node: SyntaxNode): SyntaxNode | null {
  if (node.type !== 'cast_expression') return null;
  const written = childByField(node, 'type');
  const type = written && childByField(written, 'type');
  const value = childByField(node, 'value');
  if (type?.type !== 'type_identifier' || childByField(written!, 'declarator') || value?.type !== 'pointer_expression')
    return null;
  const mark = value.children[0]!;
  return /\s/.test(context.text[mark.end] ?? '') && !isLikeType(context, textOf(context, type)) ? mark : null;
}

/** `(a) - n` and `(char *)(a) - n`: the left side goes on the chain as it is meant, then the rest. */
function takeSum(context: LowerContext, node: SyntaxNode, chain: Chain): boolean {
  const casts: SyntaxNode[] = [];
  let inner = node;
  for (let next = childByField(inner, 'value'); next?.type === 'cast_expression'; next = childByField(inner, 'value')) {
    casts.push(inner);
    inner = next;
  }
  const sign = inner.type === 'cast_expression' ? (signBehind(context, inner) ?? markBehind(context, inner)) : null;
  const name = childByField(childByField(inner, 'type') ?? inner, 'type');
  const behind = childByField(childByField(inner, 'value') ?? inner, 'argument');
  if (!sign || !name || !behind) return false;
  const end = context.text.indexOf(')', name.end) + 1;
  const children = [{ ...name, type: 'identifier', field: null }];
  let left: SyntaxNode = { ...inner, type: 'parenthesized_expression', end, children };
  for (const outer of casts.reverse()) {
    const kept = outer.children.filter(({ field }) => field !== 'value');
    left = { ...outer, end, children: [...kept, { ...left, field: 'value' }] };
  }
  chain.operands.push(left);
  chain.operators.push(sign);
  chain.isMisread = true;
  takeApart(context, behind, chain);
  return true;
}

/** `(n) && m`: no address has one itself. */
function takeCast(context: LowerContext, node: SyntaxNode, chain: Chain): boolean {
  if (takeSum(context, node, chain)) return true;
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

function takeComparison(
  context: LowerContext,
  name: SyntaxNode,
  argument: SyntaxNode,
  behind: SyntaxNode,
  chain: Chain,
): void {
  chain.operands.push(name);
  chain.operators.push({ ...behind, type: '<' });
  takeApart(context, argument, chain);
  chain.operators.push(behind);
  chain.isMisread = true;
}

/** What stands before and between the brackets of `name<list>`. */
interface Parts {
  readonly name: SyntaxNode;
  readonly list: SyntaxNode;
}

function partsOf(node: SyntaxNode): Parts | null {
  if (/^template_(?:function|method)$/.test(node.type)) {
    const name = childByField(node, 'name');
    const list = childByField(node, 'arguments');
    return name && list ? { name: { ...name, field: node.field }, list } : null;
  }
  const last = node.children.at(-1);
  if (!last || (node.type !== 'field_expression' && node.type !== 'qualified_identifier')) return null;
  const parts = partsOf(last);
  if (!parts) return null;
  return { ...parts, name: { ...node, end: parts.name.end, children: [...node.children.slice(0, -1), parts.name] } };
}

/** `n`, `2 * n` and `int(n)`, as an expression. */
function onlyArgument(context: LowerContext, list: SyntaxNode): SyntaxNode | null {
  const [only, second] = namedChildren(list);
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
