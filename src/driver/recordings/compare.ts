/** Comparing a prediction with what was recorded, operation by operation. */

import { type Fields, isFields, listIn, type RecordedCase } from './read.ts';

/** One answer that differs. */
export interface Difference {
  /** Where: `ops 12 alloc`, `run launch`, `log 7 launch graph 0 stream 1`. */
  readonly place: string;
  readonly what: 'address' | 'result' | 'memory';
  readonly predicted: string;
  readonly recorded: string;
}

/** Every recorded answer that the prediction does not repeat; answers that were not recorded are not compared. */
export function compareCase(recorded: RecordedCase, predicted: Fields): readonly Difference[] {
  switch (recorded.kind) {
    case 'va':
      return [
        ...compareList('ops', listIn(recorded.fields, 'ops'), listIn(predicted, 'ops')),
        ...compareRun(recorded.fields['run'], predicted['run']),
      ];
    case 'launch':
      return [...compareGraphs(recorded.fields, predicted), ...compareLog(recorded.fields, predicted)];
    case 'pool':
      return compareLog(recorded.fields, predicted);
  }
}

function compareGraphs(recorded: Fields, predicted: Fields): Difference[] {
  const graphs = listIn(predicted, 'graphs');
  return listIn(recorded, 'graphs').flatMap((graph, index) => {
    const key = ['chain', 'nodes', 'ops'].find((name) => name in graph) ?? 'chain';
    return compareList(`graph ${graph['graph'] ?? index} ${key}`, listIn(graph, key), listIn(graphs[index] ?? {}, key));
  });
}

function compareLog(recorded: Fields, predicted: Fields): Difference[] {
  return compareList('log', listIn(recorded, 'log'), listIn(predicted, 'log'));
}

function compareRun(recorded: unknown, predicted: unknown): Difference[] {
  if (!isFields(recorded) || !isFields(predicted)) return [];
  return Object.entries(recorded).flatMap(([name, answers]) => {
    const other = predicted[name];
    return isFields(answers) ? compareAnswers(`run ${name}`, answers, isFields(other) ? other : {}) : [];
  });
}

/** Recorded addresses are absolute, predicted ones are offsets: both are taken from the lowest of the list. */
function compareList(place: string, recorded: readonly Fields[], predicted: readonly Fields[]): Difference[] {
  const lowest = recorded.reduce((low, { va }) => Math.min(low, addressOf(va) ?? low), Number.POSITIVE_INFINITY);
  return recorded.flatMap((operation, index) => {
    const other = predicted[index] ?? {};
    const where = `${place} ${index} ${nameOf(operation)}`;
    const differences = compareAnswers(where, operation, other);
    const address = addressOf(operation['va']);
    if (address !== undefined && (address - lowest).toString(16) !== other['va']) {
      const shown = typeof other['va'] === 'string' ? `0x${other['va']}` : 'none';
      differences.unshift({
        place: where,
        what: 'address',
        predicted: shown,
        recorded: `0x${(address - lowest).toString(16)}`,
      });
    }
    return differences;
  });
}

function compareAnswers(place: string, recorded: Fields, predicted: Fields): Difference[] {
  const differences: Difference[] = [];
  const result = recorded['rc'];
  if (typeof result === 'string' && result !== (predicted['rc'] ?? 'ok'))
    differences.push({ place, what: 'result', predicted: String(predicted['rc'] ?? 'ok'), recorded: result });
  const memory = recorded['mem'];
  if (Array.isArray(memory) && memory.join() !== listShown(predicted['mem']))
    differences.push({ place, what: 'memory', predicted: listShown(predicted['mem']), recorded: memory.join() });
  return differences;
}

function listShown(value: unknown): string {
  return Array.isArray(value) ? value.join() : 'none';
}

function addressOf(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined;
  const address = Number.parseInt(value, 16);
  return Number.isNaN(address) ? undefined : address;
}

const NAMED = ['graph', 'alloc', 'stream', 'event'] as const;

function nameOf(operation: Fields): string {
  const parts = NAMED.filter((key) => key in operation).map((key) => `${key} ${operation[key]}`);
  return [operation['op'], ...parts].join(' ');
}
