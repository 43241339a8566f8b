/** What the language server needs from where it runs: a Node process, a web worker, a test. */

import type { Engine } from '../pipeline.ts';
import type { ServerSettings } from './settings.ts';

export interface ServerHost {
  /** Called once, after the client's `initialize`. */
  readonly createEngine: (settings: ServerSettings) => Promise<Engine>;
  /** The text of a file that is not open in the editor; absent where files cannot be read at once (the browser). */
  readonly readFile?: (uri: string) => string | undefined;
  /** The names in a folder; absent where folders cannot be listed at once. */
  readonly listFolder?: (uri: string) => readonly string[] | undefined;
  /**
   * Whether edits of this document have reached the process that the server has not seen yet. Analysis is synchronous,
   * so this is how it learns, in its midst, that its text is old. Absent where nobody can know.
   */
  readonly editsWaiting?: (uri: string) => boolean;
  /** How many messages of the client have reached the process; absent where nobody can know while the server is busy. */
  readonly messages?: () => number;
}
