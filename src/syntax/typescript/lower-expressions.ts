/** Expressions of TypeScript to the host program's. */

import type { Span } from '../../base/span.ts';
import type {
  Expression,
  LambdaExpression,
  ListElement,
  Parameter,
  TypeReference,
  UnaryOperator,
} from '../../program/program.ts';
import { childByField, childOfType, namedChildren, type SyntaxNode } from '../syntax-tree.ts';
import { lowerBody } from './lower-statements.ts';

export interface TypeScriptContext {
  readonly file: string;
  readonly text: string;
  readonly unread: { readonly what: string; readonly span: Span }[];
  /** What the class that is being read extends. */
  baseClass: string | null;
}

export const anyType: TypeReference = {
  name: 'auto',
  arguments: [],
  pointers: 0,
  isReference: false,
  isConst: false,
  extents: [],
};

export function spanOf(context: TypeScriptContext, node: SyntaxNode): Span {
  return { file: context.file, start: node.start, end: node.end };
}

export function textOf(context: TypeScriptContext, node: SyntaxNode): string {
  return context.text.slice(node.start, node.end);
}

export function lowerExpression(context: TypeScriptContext, node: SyntaxNode): Expression {
  const span = spanOf(context, node);
  const field = (name: string): Expression => optional(context, childByField(node, name), node);
  switch (node.type) {
    case 'number':
      return { kind: 'number', value: Number(textOf(context, node).replace(/[_n]/g, '')) || 0, type: 'real', span };
    case 'true':
      return { kind: 'number', value: 1, span };
    case 'false':
    case 'null':
    case 'undefined':
      return { kind: 'number', value: 0, span };
    case 'string':
      return { kind: 'string', value: textOf(context, node).slice(1, -1), span };
    case 'template_string':
      return { kind: 'string', value: textOf(context, node).slice(1, -1), span };
    case 'identifier':
    case 'property_identifier':
    case 'shorthand_property_identifier':
    case 'type_identifier':
    case 'this':
      return { kind: 'name', name: textOf(context, node), span };
    case 'parenthesized_expression':
    case 'as_expression':
    case 'satisfies_expression':
    case 'non_null_expression':
    case 'await_expression':
      return optional(context, namedChildren(node)[0], node);
    case 'unary_expression':
      return {
        kind: 'unary',
        operator: (childByField(node, 'operator')?.type ?? '!') as UnaryOperator,
        operand: field('argument'),
        span,
      };
    case 'update_expression': {
      const operator = childByField(node, 'operator');
      const argument = childByField(node, 'argument');
      return {
        kind: 'update',
        operator: operator?.type === '--' ? '--' : '++',
        prefix: !!operator && !!argument && operator.start < argument.start,
        operand: field('argument'),
        span,
      };
    }
    case 'binary_expression':
      if (childByField(node, 'operator')?.type === '**')
        return libraryCall('pow', [field('left'), field('right')], span);
      return {
        kind: 'binary',
        operator: childByField(node, 'operator')?.type ?? '?',
        left: field('left'),
        right: field('right'),
        span,
      };
    case 'assignment_expression':
      return { kind: 'assign', operator: '=', target: field('left'), value: field('right'), span };
    case 'augmented_assignment_expression':
      return {
        kind: 'assign',
        operator: childByField(node, 'operator')?.type ?? '+=',
        target: field('left'),
        value: field('right'),
        span,
      };
    case 'ternary_expression':
      return {
        kind: 'conditional',
        condition: field('condition'),
        whenTrue: field('consequence'),
        whenFalse: field('alternative'),
        span,
      };
    case 'member_expression': {
      const property = childByField(node, 'property');
      return { kind: 'member', object: field('object'), name: property ? textOf(context, property) : '', span };
    }
    case 'subscript_expression':
      return { kind: 'index', object: field('object'), index: field('index'), span };
    case 'call_expression':
      return lowerCall(context, node);
    case 'new_expression': {
      const callee = childByField(node, 'constructor');
      const list = childByField(node, 'arguments');
      return {
        kind: 'construct',
        type: { ...anyType, name: classNamed(callee ? textOf(context, callee) : '') },
        arguments: list ? namedChildren(list).map((child) => lowerExpression(context, child)) : [],
        isNew: true,
        span,
      };
    }
    case 'array':
      return {
        kind: 'list',
        isShared: true,
        elements: namedChildren(node).map(
          (child): ListElement => ({ name: null, value: lowerExpression(context, child) }),
        ),
        span,
      };
    case 'object':
      return {
        kind: 'list',
        isShared: true,
        elements: namedChildren(node).map((child) => lowerProperty(context, child)),
        span,
      };
    case 'spread_element':
      return { kind: 'unary', operator: '...', operand: optional(context, namedChildren(node)[0], node), span };
    case 'arrow_function':
    case 'function_expression':
      return lowerFunctionExpression(context, node);
    case 'sequence_expression':
      return {
        kind: 'sequence',
        expressions: namedChildren(node).map((child) => lowerExpression(context, child)),
        span,
      };
    case 'regex':
      return { kind: 'string', value: '', span };
    default:
      context.unread.push({ what: node.type, span });
      return { kind: 'unknown', what: node.type, parts: [], span };
  }
}

function optional(context: TypeScriptContext, node: SyntaxNode | undefined, parent: SyntaxNode): Expression {
  return node
    ? lowerExpression(context, node)
    : { kind: 'unknown', what: parent.type, parts: [], span: spanOf(context, parent) };
}

/** Functions of a namespace import (`cuda.f(…)`) are called by their own name. */
function lowerCall(context: TypeScriptContext, node: SyntaxNode): Expression {
  const callee = childByField(node, 'function') ?? node.children[0]!;
  const list = childByField(node, 'arguments');
  const span = spanOf(context, node);
  const values = list ? namedChildren(list).map((child) => lowerExpression(context, child)) : [];
  const inherited = inheritedMethod(context, callee);
  if (inherited) return { kind: 'call', callee: inherited, templateArguments: [], arguments: values, span };
  const mathematical = /^Math\.(\w+)$/.exec(textOf(context, callee))?.[1];
  const called = mathematical && mathematicalCall(mathematical, values, span);
  if (called) return called;
  return { kind: 'call', callee: lowerExpression(context, callee), templateArguments: [], arguments: values, span };
}

/** `super.f` of `super.f(…)`. */
function inheritedMethod(context: TypeScriptContext, callee: SyntaxNode): Expression | null {
  const property = childByField(callee, 'property');
  if (!context.baseClass || !property || childByField(callee, 'object')?.type !== 'super') return null;
  return { kind: 'name', name: `${context.baseClass}::${textOf(context, property)}`, span: spanOf(context, callee) };
}

/** Functions of `Math` that C has by the same name, with how its library calls them. */
const mathematicalNames: Readonly<Record<string, string>> = Object.fromEntries(
  ['ceil', 'floor', 'trunc', 'round', 'sqrt', 'cbrt', 'log2', 'log10', 'pow']
    .map((name) => [name, name])
    .concat([['abs', 'fabs']]),
);

/** `Math.ceil(x)`, `Math.max(a, b, c)`; null for what is not known. */
function mathematicalCall(name: string, values: readonly Expression[], span: Span): Expression | null {
  const isChoice = name === 'max' || name === 'min';
  if (isChoice && values.length > 0)
    return values.slice(1).reduce((before, value) => libraryCall(`f${name}`, [before, value], span), values[0]!);
  const known = Object.hasOwn(mathematicalNames, name) ? mathematicalNames[name] : undefined;
  return known ? libraryCall(known, values, span) : null;
}

/** A call of the library that both languages' numbers have in common. */
function libraryCall(name: string, values: readonly Expression[], span: Span): Expression {
  return {
    kind: 'call',
    callee: { kind: 'name', name: `std::${name}`, span },
    templateArguments: [],
    arguments: values,
    span,
  };
}

/** Of the classes of the language, the one of C++'s library that is read in its place. */
function classNamed(name: string): string {
  return name === 'Map' ? 'std::unordered_map' : name;
}

function lowerProperty(context: TypeScriptContext, node: SyntaxNode): ListElement {
  if (node.type === 'pair') {
    const key = childByField(node, 'key');
    const value = childByField(node, 'value');
    return { name: key ? textOf(context, key).replace(/^['"]|['"]$/g, '') : '', value: optional(context, value, node) };
  }
  if (node.type === 'spread_element') return { name: '...', value: optional(context, namedChildren(node)[0], node) };
  if (node.type === 'method_definition')
    return { name: textOf(context, childByField(node, 'name') ?? node), value: lowerFunctionExpression(context, node) };
  return { name: textOf(context, node), value: lowerExpression(context, node) };
}

export function lowerFunctionExpression(context: TypeScriptContext, node: SyntaxNode): LambdaExpression {
  const span = spanOf(context, node);
  const body = childByField(node, 'body');
  const parameters = childByField(node, 'parameters');
  const single = childByField(node, 'parameter');
  return {
    kind: 'lambda',
    parameters: parameters ? lowerParameters(context, parameters) : single ? [lowerParameter(context, single)] : [],
    body: !body
      ? []
      : body.type === 'statement_block'
        ? lowerBody(context, body)
        : [{ kind: 'return', value: lowerExpression(context, body), span: spanOf(context, body) }],
    capturesByReference: [],
    capturesByValue: [],
    ownVariables: [],
    span,
  };
}

export function lowerParameters(context: TypeScriptContext, list: SyntaxNode): Parameter[] {
  return namedChildren(list).map((child) => lowerParameter(context, child));
}

function lowerParameter(context: TypeScriptContext, node: SyntaxNode): Parameter {
  const pattern = childByField(node, 'pattern') ?? node;
  const value = childByField(node, 'value');
  const annotation = childByField(node, 'type');
  const inner = pattern.type === 'rest_pattern' ? (namedChildren(pattern)[0] ?? pattern) : pattern;
  return {
    name: textOf(context, inner),
    type: annotation ? typeOf(context, annotation) : anyType,
    defaultValue: value ? lowerExpression(context, value) : null,
    isPack: pattern.type === 'rest_pattern',
    span: spanOf(context, inner),
  };
}

/** The handle types of the API answer to CUDA's names; everything else is not told apart. */
const typeNames: Readonly<Record<string, string>> = {
  Stream: 'cudaStream_t',
  Event: 'cudaEvent_t',
  Graph: 'cudaGraph_t',
  GraphNode: 'cudaGraphNode_t',
  GraphExec: 'cudaGraphExec_t',
  number: 'double',
};

function typeOf(context: TypeScriptContext, annotation: SyntaxNode): TypeReference {
  const inner = childOfType(annotation, 'type_identifier', 'predefined_type');
  const name = inner ? textOf(context, inner) : '';
  if (name === 'DevicePointer') return { ...anyType, name: 'void', pointers: 1 };
  const mapped = typeNames[name];
  return mapped ? { ...anyType, name: mapped } : anyType;
}
