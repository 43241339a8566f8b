/** A language client for tests: talks to a server in the same process, over two streams, and keeps what it is sent. */

import { PassThrough } from 'node:stream';
import {
  createConnection,
  createMessageConnection,
  type Diagnostic,
  type MessageConnection,
  type PublishDiagnosticsParams,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node';
import type { AnalysedParams } from '../../../src/scene/requests.ts';
import type { ServerHost } from '../../../src/server/host.ts';
import { createServer } from '../../../src/server/server.ts';
import { createFakeEngine, type FakeEngine } from './fake-engine.ts';

export interface TestClient {
  readonly engine: FakeEngine;
  readonly connection: MessageConnection;
  /** Everything published, oldest first. */
  readonly published: PublishDiagnosticsParams[];
  readonly analysed: AnalysedParams[];
  readonly messages: string[];
  open(uri: string, text: string, languageId?: string): void;
  /** Replaces the whole text. */
  edit(uri: string, version: number, text: string): void;
  close(uri: string): void;
  /** The diagnostics of this version, once they are published. */
  diagnostics(uri: string, version?: number): Promise<readonly Diagnostic[]>;
  request<T>(method: string, params: unknown): Promise<T>;
}

export interface ClientOptions {
  readonly host?: Partial<ServerHost>;
  readonly initializationOptions?: unknown;
}

export async function startClient({ host, initializationOptions }: ClientOptions = {}): Promise<TestClient> {
  const engine = createFakeEngine();
  const [toServer, toClient] = [new PassThrough(), new PassThrough()];
  createServer(createConnection(new StreamMessageReader(toServer), new StreamMessageWriter(toClient)), {
    createEngine: async () => engine,
    ...host,
  });
  const connection = createMessageConnection(new StreamMessageReader(toClient), new StreamMessageWriter(toServer));
  const published: PublishDiagnosticsParams[] = [];
  const analysed: AnalysedParams[] = [];
  const messages: string[] = [];
  const waiting = new Set<() => void>();
  connection.onNotification('textDocument/publishDiagnostics', (params: PublishDiagnosticsParams) => {
    published.push(params);
    for (const check of waiting) check();
  });
  connection.onNotification('graphmem/analysed', (params: AnalysedParams) => void analysed.push(params));
  connection.onNotification('window/showMessage', ({ message }: { message: string }) => void messages.push(message));
  connection.listen();

  const initialize = { processId: null, rootUri: null, capabilities: {}, initializationOptions };
  await connection.sendRequest('initialize', initialize);
  void connection.sendNotification('initialized', {});

  const notify = (method: string, params: unknown) => void connection.sendNotification(method, params);
  return {
    engine,
    connection,
    published,
    analysed,
    messages,
    open: (uri, text, languageId = 'cuda-cpp') =>
      notify('textDocument/didOpen', { textDocument: { uri, languageId, version: 1, text } }),
    edit: (uri, version, text) =>
      notify('textDocument/didChange', { textDocument: { uri, version }, contentChanges: [{ text }] }),
    close: (uri) => notify('textDocument/didClose', { textDocument: { uri } }),
    diagnostics: (uri, version = 1) =>
      new Promise((resolve) => {
        const check = () => {
          const found = published.findLast((each) => each.uri === uri && each.version === version);
          if (found === undefined) return;
          waiting.delete(check);
          resolve(found.diagnostics);
        };
        waiting.add(check);
        check();
      }),
    request: <T>(method: string, params: unknown) => connection.sendRequest(method, params) as Promise<T>,
  };
}
