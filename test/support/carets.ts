/**
 * Fixtures: ordinary programs whose comments say what is reported.
 *
 *     cudaGraphAddMemFreeNode(&release, graph, &copy, 1, data);
 *     //                                       ^^^^^ error[graph-use-free-race]: `data` may be freed
 *
 * Carets stand under the first line of what is underlined; the words after the rule are a part of the message. Several
 * such comments may follow one line. A first line `// gaps: kind name; kind name` lists what is not understood there; without
 * it everything must be.
 */

import type { Finding } from '../../src/base/finding.ts';
import { positionAt, rangeOf, type SourceText } from '../../src/base/source-text.ts';
import type { Analysis } from '../../src/pipeline.ts';

export interface Expectation {
  readonly line: number;
  readonly start: number;
  /** Column behind the last caret. */
  readonly end: number;
  readonly severity: string;
  readonly rule: string;
  readonly message: string;
}

const caretLine = /^(\s*\/\/\s*)(\^+)\s+(error|warning|hint|info)\[([\w-]+)\](?::\s*(.*?))?\s*$/;

export function expectationsIn(text: string): readonly Expectation[] {
  const found: Expectation[] = [];
  let marked = 0;
  for (const [index, line] of text.split('\n').entries()) {
    const match = caretLine.exec(line);
    if (!match) {
      marked = index + 1;
      continue;
    }
    const start = (match[1]?.length ?? 0) + 1;
    found.push({
      line: marked,
      start,
      end: start + (match[2]?.length ?? 0),
      severity: match[3] ?? '',
      rule: match[4] ?? '',
      message: match[5] ?? '',
    });
  }
  return found;
}

/** The gaps that the first line allows, as `kind name`. */
export function allowedGaps(text: string): readonly string[] {
  const match = /^\/\/ gaps: (.*)$/m.exec(text.split('\n')[0] ?? '');
  return (match?.[1] ?? '').split(';').flatMap((gap) => (gap.trim() ? [gap.trim()] : []));
}

export interface Verdict {
  /** Written in the fixture, not reported. */
  readonly missing: readonly string[];
  /** Reported, not written in the fixture. */
  readonly unexpected: readonly string[];
}

export function compare(analysis: Analysis, source: SourceText): Verdict {
  const expected = expectationsIn(source.text);
  const missing = [...expected];
  const unexpected: string[] = [];
  for (const finding of analysis.findings) {
    const place = underlined(analysis, finding);
    const match = missing.findIndex((each) => place.file === source.file && isSame(each, place, finding));
    if (match >= 0) missing.splice(match, 1);
    else unexpected.push(`${place.line}:${place.start}-${place.end} ${shown(finding)}`);
  }
  return {
    missing: missing.map(
      (each) => `${each.line}:${each.start}-${each.end} ${each.severity}[${each.rule}]: ${each.message}`,
    ),
    unexpected,
  };
}

interface Underlined {
  readonly file: string;
  readonly line: number;
  readonly start: number;
  readonly end: number;
}

/** The part of a finding's range that lies on its first line. */
export function underlined(analysis: Analysis, finding: Finding): Underlined {
  const source = analysis.sources.get(finding.span.file);
  if (!source) return { file: finding.span.file, line: 0, start: 0, end: 0 };
  const { start, end } = rangeOf(source, finding.span);
  const nextLine = source.lineStarts[start.line] ?? source.text.length + 1;
  const lineEnd = positionAt(source, nextLine - 1).column;
  return {
    file: finding.span.file,
    line: start.line,
    start: start.column,
    end: end.line === start.line ? end.column : lineEnd,
  };
}

function isSame(expected: Expectation, place: Underlined, finding: Finding): boolean {
  return (
    expected.line === place.line &&
    expected.start === place.start &&
    expected.end === place.end &&
    expected.rule === finding.rule &&
    expected.severity === finding.severity &&
    finding.message.includes(expected.message)
  );
}

function shown(finding: Finding): string {
  return `${finding.severity}[${finding.rule}]: ${finding.message}`;
}
