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
  const after = saidOf(engine, { ...input, text, isTyped: false }, before, JSON.stringify(fix.edits));
  const known = countByMessage(before.findings);
  const now = after.counts;
  const key = keyOf(finding);
  if ((now.get(key) ?? 0) >= (known.get(key) ?? 0)) return false;
  for (const [each, count] of now) if (count > (known.get(each) ?? 0)) return false;
  return after.gaps <= before.gaps.length;
}

/** What an analysis says, as far as fixes hang on it. */
interface Said {
  readonly counts: ReadonlyMap<string, number>;
  readonly gaps: number;
}

/** Of edited texts, by the analysis of the text before and by the edits: one edit may repair many findings, as a wait between two kernels with many arguments does. */
const saidBefore = new WeakMap<Analysis, Map<string, Said>>();

/** `edited`: the input with the edits, of which `edits` is all that tells it from others. */
function saidOf(engine: Engine, edited: AnalysisInput, before: Analysis, edits: string): Said {
  const known = saidBefore.get(before) ?? new Map<string, Said>();
  saidBefore.set(before, known);
  const said = known.get(edits) ?? saidAnew(engine, edited);
  known.set(edits, said);
  return said;
}

function saidAnew(engine: Engine, input: AnalysisInput): Said {
  const { findings, gaps } = engine.analyse(input);
  return { counts: countByMessage(findings), gaps: gaps.length };
}

function keyOf(finding: Finding): string {
  return `${finding.rule} ${finding.message}`;
}

function countByMessage(findings: readonly Finding[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const finding of findings) counts.set(keyOf(finding), (counts.get(keyOf(finding)) ?? 0) + 1);
  return counts;
}
