/** Predicting a case: the driver is simulated, and the answers are written where a recording has them. */

import { createDriver, type DriverOptions, step } from '../driver.ts';
import type { Outcome } from '../operations.ts';
import type { Driver } from '../state.ts';
import { predictLaunch } from './predict-launch.ts';
import { predictPool } from './predict-pool.ts';
import { type Answers, answersOf, type HostOrderNote, nodeOf, noteOf, relativeTo } from './predicted.ts';
import { type Fields, listIn, type RecordedCase, withoutAnswers } from './read.ts';

export interface Prediction {
  /** The case as it came, without its answers and with the predicted ones. */
  readonly fields: Fields;
  /** Addresses that would be others if the host heap grew the other way. */
  readonly notes: readonly HostOrderNote[];
}

/** Predicts a case; recorded answers are cut off first, so they cannot be looked at. */
export function predictCase(recorded: RecordedCase, options: DriverOptions): Prediction {
  const fields = withoutAnswers(recorded.fields);
  switch (recorded.kind) {
    case 'va':
      return predictGraph(fields, options);
    case 'launch':
      return predictLaunch(fields, options);
    case 'pool':
      return { fields: predictPool(fields, options), notes: [] };
  }
}

/** One graph, whose work nodes are empty, and its whole life. */
function predictGraph(fields: Fields, options: DriverOptions): Prediction {
  const driver = createDriver({ ...options, workMicroseconds: 0 });
  step(driver, { kind: 'graphCreate', graph: 0 });
  const notes: HostOrderNote[] = [];
  const outcomes = listIn(fields, 'ops').map((operation, index) => {
    const outcome = step(driver, { kind: 'addNode', graph: 0, ...nodeOf(operation, index, (id) => id) });
    const note = noteOf(operation, index, outcome);
    if (note) notes.push(note);
    return { operation, outcome };
  });
  const lowest = lowestOf(outcomes.map(({ outcome }) => outcome));
  const ops = outcomes.map(({ operation, outcome }) => relativeTo(lowest, operation, outcome));
  return { fields: { ...fields, ops, run: lifeOf(driver) }, notes };
}

/** Instantiate, launch, synchronise, free what is left, destroy, trim: what the recorder does with every graph. */
function lifeOf(driver: Driver): Fields {
  const run: Record<string, Answers> = { start: withoutResult(step(driver, { kind: 'resetHighs' })) };
  const instantiated = step(driver, { kind: 'instantiate', exec: 0, graph: 0 });
  run['instantiate'] = answersOf(instantiated);
  if (instantiated.result === 'cudaSuccess') {
    run['launch'] = answersOf(step(driver, { kind: 'launch', exec: 0, stream: 0 }));
    run['sync'] = answersOf(step(driver, { kind: 'syncStream', stream: 0 }));
    const left = [...driver.allocations.values()].filter((allocation) => allocation.live);
    for (const { id } of left) step(driver, { kind: 'freeAsync', allocation: id, stream: 0 });
    run['freed'] = answersOf(step(driver, { kind: 'syncStream', stream: 0 }));
    run['destroyExec'] = answersOf(step(driver, { kind: 'destroyExec', exec: 0 }));
  }
  run['destroyGraph'] = answersOf(step(driver, { kind: 'destroyGraph', graph: 0 }));
  run['trim'] = withoutResult(step(driver, { kind: 'trim' }));
  return run;
}

function withoutResult(outcome: Outcome): Answers {
  return { mem: outcome.memory };
}

function lowestOf(outcomes: readonly Outcome[]): number {
  return outcomes.reduce((lowest, { address }) => Math.min(lowest, address ?? lowest), Number.POSITIVE_INFINITY);
}
