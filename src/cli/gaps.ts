/** What was not understood, ranked, with the model row that would close each gap. */

import type { CallSite, CallState } from '../scene/call-coverage.ts';
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
  const calls = callReport(outcomes);
  if (counts.size === 0) return `No gaps: what was run was understood.\n${calls}`;
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
  return `${lines.join('\n')}\n${calls}`;
}

const states: readonly (readonly [CallState, string])[] = [
  ['interpreted', 'interpreted'],
  ['gap', 'run, but not understood in all parts'],
  ['notRun', 'on a path that was not taken'],
  ['notEntered', 'in a function that nothing enters'],
  ['unread', 'outside every function that was read'],
  ['inactive', 'under an #if that is off (not counted)'],
];

export function countCalls(sites: readonly CallSite[]): Record<CallState, number> {
  const counts: Record<CallState, number> = {
    interpreted: 0,
    gap: 0,
    notRun: 0,
    notEntered: 0,
    unread: 0,
    inactive: 0,
  };
  for (const { state } of sites) counts[state]++;
  return counts;
}

/** How many of the calls in the text were seen, and why the others were not. */
function callReport(outcomes: readonly FileReportOutcome[]): string {
  const counts = countCalls(outcomes.flatMap((each) => (each.kind === 'analysed' ? each.analysis.calls : [])));
  const total = states.reduce((sum, [state]) => sum + (state === 'inactive' ? 0 : counts[state]), 0);
  if (total === 0) return '';
  const share = ((100 * counts.interpreted) / total).toFixed(1);
  const lines = states.flatMap(([state, words]) =>
    counts[state] > 0 ? [`  ${String(counts[state]).padStart(5)}  ${words}`] : [],
  );
  return `\nCalls of graphs, streams, events and stream-ordered memory in the text: ${total}, ${share} % interpreted\n${lines.join('\n')}\n`;
}
