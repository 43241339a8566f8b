/** Walking over the host program without knowing every construct. */

import { FunctionBody } from './function-body.ts';
import type { Expression, Statement } from './program.ts';

/** What lies directly below: expressions, statements, and the plain objects and lists between them. Spans, which alone have an `end`, are left out. */
export function childNodes(node: object): object[] {
  const out: object[] = [];
  if (Array.isArray(node)) {
    for (const each of node) if (typeof each === 'object' && each !== null) out.push(each);
    return out;
  }
  for (const key in node) {
    const value: unknown = Reflect.get(node, key);
    if (typeof value !== 'object' || value === null || 'end' in value) continue;
    if (value instanceof FunctionBody) out.push(...value.statements);
    else out.push(value);
  }
  return out;
}

export function isNode(value: object): value is Expression | Statement {
  return 'kind' in value;
}

/** Shows every expression and statement below `root`, itself included, outer ones first. */
export function eachNode(root: object, see: (node: Expression | Statement) => void): void {
  someNode(root, (node) => {
    see(node);
    return false;
  });
}

/** Whether a node below `root`, itself included, passes. */
export function someNode(root: object, test: (node: Expression | Statement) => boolean): boolean {
  if (Array.isArray(root)) {
    // By the index, as this is the loop that most time is spent in before anything is compiled: an iterator costs three times as much there.
    for (let index = 0; index < root.length; index++) {
      const each: unknown = root[index];
      if (typeof each === 'object' && each !== null && someNode(each, test)) return true;
    }
    return false;
  }
  if (isNode(root) && test(root)) return true;
  for (const key in root) {
    const value: unknown = Reflect.get(root, key);
    if (typeof value !== 'object' || value === null || 'end' in value) continue;
    if (someNode(value instanceof FunctionBody ? value.statements : value, test)) return true;
  }
  return false;
}
