/**
 * `T x(a, f(b), int(c));` reads like a function that is declared: what would be its parameters, as the expressions that they
 * are where a variable is constructed.
 */

import { childByField, namedChildren, type SyntaxNode } from '../syntax-tree.ts';
import { type LowerContext, textOf } from './lower-context.ts';

/**
 * The arguments that `T x(…)` is given; null when it declares a function. At file scope bare names, calls and casts are arguments;
 * in a function, where functions are hardly ever declared, also products, masks, elements and packs.
 */
export function vexingArguments(
  context: LowerContext,
  declarator: SyntaxNode,
  isLocal: boolean,
): readonly SyntaxNode[] | null {
  const list = childByField(declarator, 'parameters');
  const parameters = list ? namedChildren(list) : [];
  if (parameters.length === 0) return null;
  const found = parameters.map((parameter) => argumentOf(context, parameter, isLocal));
  const known = found.filter((each) => each !== null);
  return known.length === found.length ? known : null;
}

function argumentOf(context: LowerContext, parameter: SyntaxNode, isLocal: boolean): SyntaxNode | null {
  const type = childByField(parameter, 'type');
  const declarator = childByField(parameter, 'declarator');
  if (!type) return null;
  if (parameter.type === 'variadic_parameter_declaration')
    return isLocal && declarator ? packOf(parameter, type, declarator) : null;
  if (parameter.type !== 'parameter_declaration') return null;
  if (parameter.children.some((part) => part.type === 'type_qualifier')) return null;
  // `sizeof n`, which looks like a parameter of a type of that name.
  if (declarator?.type === 'identifier' && textOf(context, type) === 'sizeof')
    return { ...parameter, type: 'sizeof_expression', children: [{ ...declarator, field: 'value' }] };
  if (!declarator) return isName(type) || (isLocal && type.type === 'template_type') ? asName(type) : null;
  if (declarator.type === 'abstract_function_declarator') return callOf(context, type, declarator, parameter, isLocal);
  if (!isLocal || !(isName(type) || type.type === 'template_type')) return null;
  return productOf(context, parameter, type, declarator) ?? elementOf(context, type, declarator);
}

/**
 * `static_cast<int>(Lane::Last)` or `int(Lane::Last)` where a template is given it, which reads like the type of a function; null when it is
 * one. What a template is given first may well be one, as of `std::function<int(Lane)>`.
 */
export function castAsArgument(context: LowerContext, given: SyntaxNode, isFirst: boolean): SyntaxNode | null {
  const type = childByField(given, 'type');
  const declarator = childByField(given, 'declarator');
  if (!type || declarator?.type !== 'abstract_function_declarator') return null;
  const isConversion = !isFirst && isNumber(type) && textOf(context, type) !== 'void';
  return isConversion || isCast(context, type) ? callOf(context, type, declarator, given, true) : null;
}

function isNumber({ type }: SyntaxNode): boolean {
  return type === 'primitive_type' || type === 'sized_type_specifier';
}

function isName({ type }: SyntaxNode): boolean {
  return type === 'type_identifier' || type === 'qualified_identifier';
}

/** `ns::size<T>` as the name of a variable or function. */
function asName(type: SyntaxNode): SyntaxNode {
  if (type.type === 'template_type') return { ...type, type: 'template_function' };
  if (type.type !== 'qualified_identifier') return type;
  return { ...type, children: type.children.map((each) => (each.field === 'name' ? asName(each) : each)) };
}

/** `f(a)`, `int(a)`, `static_cast<int>(a)`, `make<T>(a)` and `sizeof(T)`, which look like functions without a name. */
function callOf(
  context: LowerContext,
  type: SyntaxNode,
  declarator: SyntaxNode,
  parameter: SyntaxNode,
  isLocal: boolean,
): SyntaxNode | null {
  if (childByField(declarator, 'declarator')) return null;
  const list = childByField(declarator, 'parameters');
  const given = list ? namedChildren(list) : [];
  if (textOf(context, type) === 'sizeof') return given.length === 1 ? sizeOf(parameter, given[0]!, isLocal) : null;
  const inside = vexingArguments(context, declarator, isLocal);
  if (!inside && given.length > 0) return null;
  const isConversion = isNumber(type);
  const isKnown = isName(type) || (isLocal ? type.type === 'template_type' : isCast(context, type));
  if (!isKnown && !(isLocal && isConversion && inside?.length === 1)) return null;
  const all = { ...declarator, type: 'argument_list', field: 'arguments', children: inside ?? [] };
  return { ...parameter, type: 'call_expression', children: [{ ...asName(type), field: 'function' }, all] };
}

function isCast(context: LowerContext, type: SyntaxNode): boolean {
  const name = type.type === 'template_type' ? childByField(type, 'name') : undefined;
  return name !== undefined && /^(?:static|reinterpret|const|dynamic)_cast$/.test(textOf(context, name));
}

function sizeOf(parameter: SyntaxNode, measured: SyntaxNode, isLocal: boolean): SyntaxNode | null {
  if (measured.type !== 'parameter_declaration' || !isLocal) return null;
  const type = childByField(measured, 'type');
  const isBare = type && isName(type) && !childByField(measured, 'declarator');
  const operand = isBare ? { ...type, field: 'value' } : { ...measured, type: 'type_descriptor', field: 'type' };
  return { ...parameter, type: 'sizeof_expression', children: [operand] };
}

/** `a...`, which looks like a parameter without a name. */
function packOf(parameter: SyntaxNode, type: SyntaxNode, declarator: SyntaxNode): SyntaxNode | null {
  if (type.type !== 'type_identifier' || namedChildren(declarator).length > 0) return null;
  return { ...parameter, type: 'parameter_pack_expansion', children: [{ ...type, field: 'pattern' }] };
}

/** `a * b`, `a & b` and `a && b`, which look like a parameter with its type. */
function productOf(
  context: LowerContext,
  parameter: SyntaxNode,
  type: SyntaxNode,
  declarator: SyntaxNode,
): SyntaxNode | null {
  if (declarator.type !== 'pointer_declarator' && declarator.type !== 'reference_declarator') return null;
  const written = namedChildren(declarator)[0];
  const operand = written?.type === 'function_declarator' ? factorOf(context, written) : written;
  const operator = declarator.children[0];
  if (namedChildren(parameter).length !== 2 || !operand || !factors.has(operand.type) || !operator) return null;
  const children = [
    { ...asName(type), field: 'left' },
    { ...operator, field: 'operator' },
    { ...operand, field: 'right' },
  ];
  return { ...parameter, type: 'binary_expression', children };
}

/** `rows<T>` and `ns::rows` name no parameter. */
const factors = new Set([
  'identifier',
  'call_expression',
  'sizeof_expression',
  'template_function',
  'qualified_identifier',
]);

/** `sizeof(T)` and `f(a)`, which look like a function that is declared; null for one that takes parameters. */
function factorOf(context: LowerContext, node: SyntaxNode): SyntaxNode | null {
  const name = childByField(node, 'declarator');
  const list = childByField(node, 'parameters');
  if (name?.type !== 'identifier' || !list) return null;
  const [measured] = namedChildren(list);
  if (textOf(context, name) === 'sizeof') return measured ? sizeOf(node, measured, true) : null;
  const given = vexingArguments(context, node, true);
  if (!given) return null;
  const all = { ...list, type: 'argument_list', field: 'arguments', children: given };
  return { ...node, type: 'call_expression', children: [{ ...name, field: 'function' }, all] };
}

/** `parts[1]` and `parts()[1]`, which read like an array without a name; null when it can be nothing else. */
function elementOf(context: LowerContext, type: SyntaxNode, declarator: SyntaxNode): SyntaxNode | null {
  if (declarator.type !== 'abstract_array_declarator') return null;
  const size = childByField(declarator, 'size');
  const before = childByField(declarator, 'declarator');
  const isCall = before?.type === 'abstract_function_declarator';
  const called = isCall ? callOf(context, type, before, before, true) : null;
  const object = isCall ? called : before ? elementOf(context, type, before) : type;
  if (!size || !object) return null;
  const children = [
    { ...object, field: 'argument' },
    { ...size, field: 'index' },
  ];
  return { ...declarator, type: 'subscript_expression', start: type.start, children };
}

/**
 * `steps[i](n);`, which inside of a class reads like a function that is declared where `auto [i] = f()` has its names: the call that it
 * is; null for every other declaration.
 */
export function calledElement(context: LowerContext, node: SyntaxNode): SyntaxNode | null {
  const type = childByField(node, 'type');
  const declarator = childByField(node, 'declarator');
  if (!type || !isName(type) || declarator?.type !== 'function_declarator') return null;
  const bound = childByField(declarator, 'declarator');
  const list = childByField(declarator, 'parameters');
  const [index, ...others] = bound?.type === 'structured_binding_declarator' ? namedChildren(bound) : [];
  if (!list || !index || others.length > 0) return null;
  const given = namedChildren(list).length > 0 ? vexingArguments(context, declarator, true) : [];
  if (!given) return null;
  const parts = [
    { ...asName(type), field: 'argument' },
    { ...index, field: 'index' },
  ];
  const element = {
    ...declarator,
    type: 'subscript_expression',
    field: 'function',
    start: type.start,
    children: parts,
  };
  const all = { ...list, type: 'argument_list', field: 'arguments', children: given };
  return { ...node, type: 'call_expression', children: [element, all] };
}
