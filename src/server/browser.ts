/** The language server as a web worker. The client hands the grammars over in its `initialize` request. */

import { BrowserMessageReader, BrowserMessageWriter, createConnection } from 'vscode-languageserver/browser';
import { createEngine, type WasmName } from '../pipeline.ts';
import { createServer } from './server.ts';
import type { ServerSettings } from './settings.ts';

declare const self: DedicatedWorkerGlobalScope;

const connection = createConnection(new BrowserMessageReader(self), new BrowserMessageWriter(self));

createServer(connection, { createEngine: (settings) => createEngine((name) => loadWasm(name, settings)) });

async function loadWasm(name: WasmName, { wasm }: ServerSettings): Promise<Uint8Array> {
  const bytes = wasm.get(name);
  if (bytes === undefined) throw new Error(`the client did not send ${name}`);
  return bytes;
}
