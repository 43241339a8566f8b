/**
 * The language server as a Node process: `node server.js --stdio` (or `--node-ipc`, `--pipe=…`, `--socket=…`).
 *
 * Two threads: the main one only carries messages, the other one is the server. When the server's thread dies the
 * process ends with it, and the client starts it anew.
 */

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import {
  CancellationSenderStrategy,
  createConnection,
  PortMessageReader,
  PortMessageWriter,
  SharedArrayReceiverStrategy,
} from 'vscode-languageserver/node';
import { createEngine, type WasmName } from '../pipeline.ts';
import { carryMessages } from './carrier.ts';
import { createFileReader } from './files-read.ts';
import { createServer } from './server.ts';
import { createEditsSeen } from './shared-edits.ts';

const script = fileURLToPath(import.meta.url);

if (isMainThread) carryMessages(script, process.argv.slice(2));
else serve(workerData as SharedArrayBuffer);

function serve(sharedEdits: SharedArrayBuffer): void {
  if (parentPort === null) throw new Error('the server thread was started without a port to its process');
  const edits = createEditsSeen(sharedEdits);
  const connection = createConnection(new PortMessageReader(parentPort), new PortMessageWriter(parentPort), {
    cancellationStrategy: { receiver: new SharedArrayReceiverStrategy(), sender: CancellationSenderStrategy.Message },
    messageStrategy: {
      handleMessage(message, next) {
        edits.takeUp(message);
        return next(message);
      },
    },
  });
  createServer(connection, {
    createEngine: () => createEngine(loadWasm),
    readFile: createFileReader({
      stat: (uri) => statSync(pathOf(uri)),
      read: (uri) => readFileSync(pathOf(uri)),
    }),
    listFolder,
    editsWaiting: edits.editsWaiting,
    messages: edits.messages,
  });
}

/** The grammars lie beside the bundle. */
function loadWasm(name: WasmName): Promise<Uint8Array> {
  return readFile(path.join(path.dirname(script), name));
}

/** Undefined for what is no folder, or is not there. */
function listFolder(uri: string): readonly string[] | undefined {
  try {
    return readdirSync(fileURLToPath(uri));
  } catch {
    return undefined;
  }
}

function pathOf(uri: string): string {
  return uri.startsWith('file:') ? fileURLToPath(uri) : path.resolve(uri);
}
