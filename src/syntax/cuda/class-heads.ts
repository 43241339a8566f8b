/** What a class says of its bases, and of who may see its members. */

import type { ClassDefinition, TypeReference } from '../../program/program.ts';
import { childByField, childOfType, namedChildren, type SyntaxNode } from '../syntax-tree.ts';
import { type LowerContext, textOf } from './lower-context.ts';
import { lowerUsing } from './lower-declarations.ts';
import { lowerTypeName } from './lower-types.ts';

/** `: public A, private virtual B<T>`: the bases, and which of them are virtual. */
export function basesOf(context: LowerContext, node: SyntaxNode): { bases: TypeReference[]; virtualBases: number[] } {
  const clause = childOfType(node, 'base_class_clause');
  const bases: TypeReference[] = [];
  const virtualBases: number[] = [];
  for (const child of clause?.children ?? [])
    if (child.type === 'virtual') virtualBases.push(bases.length);
    else if (child.named && child.type !== 'access_specifier') bases.push(lowerTypeName(context, child));
  return { bases, virtualBases };
}

/** Whether some members of an object are private or protected. */
export function hidesFields(context: LowerContext, node: SyntaxNode, body: SyntaxNode): boolean {
  let isHidden = node.type === 'class_specifier';
  for (const child of namedChildren(body)) {
    if (child.type === 'access_specifier') isHidden = !textOf(context, child).startsWith('public');
    else if (isHidden && child.type === 'field_declaration' && !isMethodOrStatic(context, child)) return true;
  }
  return false;
}

function isMethodOrStatic(context: LowerContext, node: SyntaxNode): boolean {
  const declarator = childByField(node, 'declarator');
  const isStatic = childOfType(node, 'storage_class_specifier');
  return (isStatic && textOf(context, isStatic) === 'static') || declarator?.type === 'function_declarator';
}

/** `using Base::Base;`, `using Base<T>::f;`, `using enum E;` */
export function takenOver(context: LowerContext, body: SyntaxNode): Pick<ClassDefinition, 'takesOver' | 'usesEnums'> {
  const declared = namedChildren(body).filter(({ type }) => type === 'using_declaration');
  const enums = declared.flatMap((child) => lowerUsing(context, child).filter(({ isEnum }) => isEnum));
  const names = declared.flatMap((child) => {
    const named = /(\b\w+)\s*(?:<.*>)?\s*::\s*(\w+)\s*;?$/.exec(textOf(context, child));
    return named ? [`${named[1]}::${named[2]}`] : [];
  });
  return {
    ...(names.length > 0 ? { takesOver: names } : {}),
    ...(enums.length > 0 ? { usesEnums: enums.map(({ name }) => name) } : {}),
  };
}
