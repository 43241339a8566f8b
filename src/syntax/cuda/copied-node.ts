/**
 * Copies of the nodes that bodies are mostly made of, part by part. Written out and not spread: a copy then has the shape in
 * V8 that the node had, and whoever reads both, as the interpreter does, goes on knowing one shape of each kind.
 */

import type { Span } from '../../base/span.ts';
import type {
  Declaration,
  Expression,
  FunctionDefinition,
  ListElement,
  Parameter,
  Statement,
  TypeReference,
} from '../../program/program.ts';

/** A copy of what a node is made of: of a list, of a node, or itself where it is neither. */
export type CopyPart = <T>(part: T) => T;

type WithoutKind = TypeReference | Declaration | Parameter | ListElement | FunctionDefinition;

/** Null for a node of another kind, or with more in it than most of its kind. */
export function copiedNode(node: object, span: (span: Span) => Span, part: CopyPart): object | null {
  if (hasKind(node)) return copiedOfKind(node, span, part);
  return isWithoutKind(node) ? copiedWithout(node, span, part) : null;
}

function hasKind(node: object): node is Statement | Expression {
  return 'kind' in node;
}

function isWithoutKind(node: object): node is WithoutKind {
  return 'name' in node;
}

function copiedOfKind(node: Statement | Expression, span: (span: Span) => Span, part: CopyPart): object | null {
  const count = partsOf(node);
  switch (node.kind) {
    case 'name':
      return count === 3 ? { kind: node.kind, name: node.name, span: span(node.span) } : null;
    case 'number': {
      const { kind, value, isNullPointer, type } = node;
      if (count === 3) return { kind, value, span: span(node.span) };
      if (count !== 4) return null;
      if (isNullPointer) return { kind, value, isNullPointer, span: span(node.span) };
      return type === undefined ? null : { kind, value, type, span: span(node.span) };
    }
    case 'string':
      return count === 3 ? { kind: node.kind, value: node.value, span: span(node.span) } : null;
    case 'call': {
      const { kind, callee, templateArguments, arguments: given } = node;
      if (count !== 5) return null;
      return {
        kind,
        callee: part(callee),
        templateArguments: part(templateArguments),
        arguments: part(given),
        span: span(node.span),
      };
    }
    case 'member': {
      const { kind, object, name, isArrow } = node;
      if (count === 4) return { kind, object: part(object), name, span: span(node.span) };
      return count === 5 && isArrow ? { kind, object: part(object), name, isArrow, span: span(node.span) } : null;
    }
    case 'index':
      return count === 4
        ? { kind: node.kind, object: part(node.object), index: part(node.index), span: span(node.span) }
        : null;
    case 'unary':
      return count === 4
        ? { kind: node.kind, operator: node.operator, operand: part(node.operand), span: span(node.span) }
        : null;
    case 'binary': {
      const { kind, operator, left, right } = node;
      return count === 5 ? { kind, operator, left: part(left), right: part(right), span: span(node.span) } : null;
    }
    case 'assign': {
      const { kind, operator, target, value } = node;
      return count === 5 ? { kind, operator, target: part(target), value: part(value), span: span(node.span) } : null;
    }
    case 'cast':
      return count === 4
        ? { kind: node.kind, type: part(node.type), operand: part(node.operand), span: span(node.span) }
        : null;
    case 'list':
      return count === 3 ? { kind: node.kind, elements: part(node.elements), span: span(node.span) } : null;
    case 'expression':
      return count === 3 ? { kind: node.kind, expression: part(node.expression), span: span(node.span) } : null;
    case 'declare':
      return count === 3 ? { kind: node.kind, declarations: part(node.declarations), span: span(node.span) } : null;
    case 'return':
      return count === 3 ? { kind: node.kind, value: part(node.value), span: span(node.span) } : null;
    case 'block':
      return count === 3 ? { kind: node.kind, body: part(node.body), span: span(node.span) } : null;
    case 'if': {
      const { kind, initializer, condition, whenTrue, whenFalse } = node;
      if (count !== 6) return null;
      return {
        kind,
        initializer: part(initializer),
        condition: part(condition),
        whenTrue: part(whenTrue),
        whenFalse: part(whenFalse),
        span: span(node.span),
      };
    }
    default:
      return null;
  }
}

/** Of what has no kind: types, parameters, elements of lists, functions, and what a declaration declares. */
function copiedWithout(node: WithoutKind, span: (span: Span) => Span, part: CopyPart): object | null {
  const count = partsOf(node);
  if ('nameSpan' in node) return copiedDefinition(node, count, span, part);
  if ('extents' in node) {
    if (count !== 6) return null;
    const { name, pointers, isReference, isConst } = node;
    // No place is named in most types.
    if (node.arguments.length === 0 && node.extents.length === 0) return node;
    return { name, arguments: part(node.arguments), pointers, isReference, isConst, extents: part(node.extents) };
  }
  if ('constructorArguments' in node) {
    if (count !== 6) return null;
    const { name, type, initializer, constructorArguments: given, isStatic } = node;
    return {
      name,
      type: part(type),
      initializer: part(initializer),
      constructorArguments: part(given),
      isStatic,
      span: span(node.span),
    };
  }
  if ('isPack' in node) {
    if (count !== 5) return null;
    const { name, type, defaultValue, isPack } = node;
    return { name, type: part(type), defaultValue: part(defaultValue), isPack, span: span(node.span) };
  }
  return 'value' in node && count === 2 ? { name: node.name, value: part(node.value) } : null;
}

function copiedDefinition(
  definition: FunctionDefinition,
  count: number,
  span: (span: Span) => Span,
  part: CopyPart,
): FunctionDefinition | null {
  const { name, className, parameters, returnType, body, memberInitializers, templateParameters } = definition;
  const { isKernel, isDevice, isVirtual, isStatic, isConst, isDefaulted, namespace } = definition;
  if (isConst === undefined || isDefaulted === undefined || count !== (namespace === undefined ? 15 : 16)) return null;
  const plain = {
    name,
    className,
    parameters: part(parameters),
    returnType: part(returnType),
    body: part(body),
    memberInitializers: part(memberInitializers),
    templateParameters,
    isKernel,
    isDevice,
    isVirtual,
    isStatic,
    isConst,
    isDefaulted,
    span: span(definition.span),
    nameSpan: span(definition.nameSpan),
  };
  return namespace === undefined ? plain : Object.assign(plain, { namespace });
}

/** A function as all functions are written that say no more than most. */
export function plainlyWritten(definition: FunctionDefinition): FunctionDefinition {
  return copiedDefinition(definition, partsOf(definition), same, same) ?? definition;
}

function same<T>(part: T): T {
  return part;
}

function partsOf(node: object): number {
  let count = 0;
  for (const _ in node) count++;
  return count;
}
