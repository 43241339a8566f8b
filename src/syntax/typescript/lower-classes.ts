/** Functions and classes of TypeScript to the host program's. */

import type { Span } from '../../base/span.ts';
import { containerPart } from '../../program/container-part.ts';
import type { MemberInitializer } from '../../program/member-initializer.ts';
import { bodyOf } from '../../program/mentions.ts';
import type {
  ClassDefinition,
  Declaration,
  Expression,
  FunctionDefinition,
  ListElement,
  Statement,
} from '../../program/program.ts';
import { childByField, childOfType, namedChildren, type SyntaxNode } from '../syntax-tree.ts';
import { anyType, declaration, nameAt, nothingAt, orElse, textAt } from './built.ts';
import { collectionMade, isCollection } from './collection-bases.ts';
import { inheritedStatics } from './inherited-statics.ts';
import { lowerExpression, type StaticKind, spanOf, type TypeScriptContext, textOf } from './lower-expressions.ts';
import { lowerFunctionParts } from './lower-functions.ts';
import { lowerBody } from './lower-statements.ts';

/** A setter is called after what it sets. */
export function setterName(property: string): string {
  return `(set ${property})`;
}

export function lowerFunction(
  context: TypeScriptContext,
  node: SyntaxNode,
  className: string | null,
  memberInitializers: readonly MemberInitializer[] = [],
  staticOf: string | null = className,
): FunctionDefinition {
  const name = childByField(node, 'name');
  const written = name ? textOf(context, name) : '(anonymous)';
  const plain = hasModifier(node, 'set') ? setterName(written) : written;
  const isStatic = hasModifier(node, 'static');
  const outer = context.staticOf;
  context.staticOf = isStatic ? staticOf : null;
  const { parameters, body } = lowerFunctionParts(context, node);
  context.staticOf = outer;
  return {
    name: className ? `${className}::${plain === 'constructor' ? className : plain}` : plain,
    className,
    parameters,
    returnType: anyType,
    body: childByField(node, 'body') ? bodyOf(body) : null,
    memberInitializers,
    templateParameters: [],
    isKernel: false,
    isDevice: false,
    isVirtual: className !== null,
    isStatic,
    ...(hasModifier(node, 'get') ? { isGetter: true } : {}),
    span: spanOf(context, node),
    nameSpan: spanOf(context, name ?? node),
  };
}

export function hasModifier(node: SyntaxNode, modifier: string): boolean {
  return node.children.some((child) => child.type === modifier);
}

/** `given`: what a class is called that has no name itself. */
export function lowerClass(context: TypeScriptContext, node: SyntaxNode, given?: string): ClassDefinition {
  const name = classNameOf(context, node, given);
  const body = childByField(node, 'body');
  const base = baseOf(context, node);
  const fields: Declaration[] = [];
  const methods: FunctionDefinition[] = [];
  const outer = context.baseClass;
  context.baseClass = base;
  const members = (body ? namedChildren(body) : []).filter((child) => !isOnlySaid(child));
  const made = members.find((child) => isConstructor(context, child));
  const later = new Set(base || made ? members.filter(needsThis) : []);
  const atEnd = [...later].map((child) => fieldInitializer(context, child));
  const isError = base !== null && /^(?:\w*)Error$/.test(base) && !context.classes.has(base);
  if (isError)
    for (const each of ['message', 'name']) fields.push({ ...emptyField, name: each, span: spanOf(context, node) });
  const ofCollection = base !== null && isCollection(context, base);
  if (ofCollection) fields.push({ ...emptyField, name: containerPart, span: spanOf(context, node) });
  for (const child of members) {
    if (child.type === 'method_definition') {
      const own = isConstructor(context, child) ? parameterProperties(child) : [];
      for (const property of own) fields.push(field(context, property, null));
      const initializers = initializersOf(context, child, own);
      methods.push(lowerFunction(context, child, name, child === made ? [...initializers, ...atEnd] : initializers));
    } else if (child.type === 'public_field_definition') {
      const property = childByField(child, 'name');
      const value = childByField(child, 'value');
      if (property && later.has(child)) fields.push(field(context, property, null));
      else if (property && !hasModifier(child, 'static'))
        fields.push(
          field(context, property, value ? lowerExpression(context, value) : nothingAt(spanOf(context, child))),
        );
    }
  }
  if (base && !made && (atEnd.length > 0 || ofCollection))
    methods.push(passingConstructor(context, node, name, base, atEnd));
  methods.push(...inheritedStatics(context, node, name, base));
  context.baseClass = outer;
  // A class that does not say how it is made is made as its base is.
  const isOwn = methods.some((method) => method.name === `${name}::${name}`);
  return {
    name,
    bases: base && !ofCollection ? [base] : [],
    fields,
    methods,
    templateParameters: [],
    ...(base && !isOwn ? { takesOver: [`${base}::${base}`] } : {}),
    span: spanOf(context, node),
  };
}

/** `abstract name`, `declare name`: the type of what another class, or getter, has. */
function isOnlySaid(node: SyntaxNode): boolean {
  return node.type === 'public_field_definition' && (hasModifier(node, 'abstract') || hasModifier(node, 'declare'));
}

/** A field that is calculated from others: that is done when those are there. */
function needsThis(node: SyntaxNode): boolean {
  const value = node.type === 'public_field_definition' ? childByField(node, 'value') : undefined;
  return value !== undefined && !hasModifier(node, 'static') && mentionsThis(value, 0);
}

function mentionsThis(node: SyntaxNode, depth: number): boolean {
  if (node.type === 'this') return true;
  if (depth > 100 || node.type === 'arrow_function' || node.type === 'function_expression') return false;
  return node.children.some((child) => mentionsThis(child, depth + 1));
}

function fieldInitializer(context: TypeScriptContext, node: SyntaxNode): MemberInitializer {
  const property = childByField(node, 'name') ?? node;
  return {
    name: textOf(context, property),
    arguments: [lowerExpression(context, childByField(node, 'value') ?? node)],
  };
}

/** `constructor(...values) { super(...values); }`, which a class has that says nothing of its own. */
function passingConstructor(
  context: TypeScriptContext,
  node: SyntaxNode,
  name: string,
  base: string,
  initializers: readonly MemberInitializer[],
): FunctionDefinition {
  const span = spanOf(context, node);
  const all: Expression = { kind: 'unary', operator: '...', operand: nameAt('(values)', span), isScript: true, span };
  return {
    name: `${name}::${name}`,
    className: name,
    parameters: [{ name: '(values)', type: anyType, defaultValue: nothingAt(span), isPack: true, isArray: true, span }],
    returnType: anyType,
    body: bodyOf([]),
    memberInitializers: [baseMade(context, base, [all], span), ...initializers],
    templateParameters: [],
    isKernel: false,
    isDevice: false,
    isVirtual: true,
    isStatic: false,
    span,
    nameSpan: spanOf(context, childByField(node, 'name') ?? node),
  };
}

const emptyField = { type: anyType, initializer: null, constructorArguments: null, isStatic: false };

function classNameOf(context: TypeScriptContext, node: SyntaxNode, given = '(class)'): string {
  const name = childByField(node, 'name');
  return name ? textOf(context, name) : given;
}

/** The static members of a class: an object that is called after it. */
export function lowerStatics(context: TypeScriptContext, node: SyntaxNode, given?: string): Statement[] {
  const name = classNameOf(context, node, given);
  const span = spanOf(context, node);
  const body = childByField(node, 'body');
  const outer = context.staticOf;
  context.staticOf = name;
  const elements: ListElement[] = [];
  const blocks: Statement[] = [];
  for (const child of body ? namedChildren(body) : []) {
    const property = childByField(child, 'name');
    const value = childByField(child, 'value');
    const inner = childByField(child, 'body');
    if (child.type === 'public_field_definition' && property && hasModifier(child, 'static'))
      elements.push({
        name: textOf(context, property),
        value: value ? lowerExpression(context, value) : nothingAt(spanOf(context, child)),
      });
    if (child.type === 'class_static_block' && inner)
      blocks.push({ kind: 'block', body: lowerBody(context, inner), isStatic: true, span: spanOf(context, child) });
  }
  context.staticOf = outer;
  if (elements.length === 0 && blocks.length === 0) return [];
  elements.push({ name: '(class)', value: textAt(name, span) });
  const list: Expression = { kind: 'list', isShared: true, isObject: true, elements, span };
  return [declaration(name, list, spanOf(context, childByField(node, 'name') ?? node), span), ...blocks];
}

/** The classes in a file, wherever they stand, with the names of their static methods, those of their bases included. */
export function classesIn(text: string, root: SyntaxNode): ReadonlyMap<string, ReadonlyMap<string, StaticKind>> {
  const out = new Map<string, Map<string, StaticKind>>();
  const bases = new Map<string, string>();
  const visit = (node: SyntaxNode, given: string | null): void => {
    const isClass = /^(?:abstract_)?class(?:_declaration)?$/.test(node.type) && node.named;
    const name = childByField(node, 'name');
    const own = isClass && name ? text.slice(name.start, name.end) : given;
    const body = childByField(node, 'body');
    if (isClass && own !== null && body) {
      const methods = namedChildren(body).filter(
        (each) => each.type === 'method_definition' && hasModifier(each, 'static'),
      );
      const names = methods.flatMap((each) => {
        const property = childByField(each, 'name');
        const kind: StaticKind = hasModifier(each, 'get') ? 'getter' : 'method';
        return property && !hasModifier(each, 'set') ? [[text.slice(property.start, property.end), kind] as const] : [];
      });
      out.set(own, new Map(names));
      const base = extended(node);
      if (base?.type === 'identifier') bases.set(own, text.slice(base.start, base.end));
    }
    const inner = node.type === 'variable_declarator' && name ? text.slice(name.start, name.end) : null;
    for (const child of node.children) visit(child, inner);
  };
  visit(root, null);
  for (const [name, own] of out) {
    const seen = new Set([name]);
    for (let base = bases.get(name); base !== undefined && !seen.has(base); base = bases.get(base)) {
      seen.add(base);
      for (const [inherited, kind] of out.get(base) ?? []) if (!own.has(inherited)) own.set(inherited, kind);
    }
  }
  return out;
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

/** `B` of `class A extends B`; of a base that is calculated, the variable that holds it. */
function baseOf(context: TypeScriptContext, node: SyntaxNode): string | null {
  const value = extended(node);
  if (!value) return null;
  const named = nameOfBase(context, value);
  return named ?? (value.type === 'call_expression' ? `(base ${value.start})` : null);
}

function extended(node: SyntaxNode): SyntaxNode | undefined {
  const heritage = childOfType(node, 'class_heritage');
  const clause = heritage && childOfType(heritage, 'extends_clause');
  return clause && childByField(clause, 'value');
}

function nameOfBase(context: TypeScriptContext, value: SyntaxNode): string | null {
  if (value.type !== 'identifier' && value.type !== 'member_expression') return null;
  const named = lowerExpression(context, value);
  return named.kind === 'name' ? named.name : null;
}

/** `Mixin(Base)` of `class A extends Mixin(Base)`, as the variable that the class names; null where the base has a name. */
export function calculatedBase(context: TypeScriptContext, node: SyntaxNode): Statement | null {
  const value = extended(node);
  if (value?.type !== 'call_expression') return null;
  const span = spanOf(context, value);
  return declaration(`(base ${value.start})`, lowerExpression(context, value), span, span);
}

function isConstructor(context: TypeScriptContext, node: SyntaxNode): boolean {
  if (node.type !== 'method_definition') return false;
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

/** What a parameter is when nothing is given for it. */
function defaultOf(node: SyntaxNode, pattern: SyntaxNode): SyntaxNode | undefined {
  const list = childByField(node, 'parameters');
  const parameter = list?.children.find((each) => childByField(each, 'pattern') === pattern);
  return parameter && childByField(parameter, 'value');
}

/** What a constructor does before its body: the base's part, made by `super(…)`, and the members that its parameters set. */
function initializersOf(
  context: TypeScriptContext,
  node: SyntaxNode,
  properties: readonly SyntaxNode[],
): readonly MemberInitializer[] {
  const own = properties.map((property): MemberInitializer => {
    const name = textOf(context, property);
    const span = spanOf(context, property);
    const otherwise = defaultOf(node, property);
    const value = nameAt(name, span);
    return { name, arguments: [otherwise ? orElse(value, lowerExpression(context, otherwise), span) : value] };
  });
  const call = superCall(node);
  const values = call && childByField(call, 'arguments');
  if (!context.baseClass || !values) return own;
  const given = namedChildren(values).map((child) => lowerExpression(context, child));
  const isError = /Error$/.test(context.baseClass) && !context.classes.has(context.baseClass) && given.length > 0;
  if (isError) return [{ name: 'message', arguments: given.slice(0, 1) }, ...own];
  return [baseMade(context, context.baseClass, given, spanOf(context, values)), ...own];
}

/** What `super(…)` does. */
function baseMade(
  context: TypeScriptContext,
  base: string,
  values: readonly Expression[],
  span: Span,
): MemberInitializer {
  return isCollection(context, base) ? collectionMade(base, values, span) : { name: base, arguments: values };
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
