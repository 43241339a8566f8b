/** What is said of a file that several others include or import is said once. */

import type { Span } from '../base/span.ts';
import type { FileReportOutcome } from './sources.ts';

function keyOf(span: Span, ...words: readonly string[]): string {
  return [span.file, span.start, span.end, ...words].join(' ');
}

/** The outcomes without the findings and gaps that an earlier file has word for word. */
export function withoutRepeats(outcomes: readonly FileReportOutcome[]): readonly FileReportOutcome[] {
  const said = new Set<string>();
  return outcomes.map((outcome) => {
    if (outcome.kind !== 'analysed') return outcome;
    const { analysis } = outcome;
    const findings = analysis.findings.filter(({ span, rule, message }) => !said.has(keyOf(span, rule, message)));
    const gaps = analysis.gaps.filter(({ span, kind, name }) => !said.has(keyOf(span, kind, name)));
    for (const { span, rule, message } of findings) said.add(keyOf(span, rule, message));
    for (const { span, kind, name } of gaps) said.add(keyOf(span, kind, name));
    return { ...outcome, analysis: { ...analysis, findings, gaps } };
  });
}
