/**
 * `graphmem replay RECORDING`: predicts what the driver answers in every case of a recording, and compares where the
 * recording has the driver's answers. Predictions never look at them.
 */

import type { DriverOptions } from '../driver/driver.ts';
import type { HostOrder } from '../driver/placement.ts';
import { driverProfile, PROFILE_NAMES } from '../driver/profile.ts';
import { compareCase, type Difference } from '../driver/recordings/compare.ts';
import { type Prediction, predictCase } from '../driver/recordings/predict.ts';
import { hasAnswers, type RecordedCase, readCase } from '../driver/recordings/read.ts';
import type { RecordedProgram } from '../pipeline.ts';
import { reasonOf } from './reasons.ts';
import {
  compareSteps,
  predictSteps,
  readRecordedProgram,
  readStepsCase,
  type SourceIo,
  type StepsCase,
  stepsHaveAnswers,
} from './replay-steps.ts';

export interface ReplayIo extends SourceIo {
  stdout(text: string): void;
  stderr(text: string): void;
}

const USAGE = `usage: graphmem replay RECORDING.jsonl[.gz] ... [options]

Predicts what the CUDA driver answers in each recorded case: addresses, results, memory. With answers in the recording it
says how many cases are exact and where the first differences are. \`graphmem record\` tells how to make recordings.

  --host-order up|down   how host heap addresses grow (default up); a few addresses depend on it
  --source FILE.cu       the program that recorded steps (default: the file of the recording's name that ends in .cu)
  --driver NAME          driver profile: ${PROFILE_NAMES.join(', ')}
  --format text|jsonl    jsonl prints every case with predicted answers under the recording's keys
`;

interface Arguments {
  readonly files: readonly string[];
  readonly format: 'text' | 'jsonl';
  readonly source: string | undefined;
  readonly driver: DriverOptions;
}

/** Exit code 0: everything was replayed; 1: some lines could not be; 2: wrong arguments, or a file that cannot be read. */
export async function replay(arguments_: string[], io: ReplayIo): Promise<number> {
  if (arguments_.includes('--help') || arguments_.includes('-h')) {
    io.stdout(USAGE);
    return 0;
  }
  const parsed = parseArguments(arguments_);
  if (typeof parsed === 'string') {
    io.stderr(`graphmem replay: ${parsed}\n\n${USAGE}`);
    return 2;
  }
  let code = 0;
  for (const file of parsed.files) code = Math.max(code, await replayFile(file, parsed, io));
  return code;
}

function parseArguments(arguments_: readonly string[]): Arguments | string {
  const files: string[] = [];
  let format: 'text' | 'jsonl' = 'text';
  let source: string | undefined;
  let hostOrder: HostOrder = 'up';
  let profile = driverProfile(PROFILE_NAMES[0] ?? '');
  for (let index = 0; index < arguments_.length; index++) {
    const [name = '', inline] = splitOption(arguments_[index] ?? '');
    if (!name.startsWith('-')) {
      files.push(name);
      continue;
    }
    const value = inline ?? arguments_[++index];
    if (name === '--format' && (value === 'text' || value === 'jsonl')) format = value;
    else if (name === '--source' && value !== undefined) source = value;
    else if (name === '--host-order' && (value === 'up' || value === 'down')) hostOrder = value;
    else if (name === '--driver' && driverProfile(value ?? '')) profile = driverProfile(value ?? '');
    else return `cannot understand ${[name, value].filter(Boolean).join(' ')}`;
  }
  if (files.length === 0) return 'no recording given';
  return { files, format, source, driver: { hostOrder, profile } };
}

function splitOption(text: string): readonly [string, string?] {
  const equals = text.startsWith('--') ? text.indexOf('=') : -1;
  return equals < 0 ? [text] : [text.slice(0, equals), text.slice(equals + 1)];
}

/** What one file came to. */
interface Tally {
  cases: number;
  compared: number;
  exact: number;
  unreadable: number;
  readonly different: { readonly name: string; readonly differences: readonly Difference[] }[];
  readonly hanging: { readonly name: string; readonly prediction: Prediction }[];
}

async function replayFile(file: string, options: Arguments, io: ReplayIo): Promise<number> {
  let text: string;
  try {
    text = await decoded(await io.readFile(file));
  } catch (error) {
    io.stderr(`graphmem replay: cannot read ${file}: ${reasonOf(error)}\n`);
    return 2;
  }
  const tally: Tally = { cases: 0, compared: 0, exact: 0, unreadable: 0, different: [], hanging: [] };
  let program: RecordedProgram | undefined;
  let number = 0;
  for (const line of text.split('\n')) {
    number++;
    if (line.trim() === '') continue;
    try {
      const value: unknown = JSON.parse(line);
      const steps = readStepsCase(value);
      if (steps) program ??= await readRecordedProgram(file, options.source, io);
      if (steps && program) replaySteps(steps, program, options, io, tally);
      else replayLine(line, value, options, io, tally);
    } catch (error) {
      tally.unreadable++;
      io.stderr(`${file}:${number}: ${error instanceof Error ? error.message : String(error)}\n`);
    }
  }
  if (options.format === 'text') io.stdout(summary(file, tally, options));
  return tally.unreadable > 0 ? 1 : 0;
}

/** Gzip is told by its first two bytes, not by the file's name. */
async function decoded(bytes: Uint8Array): Promise<string> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return new TextDecoder().decode(bytes);
  const stream = new Blob([Uint8Array.from(bytes)]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(stream).text();
}

function replaySteps(one: StepsCase, program: RecordedProgram, options: Arguments, io: ReplayIo, tally: Tally): void {
  const predicted = predictSteps(one, program, options.driver);
  tally.cases++;
  if (options.format === 'jsonl') io.stdout(`${JSON.stringify(predicted)}\n`);
  else if (stepsHaveAnswers(one)) noteDifferences(one.name, compareSteps(one, predicted), tally);
}

function replayLine(line: string, value: unknown, options: Arguments, io: ReplayIo, tally: Tally): void {
  const recorded = readCase(value);
  if (!recorded) {
    if (options.format === 'jsonl') io.stdout(`${line.trim()}\n`);
    return;
  }
  const prediction = predictCase(recorded, options.driver);
  tally.cases++;
  if (options.format === 'jsonl') io.stdout(`${JSON.stringify(prediction.fields)}\n`);
  else note(recorded, prediction, tally);
}

function note(recorded: RecordedCase, prediction: Prediction, tally: Tally): void {
  if (prediction.notes.length > 0) tally.hanging.push({ name: recorded.name, prediction });
  if (!hasAnswers(recorded.fields)) return;
  noteDifferences(recorded.name, compareCase(recorded, prediction.fields), tally);
}

function noteDifferences(name: string, differences: readonly Difference[], tally: Tally): void {
  tally.compared++;
  if (differences.length === 0) tally.exact++;
  else tally.different.push({ name, differences });
}

const SHOWN_CASES = 10;
const SHOWN_DIFFERENCES = 4;

function summary(file: string, tally: Tally, options: Arguments): string {
  const lines = [`${file}: ${count(tally.cases, 'case')}, driver ${options.driver.profile?.name}`];
  if (tally.compared > 0) {
    const share = ((100 * tally.exact) / tally.compared).toFixed(2);
    lines.push(`  exact: ${tally.exact} of ${tally.compared} (${share} %)`);
  } else if (tally.cases > 0) {
    lines.push('  no answers recorded: predicted only, see --format jsonl');
  }
  if (tally.unreadable > 0) lines.push(`  ${count(tally.unreadable, 'line')} could not be replayed`);
  lines.push(...differenceLines(tally), ...hangingLines(tally, options));
  return `${lines.join('\n')}\n`;
}

function differenceLines(tally: Tally): string[] {
  const lines = tally.different.slice(0, SHOWN_CASES).flatMap(({ name, differences }) => {
    const hangs = tally.hanging.some((entry) => entry.name === name) ? ', depends on the host order' : '';
    return [
      `  ${name}: ${count(differences.length, 'difference')}${hangs}`,
      ...differences
        .slice(0, SHOWN_DIFFERENCES)
        .map(({ place, what, predicted, recorded }) => `    ${place}: ${what} ${predicted}, recorded ${recorded}`),
      ...(differences.length > SHOWN_DIFFERENCES ? ['    …'] : []),
    ];
  });
  const more = tally.different.length - SHOWN_CASES;
  return more > 0 ? [...lines, `  … and ${count(more, 'more case')} with differences`] : lines;
}

function hangingLines(tally: Tally, options: Arguments): string[] {
  if (tally.hanging.length === 0) return [];
  const addresses = tally.hanging.reduce((total, { prediction }) => total + prediction.notes.length, 0);
  const other = options.driver.hostOrder === 'up' ? 'down' : 'up';
  const lines = tally.hanging.slice(0, SHOWN_CASES).map(({ name, prediction }) => {
    const graph = (id: number | undefined) => (id === undefined ? '' : `graph ${id} `);
    const shown = prediction.notes
      .slice(0, SHOWN_DIFFERENCES)
      .map(
        (entry) =>
          `${graph(entry.graph)}allocation ${entry.allocation} (0x${entry.address.toString(16)}, else 0x${entry.otherAddress.toString(16)})`,
      );
    return `    ${name}: ${shown.join(', ')}${prediction.notes.length > SHOWN_DIFFERENCES ? ', …' : ''}`;
  });
  const more = tally.hanging.length - SHOWN_CASES;
  return [
    `  ${count(addresses, 'address')} in ${count(tally.hanging.length, 'case')} depend on the host order (another one with --host-order ${other}):`,
    ...lines,
    ...(more > 0 ? [`    … and ${count(more, 'more case')}`] : []),
  ];
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : noun.endsWith('s') ? 'es' : 's'}`;
}
