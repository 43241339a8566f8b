/** Expressions of C++ to the host program's. One case a construct; what has no case becomes `unknown` with its parts. */

import type { Span } from '../../base/span.ts';
import type { Expression, ListElement, UnaryOperator } from '../../program/program.ts';
import { typeNamed } from '../../program/type-named.ts';
import { childByField, childrenByField, namedChildren, type SyntaxNode } from '../syntax-tree.ts';
import { unsaid } from './default-braces.ts';
import { lowerCharacter, lowerNumber, textLiteral } from './literals.ts';
import { type LowerContext, noteUnread, spanOf, textOf } from './lower-context.ts';
import { lowerLambda } from './lower-lambda.ts';
import { lowerCall, lowerIndex, lowerMember } from './lower-postfix.ts';
import {
  concatenated,
  distanceOfMember,
  lowerAssembly,
  lowerFold,
  lowerRequirement,
  lowerSizeof,
} from './lower-rare.ts';
import { lowerBody } from './lower-statements.ts';
import {
  isFromOutermost,
  lowerType,
  lowerTypeName,
  qualifiedName,
  templateOfName,
  withoutSpaces,
} from './lower-types.ts';
import { isMarkAlone, operatorMeant } from './member-pointers.ts';
import { pointersBehind } from './new-pointers.ts';
import { operatorWords } from './operator-words.ts';
import { unpasted } from './pasted.ts';
import { regrouped } from './regrouped.ts';
import { calledTemplate } from './template-calls.ts';

export function lowerExpression(context: LowerContext, node: SyntaxNode): Expression {
  const span = spanOf(context, node);
  // Half of all expressions.
  if (node.type === 'identifier') return lowerIdentifier(context, node, span);
  switch (node.type) {
    case 'call_expression':
      return lowerCall(context, node);
    case 'field_expression':
      return lowerMember(context, node);
    case 'number_literal':
      return lowerNumber(textOf(context, node), span);
    case 'char_literal':
      return lowerCharacter(textOf(context, node), span);
    case 'true':
      return { kind: 'number', value: 1, type: 'bool', span };
    case 'false':
      return { kind: 'number', value: 0, type: 'bool', span };
    case 'null':
      return textOf(context, node) === 'nullptr'
        ? { kind: 'number', value: 0, isNullPointer: true, span }
        : { kind: 'number', value: 0, span };
    case 'string_literal':
    case 'raw_string_literal':
      return textLiteral(textOf(context, node), span);
    case 'concatenated_string':
      return concatenated(context, node);
    case 'field_identifier':
    case 'type_identifier':
    case 'namespace_identifier':
    case 'primitive_type':
    case 'template_type':
    case 'operator_name':
      return lowerName(context, node, span);
    case 'qualified_identifier':
    case 'template_function': {
      const whole = regrouped(context, node);
      return whole ? lowerExpression(context, whole) : lowerName(context, node, span);
    }
    case 'this':
      return { kind: 'name', name: 'this', span };
    case 'parenthesized_expression':
      return lowerParenthesized(context, node);
    case 'condition_clause':
      return lowerOptional(context, childByField(node, 'value') ?? namedChildren(node)[0], node);
    case 'unary_expression':
    case 'pointer_expression':
      return lowerUnary(context, node, span);
    case 'update_expression':
      return lowerUpdate(context, node, span);
    case 'binary_expression':
      return lowerBinary(context, node, span);
    case 'assignment_expression':
      return {
        kind: 'assign',
        operator: inSigns(childByField(node, 'operator')?.type ?? '='),
        target: lowerOptional(context, childByField(node, 'left'), node),
        value: lowerOptional(context, childByField(node, 'right'), node),
        span,
      };
    case 'conditional_expression':
      return {
        kind: 'conditional',
        condition: lowerOptional(context, childByField(node, 'condition'), node),
        whenTrue: lowerOptional(context, childByField(node, 'consequence'), node),
        whenFalse: lowerOptional(context, childByField(node, 'alternative'), node),
        span,
      };
    case 'subscript_expression':
      return lowerIndex(context, node);
    case 'cast_expression': {
      const whole = regrouped(context, node);
      if (whole) return lowerExpression(context, whole);
      const type = childByField(node, 'type');
      return {
        kind: 'cast',
        type: lowerTypeName(context, type ?? node),
        operand: lowerOptional(context, childByField(node, 'value'), node),
        span,
      };
    }
    case 'sizeof_expression':
    case 'alignof_expression':
    case 'offsetof_expression':
      return lowerSizeof(context, node);
    case 'compound_literal_expression':
      return lowerCompoundLiteral(context, node);
    case 'new_expression':
      return lowerNew(context, node);
    case 'delete_expression':
      return { kind: 'delete', operand: lowerOptional(context, namedChildren(node).at(-1), node), span };
    case 'initializer_list':
      return { kind: 'list', elements: namedChildren(node).map((child) => lowerListElement(context, child)), span };
    case 'lambda_expression':
      return lowerLambda(context, node);
    case 'comma_expression':
      return {
        kind: 'sequence',
        expressions: namedChildren(node).map((child) => lowerExpression(context, child)),
        span,
      };
    case 'compound_statement':
      return { kind: 'block', body: lowerBody(context, node), span };
    case 'throw_statement': {
      const operand = namedChildren(node)[0];
      return { kind: 'throw', operand: operand ? lowerExpression(context, operand) : null, span };
    }
    case 'fold_expression':
      return lowerFold(context, node);
    case 'gnu_asm_expression':
      return lowerAssembly(context, node);
    case 'requires_expression':
      return lowerRequirement(context, node);
    case 'parameter_pack_expansion':
      return { kind: 'unary', operator: '...', operand: lowerOptional(context, namedChildren(node)[0], node), span };
    case 'co_await_expression':
    case 'co_yield_statement': {
      const callee: Expression = { kind: 'name', name: node.type.slice(0, 'co_await'.length), span };
      const operand = lowerOptional(context, namedChildren(node)[0], node);
      return { kind: 'call', callee, templateArguments: [], arguments: [operand], span };
    }
    case 'user_defined_literal':
      return lowerUserLiteral(context, node);
    default:
      noteUnread(context, node, node.type);
      return {
        kind: 'unknown',
        what: node.type,
        parts: node.type === 'ERROR' ? [] : expressionParts(context, node),
        span,
      };
  }
}

/** A name; of one that was garbled by copying, the address of what is meant. */
function lowerIdentifier(context: LowerContext, node: SyntaxNode, span: Span): Expression {
  const written = textOf(context, node);
  const pasted = unpasted(written);
  if (pasted) return { kind: 'unary', operator: '&', operand: { kind: 'name', name: pasted, span }, span };
  return { kind: 'name', name: withoutSpaces(written), span };
}

/** A name that may be qualified, or an instance of a template. */
function lowerName(context: LowerContext, node: SyntaxNode, span: Span): Expression {
  const template = templateOfName(context, node);
  const { name: written } = qualifiedName(context, node);
  const isOutermost = isFromOutermost(node);
  const name = isOutermost && !written.includes('::') ? `::${written}` : written;
  return {
    kind: 'name',
    name,
    ...(template ? { template } : {}),
    ...(isOutermost ? { isOutermost } : {}),
    span,
  };
}

function inSigns(operator: string): string {
  return operatorWords.get(operator) ?? operator;
}

function lowerUpdate(context: LowerContext, node: SyntaxNode, span: Span): Expression {
  const argument = childByField(node, 'argument');
  const operator = childByField(node, 'operator');
  return {
    kind: 'update',
    operator: operator?.type === '--' ? '--' : '++',
    prefix: !!operator && !!argument && operator.start < argument.start,
    operand: lowerOptional(context, argument, node),
    span,
  };
}

function lowerUnary(context: LowerContext, node: SyntaxNode, span: Span): Expression {
  const operator = inSigns((childByField(node, 'operator') ?? node.children[0]!).type) as UnaryOperator;
  const operand = lowerOptional(context, childByField(node, 'argument'), node);
  // `&&label`, see {@link withoutRareWords}: the name begins as no other does.
  if (operator === '~' && operand.kind === 'unary' && operand.operator === '&' && operand.operand.kind === 'name')
    return { kind: 'name', name: `&&${operand.operand.name}`, span };
  return (operator === '&' && distanceOfMember(operand, span)) || { kind: 'unary', operator, operand, span };
}

function lowerBinary(context: LowerContext, node: SyntaxNode, span: Span): Expression {
  const cast = castOfPointee(context, node);
  if (cast) return cast;
  const call = calledTemplate(node);
  if (call) return lowerExpression(context, call);
  const whole = regrouped(context, node);
  if (whole) return lowerBinary(context, whole, span);
  const sign = childByField(node, 'operator');
  const operator = inSigns(sign?.type ?? '?');
  const left = lowerOptional(context, childByField(node, 'left'), node);
  const right = lowerOptional(context, childByField(node, 'right'), node);
  if (operator === '*' && isMarkAlone(left))
    return { ...left, right: { kind: 'unary', operator, operand: right, span: right.span }, span };
  return {
    kind: 'binary',
    operator: operatorMeant(operator, right, sign ? context.text.slice(sign.end, sign.end + 2) : ''),
    left,
    right,
    span,
  };
}

/** `T{…}`, `(T){…}`. */
function lowerCompoundLiteral(context: LowerContext, node: SyntaxNode): Expression {
  const span = spanOf(context, node);
  const type = childByField(node, 'type');
  const value = childByField(node, 'value');
  const list = value ? lowerExpression(context, value) : null;
  if (!type || type.missing || textOf(context, type) === unsaid) return list ?? { kind: 'list', elements: [], span };
  return {
    kind: 'construct',
    type: lowerTypeName(context, type),
    arguments: list ? [list] : [],
    isNew: false,
    span,
  };
}

/** `[2][3]` of `new int[2][3]`. */
function extentsOfNew(context: LowerContext, declarator: SyntaxNode | undefined): readonly Expression[] {
  const extent = declarator ? childByField(declarator, 'length') : undefined;
  if (!declarator || !extent) return [];
  const further = namedChildren(declarator).find(({ type }) => type === 'new_declarator');
  return [lowerExpression(context, extent), ...extentsOfNew(context, further)];
}

/** `new T(…)`, `new T[n]`. */
function lowerNew(context: LowerContext, node: SyntaxNode): Expression {
  const span = spanOf(context, node);
  const length = childByField(node, 'declarator');
  const list = childByField(node, 'arguments');
  const written = lowerType(context, node);
  const typeEnd = childByField(node, 'type')?.end ?? node.end;
  const pointers = pointersBehind(context.text.slice(typeEnd, (length ?? list)?.start ?? node.end));
  const base = pointers > 0 ? { ...written, pointers: written.pointers + pointers } : written;
  const extents = extentsOfNew(context, length);
  const place = childByField(node, 'placement');
  const [first, ...more] = place ? namedChildren(place) : [];
  return {
    kind: 'construct',
    type: extents.length > 0 ? { ...base, extents } : base,
    arguments: list ? argumentsOfNew(context, list) : [],
    isNew: true,
    ...(first && (more.length === 0 || first.type === 'call_expression')
      ? { placement: lowerExpression(context, first) }
      : {}),
    span,
  };
}

function argumentsOfNew(context: LowerContext, list: SyntaxNode): readonly Expression[] {
  if (list.type === 'initializer_list') return [lowerExpression(context, list)];
  return lowerArguments(context, list).map((each) => (each.kind === 'list' ? { ...each, isArgument: true } : each));
}

/** `4_MiB` calls `operator""_MiB`; the library's own of texts are the text. */
function lowerUserLiteral(context: LowerContext, node: SyntaxNode): Expression {
  const span = spanOf(context, node);
  const [literal, suffix] = namedChildren(node);
  const own = suffix ? textOf(context, suffix) : '';
  // Of `5us` the parser takes `5u` for the number.
  const written = literal?.type === 'number_literal' ? textOf(context, literal) : '';
  const [, digits, letters = ''] = /^(\d[\d'.]*(?:[eE][-+]?\d+)?)([a-zA-Z]+)$/.exec(written) ?? [];
  const value = digits === undefined ? lowerOptional(context, literal, node) : lowerNumber(digits, span);
  const name = letters + own;
  if (value.kind === 'string' && (name === 's' || name === 'sv'))
    return value.whole === undefined ? value : { kind: 'string', value: value.whole, span };
  const callee: Expression = { kind: 'name', name: `operator""${name}`, span };
  // The operator of a text is told its length.
  const length = value.kind === 'string' ? (value.whole ?? value.value).length : null;
  const given: Expression[] = length === null ? [value] : [value, { kind: 'number', value: length, span }];
  return { kind: 'call', callee, templateArguments: [], arguments: given, span };
}

function expressionParts(context: LowerContext, node: SyntaxNode): Expression[] {
  return namedChildren(node)
    .filter((child) => child.type.endsWith('expression') || child.type === 'identifier')
    .map((child) => lowerExpression(context, child));
}

/** Of a part that is not there: something unknown, which stands where the whole does. */
export function lowerOptional(context: LowerContext, node: SyntaxNode | undefined, parent: SyntaxNode): Expression {
  if (node) return lowerExpression(context, node);
  return { kind: 'unknown', what: parent.type, parts: [], span: spanOf(context, parent) };
}

function lowerParenthesized(context: LowerContext, node: SyntaxNode): Expression {
  const inner = namedChildren(node).filter((child) => child.type !== 'ERROR');
  return lowerOptional(context, inner[0], node);
}

/** What stands in parentheses or braces; members by their names stay together as one list. */
export function lowerArguments(context: LowerContext, list: SyntaxNode): Expression[] {
  const given = namedChildren(list);
  if (given.some(({ type }) => type === 'initializer_pair')) return [lowerExpression(context, list)];
  return given.map((child) => lowerExpression(context, child));
}

function lowerListElement(context: LowerContext, node: SyntaxNode): ListElement {
  if (node.type !== 'initializer_pair') return { name: null, value: lowerExpression(context, node) };
  const value = lowerOptional(context, childByField(node, 'value'), node);
  const designators = childrenByField(node, 'designator');
  // `.location.type = x` is `.location = {.type = x}`, `[2].x = y` is `[2] = {.x = y}`.
  return designators.reduceRight<ListElement>(
    (inner, designator, at) => {
      const isInnermost = at === designators.length - 1;
      const held: Expression = isInnermost ? value : { kind: 'list', elements: [inner], span: value.span };
      return { ...designated(context, designator), value: held };
    },
    { name: null, value },
  );
}

/** `.name`, `[3]` and `[0 ... 3]`. */
function designated(context: LowerContext, designator: SyntaxNode): Omit<ListElement, 'value'> {
  const [first, last] = namedChildren(designator);
  if (designator.type === 'field_designator') return { name: first ? textOf(context, first) : '' };
  const index = lowerOptional(context, first, designator);
  return { name: null, index, ...(last ? { lastIndex: lowerExpression(context, last) } : {}) };
}

/** Names that only types have, by convention and in CUDA's headers. */
const typeNames = /^(?:\w+_t|CUdeviceptr)$/;

/** `(CUdeviceptr)*p` parses as a product: what stands in the parentheses is a type. */
function castOfPointee(context: LowerContext, node: SyntaxNode): Expression | null {
  const operator = childByField(node, 'operator')?.type;
  const left = childByField(node, 'left');
  const right = childByField(node, 'right');
  if ((operator !== '*' && operator !== '&') || left?.type !== 'parenthesized_expression' || !right) return null;
  const [inner] = namedChildren(left);
  if (inner?.type !== 'identifier' || !typeNames.test(textOf(context, inner))) return null;
  const span = spanOf(context, node);
  return {
    kind: 'cast',
    type: typeNamed(textOf(context, inner)),
    operand: { kind: 'unary', operator, operand: lowerExpression(context, right), span: spanOf(context, right) },
    span,
  };
}
