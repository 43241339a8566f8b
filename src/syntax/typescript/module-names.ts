/** What a name of a file is called in the whole program, where several files or namespaces may have one of that name. */

import { childByField, namedChildren, type SyntaxNode } from '../syntax-tree.ts';
import { declaredIn } from './module-links.ts';

/** A namespace of the program, or a module that was imported whole: its members, by the names they have in the program. */
export type Namespaces = Map<string, ReadonlyMap<string, string>>;

/** Of each namespace, by where its body begins: the names in it that are called otherwise in the program. */
export type NamespaceNames = ReadonlyMap<number, ReadonlyMap<string, string>>;

/** What stands in `namespace N { … }`; undefined for anything else. */
export function namespaceBody(node: SyntaxNode): SyntaxNode | undefined {
  const inner = namespaceIn(node);
  return inner && childByField(inner, 'body');
}

function namespaceIn(node: SyntaxNode): SyntaxNode | undefined {
  const outer = node.type === 'export_statement' ? (childByField(node, 'declaration') ?? node) : node;
  const inner = outer.type === 'expression_statement' ? namedChildren(outer)[0] : outer;
  return inner?.type === 'internal_module' ? inner : undefined;
}

/** The namespaces of a file, and of those in them. `nameOf`: what a name at the top of the file is called in the program. */
export function namespacesIn(
  text: string,
  root: SyntaxNode,
  nameOf: (name: string) => string,
  namespaces: Namespaces,
): NamespaceNames {
  const taken = new Set(declaredIn(text, namedChildren(root)));
  const names = new Map<number, ReadonlyMap<string, string>>();
  const visit = (node: SyntaxNode, outer: (name: string) => string): void => {
    const inner = namespaceIn(node);
    const name = inner && childByField(inner, 'name');
    const body = inner && childByField(inner, 'body');
    if (!name || !body) return;
    const own = outer(text.slice(name.start, name.end));
    const members = new Map(namespaces.get(own));
    for (const member of declaredIn(text, namedChildren(body))) {
      if (!members.has(member)) members.set(member, taken.has(member) ? `${own}.${member}` : nameOf(member));
      taken.add(member);
    }
    namespaces.set(own, members);
    names.set(body.start, members);
    for (const each of namedChildren(body)) visit(each, (inside) => members.get(inside) ?? outer(inside));
  };
  for (const node of namedChildren(root)) visit(node, nameOf);
  return names;
}
