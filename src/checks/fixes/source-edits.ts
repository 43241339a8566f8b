/** Small text edits at the places of trace events. */

import type { TextEdit } from '../../base/finding.ts';
import { positionAt, type SourceText } from '../../base/source-text.ts';
import type { Span } from '../../base/span.ts';
import type { TraceEvent } from '../../trace/event.ts';

export interface EditContext {
  readonly sources: ReadonlyMap<string, SourceText>;
}

export function textOf(context: EditContext, span: Span | undefined): string {
  const source = span ? context.sources.get(span.file) : undefined;
  return source && span ? source.text.slice(span.start, span.end) : '';
}

/** The white space before the statement on its line. */
export function indentOf(context: EditContext, statement: Span): string {
  const source = context.sources.get(statement.file);
  if (!source) return '';
  const start = source.lineStarts[positionAt(source, statement.start).line - 1] ?? 0;
  return /^[ \t]*/.exec(source.text.slice(start, statement.start))?.[0] ?? '';
}

export function insertBefore(context: EditContext, statement: Span, lines: readonly string[]): TextEdit {
  const indent = indentOf(context, statement);
  const at: Span = { file: statement.file, start: statement.start, end: statement.start };
  return { span: at, newText: lines.map((line) => `${line}\n${indent}`).join('') };
}

export function insertBehind(context: EditContext, statement: Span, lines: readonly string[]): TextEdit {
  const indent = indentOf(context, statement);
  const at: Span = { file: statement.file, start: statement.end, end: statement.end };
  return { span: at, newText: lines.map((line) => `\n${indent}${line}`).join('') };
}

export function replace(span: Span, newText: string): TextEdit {
  return { span, newText };
}

/** The statement with its line, when nothing else stands on it. */
export function wholeLines(context: EditContext, statement: Span): Span {
  const source = context.sources.get(statement.file);
  if (!source) return statement;
  let start = statement.start;
  let end = statement.end;
  while (start > 0 && (source.text[start - 1] === ' ' || source.text[start - 1] === '\t')) start--;
  while (end < source.text.length && (source.text[end] === ' ' || source.text[end] === '\t')) end++;
  const startsLine = start === 0 || source.text[start - 1] === '\n';
  const endsLine = end >= source.text.length || source.text[end] === '\n' || source.text[end] === '\r';
  if (!startsLine || !endsLine) return statement;
  if (source.text[end] === '\r') end++;
  return { file: statement.file, start, end: Math.min(source.text.length, end + 1) };
}

/** A new statement in the dress of an existing one: `CHECK(old);` becomes `CHECK(new);`. */
export function dressed(context: EditContext, event: TraceEvent, call: string): string {
  const { statement, span } = event;
  if (statement.file !== span.file || span.start < statement.start || span.end > statement.end) return `${call};`;
  const text = textOf(context, statement);
  const before = text.slice(0, span.start - statement.start);
  const after = text.slice(span.end - statement.start);
  const isPlain = /^[A-Za-z_]\w*\(\s*$/.test(before) && /^\s*\)\s*;$/.test(after);
  return isPlain && event.api.startsWith('cuda') ? `${before.trimEnd()}${call}${after.trimStart()}` : `${call};`;
}

/** A name that does not occur in the file yet. */
export function freshName(context: EditContext, file: string, wanted: string): string {
  const text = context.sources.get(file)?.text ?? '';
  for (let index = 1; ; index++) {
    const name = index === 1 ? wanted : `${wanted}${index}`;
    if (!new RegExp(`\\b${name}\\b`).test(text)) return name;
  }
}

/** Where the stream stands among a call's arguments. */
const streamArgument: Readonly<Record<string, number>> = {
  'kernel<<<>>>': 3,
  cudaGraphLaunch: 1,
  cudaGraphUpload: 1,
  cudaFreeAsync: 1,
  cudaMallocAsync: 2,
  cudaMallocFromPoolAsync: 3,
  cudaMemcpyAsync: 4,
  cudaMemsetAsync: 3,
  cudaLaunchHostFunc: 0,
  cudaEventRecord: 1,
  cudaStreamWaitEvent: 0,
  cudaStreamBeginCapture: 0,
  cudaStreamEndCapture: 0,
  cudaStreamSynchronize: 0,
};

/** The text of the stream that a call uses; null when it is not written there. */
export function streamText(context: EditContext, event: TraceEvent): string | null {
  const index = streamArgument[event.api];
  const span = index === undefined ? undefined : event.arguments[index];
  const text = textOf(context, span).trim();
  return text === '' ? null : text;
}

/** Whether two events happen in the same call of the same function, so that their variables are in reach of each other. */
export function sameFrame(first: TraceEvent, second: TraceEvent): boolean {
  return (
    first.frames.length === second.frames.length &&
    first.frames.every((frame, index) => frame.call.start === second.frames[index]!.call.start)
  );
}

/** The argument that says how many dependencies a node is added with. `cudaGraphAddNode` may have data of the edges in front of it. */
export function dependencyCount({ api, arguments: given }: TraceEvent): Span | undefined {
  return given[api.startsWith('cudaGraphAddNode') && given.length === 6 ? 4 : 3];
}
