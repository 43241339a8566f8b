/** Statements, functions and classes of TypeScript to the host program's. */

import type { ClassDefinition, Declaration, Expression, FunctionDefinition, Statement } from '../../program/program.ts';
import { childByField, namedChildren, type SyntaxNode } from '../syntax-tree.ts';
import { isSuperCall, lowerClass, lowerFunction } from './lower-classes.ts';
import { anyType, lowerExpression, spanOf, type TypeScriptContext, textOf } from './lower-expressions.ts';

export interface TopLevel {
  readonly functions: FunctionDefinition[];
  readonly classes: ClassDefinition[];
  readonly statements: Statement[];
}

export function lowerTopLevel(context: TypeScriptContext, nodes: readonly SyntaxNode[]): TopLevel {
  const out: TopLevel = { functions: [], classes: [], statements: [] };
  const visit = (node: SyntaxNode): void => {
    if (node.type === 'export_statement') {
      const declaration = childByField(node, 'declaration') ?? childByField(node, 'value');
      if (declaration) visit(declaration);
    } else if (node.type === 'function_declaration' || node.type === 'generator_function_declaration')
      out.functions.push(lowerFunction(context, node, null));
    else if (node.type === 'class_declaration' || node.type === 'abstract_class_declaration')
      out.classes.push(lowerClass(context, node));
    else out.statements.push(...lowerStatement(context, node));
  };
  for (const node of nodes) visit(node);
  return out;
}

export function lowerBody(context: TypeScriptContext, node: SyntaxNode): Statement[] {
  return namedChildren(node).flatMap((child) => lowerStatement(context, child));
}

function single(context: TypeScriptContext, node: SyntaxNode | undefined, parent: SyntaxNode): Statement {
  const body = node ? lowerStatement(context, node) : [];
  return body.length === 1 ? body[0]! : { kind: 'block', body, span: spanOf(context, node ?? parent) };
}

function condition(context: TypeScriptContext, node: SyntaxNode | undefined, parent: SyntaxNode): Expression {
  return node
    ? lowerExpression(context, node)
    : { kind: 'unknown', what: parent.type, parts: [], span: spanOf(context, parent) };
}

function lowerStatement(context: TypeScriptContext, node: SyntaxNode): Statement[] {
  const span = spanOf(context, node);
  switch (node.type) {
    case 'expression_statement': {
      const expression = namedChildren(node)[0];
      if (expression && context.baseClass && isSuperCall(expression)) return [];
      return expression ? [{ kind: 'expression', expression: lowerExpression(context, expression), span }] : [];
    }
    case 'lexical_declaration':
    case 'variable_declaration':
      return namedChildren(node).flatMap((child) => lowerDeclarator(context, child, node));
    case 'statement_block':
      return [{ kind: 'block', body: lowerBody(context, node), span }];
    case 'if_statement': {
      const alternative = childByField(node, 'alternative');
      return [
        {
          kind: 'if',
          initializer: null,
          condition: condition(context, childByField(node, 'condition'), node),
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
      return [
        {
          kind: 'loop',
          initializer: initializer ? single(context, initializer, node) : null,
          condition: expression && expression.type !== 'empty_statement' ? lowerExpression(context, expression) : null,
          update: update ? lowerExpression(context, update) : null,
          body: single(context, childByField(node, 'body'), node),
          bodyFirst: false,
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
          condition: condition(context, childByField(node, 'condition'), node),
          update: null,
          body: single(context, childByField(node, 'body'), node),
          bodyFirst: node.type === 'do_statement',
          span,
        },
      ];
    case 'for_in_statement': {
      const left = childByField(node, 'left');
      return [
        {
          kind: 'forEach',
          declaration: left
            ? {
                name: textOf(context, left),
                type: anyType,
                initializer: null,
                constructorArguments: null,
                isStatic: false,
                span: spanOf(context, left),
              }
            : null,
          names: [],
          range: condition(context, childByField(node, 'right'), node),
          body: single(context, childByField(node, 'body'), node),
          span,
        },
      ];
    }
    case 'return_statement': {
      const value = namedChildren(node)[0];
      return [{ kind: 'return', value: value ? lowerExpression(context, value) : null, span }];
    }
    case 'break_statement':
      return [{ kind: 'break', span }];
    case 'continue_statement':
      return [{ kind: 'continue', span }];
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
    case 'try_statement': {
      const handler = childByField(node, 'handler');
      const finalizer = childByField(node, 'finalizer');
      const body = finalizer ? childByField(finalizer, 'body') : undefined;
      return [
        {
          kind: 'try',
          body: single(context, childByField(node, 'body'), node),
          handlers: handler ? [single(context, childByField(handler, 'body'), handler)] : [],
          caught: handler ? [null] : [],
          finalizer: body ? single(context, body, node) : null,
          span,
        },
      ];
    }
    case 'function_declaration':
      return [{ kind: 'function', definition: lowerFunction(context, node, null), span }];
    case 'class_declaration':
      return [{ kind: 'class', definition: lowerClass(context, node), span }];
    case 'import_statement':
    case 'export_statement':
    case 'interface_declaration':
    case 'type_alias_declaration':
    case 'ambient_declaration':
    case 'empty_statement':
    case 'comment':
    case 'enum_declaration':
      return [];
    default:
      context.unread.push({ what: node.type === 'ERROR' ? 'syntax the parser does not know' : node.type, span });
      return [{ kind: 'unknown', what: node.type, parts: [], span }];
  }
}

function lowerDeclarator(context: TypeScriptContext, node: SyntaxNode, statement: SyntaxNode): Statement[] {
  const name = childByField(node, 'name');
  const value = childByField(node, 'value');
  const span = spanOf(context, statement);
  if (node.type !== 'variable_declarator' || !name) return [];
  const initializer = value ? lowerExpression(context, value) : null;
  if (name.type === 'object_pattern' || name.type === 'array_pattern') {
    if (!initializer) return [];
    return [
      {
        kind: 'destructure',
        names: namedChildren(name).map((child) => patternName(context, child, name.type === 'object_pattern')),
        value: initializer,
        isReference: false,
        span,
      },
    ];
  }
  const declaration: Declaration = {
    name: textOf(context, name),
    type: anyType,
    initializer,
    constructorArguments: null,
    isStatic: false,
    span: spanOf(context, name),
  };
  return [{ kind: 'declare', declarations: [declaration], span }];
}

function patternName(
  context: TypeScriptContext,
  node: SyntaxNode,
  isObject: boolean,
): { name: string; field: string | null } {
  if (node.type === 'pair_pattern') {
    const key = childByField(node, 'key');
    const value = childByField(node, 'value');
    return { name: value ? textOf(context, value) : '', field: key ? textOf(context, key) : null };
  }
  const text = textOf(context, node).replace(/\s*=.*$/s, '');
  return { name: text, field: isObject ? text : null };
}
