/** Declarations of variables, enumerators and aliases. */

import type { Declaration, Expression, Statement, TypeReference } from '../../program/program.ts';
import { typeNamed } from '../../program/type-named.ts';
import { childByField, childrenByField, namedChildren, type SyntaxNode } from '../syntax-tree.ts';
import { cleanupGuard, cleanupIn } from './cleanup-attributes.ts';
import { functionPointer, withTaken } from './function-types.ts';
import { type LowerContext, spanOf, textOf } from './lower-context.ts';
import { lowerArguments, lowerExpression } from './lower-expressions.ts';
import { applyDeclarator, lowerDeclarator, lowerType, lowerTypeName, qualifiedName } from './lower-types.ts';
import { vexingArguments } from './vexing-arguments.ts';

/** `enum { A, B = 3 }` as constants, in order. `isKnown`: the enumeration's name is one of the program's for a type. */
export function lowerEnumerators(context: LowerContext, node: SyntaxNode, isKnown = false): Statement[] {
  const body = childByField(node, 'body');
  if (!body) return [];
  const scope = childByField(node, 'name');
  const isScoped = node.children.some((child) => child.type === 'class' || child.type === 'struct');
  const isWideEnough = !isScoped && !childByField(node, 'base');
  const type = { ...typeNamed(isKnown && scope ? textOf(context, scope) : 'int'), isConst: true };
  const declarations: Declaration[] = [];
  let base: Expression = { kind: 'number', value: 0, span: spanOf(context, node) };
  let offset = 0;
  for (const child of namedChildren(body)) {
    const name = childByField(child, 'name');
    const value = childByField(child, 'value');
    if (!name) continue;
    const span = spanOf(context, child);
    if (value) {
      base = lowerExpression(context, value);
      offset = 0;
    }
    const plain = textOf(context, name);
    const current: Expression =
      offset === 0
        ? base
        : { kind: 'binary', operator: '+', left: base, right: { kind: 'number', value: offset, span }, span };
    offset++;
    const names = scope ? [`${textOf(context, scope)}::${plain}`] : [];
    if (!isScoped) names.push(plain);
    for (const each of names)
      declarations.push({
        name: each,
        type,
        initializer: current,
        constructorArguments: null,
        isStatic: false,
        ...(isWideEnough ? { isEnumerator: true } : {}),
        span,
      });
  }
  return declarations.length > 0 ? [{ kind: 'declare', declarations, span: spanOf(context, node) }] : [];
}

/** An enumeration is a whole number of the type it says, or an `int`; without a name it has one only where a member is of it. */
export function enumType(context: LowerContext, node: SyntaxNode, isOfMember = false): [string, TypeReference][] {
  const base = childByField(node, 'base');
  if (!childByField(node, 'body') || (!isOfMember && !childByField(node, 'name'))) return [];
  return [[qualifiedName(context, node).name, base ? lowerTypeName(context, base) : typeNamed('int')]];
}

const elsewhereWords = new Set(['extern', '__device__', '__constant__', '__managed__', '__shared__', 'thread_local']);

const longestWord = Math.max(...[...elsewhereWords].map((word) => word.length));

const onDeviceWords = new Set(['__device__', '__constant__']);

/** The declarators of a declaration; functions declared here are left out. `isLocal`: it stands in a function. */
export function lowerDeclaration(context: LowerContext, node: SyntaxNode, isLocal = false): Declaration[] {
  const type = lowerType(context, node);
  const isStatic = node.children.some((child) => {
    if (child.type !== 'storage_class_specifier') return false;
    const word = textOf(context, child);
    // In a function, each thread's own lasts as long as the thread.
    return word === 'static' || (isLocal && word === 'thread_local');
  });
  const words: string[] = [];
  for (const child of node.children) {
    if (child.end - child.start > longestWord) continue;
    const word = textOf(context, child);
    if (elsewhereWords.has(word)) words.push(word);
  }
  const elsewhere =
    words.length === 0
      ? {}
      : {
          isElsewhere: words.includes('thread_local') ? ('thread' as const) : true,
          ...(words.includes('__managed__')
            ? { isOnDevice: 'managed' as const }
            : words.some((word) => onDeviceWords.has(word))
              ? { isOnDevice: true as const }
              : {}),
        };
  const out: Declaration[] = [];
  const cleanup = isLocal ? cleanupIn(context, node) : undefined;
  for (const declarator of childrenByField(node, 'declarator')) {
    const declared = lowerDeclarator(context, declarator);
    if (!declared.name) continue;
    const value = declarator.type === 'init_declarator' ? childByField(declarator, 'value') : undefined;
    const span = spanOf(context, declared.nameNode ?? declarator);
    if (declared.functionDeclarator && !value) {
      // `template <class T> Owner(T) -> Owner<T>;` only says how arguments are deduced.
      if (!childByField(node, 'type')) continue;
      const vexing = vexingArguments(context, declared.functionDeclarator, isLocal);
      const pointer = childByField(declared.functionDeclarator, 'declarator')?.type === 'parenthesized_declarator';
      if (!vexing && !pointer) continue;
      const kind = pointer ? functionPointer(context, declared) : applyDeclarator(type, declared);
      const given = vexing?.map((each) => lowerExpression(context, each)) ?? null;
      out.push({ name: declared.name, type: kind, ...beginningOf(kind, null, given), isStatic, span });
      continue;
    }
    const isArguments = value?.type === 'argument_list';
    const kind = declared.functionDeclarator ? functionPointer(context, declared) : applyDeclarator(type, declared);
    const initializer = value && !isArguments ? lowerExpression(context, value) : null;
    const isBraced = initializer?.kind === 'list' && !declarator.children.some((child) => child.type === '=');
    const braced = isBraced && kind.name === 'auto' ? initializer.elements.map((each) => each.value) : null;
    const given = isArguments ? lowerArguments(context, value) : braced;
    out.push({
      name: declared.name,
      type: kind,
      ...beginningOf(kind, initializer, given),
      isStatic,
      ...elsewhere,
      span,
    });
    const called = isLocal ? (cleanup ?? cleanupIn(context, declarator)) : undefined;
    if (called) out.push(cleanupGuard(context, out.at(-1)!, called));
  }
  return out;
}

/** `auto x(a)`, `auto x{a}` and `T &x(a)` are `auto x = a` and `T &x = a`: no constructor is called by these names. */
function beginningOf(
  type: TypeReference,
  initializer: Expression | null,
  given: readonly Expression[] | null,
): Pick<Declaration, 'initializer' | 'constructorArguments'> {
  const isOne = given?.length === 1 && (type.name === 'auto' || type.isReference);
  if (isOne) return { initializer: given[0]!, constructorArguments: null };
  return { initializer, constructorArguments: initializer ? null : given };
}

/** `namespace a = b::c;` as a name and what it stands for. */
export function lowerNamespaceAlias(context: LowerContext, node: SyntaxNode): readonly [string, TypeReference] | null {
  const name = childByField(node, 'name');
  const target = namedChildren(node).at(-1);
  if (!name || !target || target === name) return null;
  return [textOf(context, name), typeNamed(textOf(context, target).replace(/\s+/g, ''))];
}

/** `using namespace a;`, `using enum E;` and `using a::f;` */
export function lowerUsing(context: LowerContext, node: SyntaxNode): Extract<Statement, { readonly kind: 'using' }>[] {
  const name = namedChildren(node).at(-1);
  if (!name) return [];
  const isNamespace = node.children.some((child) => child.type === 'namespace');
  const isEnum = node.children.some((child) => child.type === 'enum');
  const plain = textOf(context, name).replace(/\s+/g, '');
  return [{ kind: 'using', name: plain, isNamespace, ...(isEnum ? { isEnum } : {}), span: spanOf(context, node) }];
}

/** `using A = B;` and `typedef B A;` as name and type. */
export function lowerAliases(context: LowerContext, node: SyntaxNode): [string, TypeReference][] {
  if (node.type === 'alias_declaration') {
    const name = childByField(node, 'name');
    const type = childByField(node, 'type');
    return name && type ? [[textOf(context, name), lowerTypeName(context, type)]] : [];
  }
  const type = childByField(node, 'type');
  const written = lowerType(context, node);
  // `typedef struct { … } T, *P;`
  const base = type?.type.endsWith('_specifier') ? { ...written, name: qualifiedName(context, type).name } : written;
  return childrenByField(node, 'declarator').flatMap((declarator): [string, TypeReference][] => {
    const declared = lowerDeclarator(context, declarator);
    // `typedef enum state { … } state;` gives the enumeration no other name.
    if (!declared.name || (type?.type === 'enum_specifier' && declared.name === base.name)) return [];
    // `typedef int step(int);`
    const isFunction = childByField(declared.functionDeclarator ?? node, 'declarator')?.type === 'type_identifier';
    if (declared.functionDeclarator && isFunction) return [[declared.name, typeNamed('std::function')]];
    return [[declared.name, withTaken(context, applyDeclarator(base, declared), declared)]];
  });
}
