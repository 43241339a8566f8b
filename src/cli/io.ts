/** What a command may touch of the world; tests give their own. */

import type { ReplayEngine } from '../pipeline.ts';

export interface CommandIo {
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
  readonly readFile: (path: string) => Promise<Uint8Array>;
  readonly writeFile: (path: string, text: string) => Promise<void>;
  readonly loadEngine: () => Promise<ReplayEngine>;
}
