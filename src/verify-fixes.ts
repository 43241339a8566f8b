/** A fix is offered only when the edited text, analysed again, has the finding no more and no new one instead. */

import { applyEdits } from './base/apply-edits.ts';
import type { Finding, Fix } from './base/finding.ts';
import type { Analysis, AnalysisInput, Engine } from './pipeline.ts';

/** The candidates that hold, in order. Edits in other files than the analysed one are left out. */
export function verifiedFixes(
  engine: Engine,
  input: AnalysisInput,
  before: Analysis,
  finding: Finding,
  candidates: readonly Fix[],
): readonly Fix[] {
  return candidates.filter(
    (fix) => fix.edits.every((edit) => edit.span.file === input.file) && holds(engine, input, before, finding, fix),
  );
}

function holds(engine: Engine, input: AnalysisInput, before: Analysis, finding: Finding, fix: Fix): boolean {
  const text = applyEdits(input.text, fix.edits);
  if (text === input.text) return false;
  const after = engine.analyse({ ...input, text, isTyped: false });
  const known = countByMessage(before.findings);
  const now = countByMessage(after.findings);
  const key = keyOf(finding);
  if ((now.get(key) ?? 0) >= (known.get(key) ?? 0)) return false;
  for (const [each, count] of now) if (count > (known.get(each) ?? 0)) return false;
  return after.gaps.length <= before.gaps.length;
}

function keyOf(finding: Finding): string {
  return `${finding.rule} ${finding.message}`;
}

function countByMessage(findings: readonly Finding[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const finding of findings) counts.set(keyOf(finding), (counts.get(keyOf(finding)) ?? 0) + 1);
  return counts;
}
