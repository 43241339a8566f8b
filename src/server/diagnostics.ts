/** Findings as the protocol's diagnostics. */

import { type Diagnostic, type DiagnosticRelatedInformation, DiagnosticSeverity } from 'vscode-languageserver';
import type { Finding, Severity } from '../base/finding.ts';
import type { Span } from '../base/span.ts';
import type { Analysis } from '../pipeline.ts';
import { fileStart, type Sources, spanRange } from './ranges.ts';
import { rulePage } from './rule-links.ts';

const severities: Readonly<Record<Severity, DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  info: DiagnosticSeverity.Information,
  hint: DiagnosticSeverity.Hint,
};

const source = 'graphmem';

/** These findings of an analysis, by the file that each is in: a header's mistakes belong to the header. */
export function diagnosticsByFile(
  analysis: Analysis,
  shown: readonly Finding[],
  hasCommands: boolean,
): Map<string, Diagnostic[]> {
  const files = new Map<string, Diagnostic[]>([[analysis.file, []]]);
  for (const finding of shown) {
    const list = files.get(finding.span.file) ?? [];
    list.push(toDiagnostic(finding, analysis.sources, hasCommands));
    files.set(finding.span.file, list);
  }
  return files;
}

export function toDiagnostic(finding: Finding, sources: Sources, hasCommands: boolean): Diagnostic {
  return {
    range: spanRange(sources, finding.span),
    severity: severities[finding.severity],
    code: finding.rule,
    codeDescription: { href: rulePage(finding.rule, hasCommands) },
    source,
    message: finding.message,
    relatedInformation: relatedInformation(finding, sources),
  };
}

/** Says that a file could not be analysed. It is our failure, so it never looks like the user's. */
export function quarantineDiagnostic(reason: string): Diagnostic {
  return {
    range: fileStart,
    severity: DiagnosticSeverity.Information,
    source,
    message: `Graph Memory Debugger could not analyse this file: ${reason}; it is set aside until it changes`,
  };
}

/** The places that take part, then the steps of the witness that are not among them. */
function relatedInformation(finding: Finding, sources: Sources): DiagnosticRelatedInformation[] {
  const seen = new Set<string>();
  const information: DiagnosticRelatedInformation[] = [];
  for (const { span, message } of [...finding.related, ...finding.witness]) {
    const key = placeKey(span, message);
    if (seen.has(key)) continue;
    seen.add(key);
    information.push({ location: { uri: span.file, range: spanRange(sources, span) }, message });
  }
  return information;
}

function placeKey(span: Span, message: string): string {
  return `${span.file}\n${span.start}\n${span.end}\n${message}`;
}
