/** The names in a body that is lowered already. */

import { FunctionBody } from './function-body.ts';
import type { Statement } from './program.ts';
import { eachNode } from './walk.ts';

function namesIn(body: FunctionBody): ReadonlySet<string> {
  const names = new Set<string>();
  eachNode(body.statements, (node) => {
    if (node.kind === 'launch') names.add('<<<');
    if (node.kind === 'construct' || node.kind === 'cast') addNameOf(node.type.name, names);
    if (node.kind === 'name' || node.kind === 'member') addNameOf(node.name, names);
    if (node.kind === 'declare') for (const each of node.declarations) addNameOf(each.type.name, names);
  });
  return names;
}

function addNameOf(name: string, names: Set<string>): void {
  for (const part of name.split('::')) names.add(part);
}

/** The body of a function whose statements are there already. */
export function bodyOf(statements: readonly Statement[]): FunctionBody {
  return new FunctionBody(() => statements, namesIn);
}
