/** What the client is told of an analysis without asking: diagnostics, and that there is a new one. */

import type { Connection, Diagnostic } from 'vscode-languageserver';
import type { Finding, Gap } from '../base/finding.ts';
import { rangeOf } from '../base/source-text.ts';
import type { Analysis } from '../pipeline.ts';
import { type AnalysedParams, analysedNotification } from '../scene/requests.ts';
import type { AnalysedDocument } from './analyser.ts';
import { diagnosticsByFile, quarantineDiagnostic } from './diagnostics.ts';
import { createPublishedDiagnostics } from './published.ts';

export interface Reports {
  publish(result: AnalysedDocument): void;
  /** The document was closed: what was said of it goes away. */
  remove(uri: string): void;
}

/** `versionOf` gives the version of an open document; `hasCommands` says whether the client knows the extension's commands. */
export function createReports(
  connection: Connection,
  versionOf: (uri: string) => number | undefined,
  hasCommands: () => boolean,
): Reports {
  /** Documents that the client was told of; of the many that are none of ours it never hears. */
  const told = new Set<string>();
  const published = createPublishedDiagnostics((params) => void connection.sendDiagnostics(params), versionOf);
  return {
    publish(result) {
      const { uri } = result.document;
      if (result.outcome.kind === 'analysed') {
        published.replace(uri, diagnosticsOf(result.outcome.analysis, result.shown, hasCommands()));
      } else if (result.outcome.kind === 'quarantined') {
        connection.console.error(`${uri}: ${result.outcome.reason}`);
        published.replace(uri, new Map([[uri, [quarantineDiagnostic(result.outcome.reason)]]]));
      } else {
        published.replace(uri, new Map());
      }
      if (result.outcome.kind !== 'irrelevant' || told.has(uri)) {
        told.add(uri);
        void connection.sendNotification(analysedNotification, analysedParams(result));
      }
    },
    remove(uri) {
      published.remove(uri);
      told.delete(uri);
    },
  };
}

/** An engine that gave up by itself says so in the analysis; the user must learn of it all the same. */
function diagnosticsOf(analysis: Analysis, shown: readonly Finding[], hasCommands: boolean): Map<string, Diagnostic[]> {
  const files = diagnosticsByFile(analysis, shown, hasCommands);
  if (analysis.status === 'quarantined') {
    files.get(analysis.file)?.push(quarantineDiagnostic(analysis.gaps[0]?.name ?? 'it is beyond our limits'));
  }
  return files;
}

function analysedParams({ document, version, outcome, shown, milliseconds }: AnalysedDocument): AnalysedParams {
  const analysis = outcome.kind === 'analysed' ? outcome.analysis : undefined;
  return {
    uri: document.uri,
    version,
    findings: shown.length,
    gaps: analysis === undefined ? [] : analysis.gaps.map((gap) => placedGap(gap, analysis)),
    milliseconds,
    status: outcome.kind === 'quarantined' ? 'quarantined' : (analysis?.status ?? 'ok'),
  };
}

function placedGap({ kind, name, span }: Gap, { sources }: Analysis): AnalysedParams['gaps'][number] {
  const source = sources.get(span.file);
  const start = { line: 1, column: 1 };
  return { kind, name, range: source === undefined ? { start, end: start } : rangeOf(source, span) };
}
