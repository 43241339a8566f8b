/** Findings as SARIF 2.1.0, with the witness as a code flow and verified fixes. */

import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Fix } from '../base/finding.ts';
import { rangeOf, type SourceText } from '../base/source-text.ts';
import type { Span } from '../base/span.ts';
import { rules } from '../checks/rules/index.ts';
import type { FileReportOutcome } from './sources.ts';
import { version } from './usage.ts';

const levels = { error: 'error', warning: 'warning', hint: 'note', info: 'note' } as const;

export function toSarif(outcomes: readonly FileReportOutcome[]): unknown {
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'graphmem',
            version,
            rules: rules.map((rule) => ({
              id: rule.id,
              shortDescription: { text: rule.summary },
              fullDescription: { text: rule.why },
              help: { text: rule.remedy },
              defaultConfiguration: { level: levels[rule.severity] },
            })),
          },
        },
        results: outcomes.flatMap((outcome) =>
          outcome.kind === 'analysed'
            ? outcome.analysis.findings.map((finding) =>
                toResult(outcome.analysis.sources, finding, outcome.analysis.fixes.get(finding) ?? []),
              )
            : [],
        ),
      },
    ],
  };
}

type Analysed = Extract<FileReportOutcome, { kind: 'analysed' }>['analysis'];

function toResult(
  sources: ReadonlyMap<string, SourceText>,
  finding: Analysed['findings'][number],
  fixes: readonly Fix[],
): unknown {
  const location = (span: Span, message?: string): unknown => ({
    physicalLocation: { artifactLocation: { uri: toUri(span.file) }, region: region(sources, span) },
    ...(message ? { message: { text: message } } : {}),
  });
  return {
    ruleId: finding.rule,
    level: levels[finding.severity],
    message: { text: finding.message },
    locations: [location(finding.span)],
    relatedLocations: finding.related.map((each, index) => ({
      id: index,
      ...(location(each.span, each.message) as object),
    })),
    ...(finding.witness.length > 0
      ? {
          codeFlows: [
            {
              threadFlows: [
                { locations: finding.witness.map((step) => ({ location: location(step.span, step.message) })) },
              ],
            },
          ],
        }
      : {}),
    ...(fixes.length > 0
      ? {
          fixes: fixes.map((fix) => ({
            description: { text: fix.title },
            artifactChanges: [...new Set(fix.edits.map((edit) => edit.span.file))].map((file) => ({
              artifactLocation: { uri: toUri(file) },
              replacements: fix.edits
                .filter((edit) => edit.span.file === file)
                .map((edit) => ({
                  deletedRegion: region(sources, edit.span),
                  insertedContent: { text: edit.newText },
                })),
            })),
          })),
        }
      : {}),
  };
}

/** Relative to where the command runs, unless the path says everything. */
function toUri(file: string): string {
  if (path.isAbsolute(file)) return pathToFileURL(file).href;
  return file.split(path.sep).map(encodeURIComponent).join('/');
}

function region(sources: ReadonlyMap<string, SourceText>, span: Span): unknown {
  const source = sources.get(span.file);
  if (!source) return { startLine: 1 };
  const range = rangeOf(source, span);
  return {
    startLine: range.start.line,
    startColumn: range.start.column,
    endLine: range.end.line,
    endColumn: range.end.column,
  };
}
