/**
 * What the grammar stumbles over and reads in other words, which are taken back in the tree: `(n = read(), n > 0)`, as it has no room for an
 * assignment in front of a comma between parentheses, as `(n , read(), n > 0)`; and `slot<2> = p;`, which it takes for a declaration of
 * something without a name, as `::slot<2> = p;`.
 */

import type { Parser } from 'web-tree-sitter';
import { parseTree, type SyntaxNode, type SyntaxTree } from '../syntax-tree.ts';
import { endOfComment, endOfLine, endOfLiteral } from './scan.ts';

/** As {@link parseTree}, of CUDA C++. */
export function parseText(parser: Parser, text: string): SyntaxTree {
  const tree = parseTree(parser, text);
  if (tree.isWhole) return tree;
  const found = mayAssign.test(text) ? assignmentsIn(text) : [];
  const variables = new Set<number>();
  let plain = text.replace(variableTemplate, (_, at: number) => {
    variables.add(at);
    return '::';
  });
  if (found.length + variables.size === 0) return tree;
  for (const { at, operator } of found)
    plain = `${plain.slice(0, at)},${' '.repeat(operator.length - 1)}${plain.slice(at + operator.length)}`;
  return asWritten(parseTree(parser, plain), found, variables);
}

/** The room in front of `slot<2> =` where a statement begins. */
const variableTemplate = /\s\s(?=[A-Za-z_]\w*\s*<[^;{}()<>=]*>\s*=(?!=))(?<=[;{}]\s*)/g;

const mayAssign = /\([^()=;]*=[^=]/;

interface Assignment {
  readonly at: number;
  readonly operator: string;
}

/** What stands in front of a parenthesis that is neither a call, a list of parameters nor a condition. */
const beginsValue = /(?:^|[({[,;=?:!&|^~+\-*/%<}]|\breturn)\s*$/;

const assigning = /^(?:<<|>>|[-+*/%&|^])?=(?!=)/;

/** Assignments between parentheses, each with a comma behind its value. */
function assignmentsIn(text: string): readonly Assignment[] {
  const found: Assignment[] = [];
  /** Of each bracket that is open, the assignment that may be in it. */
  const open: { readonly isValue: boolean; waiting: Assignment | null }[] = [];
  let index = 0;
  while (index < text.length) {
    const character = text[index]!;
    if (character === '/') index = Math.max(endOfComment(text, index), index + 1);
    else if (character === '"' || character === "'") {
      const end = endOfLiteral(text, index);
      index = end < 0 ? endOfLine(text, index) : end;
    } else if ('([{'.includes(character)) {
      const before = text.slice(Math.max(0, index - 40), index);
      open.push({ isValue: character === '(' && beginsValue.test(before), waiting: null });
      index++;
    } else if (')]}'.includes(character)) {
      open.pop();
      index++;
    } else {
      const inside = open.at(-1);
      const [operator] = inside?.isValue ? (assigning.exec(text.slice(index, index + 4)) ?? []) : [];
      const isCompared = operator === '=' && '=!<>'.includes(text[index - 1] ?? '');
      if (inside && operator !== undefined && !isCompared) {
        inside.waiting ??= { at: index, operator };
      } else if (inside?.waiting && character === ',') {
        found.push(inside.waiting);
        inside.waiting = null;
      }
      index += operator?.length ?? 1;
    }
  }
  return found;
}

/** `a , b, c` is `a = b, c` where the first comma stands for an assignment, and `::a<2>` is `a<2>` where nobody wrote the colons. */
function asWritten<N extends SyntaxNode>(
  node: N,
  assignments: readonly Assignment[],
  variables: ReadonlySet<number>,
): N {
  const children = node.children.map((child) => asWritten(child, assignments, variables));
  const [target, list] = children;
  if (node.type === 'qualified_identifier' && variables.has(node.start) && target && !list)
    return { ...node, ...target, field: node.field };
  // What begins with it begins where it is written.
  const start = variables.has(node.start) ? node.start + 2 : node.start;
  const whole = { ...node, start, children };
  if (node.type !== 'comma_expression' || children.length !== 2 || list?.type !== 'comma_expression') return whole;
  const [value, rest] = list.children;
  const between = assignments.find(({ at }) => at >= target!.end && at < list.start);
  if (!between || !value || !rest) return whole;
  const { at, operator } = between;
  const sign = { type: operator, named: false, field: 'operator', start: at, end: at + operator.length };
  const assignment: SyntaxNode = {
    ...target!,
    type: 'assignment_expression',
    named: true,
    field: 'left',
    end: value.end,
    children: [
      { ...target!, field: 'left' },
      { ...sign, missing: false, children: [] },
      { ...value, field: 'right' },
    ],
  };
  return { ...whole, children: [assignment, { ...rest, field: 'right' }] };
}
