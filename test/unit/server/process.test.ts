/** The server as a process of its own, as editors start it. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-languageserver/node';

const root = path.resolve(import.meta.dirname, '..', '..', '..');
const folder = mkdtempSync(path.join(tmpdir(), 'graphmem-server-'));
const server = path.join(folder, 'server.cjs');

beforeAll(async () => {
  await build({
    absWorkingDir: root,
    entryPoints: ['src/server/node.ts'],
    outfile: server,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    define: { 'import.meta.url': 'address' },
    banner: { js: "const address = require('node:url').pathToFileURL(__filename).href;" },
  });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function start(...args: string[]) {
  const child = spawn(process.execPath, [server, ...args], { stdio: ['pipe', 'pipe', 'pipe'] });
  const exit = once(child, 'exit').then(([code]) => code as number | null);
  return { child, exit };
}

function connect({ stdin, stdout }: ChildProcess) {
  const connection = createMessageConnection(new StreamMessageReader(stdout!), new StreamMessageWriter(stdin!));
  connection.onNotification('window/showMessage', () => {});
  connection.listen();
  return connection;
}

describe('the server process', () => {
  test('speaks the protocol over its standard streams and ends when asked to', async () => {
    const { child, exit } = start('--stdio');
    const connection = connect(child);
    const answer = await connection.sendRequest('initialize', { processId: null, rootUri: null, capabilities: {} });
    expect(answer).toMatchObject({
      capabilities: { textDocumentSync: { change: 2 }, hoverProvider: true, codeLensProvider: {} },
    });
    const uri = 'file:///plain.cpp';
    const textDocument = { uri, languageId: 'cpp', version: 1, text: 'int x;' };
    await connection.sendNotification('textDocument/didOpen', { textDocument });
    expect(
      await connection.sendRequest('textDocument/hover', { textDocument, position: { line: 0, character: 0 } }),
    ).toBeNull();
    await connection.sendRequest('shutdown');
    await connection.sendNotification('exit');
    expect(await exit).toBe(0);
  });

  test('ends when the client is gone', async () => {
    const { child, exit } = start('--stdio');
    child.stdin.end();
    expect(await exit).toBe(1);
  });

  test('started by hand, it says how to talk to it', async () => {
    const { child, exit } = start();
    const said = once(child.stderr, 'data').then(([text]) => String(text));
    expect(await exit).toBe(2);
    expect(await said).toContain('--stdio');
  });
});
