/** `graphmem check`: findings of files, as text, JSON or SARIF. */

import type { Finding, Severity } from '../base/finding.ts';
import { positionAt, rangeOf, type SourceText } from '../base/source-text.ts';
import type { Span } from '../base/span.ts';
import { checkFiles, countOfJobs } from './check-files.ts';
import { countCalls, gapReport } from './gaps.ts';
import type { CommandIo } from './io.ts';
import { choice, parseWords } from './options.ts';
import { withoutRepeats } from './repeats.ts';
import { toSarif } from './sarif.ts';
import { type FileReport, type FileReportOutcome, findFiles } from './sources.ts';
import { readSurroundings, surroundingOptions } from './surroundings.ts';

const severities: readonly Severity[] = ['error', 'warning', 'hint', 'info'];

export async function checkCommand(words: readonly string[], io: CommandIo): Promise<number> {
  const options = ['format', 'fail-on', 'jobs', ...surroundingOptions];
  const parsed = parseWords(words, options, ['gaps']);
  if (parsed.kind === 'error') return usageError(io, parsed.message);
  const { paths, flags, values } = parsed.words;
  const format = choice(parsed.words, 'format', ['text', 'json', 'sarif']);
  const failOn = choice(parsed.words, 'fail-on', ['error', 'warning', 'hint', 'never']);
  if ('error' in format) return usageError(io, format.error);
  if ('error' in failOn) return usageError(io, failOn.error);
  const jobs = countOfJobs(values.get('jobs')?.at(-1));
  if ('error' in jobs) return usageError(io, jobs.error);
  if (paths.length === 0) return usageError(io, 'name at least one file or folder');
  const found = findFiles(paths);
  if ('error' in found) return usageError(io, found.error);
  const surroundings = await readSurroundings(parsed.words, io);
  if ('error' in surroundings) return usageError(io, surroundings.error);
  const withCalls = flags.has('gaps');
  const outcomes = withoutRepeats(await checkFiles(found.files, { ...surroundings, withCalls }, jobs.value, io));
  if (format.value === 'json') io.stdout(`${JSON.stringify(toJson(outcomes, withCalls), null, 2)}\n`);
  else if (format.value === 'sarif') io.stdout(`${JSON.stringify(toSarif(outcomes), null, 2)}\n`);
  else io.stdout(toText(outcomes));
  if (withCalls && format.value === 'text') io.stdout(gapReport(outcomes));
  const unread = [...found.unreadable, ...outcomes.filter((outcome) => outcome.kind === 'quarantined')];
  for (const { file, reason } of unread) io.stderr(`graphmem: ${file}: not read: ${reason}\n`);
  if (outcomes.length + unread.length === 0)
    io.stderr(`graphmem: no C++, CUDA or TypeScript files in ${paths.join(', ')}\n`);
  const threshold = failOn.value === 'never' ? -1 : severities.indexOf(failOn.value);
  const fails = outcomes.some(
    (outcome) =>
      outcome.kind === 'analysed' &&
      outcome.analysis.findings.some((finding) => severities.indexOf(finding.severity) <= threshold),
  );
  if (fails) return 1;
  // A folder may hold what is no source text; who names a file means it.
  return unread.some((each) => !('isNoText' in each && each.isNoText) || paths.includes(each.file)) ? 2 : 0;
}

function usageError(io: CommandIo, message: string): number {
  io.stderr(`graphmem check: ${message}\n`);
  return 2;
}

function findingsOf(outcome: FileReportOutcome): readonly { finding: Finding; analysis: FileReport }[] {
  return outcome.kind === 'analysed'
    ? outcome.analysis.findings.map((finding) => ({ finding, analysis: outcome.analysis }))
    : [];
}

function place(sources: ReadonlyMap<string, SourceText>, span: Span): { file: string; range: unknown } {
  const source = sources.get(span.file);
  const start = { line: 1, column: 1 };
  return { file: span.file, range: source ? rangeOf(source, span) : { start, end: start } };
}

/** The documented shape; see `schema/check.schema.json`. */
function toJson(outcomes: readonly FileReportOutcome[], withCalls: boolean): unknown {
  return {
    version: 1,
    findings: outcomes.flatMap((outcome) =>
      findingsOf(outcome).map(({ finding, analysis }) => ({
        rule: finding.rule,
        severity: finding.severity,
        certainty: finding.certainty,
        message: finding.message,
        ...place(analysis.sources, finding.span),
        related: finding.related.map((each) => ({
          role: each.role,
          message: each.message,
          ...place(analysis.sources, each.span),
        })),
        witness: finding.witness.map((step) => ({ message: step.message, ...place(analysis.sources, step.span) })),
        fixes: (analysis.fixes.get(finding) ?? []).map((fix) => ({
          title: fix.title,
          edits: fix.edits.map((edit) => ({ ...place(analysis.sources, edit.span), newText: edit.newText })),
        })),
      })),
    ),
    gaps: outcomes.flatMap((outcome) =>
      outcome.kind === 'analysed'
        ? outcome.analysis.gaps.map((gap) => ({
            kind: gap.kind,
            name: gap.name,
            ...place(outcome.analysis.sources, gap.span),
          }))
        : [],
    ),
    files: outcomes.map((outcome) => ({
      file: outcome.file,
      status:
        outcome.kind === 'analysed' ? outcome.analysis.status : outcome.kind === 'irrelevant' ? 'ok' : 'quarantined',
      milliseconds: outcome.milliseconds,
      ...(withCalls && outcome.kind === 'analysed' ? { calls: countCalls(outcome.analysis.calls) } : {}),
      ...(outcome.kind === 'quarantined' ? { reason: outcome.reason } : {}),
    })),
  };
}

function toText(outcomes: readonly FileReportOutcome[]): string {
  const lines: string[] = [];
  const counts = new Map<Severity, number>();
  for (const outcome of outcomes) {
    for (const { finding, analysis } of findingsOf(outcome)) {
      counts.set(finding.severity, (counts.get(finding.severity) ?? 0) + 1);
      lines.push(`${where(analysis.sources, finding.span)}: ${finding.severity}[${finding.rule}]: ${finding.message}`);
      for (const each of finding.related) lines.push(`    ${where(analysis.sources, each.span)}: ${each.message}`);
      for (const fix of analysis.fixes.get(finding) ?? []) lines.push(`    fix: ${fix.title}`);
      lines.push('');
    }
  }
  const gaps = outcomes.reduce(
    (sum, outcome) => sum + (outcome.kind === 'analysed' ? outcome.analysis.gaps.length : 0),
    0,
  );
  const found = severities.flatMap((severity) =>
    counts.has(severity)
      ? [`${counts.get(severity)} ${severity}${(counts.get(severity) ?? 0) > 1 && severity !== 'info' ? 's' : ''}`]
      : [],
  );
  const files = outcomes.length === 1 ? '1 file' : `${outcomes.length} files`;
  const unread = outcomes.filter((outcome) => outcome.kind === 'quarantined').length;
  lines.push(
    `${files}: ${found.length > 0 ? found.join(', ') : 'nothing found'}${unread > 0 ? `; ${unread} not read` : ''}${gaps > 0 ? `; ${gaps} place${gaps > 1 ? 's' : ''} not understood (--gaps lists them)` : ''}`,
  );
  return `${lines.join('\n')}\n`;
}

function where(sources: ReadonlyMap<string, SourceText>, span: Span): string {
  const source = sources.get(span.file);
  if (!source) return span.file;
  const { line, column } = positionAt(source, span.start);
  return `${span.file}:${line}:${column}`;
}
