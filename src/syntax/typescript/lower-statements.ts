/** Statements of TypeScript, and what a file consists of, to the host program's. */

import { bodyOf } from '../../program/mentions.ts';
import type { ClassDefinition, Expression, FunctionDefinition, Statement } from '../../program/program.ts';
import { someNode } from '../../program/walk.ts';
import { childByField, namedChildren, type SyntaxNode } from '../syntax-tree.ts';
import { anyType, declaration, declared, nameAt, nothingAt } from './built.ts';
import { hoistedVariables, storedTo } from './hoisted-variables.ts';
import { calculatedBase, isSuperCall, lowerClass, lowerFunction, lowerStatics } from './lower-classes.ts';
import { lowerEnum } from './lower-enums.ts';
import { lowerExpression, optional, spanOf, type TypeScriptContext, textOf } from './lower-expressions.ts';
import { lowerFunctionExpression, lowerFunctionParts } from './lower-functions.ts';
import { isPattern, lowerPattern } from './lower-patterns.ts';
import { lowerInOrder, lowerUsing, usedIn } from './lower-using.ts';
import { defaultExport } from './module-links.ts';
import { namespaceBody } from './module-names.ts';

export interface TopLevel {
  readonly functions: FunctionDefinition[];
  readonly classes: ClassDefinition[];
  readonly statements: Statement[];
}

export function lowerTopLevel(context: TypeScriptContext, nodes: readonly SyntaxNode[]): TopLevel {
  const out: TopLevel = { functions: [], classes: [], statements: [] };
  const atEnd: Statement[] = [];
  const addClass = (node: SyntaxNode, name?: string): void => {
    // What a class extends that is made by a call is known when that has been run.
    if (calculatedBase(context, node)) {
      out.statements.push(...localClass(context, node, name));
      return;
    }
    out.classes.push(lowerClass(context, node, name));
    out.statements.push(...lowerStatics(context, node, name));
  };
  const visit = (node: SyntaxNode): void => {
    if (node.type === 'export_statement') {
      const given = childByField(node, 'value');
      const exported = childByField(node, 'declaration') ?? given;
      if (exported && exported === given) visitDefault(exported);
      else if (exported) visit(exported);
    } else if (isFunctionDeclaration(node)) out.functions.push(lowerFunction(context, node, null));
    else if (isClassDeclaration(node)) addClass(node);
    else if (namespaceBody(node)) visitNamespace(namespaceBody(node)!);
    else if (node.type === 'lexical_declaration') for (const each of namedChildren(node)) visitDeclarator(each, node);
    else if (usedIn(node).length > 0) {
      for (const used of usedIn(node)) {
        const { declared, disposed } = lowerUsing(context, used);
        out.statements.push(declared);
        atEnd.unshift(disposed);
      }
    } else out.statements.push(...lowerStatement(context, node));
  };
  const visitNamespace = (body: SyntaxNode): void => {
    const outer = context.names;
    context.names = new Map([...outer, ...(context.inNamespaces.get(body.start) ?? [])]);
    for (const each of namedChildren(body)) visit(each);
    context.names = outer;
  };
  /** `const plan = () => {…}` is a function like any other. */
  const visitDeclarator = (node: SyntaxNode, statement: SyntaxNode): void => {
    const name = childByField(node, 'name');
    const value = childByField(node, 'value');
    if (name && value && isFunctionValue(value) && statement.children.some(({ type }) => type === 'const'))
      out.functions.push(functionNamed(context, textOf(context, name), name, value));
    else if (name && value?.type === 'class') addClass(value, textOf(context, name));
    else out.statements.push(...lowerDeclarator(context, node, statement));
  };
  const visitDefault = (node: SyntaxNode): void => {
    const name = context.names.get(defaultExport) ?? defaultExport;
    const span = spanOf(context, node);
    if (isFunctionValue(node)) out.functions.push(functionNamed(context, name, node, node));
    else if (node.type === 'class') addClass(node, name);
    else if (node.type !== 'identifier')
      out.statements.push(declaration(name, lowerExpression(context, node), span, span));
  };
  out.statements.push(...hoistedVariables(context, nodes, new Set()));
  for (const node of nodes) visit(node);
  out.statements.push(...atEnd);
  return out;
}

function isFunctionDeclaration({ type }: SyntaxNode): boolean {
  return type === 'function_declaration' || type === 'generator_function_declaration';
}

function isClassDeclaration({ type }: SyntaxNode): boolean {
  return type === 'class_declaration' || type === 'abstract_class_declaration';
}

function isFunctionValue({ type }: SyntaxNode): boolean {
  return type === 'arrow_function' || type === 'function_expression' || type === 'generator_function';
}

/** A function that is called after what it is assigned to. */
function functionNamed(
  context: TypeScriptContext,
  name: string,
  nameNode: SyntaxNode,
  node: SyntaxNode,
): FunctionDefinition {
  const { parameters, body } = lowerFunctionParts(context, node);
  return {
    name,
    className: null,
    parameters,
    returnType: anyType,
    body: bodyOf(body),
    memberInitializers: [],
    templateParameters: [],
    isKernel: false,
    isDevice: false,
    isVirtual: false,
    isStatic: false,
    span: spanOf(context, node),
    nameSpan: spanOf(context, nameNode),
  };
}

/** Functions are there from the beginning of the block in which they are declared. */
export function lowerBody(context: TypeScriptContext, node: SyntaxNode): Statement[] {
  const children = namedChildren(node);
  return [
    ...children.filter(isFunctionDeclaration).map((each) => hoisted(context, each)),
    ...lowerInOrder(
      context,
      children.filter((each) => !isFunctionDeclaration(each)),
      (each) => lowerStatement(context, each),
    ),
  ];
}

function hoisted(context: TypeScriptContext, node: SyntaxNode): Statement {
  const name = childByField(node, 'name') ?? node;
  const value = lowerFunctionExpression(context, node);
  return declaration(textOf(context, name), value, spanOf(context, name), spanOf(context, node));
}

function single(context: TypeScriptContext, node: SyntaxNode | undefined, parent: SyntaxNode): Statement {
  const body = node ? lowerStatement(context, node) : [];
  return body.length === 1 ? body[0]! : { kind: 'block', body, span: spanOf(context, node ?? parent) };
}

function lowerStatement(context: TypeScriptContext, node: SyntaxNode, label: string | null = null): Statement[] {
  const span = spanOf(context, node);
  const labelled = label === null ? {} : { label };
  switch (node.type) {
    case 'expression_statement':
      return lowerExpressionStatement(context, node);
    case 'lexical_declaration':
    case 'variable_declaration':
      if (context.hoisted.has(node)) return storedTo(context, node);
      return namedChildren(node).flatMap((child) => lowerDeclarator(context, child, node));
    case 'statement_block':
      return [{ kind: 'block', body: lowerBody(context, node), span }];
    case 'if_statement': {
      const alternative = childByField(node, 'alternative');
      return [
        {
          kind: 'if',
          initializer: null,
          condition: optional(context, childByField(node, 'condition'), node),
          whenTrue: single(context, childByField(node, 'consequence'), node),
          whenFalse: alternative ? single(context, namedChildren(alternative)[0], alternative) : null,
          span,
        },
      ];
    }
    case 'for_statement': {
      const initializer = childByField(node, 'initializer');
      const test = childByField(node, 'condition');
      const update = childByField(node, 'increment');
      const expression = test?.type === 'expression_statement' ? namedChildren(test)[0] : test;
      const before = initializer ? joined(single(context, initializer, node)) : null;
      return [
        {
          kind: 'loop',
          initializer: before,
          condition: expression && expression.type !== 'empty_statement' ? lowerExpression(context, expression) : null,
          update: update ? lowerExpression(context, update) : null,
          body: withOwnVariables(before, single(context, childByField(node, 'body'), node)),
          bodyFirst: false,
          ...labelled,
          span,
        },
      ];
    }
    case 'while_statement':
    case 'do_statement':
      return [
        {
          kind: 'loop',
          initializer: null,
          condition: optional(context, childByField(node, 'condition'), node),
          update: null,
          body: single(context, childByField(node, 'body'), node),
          bodyFirst: node.type === 'do_statement',
          ...labelled,
          span,
        },
      ];
    case 'for_in_statement':
      return [lowerForEach(context, node, labelled)];
    case 'labeled_statement': {
      const name = childByField(node, 'label');
      const body = childByField(node, 'body');
      return body ? lowerStatement(context, body, name ? textOf(context, name) : null) : [];
    }
    case 'switch_statement':
      return [lowerSwitch(context, node)];
    case 'return_statement': {
      const value = namedChildren(node)[0];
      return [{ kind: 'return', value: value ? lowerExpression(context, value) : nothingAt(span), span }];
    }
    case 'break_statement':
      return [{ kind: 'break', ...leftLoop(context, node), span }];
    case 'continue_statement':
      return [{ kind: 'continue', ...leftLoop(context, node), span }];
    case 'throw_statement': {
      const operand = namedChildren(node)[0];
      return [
        {
          kind: 'expression',
          expression: { kind: 'throw', operand: operand ? lowerExpression(context, operand) : null, span },
          span,
        },
      ];
    }
    case 'try_statement':
      return lowerTry(context, node);
    case 'function_declaration':
    case 'generator_function_declaration':
      return [hoisted(context, node)];
    case 'class_declaration':
    case 'abstract_class_declaration':
      return localClass(context, node);
    case 'enum_declaration':
      return [lowerEnum(context, node)];
    case 'import_statement':
    case 'export_statement':
    case 'interface_declaration':
    case 'type_alias_declaration':
    case 'ambient_declaration':
    case 'empty_statement':
    case 'comment':
    case 'function_signature':
      return [];
    default:
      context.unread.push({ what: node.type === 'ERROR' ? 'syntax the parser does not know' : node.type, span });
      return [{ kind: 'unknown', what: node.type, parts: [], span }];
  }
}

/** `f()`, `x = 1`, `[a, b] = [b, a]`; what `super(…)` does stands with the constructor. */
function lowerExpressionStatement(context: TypeScriptContext, node: SyntaxNode): Statement[] {
  const span = spanOf(context, node);
  const expression = namedChildren(node)[0];
  if (expression && context.baseClass && isSuperCall(expression)) return [];
  const assignment = expression?.type === 'parenthesized_expression' ? namedChildren(expression)[0] : expression;
  const pattern = assignment?.type === 'assignment_expression' ? childByField(assignment, 'left') : undefined;
  if (assignment && pattern && isPattern(pattern))
    return lowerPattern(context, pattern, optional(context, childByField(assignment, 'right'), node), node, 'assigns');
  return expression ? [{ kind: 'expression', expression: lowerExpression(context, expression), span }] : [];
}

function lowerTry(context: TypeScriptContext, node: SyntaxNode): Statement[] {
  const span = spanOf(context, node);
  const handler = childByField(node, 'handler');
  const finalizer = childByField(node, 'finalizer');
  const body = finalizer ? childByField(finalizer, 'body') : undefined;
  const caught = handler && childByField(handler, 'parameter');
  const taken = caught && isPattern(caught) ? `(caught ${caught.start})` : caught && textOf(context, caught);
  const apart =
    caught && taken && isPattern(caught)
      ? lowerPattern(context, caught, nameAt(taken, spanOf(context, caught)), caught)
      : [];
  return [
    {
      kind: 'try',
      body: single(context, childByField(node, 'body'), node),
      handlers: handler ? [behind(apart, single(context, childByField(handler, 'body'), handler))] : [],
      caught: handler ? [null] : [],
      ...(taken ? { caughtAs: [taken] } : {}),
      finalizer: body ? single(context, body, node) : null,
      span,
    },
  ];
}

/** A statement, and what is done before it. */
function behind(before: readonly Statement[], body: Statement): Statement {
  return before.length > 0 ? { kind: 'block', body: [...before, body], span: body.span } : body;
}

function lowerDeclarator(context: TypeScriptContext, node: SyntaxNode, statement: SyntaxNode): Statement[] {
  const name = childByField(node, 'name');
  const value = childByField(node, 'value');
  const span = spanOf(context, statement);
  if (node.type !== 'variable_declarator' || !name) return [];
  if (value?.type === 'class') return localClass(context, value, textOf(context, name));
  if (isPattern(name)) return value ? lowerPattern(context, name, lowerExpression(context, value), statement) : [];
  const initializer = value ? lowerExpression(context, value) : nothingAt(span);
  return [
    { kind: 'declare', declarations: [declared(textOf(context, name), initializer, spanOf(context, name))], span },
  ];
}

/** A class inside a function, and the object that its static members are. */
export function localClass(context: TypeScriptContext, node: SyntaxNode, given?: string): Statement[] {
  const definition = { ...lowerClass(context, node, given), isClosure: true };
  const base = calculatedBase(context, node);
  return [
    ...(base ? [base] : []),
    { kind: 'class', definition, span: spanOf(context, node) },
    ...lowerStatics(context, node, given),
  ];
}

function leftLoop(context: TypeScriptContext, node: SyntaxNode): { loop?: string } {
  const label = childByField(node, 'label');
  return label ? { loop: textOf(context, label) } : {};
}

function lowerForEach(context: TypeScriptContext, node: SyntaxNode, labelled: { label?: string }): Statement {
  const left = childByField(node, 'left');
  const body = single(context, childByField(node, 'body'), node);
  const span = spanOf(context, node);
  const isDeclared = childByField(node, 'kind') !== undefined && !context.hoisted.has(node);
  const isPlain = left === undefined || (isDeclared && !isPattern(left));
  const name = left ? (isPlain ? textOf(context, left) : `(element ${left.start})`) : '';
  const own = left ? spanOf(context, left) : span;
  const element = nameAt(name, own);
  const assigned = left && !isPlain && !isPattern(left) ? lowerExpression(context, left) : null;
  const before: Statement[] = assigned
    ? [
        {
          kind: 'expression',
          expression: { kind: 'assign', operator: '=', target: assigned, value: element, isScript: true, span: own },
          span: own,
        },
      ]
    : left && !isPlain
      ? lowerPattern(context, left, element, left, isDeclared ? 'declares' : 'assigns')
      : [];
  return {
    kind: 'forEach',
    declaration: left ? declared(name, null, own) : null,
    names: [],
    range: optional(context, childByField(node, 'right'), node),
    body: behind(before, body),
    over: node.children.some(({ type }) => type === 'in') ? 'names' : 'values',
    ...labelled,
    span,
  };
}

function lowerSwitch(context: TypeScriptContext, node: SyntaxNode): Statement {
  const body = childByField(node, 'body');
  return {
    kind: 'switch',
    subject: optional(context, childByField(node, 'value'), node),
    cases: (body ? namedChildren(body) : []).map((each) => {
      const value = childByField(each, 'value');
      return {
        value: value ? lowerExpression(context, value) : null,
        body: namedChildren(each)
          .filter((child) => child !== value)
          .flatMap((child) => lowerStatement(context, child)),
      };
    }),
    span: spanOf(context, node),
  };
}

/** `let i = 0, n = 2` before a loop: variables of the loop's, all of them. */
function joined(statement: Statement): Statement {
  if (statement.kind !== 'block') return statement;
  const declarations = statement.body.flatMap((each) => (each.kind === 'declare' ? each.declarations : []));
  const isAll = statement.body.every(({ kind }) => kind === 'declare');
  return isAll ? { kind: 'declare', declarations, span: statement.span } : statement;
}

/** Each round of `for (let i …)` has a variable of its own, which only functions made there can tell. */
function withOwnVariables(before: Statement | null, body: Statement): Statement {
  const names = before?.kind === 'declare' ? before.declarations.map(({ name }) => name) : [];
  const kept = names.filter(
    (name) => someNode(body, ({ kind }) => kind === 'lambda') && !someNode(body, (each) => isStoredTo(each, name)),
  );
  if (kept.length === 0) return body;
  const copies = kept.map((name) => declaration(name, nameAt(name, body.span), body.span, body.span));
  return { kind: 'block', body: [...copies, body], span: body.span };
}

function isStoredTo(node: Expression | Statement, name: string): boolean {
  const target = node.kind === 'assign' ? node.target : node.kind === 'update' ? node.operand : null;
  return target?.kind === 'name' && target.name === name;
}
