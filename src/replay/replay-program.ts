/**
 * A recorded program run again: `main` is started with the case's name, as whoever recorded it did, and the steps it
 * records are the prediction.
 */

import type { DriverOptions } from '../driver/driver.ts';
import type { Entry } from '../interpret/entries.ts';
import type { ProgramTable } from '../interpret/program-table.ts';
import { runEntry } from '../interpret/run.ts';
import type { ModelTable } from '../models/model.ts';
import { createAnswers, type Step } from './answers.ts';

/** The steps that the program records for a case; empty when it has no such case. */
export function replayCase(
  program: ProgramTable,
  models: ModelTable,
  name: string,
  options: DriverOptions,
  isCancelled: () => boolean,
): readonly Step[] {
  const steps: Step[] = [];
  const entry = entryFor(program, name);
  if (!entry) return steps;
  runEntry(program, models, entry, new Map(), isCancelled, undefined, {
    arguments: ['program', name],
    answers: (trace) => createAnswers(trace, steps, options),
  });
  return steps;
}

/** `main`, or in a file without one the function that is called like the case. */
function entryFor(program: ProgramTable, name: string): Entry | null {
  const definition = ['main', name]
    .flatMap((each) => program.functions.get(each) ?? [])
    .find((each) => each.body !== null);
  return definition ? { name: definition.name, definition } : null;
}
