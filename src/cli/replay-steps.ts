/**
 * Replaying recordings of programs: each line names a case and the steps it recorded, `{"case", "steps": [[name, result]]}`.
 * What was called stands in the program, so the program is read beside the recording.
 */

import path from 'node:path';
import type { DriverOptions } from '../driver/driver.ts';
import type { Difference } from '../driver/recordings/compare.ts';
import { type Fields, isFields, RecordingError } from '../driver/recordings/read.ts';
import type { RecordedProgram, ReplayEngine } from '../pipeline.ts';
import { readInclude } from './sources.ts';

/** A recorded step: its name, and an error's name, `ok` or a number where the recording has answers. */
type Step = readonly [string, (string | number)?];

export interface StepsCase {
  readonly name: string;
  readonly fields: Fields;
  readonly steps: readonly Step[];
}

/** The case in a line that recorded steps; undefined when the line is of another kind. */
export function readStepsCase(value: unknown): StepsCase | undefined {
  if (!isFields(value) || typeof value['case'] !== 'string' || 'ops' in value || 'log' in value) return undefined;
  const steps = value['steps'] ?? [];
  if (!Array.isArray(steps)) throw new RecordingError('`steps` is not a list');
  return { name: value['case'], fields: value, steps: steps.map(readStep) };
}

function readStep(value: unknown): Step {
  if (typeof value === 'string') return [value];
  if (!Array.isArray(value) || typeof value[0] !== 'string') throw new RecordingError('a step has no name');
  const answer: unknown = value[1];
  return typeof answer === 'string' || typeof answer === 'number' ? [value[0], answer] : [value[0]];
}

export interface SourceIo {
  readFile(path: string): Promise<Uint8Array>;
  loadEngine(): Promise<ReplayEngine>;
}

/** The program of a recording: the one given, else the file of the same name that ends in `.cu`. Throws when there is none. */
export async function readRecordedProgram(
  recording: string,
  source: string | undefined,
  io: SourceIo,
): Promise<RecordedProgram> {
  const file = source ?? `${recording.replace(/\.gz$/, '').replace(/\.jsonl?$/, '')}.cu`;
  let text: string;
  try {
    text = new TextDecoder().decode(await io.readFile(file));
  } catch {
    throw new RecordingError(
      `it records steps of a program, and there is no ${path.basename(file)} beside it: name the program with --source FILE`,
    );
  }
  const engine = await io.loadEngine();
  return engine.replay({ file, text, language: 'cuda', readInclude });
}

/** The recorded line with the steps predicted. Throws when the program has no such case. */
export function predictSteps(one: StepsCase, program: RecordedProgram, options: DriverOptions): Fields {
  const steps = program.steps(one.name, options);
  if (steps.length === 0) throw new RecordingError(`the program records no step in a case \`${one.name}\``);
  return { ...one.fields, steps };
}

/** Every recorded answer that the prediction does not repeat, and steps that only one of them has. */
export function compareSteps(one: StepsCase, predicted: Fields): readonly Difference[] {
  const others = readStepsCase(predicted)?.steps ?? [];
  const count = Math.max(others.length, one.steps.length);
  return Array.from({ length: count }, (_, index): Difference[] => {
    const recorded = one.steps[index];
    const other = others[index];
    if (recorded && recorded[0] === other?.[0] && (recorded[1] === undefined || recorded[1] === other[1])) return [];
    const isSameStep = recorded?.[0] === other?.[0];
    return [
      {
        place: `step ${index + 1} ${recorded?.[0] ?? 'none'}`,
        what: 'result',
        predicted: other ? String(isSameStep ? other[1] : `of ${other[0]}: ${other[1]}`) : 'no such step',
        recorded: recorded ? String(recorded[1] ?? 'nothing') : 'no such step',
      },
    ];
  }).flat();
}

export function stepsHaveAnswers(one: StepsCase): boolean {
  return one.steps.some((step) => step[1] !== undefined);
}
