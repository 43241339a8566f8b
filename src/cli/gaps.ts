/** What was not understood, ranked, with the model row that would close each gap. */

import type { FileReportOutcome } from './sources.ts';

export function gapReport(outcomes: readonly FileReportOutcome[]): string {
  const counts = new Map<string, { kind: string; name: string; count: number }>();
  for (const outcome of outcomes) {
    for (const gap of outcome.kind === 'analysed' ? outcome.analysis.gaps : []) {
      const key = `${gap.kind} ${gap.name}`;
      const known = counts.get(key) ?? { kind: gap.kind, name: gap.name, count: 0 };
      known.count++;
      counts.set(key, known);
    }
  }
  if (counts.size === 0)
    return 'No gaps: everything that was reached was understood. Code under #if that is off and paths not taken are not counted.\n';
  const ranked = [...counts.values()].sort(
    (first, second) => second.count - first.count || (first.name < second.name ? -1 : 1),
  );
  const lines = [
    'Not understood, most frequent first:',
    ...ranked.map((gap) => `  ${String(gap.count).padStart(5)}  ${gap.kind}: ${gap.name}`),
  ];
  const functions = ranked.filter((gap) => gap.kind === 'unknown function').slice(0, 20);
  if (functions.length > 0) {
    const stub = { rows: functions.map((gap) => ({ name: gap.name, effects: [], returns: 'status' })) };
    lines.push(
      '',
      'A model that says these functions do nothing to the device; change what is not true and pass it with --models:',
      JSON.stringify(stub, null, 2),
    );
  }
  return `${lines.join('\n')}\n`;
}
