/** Types and declarators: `const T *__restrict__ p[3]` becomes a name and a {@link TypeReference}. */

import { wholeArray } from '../../program/array-pointer.ts';
import { containerLike } from '../../program/library-names.ts';
import type { Expression, NameTemplate, TypeReference } from '../../program/program.ts';
import { retyped } from '../../program/retyped.ts';
import { isType, typeNamed } from '../../program/type-named.ts';
import { childByField, childOfType, namedChildren, type SyntaxNode } from '../syntax-tree.ts';
import { functionType, withTaken } from './function-types.ts';
import { type LowerContext, textOf } from './lower-context.ts';
import { lowerExpression } from './lower-expressions.ts';
import { insteadOfComma } from './rare-words.ts';
import { castAsArgument } from './vexing-arguments.ts';

export const unknownType: TypeReference = typeNamed('');

/** A declarator taken apart: what is declared, and how it changes the type. */
export interface Declared {
  readonly name: string;
  readonly nameNode: SyntaxNode | null;
  readonly pointers: number;
  readonly isReference: boolean;
  /** `T &&x`. */
  readonly takesMoved?: boolean;
  readonly extents: readonly (Expression | null)[];
  /** `float *(*name)[3]`: of the array that it points to. */
  readonly array?: { readonly pointers: number; readonly extents: readonly (Expression | null)[] } | null;
  /** The innermost function declarator, when it declares a function. */
  readonly functionDeclarator: SyntaxNode | null;
  /** `operator T()`: the node that holds the type it converts to; its pointers are the declarator's. */
  readonly conversion: SyntaxNode | null;
}

/** The type of a declaration-like node (`type` field and qualifiers). */
export function lowerType(context: LowerContext, node: SyntaxNode): TypeReference {
  const type = childByField(node, 'type') ?? node;
  let [isConst, isVolatile] = [false, false];
  for (const child of node.children) {
    if (child.type !== 'type_qualifier') continue;
    const word = textOf(context, child);
    if (word === 'const' || word === 'constexpr') isConst = true;
    else if (word === 'volatile') isVolatile = true;
  }
  const lowered = retyped(lowerTypeName(context, type), { isConst });
  return isVolatile ? { ...lowered, isVolatile } : lowered;
}

/** A bare type: identifier, template, `struct X`, or a `type_descriptor` with an abstract declarator. */
export function lowerTypeName(context: LowerContext, node: SyntaxNode): TypeReference {
  if (node.type === 'type_descriptor') {
    const base = lowerType(context, node);
    const declarator = childByField(node, 'declarator');
    if (!declarator) return base;
    if (takesNothing(declarator)) return { ...base, isCalled: true };
    const declared = lowerDeclarator(context, declarator);
    return functionType(context, base, declared) ?? withTaken(context, applyDeclarator(base, declared), declared);
  }
  if (node.type === 'primitive_type' || node.type === 'type_identifier')
    return typeNamed(withoutSpaces(textOf(context, node)));
  const { name: written, template } = qualifiedName(context, node);
  const given = template ? lowerTemplateArguments(context, template) : [];
  const like = given.length > 0 ? containerLike(written) : undefined;
  const name = like?.[0] ?? written;
  const list = like ? given.slice(0, like[1]) : given;
  const [first] = list;
  // To one thread after another it is what it holds.
  if (/^(?:cuda::)?(?:std::)?atomic$/.test(name) && first && isType(first)) return { ...first, isVolatile: true };
  const qualifier = qualifierOf(context, node);
  const inner = node.type === 'decltype' ? namedChildren(node)[0] : undefined;
  const isPlace = inner?.type === 'parenthesized_expression';
  return {
    ...unknownType,
    name,
    arguments: list,
    ...(qualifier ? { qualifier } : {}),
    ...(isFromOutermost(node) ? { isOutermost: true } : {}),
    ...(inner && inner.type !== 'auto' ? { of: oneAfterAnother(lowerExpression(context, inner)) } : {}),
    ...(isPlace ? { isReference: true } : {}),
  };
}

/** `decltype(x.size(), void())` */
function oneAfterAnother(expression: Expression): Expression {
  if (expression.kind !== 'binary' || expression.operator !== insteadOfComma) return expression;
  const first = oneAfterAnother(expression.left);
  const before = first.kind === 'sequence' ? first.expressions : [first];
  return { kind: 'sequence', expressions: [...before, expression.right], span: expression.span };
}

/** The `()` of `rank()`. */
function takesNothing({ type, children }: SyntaxNode): boolean {
  if (type !== 'abstract_function_declarator' || children.length !== 1) return false;
  return children[0]!.type === 'parameter_list' && children[0]!.children.every(({ named }) => !named);
}

/** `auto f() -> T`: what is returned, where that is written as a type and not worked out from another. */
export function trailingType(context: LowerContext, declarator: SyntaxNode): TypeReference | null {
  const trailing = childOfType(declarator, 'trailing_return_type');
  const written = trailing ? namedChildren(trailing)[0] : undefined;
  if (!written) return null;
  const type = lowerTypeName(context, written);
  if (type.name === 'decltype(auto)') return type;
  return type.name === 'auto' || /^decltype|^(?:typename )?std::\w+_t$/.test(type.name) ? null : type;
}

export function applyDeclarator(written: TypeReference, declared: Declared): TypeReference {
  const type = targetType(written, declared);
  const applied = retyped(type, {
    pointers: type.pointers + declared.pointers,
    isReference: type.isReference || declared.isReference,
    extents: declared.extents,
  });
  return declared.takesMoved ? { ...applied, takesMoved: true } : applied;
}

/** What a declarator points to: the type as written, or an array of it. */
export function targetType(type: TypeReference, { array }: Declared): TypeReference {
  if (!array) return type;
  return wholeArray(retyped(type, { pointers: type.pointers + array.pointers, extents: array.extents }));
}

/** `a::b<c>` as the name `a::b` and the template argument list of its last part. */
export function qualifiedName(context: LowerContext, node: SyntaxNode): { name: string; template: SyntaxNode | null } {
  switch (node.type) {
    case 'qualified_identifier': {
      const scope = childByField(node, 'scope');
      const last = childByField(node, 'name');
      const inner = last ? qualifiedName(context, last) : { name: '', template: null };
      const prefix = scope ? qualifiedName(context, scope).name : '';
      return { name: prefix ? `${prefix}::${inner.name}` : inner.name, template: inner.template };
    }
    case 'template_type':
    case 'template_function':
    case 'template_method': {
      const inner = childByField(node, 'name');
      const list = childByField(node, 'arguments') ?? null;
      return { name: inner ? qualifiedName(context, inner).name : '', template: list };
    }
    case 'struct_specifier':
    case 'class_specifier':
    case 'enum_specifier':
    case 'union_specifier': {
      const name = childByField(node, 'name');
      if (name) return qualifiedName(context, name);
      // One name for each: an item is read from a text of its own, and headers have such types, too.
      return { name: `(anonymous ${context.file}:${context.shift + node.start})`, template: null };
    }
    case 'dependent_name':
    case 'dependent_type': {
      const inner = namedChildren(node).at(-1);
      return inner ? qualifiedName(context, inner) : { name: '', template: null };
    }
    case 'placeholder_type_specifier':
      return { name: childOfType(node, 'decltype') ? 'decltype(auto)' : 'auto', template: null };
    case 'sized_type_specifier':
      return { name: textOf(context, node).replace(/\s+/g, ' '), template: null };
    case 'decltype':
      return { name: textOf(context, node), template: null };
    default:
      return { name: withoutSpaces(textOf(context, node)), template: null };
  }
}

/** A name as it is known: nearly all are written without any. */
export function withoutSpaces(name: string): string {
  return /\s/.test(name) ? name.replace(/\s+/g, '') : name;
}

/** `::f`: looked for in no namespace and no class. */
export function isFromOutermost(node: SyntaxNode): boolean {
  return node.type === 'qualified_identifier' && !childByField(node, 'scope');
}

export function lowerTemplateArguments(context: LowerContext, list: SyntaxNode): (TypeReference | Expression)[] {
  return namedChildren(list).map((child, index) => {
    if (child.type === 'type_descriptor') {
      const cast = castAsArgument(context, child, index === 0);
      return cast ? lowerExpression(context, cast) : lowerTypeName(context, child);
    }
    // `all<Op<f>, …>`: a class as well as a value; what it is, is known where it is used.
    if (child.type === 'template_function') return typeOfName(context, child);
    const pattern = child.type === 'parameter_pack_expansion' ? namedChildren(child)[0] : undefined;
    if (pattern?.type !== 'type_descriptor') return lowerExpression(context, child);
    const type = lowerTypeName(context, pattern);
    return { ...type, name: `${type.name}...` };
  });
}

function typeOfName(context: LowerContext, node: SyntaxNode): TypeReference {
  const { name, template } = qualifiedName(context, node);
  return typeNamed(name, template ? lowerTemplateArguments(context, template) : []);
}

/** What stands before the last `::` of a name, when that is a class with template arguments. */
function qualifierOf(context: LowerContext, node: SyntaxNode): TypeReference | null {
  if (node.type === 'dependent_type' || node.type === 'dependent_name') {
    const inner = namedChildren(node).at(-1);
    return inner ? qualifierOf(context, inner) : null;
  }
  if (node.type !== 'qualified_identifier') return null;
  const scope = childByField(node, 'scope');
  const last = childByField(node, 'name');
  const inner = last ? qualifierOf(context, last) : null;
  return inner ?? (scope?.type === 'template_type' ? lowerTypeName(context, scope) : null);
}

/** The template arguments in a name; undefined for a plain one. */
export function templateOfName(context: LowerContext, node: SyntaxNode): NameTemplate | undefined {
  if (node.type !== 'qualified_identifier' && node.type !== 'template_function') return undefined;
  const qualifier = qualifierOf(context, node);
  const { template } = qualifiedName(context, node);
  if (!qualifier && !template) return undefined;
  return { qualifier, arguments: template ? lowerTemplateArguments(context, template) : [] };
}

/** `operator T()`, perhaps behind `Class::`. */
function conversionIn(context: LowerContext, node: SyntaxNode): { node: SyntaxNode; prefix: string } | null {
  if (node.type === 'operator_cast') return { node, prefix: '' };
  if (node.type !== 'qualified_identifier') return null;
  const last = childByField(node, 'name');
  const inner = last ? conversionIn(context, last) : null;
  const scope = childByField(node, 'scope');
  return inner && scope ? { node: inner.node, prefix: `${qualifiedName(context, scope).name}::${inner.prefix}` } : null;
}

/** `Class::*name`: what is declared. */
function memberPointerIn(node: SyntaxNode): SyntaxNode | undefined {
  const last = node.type === 'qualified_identifier' ? childByField(node, 'name') : node;
  return last?.type === 'pointer_type_declarator' ? childByField(last, 'declarator') : undefined;
}

/** Takes a declarator apart, outside in. */
export function lowerDeclarator(context: LowerContext, node: SyntaxNode | undefined): Declared {
  let pointers = 0;
  let isReference = false;
  let takesMoved = false;
  let functionDeclarator: SyntaxNode | null = null;
  let conversion: { node: SyntaxNode; prefix: string } | null = null;
  let extents: (Expression | null)[] = [];
  let array: Declared['array'] = null;
  let current = node;
  const declared = (name: string, nameNode: SyntaxNode | null, conversionNode: Declared['conversion']): Declared => ({
    name,
    nameNode,
    pointers,
    isReference,
    takesMoved,
    extents,
    array,
    functionDeclarator,
    conversion: conversionNode,
  });
  while (current) {
    switch (current.type) {
      case 'pointer_declarator':
      case 'abstract_pointer_declarator':
        pointers++;
        current = childByField(current, 'declarator');
        continue;
      case 'reference_declarator':
      case 'abstract_reference_declarator':
        isReference = true;
        takesMoved = textOf(context, current).startsWith('&&');
        current = namedChildren(current).find((child) => child.type !== 'type_qualifier');
        continue;
      case 'array_declarator':
      case 'abstract_array_declarator': {
        const size = childByField(current, 'size');
        extents.unshift(size ? lowerExpression(context, size) : null);
        current = childByField(current, 'declarator');
        continue;
      }
      case 'function_declarator':
      case 'abstract_function_declarator':
        functionDeclarator = current;
        current = childByField(current, 'declarator');
        continue;
      case 'parenthesized_declarator':
      case 'abstract_parenthesized_declarator':
        current = namedChildren(current)[0];
        if (extents.length > 0 && !functionDeclarator && current?.type.endsWith('pointer_declarator')) {
          array = { pointers, extents };
          pointers = 0;
          extents = [];
        }
        continue;
      case 'attributed_declarator':
      case 'variadic_declarator':
        current = namedChildren(current)[0];
        continue;
      case 'init_declarator':
        current = childByField(current, 'declarator');
        continue;
      default: {
        const member = memberPointerIn(current);
        if (member) {
          pointers++;
          current = member;
          continue;
        }
        const cast = conversionIn(context, current);
        if (cast) {
          conversion = cast;
          current = childByField(cast.node, 'declarator');
          continue;
        }
        return declared(qualifiedName(context, current).name, current, null);
      }
    }
  }
  if (!conversion) return declared('', null, null);
  const operator = `operator ${lowerType(context, conversion.node).name}${'*'.repeat(pointers)}`;
  return declared(`${conversion.prefix}${operator}`, conversion.node, conversion.node);
}
