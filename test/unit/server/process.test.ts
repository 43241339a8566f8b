/** The server as a process of its own, as editors start it. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
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
  for (const name of [
    'web-tree-sitter/web-tree-sitter',
    'tree-sitter-cuda/tree-sitter-cuda',
    'tree-sitter-typescript/tree-sitter-typescript',
  ]) {
    copyFileSync(path.join(root, 'node_modules', `${name}.wasm`), path.join(folder, `${path.basename(name)}.wasm`));
  }
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

  test('gives up the analysis of a text that is old already', async () => {
    const { child, exit } = start('--stdio');
    const connection = connect(child);
    const versions: number[] = [];
    connection.onNotification('graphmem/analysed', ({ version }: { version: number }) => void versions.push(version));
    await connection.sendRequest('initialize', { processId: null, rootUri: null, capabilities: {} });
    const uri = 'file:///large.cu';
    const text = largeProgram(400);
    await connection.sendNotification('textDocument/didOpen', {
      textDocument: { uri, languageId: 'cuda-cpp', version: 1, text },
    });
    await expect.poll(() => versions, { timeout: 20_000 }).toEqual([1]);
    const top = { line: 0, character: 0 };
    for (let version = 2; version <= 30; version++) {
      await connection.sendNotification('textDocument/didChange', {
        textDocument: { uri, version },
        contentChanges: [{ range: { start: top, end: top }, text: '\n' }],
      });
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await expect.poll(() => versions.at(-1), { timeout: 20_000 }).toBe(30);
    expect(versions.length).toBeLessThan(15);
    connection.dispose();
    child.stdin.end();
    await exit;
  });

  test('ends when the client is gone', async () => {
    const { child, exit } = start('--stdio');
    child.stdin.end();
    expect(await exit).toBe(1);
  });

  test('ends when there is no client to begin with', async () => {
    const child = spawn(process.execPath, [server, '--stdio'], { stdio: ['ignore', 'pipe', 'pipe'] });
    expect(await once(child, 'exit')).toEqual([1, null]);
  });

  test('started by hand, it says how to talk to it', async () => {
    const { child, exit } = start();
    const said = once(child.stderr, 'data').then(([text]) => String(text));
    expect(await exit).toBe(2);
    expect(await said).toContain('--stdio');
  });
});

/** Many functions, each with a small graph, so that an analysis takes much longer than the pause between two keys. */
function largeProgram(functions: number): string {
  const one = (index: number) => `
void build${index}() {
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  cudaMemAllocNodeParams allocation = {};
  allocation.bytesize = ${index} * 4096 + 4096;
  cudaGraphNode_t allocated, freed;
  cudaGraphAddMemAllocNode(&allocated, graph, nullptr, 0, &allocation);
  cudaGraphAddMemFreeNode(&freed, graph, &allocated, 1, allocation.dptr);
  cudaGraphDestroy(graph);
}`;
  return Array.from({ length: functions }, (_, index) => one(index)).join('\n');
}
