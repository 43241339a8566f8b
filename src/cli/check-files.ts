/** Files to what is said of them, in order: in this thread, or in several that take one file after another. */

import { availableParallelism } from 'node:os';
import type { MessagePort, Worker } from 'node:worker_threads';
import type { Engine } from '../pipeline.ts';
import type { CommandIo } from './io.ts';
import { type FileReportOutcome, reportFile } from './sources.ts';

/** What holds for all files of one `check`. Threads are given it as they start. */
export interface CheckSettings {
  readonly models: readonly { file: string; text: string }[];
  readonly defines: readonly string[];
  /** Count the calls of CUDA, too. */
  readonly withCalls: boolean;
}

/** The value of `--jobs`: a number from 1, or `auto` for as many threads as the machine runs at once. One when it is not given. */
export function countOfJobs(given: string | undefined): { readonly value: number } | { readonly error: string } {
  if (given === undefined) return { value: 1 };
  if (given === 'auto') return { value: availableParallelism() };
  const value = /^\d{1,3}$/.test(given) ? Number(given) : 0;
  return value > 0 ? { value } : { error: `--jobs must be auto or a number from 1 to 999; it is "${given}"` };
}

export async function checkFiles(
  files: readonly string[],
  settings: CheckSettings,
  jobs: number,
  io: CommandIo,
): Promise<readonly FileReportOutcome[]> {
  if (jobs > 1 && files.length > 1 && io.startThread) return inThreads(files, settings, jobs, io.startThread);
  io.expectFiles?.(files.length);
  const engine = await io.loadEngine();
  return files.map((file) => report(engine, file, settings));
}

/** In a thread: answers every file that is sent with its outcome. */
export async function answerFiles(port: MessagePort, settings: CheckSettings, engine: Promise<Engine>): Promise<void> {
  const loaded = await engine;
  port.on('message', (file: string) => port.postMessage(report(loaded, file, settings)));
}

function report(engine: Engine, file: string, { models, defines, withCalls }: CheckSettings): FileReportOutcome {
  return reportFile(engine, file, models, defines, withCalls);
}

/** A thread that ends early, for want of memory say, takes only the file with it that it was reading. */
async function inThreads(
  files: readonly string[],
  settings: CheckSettings,
  jobs: number,
  startThread: (settings: CheckSettings) => Worker,
): Promise<readonly FileReportOutcome[]> {
  const outcomes: FileReportOutcome[] = [];
  let next = 0;
  const runOne = async (): Promise<void> => {
    while (next < files.length) {
      const thread = startThread(settings);
      let reading = -1;
      const reason = await new Promise<string | null>((resolve) => {
        const readNext = (): void => {
          reading = next++;
          if (reading < files.length) thread.postMessage(files[reading]);
          else resolve(null);
        };
        thread.on('message', (outcome: FileReportOutcome) => {
          outcomes[reading] = outcome;
          readNext();
        });
        thread.on('error', (error: unknown) => resolve(error instanceof Error ? error.message : String(error)));
        thread.on('exit', (code) => resolve(`its thread ended with code ${code}`));
        readNext();
      });
      if (reason !== null) outcomes[reading] = { kind: 'quarantined', file: files[reading]!, reason, milliseconds: 0 };
      await thread.terminate();
    }
  };
  await Promise.all(Array.from({ length: Math.min(jobs, files.length) }, runOne));
  return outcomes;
}
