/** Expressions of TypeScript to the host program's. */

import type { Span } from '../../base/span.ts';
import type { Expression, LambdaExpression, ListElement, Statement, UnaryOperator } from '../../program/program.ts';
import { childByField, childOfType, namedChildren, type SyntaxNode } from '../syntax-tree.ts';
import { anyType, languageCall, nameAt, notANumberAt, nothingAt, realAt, textAt } from './built.ts';
import { lowerCall, lowerNew } from './lower-calls.ts';
import { setterName } from './lower-classes.ts';
import { lowerFunctionExpression, yielded } from './lower-functions.ts';
import { localClass } from './lower-statements.ts';
import { lowerTemplate } from './lower-templates.ts';
import { unescaped } from './lower-texts.ts';
import type { NamespaceNames, Namespaces } from './module-names.ts';

/** What stands behind `static` in a class, and is called. */
export type StaticKind = 'method' | 'getter';

/** What a file's names are in the program that it belongs to. */
export interface ProgramNames {
  /** The names of the file that are called otherwise in the program. */
  names: ReadonlyMap<string, string>;
  /** The program's classes, with the names of their static methods. */
  readonly classes: ReadonlyMap<string, ReadonlyMap<string, StaticKind>>;
  readonly namespaces: Namespaces;
  readonly inNamespaces: NamespaceNames;
}

export interface TypeScriptContext extends ProgramNames {
  readonly file: string;
  readonly text: string;
  readonly unread: { readonly what: string; readonly span: Span }[];
  /** Whether the text says `var`, and the declarations of that kind whose variables the whole function has. */
  readonly hasVar: boolean;
  readonly hoisted: Set<SyntaxNode>;
  /** What the class that is being read extends. */
  baseClass: string | null;
  /** The class whose static part is being read: `this` is the class. */
  staticOf: string | null;
  /** The class that what is being read is called of, where it has that from its base, and what static members that has itself. */
  calledOf: { readonly name: string; readonly own: ReadonlySet<string> } | null;
  /** The classes that were read, with what they extend. */
  readonly classNodes: Map<string, { readonly node: SyntaxNode; readonly base: string | null }>;
}

export function spanOf(context: TypeScriptContext, node: SyntaxNode): Span {
  return { file: context.file, start: node.start, end: node.end };
}

/** The text of a node; of a name, what it is called in the program. */
export function textOf(context: TypeScriptContext, node: SyntaxNode): string {
  const written = writtenOf(context, node);
  return context.names.size > 0 && naming.has(node.type) ? (context.names.get(written) ?? written) : written;
}

/** The text of a node as it stands there. */
export function writtenOf(context: TypeScriptContext, node: SyntaxNode): string {
  return context.text.slice(node.start, node.end);
}

/** Names of variables, functions and classes, as opposed to those of properties. */
const naming = new Set([
  'identifier',
  'type_identifier',
  'shorthand_property_identifier',
  'shorthand_property_identifier_pattern',
]);

export function lowerExpression(context: TypeScriptContext, node: SyntaxNode): Expression {
  const span = spanOf(context, node);
  const field = (name: string): Expression => optional(context, childByField(node, name), node);
  switch (node.type) {
    case 'number':
      return { kind: 'number', value: Number(textOf(context, node).replace(/[_n]/g, '')) || 0, type: 'real', span };
    case 'true':
      return { kind: 'number', value: 1, span };
    case 'false':
      // A number, as opposed to `undefined`.
      return { kind: 'number', value: 0, type: 'real', span };
    case 'null':
    case 'undefined':
      return nothingAt(span);
    case 'string':
      return textAt(unescaped(writtenOf(context, node).slice(1, -1)), span);
    case 'template_string':
      return lowerTemplate(context, node);
    case 'this':
      return nameAt(context.staticOf ?? 'this', span);
    case 'identifier':
      if (textOf(context, node) === 'Infinity') return realAt(Number.POSITIVE_INFINITY, span);
      if (textOf(context, node) === 'NaN') return notANumberAt(span);
      return languageValue(context, node) ?? nameAt(textOf(context, node), span);
    case 'property_identifier':
    case 'shorthand_property_identifier':
    case 'shorthand_property_identifier_pattern':
    case 'type_identifier':
      return nameAt(textOf(context, node), span);
    case 'parenthesized_expression':
    case 'as_expression':
    case 'satisfies_expression':
    case 'non_null_expression':
    case 'await_expression':
    case 'instantiation_expression':
      return optional(context, namedChildren(node)[0], node);
    case 'type_assertion':
      return optional(context, namedChildren(node).at(-1), node);
    case 'unary_expression':
      return lowerUnary(context, node);
    case 'yield_expression':
      return lowerYield(context, node);
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
      // Of all operators the tree leaves out `>>>`: in CUDA it is a bracket.
      return lowerBinary(childByField(node, 'operator')?.type ?? '>>>', field('left'), field('right'), span);
    case 'assignment_expression':
      return { kind: 'assign', operator: '=', target: field('left'), value: field('right'), isScript: true, span };
    case 'augmented_assignment_expression': {
      const power = childByField(node, 'operator')?.type === '**=';
      if (power) {
        const value = lowerBinary('**', field('left'), field('right'), span);
        return { kind: 'assign', operator: '=', target: field('left'), value, isScript: true, span };
      }
      return {
        kind: 'assign',
        operator: childByField(node, 'operator')?.type ?? '+=',
        target: field('left'),
        value: field('right'),
        isScript: true,
        span,
      };
    }
    case 'ternary_expression':
      return {
        kind: 'conditional',
        condition: field('condition'),
        whenTrue: field('consequence'),
        whenFalse: field('alternative'),
        span,
      };
    case 'member_expression':
      return lowerMember(context, node);
    case 'subscript_expression': {
      const known = wellKnown(context, childByField(node, 'index'));
      if (known !== null) return { kind: 'member', object: field('object'), name: known, isScript: true, span };
      const isOptional = childOfType(node, 'optional_chain') !== undefined || isInOptionalChain(node);
      const optionally = isOptional ? { isOptional } : {};
      return { kind: 'index', object: field('object'), index: field('index'), isScript: true, ...optionally, span };
    }
    case 'call_expression':
      return lowerCall(context, node);
    case 'new_expression':
      return lowerNew(context, node);
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
        isObject: true,
        elements: namedChildren(node).map((child) => lowerProperty(context, child)),
        span,
      };
    case 'spread_element':
      return {
        kind: 'unary',
        operator: '...',
        operand: optional(context, namedChildren(node)[0], node),
        isScript: true,
        span,
      };
    case 'arrow_function':
    case 'function_expression':
    case 'generator_function':
      return lowerFunctionExpression(context, node);
    case 'class':
      return lowerClassExpression(context, node);
    case 'sequence_expression':
      return {
        kind: 'sequence',
        expressions: namedChildren(node).map((child) => lowerExpression(context, child)),
        span,
      };
    case 'regex': {
      const [, source = '', flags = ''] = /^\/(.*)\/(\w*)$/s.exec(writtenOf(context, node)) ?? [];
      return languageCall('(pattern)', [textAt(source, span), textAt(flags, span)], span);
    }
    default:
      context.unread.push({ what: node.type, span });
      return { kind: 'unknown', what: node.type, parts: [], span };
  }
}

/** `Symbol.iterator` as the name of a property: as it stands in the brackets. */
function wellKnown(context: TypeScriptContext, node: SyntaxNode | undefined): string | null {
  const written = node?.type === 'member_expression' ? textOf(context, node) : '';
  return /^Symbol\.\w+$/.test(written) ? `[${written}]` : null;
}

export function optional(context: TypeScriptContext, node: SyntaxNode | undefined, parent: SyntaxNode): Expression {
  return node
    ? lowerExpression(context, node)
    : { kind: 'unknown', what: parent.type, parts: [], span: spanOf(context, parent) };
}

/** `String`, `Number`, `Math.max` as values: functions that call them. */
function languageValue(context: TypeScriptContext, node: SyntaxNode): Expression | null {
  const written = textOf(context, node);
  const span = spanOf(context, node);
  if (written === 'Boolean') return itself(span);
  if (!/^(?:String|Number|BigInt|parseFloat|structuredClone|Math\.(?:max|min))$/.test(written)) return null;
  const all = nameAt('values', span);
  const given: Expression = written.startsWith('Math')
    ? { kind: 'unary', operator: '...', operand: all, isScript: true, span }
    : { kind: 'index', object: all, index: realAt(0, span), isScript: true, span };
  const values = { name: 'values', type: anyType, defaultValue: nothingAt(span), isPack: true, isArray: true, span };
  const value = languageCall(written, [given], span);
  return { ...itself(span), parameters: [values], body: [{ kind: 'return', value, span }] };
}

/** A class where it is used: what a function gives that defines it. */
function lowerClassExpression(context: TypeScriptContext, node: SyntaxNode): Expression {
  const span = spanOf(context, node);
  const written = childByField(node, 'name');
  const name = written ? textOf(context, written) : `(class ${node.start})`;
  const body: Statement[] = [...localClass(context, node, name), { kind: 'return', value: nameAt(name, span), span }];
  const callee: Expression = { ...itself(span), parameters: [], body };
  return { kind: 'call', callee, templateArguments: [], arguments: [], span };
}

/** `Boolean` as a function: what holds of a value holds of it. */
function itself(span: Span): LambdaExpression {
  return {
    kind: 'lambda',
    parameters: [{ name: 'value', type: anyType, defaultValue: nothingAt(span), isPack: false, span }],
    body: [{ kind: 'return', value: nameAt('value', span), span }],
    capturesByReference: [],
    capturesByValue: [],
    ownVariables: [],
    isScript: true,
    span,
  };
}

const numeric = new Set(['-', '+', '!', '~']);

function lowerUnary(context: TypeScriptContext, node: SyntaxNode): Expression {
  const span = spanOf(context, node);
  const operator = childByField(node, 'operator')?.type ?? '!';
  const operand = optional(context, childByField(node, 'argument'), node);
  const isSign = (operator === '-' || operator === '+') && operand.kind !== 'number';
  if (isSign) return { kind: 'unary', operator, operand: languageCall('Number', [operand], span), span };
  if (numeric.has(operator)) return { kind: 'unary', operator: operator as UnaryOperator, operand, span };
  if (operator === 'void') return { kind: 'sequence', expressions: [operand, nothingAt(span)], span };
  const isElement = operand.kind === 'member' || operand.kind === 'index';
  if (operator === 'delete' && isElement)
    return languageCall('Object.delete', [operand.object, propertyName(operand)], span);
  if (operator === 'typeof') return languageCall('typeof', [operand], span);
  return { kind: 'unknown', what: node.type, parts: [operand], span };
}

/** The name of a property, as a value. */
function propertyName(place: Expression & { kind: 'member' | 'index' }): Expression {
  return place.kind === 'index' ? place.index : textAt(place.name, place.span);
}

/** `yield x`, `yield* list`. */
function lowerYield(context: TypeScriptContext, node: SyntaxNode): Expression {
  const span = spanOf(context, node);
  const [given] = namedChildren(node);
  const value = given ? lowerExpression(context, given) : nothingAt(span);
  const isMany = node.children.some(({ type }) => type === '*');
  return languageCall(isMany ? '(yield all)' : '(yield)', [nameAt(yielded, span), value], span);
}

function lowerBinary(operator: string, left: Expression, right: Expression, span: Span): Expression {
  if (operator === '**') return languageCall('std::pow', [left, right], span);
  if (operator === 'in') return languageCall('Object.has', [right, left], span);
  if (operator === 'instanceof') {
    const className = right.kind === 'name' ? textAt(right.name, right.span) : right;
    return languageCall('instanceof', [left, className], span);
  }
  const isScript = operator === '+' || operator === '??' || operator === '||' || operator === '&&';
  return { kind: 'binary', operator, left, right, ...(isScript ? { isScript: true } : {}), span };
}

const ofMath = ['E', 'LN2', 'LN10', 'LOG2E', 'LOG10E', 'PI', 'SQRT1_2', 'SQRT2'] as const;
const ofNumber = ['MAX_SAFE_INTEGER', 'MIN_SAFE_INTEGER', 'MAX_VALUE', 'MIN_VALUE', 'EPSILON'] as const;

/** Numbers that the language has a name for. */
const constants: ReadonlyMap<string, number> = new Map([
  ...ofMath.map((name) => [`Math.${name}`, Math[name]] as const),
  ...ofNumber.map((name) => [`Number.${name}`, Number[name]] as const),
  ['Number.POSITIVE_INFINITY', Number.POSITIVE_INFINITY],
  ['Number.NEGATIVE_INFINITY', Number.NEGATIVE_INFINITY],
]);

/** A property; a static method by the name of its class. */
function lowerMember(context: TypeScriptContext, node: SyntaxNode): Expression {
  const span = spanOf(context, node);
  const constant = constants.get(writtenOf(context, node));
  if (constant !== undefined) return realAt(constant, span);
  const function_ = languageValue(context, node);
  if (function_) return function_;
  const property = childByField(node, 'property');
  const inherited = property && lowerInherited(context, node, textOf(context, property));
  if (inherited) return inherited;
  const name = property ? textOf(context, property) : '';
  const { calledOf, staticOf } = context;
  const isOwn = staticOf !== null && childByField(node, 'object')?.type === 'this' && calledOf?.own.has(name) === true;
  const object = isOwn
    ? nameAt(calledOf.name, spanOf(context, node))
    : optional(context, childByField(node, 'object'), node);
  const found = object.kind === 'name' ? context.classes.get(object.name)?.get(name) : undefined;
  if (object.kind === 'name' && found === 'getter') return languageCall(`${object.name}::${name}`, [], span);
  if (object.kind === 'name' && found) return nameAt(`${object.name}::${name}`, span);
  const member = object.kind === 'name' ? context.namespaces.get(object.name)?.get(name) : undefined;
  if (member !== undefined) return nameAt(member, span);
  if (object.kind === 'name' && name === 'BYTES_PER_ELEMENT')
    return languageCall('(bytes per element)', [textAt(object.name, span), object], span);
  const isOptional = childOfType(node, 'optional_chain') !== undefined || isInOptionalChain(node);
  return { kind: 'member', object, name, isScript: true, ...(isOptional ? { isOptional: true } : {}), span };
}

/** `super.name` where it is no call; in a static method it is the class's own. */
function lowerInherited(context: TypeScriptContext, node: SyntaxNode, name: string): Expression | null {
  const { baseClass, staticOf } = context;
  if (baseClass === null || childByField(node, 'object')?.type !== 'super') return null;
  const span = spanOf(context, node);
  if (staticOf === null)
    return { kind: 'member', object: nameAt('this', span), name, isScript: true, ofBase: baseClass, span };
  const isGetter = context.classes.get(baseClass)?.get(name) === 'getter';
  if (isGetter) return languageCall(`${baseClass}::${name}`, [], span);
  return { kind: 'member', object: nameAt(baseClass, span), name, isScript: true, span };
}

/** `b` of `o?.a.b`: where `o?.a` is nothing, it is, too. */
function isInOptionalChain(node: SyntaxNode): boolean {
  let current: SyntaxNode | undefined = childByField(node, 'object') ?? childByField(node, 'function');
  while (current) {
    if (childOfType(current, 'optional_chain')) return true;
    current = childByField(current, 'object') ?? childByField(current, 'function');
  }
  return false;
}

function lowerProperty(context: TypeScriptContext, node: SyntaxNode): ListElement {
  const name = childByField(node, 'name') ?? childByField(node, 'key');
  const computed = name?.type === 'computed_property_name' ? namedChildren(name)[0] : undefined;
  const known = wellKnown(context, computed);
  const key =
    known !== null
      ? { name: known }
      : computed
        ? { name: null, index: lowerExpression(context, computed) }
        : { name: name ? textOf(context, name).replace(/^['"]|['"]$/g, '') : '' };
  if (node.type === 'pair') return { ...key, value: optional(context, childByField(node, 'value'), node) };
  if (node.type === 'spread_element') return { name: '...', value: optional(context, namedChildren(node)[0], node) };
  if (node.type === 'method_definition') {
    const isSetter = node.children.some(({ type }) => type === 'set') && key.name;
    if (isSetter) return { name: setterName(key.name ?? ''), value: lowerFunctionExpression(context, node) };
    return { ...key, value: lowerFunctionExpression(context, node) };
  }
  return { name: writtenOf(context, node), value: lowerExpression(context, node) };
}
