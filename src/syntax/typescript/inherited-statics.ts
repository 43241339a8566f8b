/** Static methods that a class has from its base, and in which `this` is the class that they are called of: `new this()`. */

import type { FunctionDefinition } from '../../program/program.ts';
import { childByField, namedChildren, type SyntaxNode } from '../syntax-tree.ts';
import { hasModifier, lowerFunction } from './lower-classes.ts';
import { type TypeScriptContext, textOf } from './lower-expressions.ts';

const mostBases = 16;

/** `base`: what the class `name` extends. Methods in which `this` does not occur are the base's own. */
export function inheritedStatics(
  context: TypeScriptContext,
  node: SyntaxNode,
  name: string,
  base: string | null,
): readonly FunctionDefinition[] {
  context.classNodes.set(name, { node, base });
  const own = new Set(staticsOf(node).map((each) => nameOf(context, each)));
  const inherited: { readonly method: SyntaxNode; readonly base: string | null; readonly of: string }[] = [];
  let of = base;
  for (let depth = 0; of !== null && depth < mostBases; depth++) {
    const found = context.classNodes.get(of);
    if (!found) break;
    for (const method of staticsOf(found.node)) {
      const called = nameOf(context, method);
      if (own.has(called) || method.type !== 'method_definition' || !hasThis(method, 0)) continue;
      own.add(called);
      inherited.push({ method, base: found.base, of });
    }
    of = found.base;
  }
  if (inherited.length === 0) return [];
  const { baseClass, calledOf } = context;
  const lowered = inherited.map((each) => {
    Object.assign(context, { baseClass: each.base, calledOf: { name, own } });
    return lowerFunction(context, each.method, name, [], each.of);
  });
  Object.assign(context, { baseClass, calledOf });
  return lowered;
}

function staticsOf(node: SyntaxNode): readonly SyntaxNode[] {
  const body = childByField(node, 'body');
  return (body ? namedChildren(body) : []).filter((each) => hasModifier(each, 'static'));
}

function nameOf(context: TypeScriptContext, node: SyntaxNode): string {
  const name = childByField(node, 'name');
  return name ? textOf(context, name) : '';
}

function hasThis(node: SyntaxNode, depth: number): boolean {
  if (node.type === 'this') return true;
  return depth < 100 && node.type !== 'function_expression' && node.children.some((each) => hasThis(each, depth + 1));
}
