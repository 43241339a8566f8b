/** Functions and classes of TypeScript to the host program's. */

import { bodyOf } from '../../program/mentions.ts';
import type {
  ClassDefinition,
  Declaration,
  Expression,
  FunctionDefinition,
  MemberInitializer,
} from '../../program/program.ts';
import { childByField, childOfType, namedChildren, type SyntaxNode } from '../syntax-tree.ts';
import {
  anyType,
  lowerExpression,
  lowerParameters,
  spanOf,
  type TypeScriptContext,
  textOf,
} from './lower-expressions.ts';
import { lowerBody } from './lower-statements.ts';

export function lowerFunction(
  context: TypeScriptContext,
  node: SyntaxNode,
  className: string | null,
  memberInitializers: readonly MemberInitializer[] = [],
): FunctionDefinition {
  const name = childByField(node, 'name');
  const parameters = childByField(node, 'parameters');
  const body = childByField(node, 'body');
  const plain = name ? textOf(context, name) : '(anonymous)';
  const has = (modifier: string): boolean => node.children.some((child) => child.type === modifier);
  return {
    name: className ? `${className}::${plain === 'constructor' ? className : plain}` : plain,
    className,
    parameters: parameters ? lowerParameters(context, parameters) : [],
    returnType: anyType,
    body: body ? bodyOf(lowerBody(context, body)) : null,
    memberInitializers,
    templateParameters: [],
    isKernel: false,
    isDevice: false,
    isVirtual: className !== null,
    isStatic: has('static'),
    ...(has('get') ? { isGetter: true } : {}),
    span: spanOf(context, node),
    nameSpan: spanOf(context, name ?? node),
  };
}

export function lowerClass(context: TypeScriptContext, node: SyntaxNode): ClassDefinition {
  const name = textOf(context, childByField(node, 'name') ?? node);
  const body = childByField(node, 'body');
  const base = baseOf(context, node);
  const fields: Declaration[] = [];
  const methods: FunctionDefinition[] = [];
  const outer = context.baseClass;
  context.baseClass = base;
  for (const child of body ? namedChildren(body) : []) {
    if (child.type === 'method_definition') {
      const own = isConstructor(context, child) ? parameterProperties(child) : [];
      for (const property of own) fields.push(field(context, property, null));
      methods.push(lowerFunction(context, child, name, initializersOf(context, child, own)));
    } else if (child.type === 'public_field_definition') {
      const property = childByField(child, 'name');
      const value = childByField(child, 'value');
      if (property) fields.push(field(context, property, value ? lowerExpression(context, value) : null));
    }
  }
  context.baseClass = outer;
  return { name, bases: base ? [base] : [], fields, methods, templateParameters: [], span: spanOf(context, node) };
}

function field(context: TypeScriptContext, property: SyntaxNode, initializer: Expression | null): Declaration {
  return {
    name: textOf(context, property),
    type: anyType,
    initializer,
    constructorArguments: null,
    isStatic: false,
    span: spanOf(context, property),
  };
}

/** `B` of `class A extends B`. */
function baseOf(context: TypeScriptContext, node: SyntaxNode): string | null {
  const heritage = childOfType(node, 'class_heritage');
  const clause = heritage && childOfType(heritage, 'extends_clause');
  const value = clause && childByField(clause, 'value');
  return value?.type === 'identifier' ? textOf(context, value) : null;
}

function isConstructor(context: TypeScriptContext, node: SyntaxNode): boolean {
  const name = childByField(node, 'name');
  return name !== undefined && textOf(context, name) === 'constructor';
}

/** Names of the parameters that are members as well: `constructor(private readonly graph: Graph)`. */
function parameterProperties(node: SyntaxNode): SyntaxNode[] {
  const list = childByField(node, 'parameters');
  return (list ? namedChildren(list) : []).flatMap((parameter) => {
    const isMember = parameter.children.some(({ type }) => type === 'accessibility_modifier' || type === 'readonly');
    const name = childByField(parameter, 'pattern');
    return isMember && name ? [name] : [];
  });
}

/** What a constructor does before its body: the base's part, made by `super(…)`, and the members that its parameters set. */
function initializersOf(
  context: TypeScriptContext,
  node: SyntaxNode,
  properties: readonly SyntaxNode[],
): readonly MemberInitializer[] {
  const own = properties.map((property): MemberInitializer => {
    const name = textOf(context, property);
    return { name, arguments: [{ kind: 'name', name, span: spanOf(context, property) }] };
  });
  const call = superCall(node);
  const values = call && childByField(call, 'arguments');
  if (!context.baseClass || !values) return own;
  const given = namedChildren(values).map((child) => lowerExpression(context, child));
  return [{ name: context.baseClass, arguments: given }, ...own];
}

/** `super(…)` as a statement of the body. */
function superCall(node: SyntaxNode): SyntaxNode | undefined {
  const body = childByField(node, 'body');
  for (const statement of body ? namedChildren(body) : []) {
    const [expression] = statement.type === 'expression_statement' ? namedChildren(statement) : [];
    if (expression && isSuperCall(expression)) return expression;
  }
  return undefined;
}

/** Done before the body, see {@link initializersOf}. */
export function isSuperCall(expression: SyntaxNode): boolean {
  return expression.type === 'call_expression' && childByField(expression, 'function')?.type === 'super';
}
