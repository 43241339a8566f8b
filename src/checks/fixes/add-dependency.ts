/** A missing dependency: the node goes into the dependency list, array or vector of the other, and into its count. */

import type { Fix, TextEdit } from '../../base/finding.ts';
import type { TraceEvent } from '../../trace/event.ts';
import {
  dependencyCount,
  dressed,
  type EditContext,
  freshName,
  insertBefore,
  insertBehind,
  replace,
  sameFrame,
  textOf,
} from './source-edits.ts';

/** Edits that make node `to` depend on node `from`; none when the text does not allow it. */
export function addDependencyFixes(context: EditContext, from: TraceEvent, to: TraceEvent): Fix[] {
  if (from.verb !== 'node.add' || to.verb !== 'node.add') return [];
  if (!sameFrame(from, to)) return helperFixes(context, from, to);
  const literal = literalFix(context, from, to);
  if (literal) return [literal];
  const name = nodeText(textOf(context, from.arguments[0]));
  if (!name) return [];
  const title = titleFor(to, name);
  if (from.index > to.index) {
    const target = nodeText(textOf(context, to.arguments[0]));
    if (!target) return [];
    const graph = textOf(context, to.arguments[1]);
    return [
      {
        title,
        edits: [
          insertBehind(context, from.statement, [
            dressed(context, from, `cudaGraphAddDependencies(${graph}, &${name}, &${target}, nullptr, 1)`),
          ]),
        ],
      },
    ];
  }
  const edits = listEdits(context, to, name);
  return edits ? [{ title, edits }] : [];
}

/** The other way where the list is an array: a longer copy made in front of the call, where every node is known. */
export function copiedDependencyFixes(context: EditContext, from: TraceEvent, to: TraceEvent): Fix[] {
  if (from.verb !== 'node.add' || to.verb !== 'node.add' || from.index > to.index || !sameFrame(from, to)) return [];
  const name = nodeText(textOf(context, from.arguments[0]));
  const count = dependencyCount(to);
  const list = textOf(context, to.arguments[2]).trim();
  const edits = name && copiedArray(context, to, list, Number(textOf(context, count).trim()), name);
  return edits ? [{ title: titleFor(to, name), edits }] : [];
}

/** TypeScript: the list is an array literal, the node what the call was assigned to. */
function literalFix(context: EditContext, from: TraceEvent, to: TraceEvent): Fix | null {
  const list = to.arguments[1];
  const text = textOf(context, list).trimEnd();
  const statement = textOf(context, from.statement);
  const name =
    /^\s*(?:const|let|var)\s+([A-Za-z_$][\w$]*)\s*=/.exec(statement)?.[1] ??
    /^\s*(?:const|let|var)\s*\{[^}]*\bnode(?:\s*:\s*([A-Za-z_$][\w$]*))?\b/.exec(statement)?.[1];
  if (!list || !text.startsWith('[') || !text.endsWith(']') || !name || from.index > to.index) return null;
  const at = list.start + text.length - 1;
  return {
    title: titleFor(to, name),
    edits: [replace({ file: list.file, start: at, end: at }, text.slice(1, -1).trim() === '' ? name : `, ${name}`)],
  };
}

function titleFor(to: TraceEvent, name: string): string {
  return `Make the ${to.verb === 'node.add' && to.operation.kind === 'memFree' ? 'free' : 'node'} depend on ${name}`;
}

/** `&x` is the node x; `x` is a pointer to it. */
function nodeText(argument: string): string | null {
  const text = argument.trim();
  if (text.startsWith('&')) return text.slice(1).trim();
  return /^[A-Za-z_][\w.\->[\]]*$/.test(text) ? `*${text}` : null;
}

function listEdits(context: EditContext, to: TraceEvent, name: string): TextEdit[] | null {
  const list = to.arguments[2];
  const count = dependencyCount(to);
  if (!list || !count) return null;
  const listText = textOf(context, list).trim();
  const countText = textOf(context, count).trim();
  if (/^(?:NULL|nullptr|0)$/.test(listText)) return [replace(list, `&${name}`), replace(count, '1')];
  const number = Number(countText);
  if (listText.startsWith('&') && number === 1) {
    const array = freshName(context, to.span.file, 'dependencies');
    return [
      insertBefore(context, to.statement, [`cudaGraphNode_t ${array}[] = {${listText.slice(1).trim()}, ${name}};`]),
      replace(list, array),
      replace(count, '2'),
    ];
  }
  const vector = /^(.*)\.data\(\)$/.exec(listText)?.[1];
  if (vector) {
    const edits = [insertBefore(context, to.statement, [`${vector}.push_back(${name});`])];
    if (Number.isInteger(number)) edits.push(replace(count, String(number + 1)));
    return edits;
  }
  return arrayEdits(context, to, listText, countText, name) ?? copiedArray(context, to, listText, number, name);
}

/** `T deps[] = {a, b}` in front of the call gets one more element. */
function arrayEdits(
  context: EditContext,
  to: TraceEvent,
  array: string,
  count: string,
  name: string,
): TextEdit[] | null {
  if (!/^[A-Za-z_]\w*$/.test(array)) return null;
  const source = context.sources.get(to.span.file);
  const countSpan = dependencyCount(to)!;
  if (!source) return null;
  const before = source.text.slice(0, to.statement.start);
  const pattern = new RegExp(`\\b${array}\\s*\\[\\s*(\\d*)\\s*\\]\\s*=\\s*\\{([^{}]*)\\}`, 'g');
  let match: RegExpExecArray | null = null;
  for (let found = pattern.exec(before); found; found = pattern.exec(before)) match = found;
  if (!match) return null;
  const close = match.index + match[0].length - 1;
  const edits: TextEdit[] = [
    replace({ file: to.span.file, start: close, end: close }, match[2]!.trim() === '' ? name : `, ${name}`),
  ];
  if (match[1]) {
    const digits = match.index + match[0].indexOf('[') + 1;
    const start =
      digits +
      (match[0].slice(match[0].indexOf('[') + 1).length - match[0].slice(match[0].indexOf('[') + 1).trimStart().length);
    edits.push(replace({ file: to.span.file, start, end: start + match[1].length }, String(Number(match[1]) + 1)));
  }
  if (/^\d+$/.test(count)) edits.push(replace(countSpan, String(Number(count) + 1)));
  else if (!/sizeof|size\(|std::size/.test(count)) return null;
  return edits;
}

/** An array that is filled elsewhere is copied into a longer one. */
function copiedArray(
  context: EditContext,
  to: TraceEvent,
  array: string,
  count: number,
  name: string,
): TextEdit[] | null {
  if (!Number.isInteger(count) || count < 1 || count > 8 || !/^[A-Za-z_][\w.\->]*$/.test(array)) return null;
  const fresh = freshName(context, to.span.file, 'dependencies');
  const elements = Array.from({ length: count }, (_, index) => `${array}[${index}]`);
  const countSpan = dependencyCount(to)!;
  return [
    insertBefore(context, to.statement, [`cudaGraphNode_t ${fresh}[] = {${[...elements, name].join(', ')}};`]),
    replace(to.arguments[2]!, fresh),
    replace(countSpan, String(count + 1)),
  ];
}

/**
 * Nodes added by helpers: `free = addFreeNode(graph, {a, b}, p)`. The braced list at the helper's call gets one more
 * element; the other node is what its own helper call was assigned to, or wrote through a pointer.
 */
function helperFixes(context: EditContext, from: TraceEvent, to: TraceEvent): Fix[] {
  const target = to.frames.at(-1);
  const names = namesOf(context, from);
  if (names.length === 0) return [];
  if (from.index > to.index) {
    const own = namesOf(context, to);
    const graph = graphText(context, to);
    const behind = from.frames.at(-1)?.statement ?? from.statement;
    if (!graph) return [];
    return names.flatMap((name) =>
      own.map(
        (other): Fix => ({
          title: titleFor(to, name),
          edits: [
            insertBehind(context, behind, [`cudaGraphAddDependencies(${graph}, &${name}, &${other}, nullptr, 1);`]),
          ],
        }),
      ),
    );
  }
  if (isCallerOf(to, from)) {
    return names.flatMap((name): Fix[] => {
      const edits = listEdits(context, to, name);
      return edits ? [{ title: titleFor(to, name), edits }] : [];
    });
  }
  if (!target) return [];
  const text = textOf(context, target.call);
  const open = text.indexOf('{');
  const close = text.indexOf('}', open);
  if (open < 0 || close < 0) return [];
  const at = target.call.start + close;
  const inner = text.slice(open + 1, close).trim();
  return names.map(
    (name): Fix => ({
      title: titleFor(to, name),
      edits: [replace({ file: target.call.file, start: at, end: at }, inner === '' ? name : `, ${name}`)],
    }),
  );
}

/** Whether `outer` happens in the function that called the helper in which `inner` happens. */
function isCallerOf(outer: TraceEvent, inner: TraceEvent): boolean {
  return (
    outer.frames.length === inner.frames.length - 1 &&
    outer.frames.every((frame, index) => frame.call.start === inner.frames[index]!.call.start)
  );
}

/** How the caller of a helper may name the node it added: candidates, each verified later. */
function namesOf(context: EditContext, event: TraceEvent): string[] {
  const frame = event.frames.at(-1);
  if (!frame) {
    const own = nodeText(textOf(context, event.arguments[0]));
    return own ? [own] : [];
  }
  const assigned = /^(?:[\w:<>]+[\s*&]+)?([A-Za-z_][\w.\->[\]]*)\s*=[^=]/.exec(
    textOf(context, frame.statement).trim(),
  )?.[1];
  const written = [...textOf(context, frame.call).matchAll(/&\s*([A-Za-z_][\w.\->]*(?:\[[^\]]*\])?)/g)].map(
    (match) => match[1]!,
  );
  return [...(assigned ? [assigned] : []), ...written].slice(0, 4);
}

/** The graph as the helper's caller writes it: its first argument. */
function graphText(context: EditContext, event: TraceEvent): string | null {
  const frame = event.frames.at(-1);
  if (!frame) return textOf(context, event.arguments[1]).trim() || null;
  return /\(\s*([A-Za-z_][\w.\->]*)\s*,/.exec(textOf(context, frame.call))?.[1] ?? null;
}
