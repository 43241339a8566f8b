/** What a command may touch of the world; tests give their own. */

import type { Worker } from 'node:worker_threads';
import type { ReplayEngine } from '../pipeline.ts';
import type { CheckSettings } from './check-files.ts';

export interface CommandIo {
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
  readonly readFile: (path: string) => Promise<Uint8Array>;
  readonly writeFile: (path: string, text: string) => Promise<void>;
  /** Told how many files are to be read, before the engine is loaded. */
  readonly expectFiles?: (count: number) => void;
  readonly loadEngine: () => Promise<ReplayEngine>;
  /** A thread that answers files (`answerFiles`); absent where there is none to start. */
  readonly startThread?: (settings: CheckSettings) => Worker;
}
