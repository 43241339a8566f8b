/** Candidate text edits for one step; whoever uses one reads the edited text again and compares. */

import type { TextEdit } from '../base/finding.ts';
import type { Span } from '../base/span.ts';
import type { Facts } from '../checks/facts.ts';
import { addDependencyFixes, copiedDependencyFixes } from '../checks/fixes/add-dependency.ts';
import { autoFree, autoFreeFlag, moveBehind } from '../checks/fixes/fixes.ts';
import {
  dependencyCount,
  type EditContext,
  freshName,
  insertBefore,
  replace,
  sameFrame,
  streamText,
  textOf,
  wholeLines,
} from '../checks/fixes/source-edits.ts';
import { legacyStream, perThreadStream, type TraceEvent } from '../trace/event.ts';
import type { Step } from './steps.ts';

type Edits = readonly TextEdit[];

export interface CodeContext extends EditContext {
  readonly facts: Facts;
  /** The event of this text that was `origin` before any change. */
  readonly event: (origin: number) => TraceEvent | undefined;
}

/** The likeliest first; none when the text gives no hold for it. */
export function editsFor(context: CodeContext, step: Step): readonly Edits[] {
  const at = (origin: number): TraceEvent | undefined => context.event(origin);
  switch (step.kind) {
    case 'addDependency': {
      const [from, to] = [at(step.from), at(step.to)];
      if (!from || !to) return [];
      const fixes = [...addDependencyFixes(context, from, to), ...copiedDependencyFixes(context, from, to)];
      return fixes.map((fix) => fix.edits);
    }
    case 'dropDependency': {
      const [from, to] = [at(step.from), at(step.to)];
      return from && to ? dropDependency(context, from, to) : [];
    }
    case 'moveBehind': {
      const [event, behind] = [at(step.event), at(step.behind)];
      const fix = event && behind ? moveBehind(context, event, behind) : null;
      return fix ? [fix.edits] : [];
    }
    case 'launchStream': {
      const launch = at(step.launch);
      return launch ? launchStream(context, launch, step.stream) : [];
    }
    case 'autoFree': {
      const instantiate = at(step.instantiate);
      return instantiate ? autoFreeEdits(context, instantiate, step.value) : [];
    }
  }
}

/** The stream as other calls of the same function write it, else by its name. */
function launchStream(context: CodeContext, launch: TraceEvent, stream: number): readonly Edits[] {
  const span = launch.arguments[1];
  if (!span) return [];
  const names = new Set<string>();
  for (const event of context.facts.trace.events) {
    const uses = 'stream' in event && event.stream === stream && event.verb !== 'stream.create';
    const text = uses && sameFrame(event, launch) ? streamText(context, event) : null;
    if (text) names.add(text);
  }
  if (stream === legacyStream) names.add('0');
  else if (stream === perThreadStream) names.add('cudaStreamPerThread');
  else if (context.facts.trace.handles[stream]?.name) names.add(context.facts.trace.handles[stream].name);
  // A stream that nothing uses here may be a member beside the one written: `ctx->compute`, `ctx->copy`.
  const members = [...names].flatMap((name) => {
    const beside = textOf(context, span).replace(/(->|\.)\w+$/, `$1${name}`);
    return /^\w+$/.test(name) && beside.endsWith(name) && beside !== name ? [beside] : [];
  });
  return [...new Set([...members, ...names])].slice(0, 6).map((name) => [replace(span, name)]);
}

function autoFreeEdits(context: CodeContext, instantiate: TraceEvent, value: boolean): readonly Edits[] {
  if (value) {
    const fix = autoFree(context, instantiate);
    return fix ? [fix.edits] : [];
  }
  const flags = instantiate.arguments[2];
  const old = textOf(context, flags);
  const pattern = new RegExp(`\\s*\\|\\s*${autoFreeFlag}\\b|\\b${autoFreeFlag}\\s*\\|\\s*|\\b${autoFreeFlag}\\b`);
  if (!flags || !pattern.test(old)) return [];
  return [[replace(flags, old.replace(pattern, '').trim() || '0')]];
}

/** The node leaves the list: a braced list loses an element, `&x, 1` becomes an empty one, another array is copied. */
function dropDependency(context: CodeContext, from: TraceEvent, to: TraceEvent): readonly Edits[] {
  if (from.verb !== 'node.add' || to.verb !== 'node.add') return [];
  const index = to.dependencies?.indexOf(from.node) ?? -1;
  if (index < 0) return dropAddedEdge(context, from.node, to.node);
  const total = to.dependencies?.length ?? 0;
  const call = to.frames.at(-1)?.call;
  const inHelper = call ? bracedElement(context, call, total, index) : null;
  const literal = to.arguments[1] ? bracedElement(context, to.arguments[1], total, index, '[]') : null;
  const found = [literal, inHelper].filter((edits): edits is Edits => edits !== null);
  const list = to.arguments[2];
  const count = dependencyCount(to);
  if (!list || !count || literal) return found;
  const text = textOf(context, list).trim();
  const number = Number(textOf(context, count).trim());
  if (total === 1 && number === 1) return [[replace(list, 'nullptr'), replace(count, '0')], ...found];
  if (number !== total || !/^[A-Za-z_][\w.\->]*$/.test(text)) return found;
  const array = declaredArray(context, to, text);
  const shorter = array && arrayWithout(context, array, total, index);
  const fresh = freshName(context, to.span.file, 'dependencies');
  const kept = Array.from({ length: total }, (_, each) => `${text}[${each}]`).filter((_, each) => each !== index);
  return [
    ...(shorter ? [[...shorter, replace(count, String(total - 1))]] : []),
    [
      insertBefore(context, to.statement, [`cudaGraphNode_t ${fresh}[] = {${kept.join(', ')}};`]),
      replace(list, fresh),
      replace(count, String(total - 1)),
    ],
    ...found,
  ];
}

/** `cudaGraphAddDependencies` with this one edge goes. */
function dropAddedEdge(context: CodeContext, from: number, to: number): readonly Edits[] {
  const event = context.facts.trace.events.find(
    (each) => each.verb === 'edges.add' && each.from?.length === 1 && each.from[0] === from && each.to?.[0] === to,
  );
  return event ? [[replace(wholeLines(context, event.statement), '')]] : [];
}

/** The last `{…}` in front of the call that the array was made with. */
function declaredArray(context: CodeContext, to: TraceEvent, name: string): Span | null {
  const before = (context.sources.get(to.span.file)?.text ?? '').slice(0, to.statement.start);
  const declared = [...before.matchAll(new RegExp(`\\b${name}\\s*\\[\\s*\\d*\\s*\\]\\s*=\\s*\\{[^{}]*\\}`, 'g'))].at(
    -1,
  );
  return declared ? { file: to.span.file, start: declared.index, end: declared.index + declared[0].length } : null;
}

function arrayWithout(context: CodeContext, declared: Span, total: number, index: number): Edits | null {
  const edits = bracedElement(context, declared, total, index);
  const size = /\[\s*(\d+)\s*\]/.exec(textOf(context, declared));
  if (!edits || !size?.[1]) return edits;
  const start = declared.start + size.index + size[0].indexOf(size[1]);
  return [...edits, replace({ file: declared.file, start, end: start + size[1].length }, String(total - 1))];
}

/** The element of the only list in the text, together with its comma. */
function bracedElement(
  context: CodeContext,
  span: Span,
  total: number,
  index: number,
  brackets: '{}' | '[]' = '{}',
): Edits | null {
  const text = textOf(context, span);
  const open = text.indexOf(brackets.charAt(0));
  const close = text.indexOf(brackets.charAt(1), open);
  if (open < 0 || close < 0) return null;
  const listStart = brackets === '{}' ? text.lastIndexOf('{', close) : open;
  const elements = text.slice(listStart + 1, close).split(',');
  if (elements.length !== total) return null;
  const kept = elements.filter((_, each) => each !== index).map((each) => each.trim());
  const inner = { file: span.file, start: span.start + listStart + 1, end: span.start + close };
  return [replace(inner, kept.join(', '))];
}
