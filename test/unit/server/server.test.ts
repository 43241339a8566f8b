/** The language server as a client sees it, over the real protocol, with an engine that finds the word `BAD`. */

import { describe, expect, test } from 'vitest';
import type { CodeAction, CodeLens, Hover } from 'vscode-languageserver/node';
import type { SceneResult, WhatIfEditsResult } from '../../../src/scene/requests.ts';
import { startClient } from './client.ts';

const uri = 'file:///project/graph.cu';
const range = (line: number, start: number, end: number) => ({
  start: { line, character: start },
  end: { line, character: end },
});

describe('diagnostics', () => {
  test('carry range, rule, page, related places and version', async () => {
    const client = await startClient();
    client.open(uri, 'cudaGraph_t g;\nint BAD;');
    expect(await client.diagnostics(uri)).toEqual([
      {
        range: range(1, 4, 7),
        severity: 1,
        code: 'bad-word',
        codeDescription: { href: expect.stringMatching(/^https:.*\/docs\/rules\/bad-word\.md$/) },
        source: 'graphmem',
        message: 'BAD is used',
        relatedInformation: [
          { location: { uri, range: range(1, 4, 7) }, message: 'said here' },
          { location: { uri, range: range(1, 4, 7) }, message: 'then heard here' },
        ],
      },
    ]);
  });

  test('follow every edit, of unsaved text too, and the newest version wins', async () => {
    const client = await startClient();
    client.open(uri, 'cudaGraph_t g; BAD');
    await client.diagnostics(uri);
    for (let version = 2; version <= 20; version++)
      client.edit(uri, version, `cudaGraph_t g; ${'BAD '.repeat(version)}`);
    expect(await client.diagnostics(uri, 20)).toHaveLength(20);
    const versions = client.published.map((each) => each.version ?? 0);
    expect(versions).toEqual([...versions].sort((a, b) => a - b));
  });

  test('say nothing new of a text that is half typed, until it is saved', async () => {
    const client = await startClient();
    client.open(uri, 'cudaGraph_t g;');
    expect(await client.diagnostics(uri)).toEqual([]);
    client.edit(uri, 2, 'cudaGraph_t g; HALF BAD');
    expect(await client.diagnostics(uri, 2)).toEqual([]);
    const actions = await client.request<CodeAction[]>('textDocument/codeAction', {
      textDocument: { uri },
      range: range(0, 20, 23),
      context: { diagnostics: [] },
    });
    expect(actions).toEqual([]);
    const published = client.published.length;
    void client.connection.sendNotification('textDocument/didSave', { textDocument: { uri } });
    await expect.poll(() => client.published.length).toBeGreaterThan(published);
    expect(await client.diagnostics(uri, 2)).toHaveLength(1);
  });

  test('an incremental edit changes only its range', async () => {
    const client = await startClient();
    client.open(uri, 'cudaGraph_t g;\n😀 BAD\n');
    await client.diagnostics(uri);
    void client.connection.sendNotification('textDocument/didChange', {
      textDocument: { uri, version: 2 },
      contentChanges: [{ range: range(1, 3, 3), text: 'x ' }],
    });
    expect(await client.diagnostics(uri, 2)).toMatchObject([{ range: range(1, 5, 8) }]);
  });

  test('a file without anything of ours is not analysed and gets an empty list', async () => {
    const client = await startClient();
    client.open('file:///a.cpp', 'int main() { return BAD; }', 'cpp');
    expect(await client.diagnostics('file:///a.cpp')).toEqual([]);
    expect(client.engine.inputs).toEqual([]);
    expect(client.analysed).toEqual([]);
  });

  test('the language comes from the file name, for unsaved documents from the language id', async () => {
    const client = await startClient();
    const files = ['file:///a.ts', 'file:///a.hpp', 'untitled:Untitled-1'];
    client.open(files[0]!, 'graphmem', 'typescript');
    client.open(files[1]!, 'graphmem', 'cpp');
    client.open(files[2]!, 'graphmem', 'typescript');
    for (const each of files) await client.diagnostics(each);
    expect(client.engine.inputs.map(({ language }) => language).sort()).toEqual(['cuda', 'typescript', 'typescript']);
  });

  test('disappear when the document is closed', async () => {
    const client = await startClient();
    client.open(uri, 'cudaGraph_t g; BAD');
    await client.diagnostics(uri);
    client.close(uri);
    await expect.poll(() => client.published.at(-1)).toEqual({ uri, diagnostics: [] });
  });
});

describe('quarantine', () => {
  test('a file that the engine fails on is named, until it changes', async () => {
    const client = await startClient();
    client.open(uri, 'cudaGraph_t POISON;');
    expect(await client.diagnostics(uri)).toMatchObject([
      {
        range: range(0, 0, 0),
        severity: 3,
        message: 'Graph Memory Debugger could not analyse this file: poisoned; it is set aside until it changes',
      },
    ]);
    await expect.poll(() => client.analysed.at(-1)).toMatchObject({ uri, version: 1, status: 'quarantined' });
    client.edit(uri, 2, 'cudaGraph_t BAD;');
    expect(await client.diagnostics(uri, 2)).toMatchObject([{ code: 'bad-word' }]);
  });

  test('other files and requests are answered as before', async () => {
    const client = await startClient();
    client.open(uri, 'cudaGraph_t POISON;');
    client.open('file:///good.cu', 'cudaGraph_t BAD;');
    expect(await client.diagnostics('file:///good.cu')).toHaveLength(1);
    expect(
      await client.request('textDocument/hover', { textDocument: { uri }, position: range(0, 0, 0).start }),
    ).toBeNull();
    expect(await client.request<SceneResult>('graphmem/scene', { uri })).toMatchObject({
      kind: 'failed',
      detail: 'poisoned',
    });
  });

  test('an engine that cannot be loaded is said once, and nothing hangs', async () => {
    const client = await startClient({ host: { createEngine: () => Promise.reject(new Error('no wasm')) } });
    client.open(uri, 'cudaGraph_t BAD;');
    expect(await client.request('textDocument/codeLens', { textDocument: { uri } })).toEqual([]);
    expect(client.messages).toEqual(['Graph Memory Debugger cannot start: no wasm']);
  });
});

describe('cancellation', () => {
  test('an analysis whose text became old is given up and nothing is published for it', async () => {
    let waiting = false;
    const client = await startClient({
      host: {
        editsWaiting: () => {
          const answer = waiting;
          waiting = false;
          return answer;
        },
      },
    });
    client.open(uri, 'cudaGraph_t BAD;');
    await client.diagnostics(uri);
    waiting = true;
    client.edit(uri, 2, 'cudaGraph_t SLOW;');
    await expect.poll(() => client.engine.inputs.length).toBe(2);
    client.edit(uri, 3, 'cudaGraph_t BAD BAD;');
    expect(await client.diagnostics(uri, 3)).toHaveLength(2);
    expect(client.published.map(({ version }) => version)).toEqual([1, 3]);
  });
});

describe('includes', () => {
  const header = 'file:///project/buffers.cuh';
  const text = '#include "buffers.cuh"\ncudaGraph_t g;';

  test('are read beside the file, and their findings are published for them', async () => {
    const client = await startClient({
      host: { readFile: (each) => (each === header ? 'int x;\nint BAD;' : undefined) },
    });
    client.open(uri, text);
    expect(await client.diagnostics(uri)).toEqual([]);
    await expect
      .poll(() => client.published.findLast((each) => each.uri === header))
      .toEqual({ uri: header, diagnostics: [expect.objectContaining({ range: range(1, 4, 7) })] });
    client.close(uri);
    await expect.poll(() => client.published.findLast((each) => each.uri === header)?.diagnostics).toEqual([]);
  });

  test('unsaved text of an open header counts, and an edit of it runs its readers again', async () => {
    const client = await startClient({ host: { readFile: () => 'BAD' } });
    client.open(header, 'cudaGraph_t h;');
    client.open(uri, text);
    expect(await client.diagnostics(uri)).toEqual([]);
    const before = client.engine.inputs.filter(({ file }) => file === uri).length;
    client.edit(header, 2, 'cudaGraph_t h; BAD');
    await expect.poll(() => client.engine.inputs.filter(({ file }) => file === uri).length).toBeGreaterThan(before);
    expect(await client.diagnostics(header, 2)).toHaveLength(1);
  });

  test('a new compilation database says anew how every document is compiled', async () => {
    const database = 'file:///project/compile_commands.json';
    let text: string | undefined;
    const client = await startClient({ host: { readFile: (each) => (each === database ? text : undefined) } });
    client.open(uri, 'cudaGraph_t g;');
    await client.diagnostics(uri);
    expect(client.engine.inputs.at(-1)?.defines).toEqual([]);
    text = JSON.stringify([{ directory: '/project', file: 'graph.cu', command: 'nvcc -DFAST=1 -c graph.cu' }]);
    void client.connection.sendNotification('workspace/didChangeWatchedFiles', {
      changes: [{ uri: database, type: 1 }],
    });
    await expect.poll(() => client.engine.inputs.at(-1)?.defines).toEqual(['FAST=1']);
  });

  test('source files beside a document are known, and those that come later, too', async () => {
    const names = ['graph.cu', 'ops.cu', 'notes.txt'];
    const client = await startClient({
      host: { readFile: () => undefined, listFolder: (each) => (each === 'file:///project' ? [...names] : undefined) },
    });
    client.open(uri, 'cudaGraph_t g;');
    await client.diagnostics(uri);
    const sources = () => client.engine.inputs.at(-1)?.sourcesNear?.(uri);
    expect(sources()).toEqual(['ops.cu']);
    names.push('more.cu');
    expect(sources()).toEqual(['ops.cu']);
    void client.connection.sendNotification('workspace/didChangeWatchedFiles', {
      changes: [{ uri: 'file:///project/more.cu', type: 1 }],
    });
    await expect.poll(sources).toEqual(['more.cu', 'ops.cu']);
  });

  test('a text that calls CUDA through a header only is analysed, from when the header does', async () => {
    const client = await startClient({ host: { readFile: () => undefined } });
    client.open(header, 'struct Buffer;', 'cpp');
    client.open(uri, '#include "buffers.cuh"\nBuffer BAD;', 'cpp');
    expect(await client.diagnostics(uri)).toEqual([]);
    client.edit(header, 2, 'struct Buffer { Buffer() { cudaMalloc(&p, 4); } };');
    await expect.poll(() => client.published.findLast((each) => each.uri === uri)?.diagnostics.length).toBe(1);
  });

  test('a change on disk runs the readers again', async () => {
    let content = 'int x;';
    const client = await startClient({ host: { readFile: () => content } });
    client.open(uri, text);
    await client.diagnostics(uri);
    content = 'int BAD;';
    void client.connection.sendNotification('workspace/didChangeWatchedFiles', { changes: [{ uri: header, type: 2 }] });
    await expect.poll(() => client.published.findLast((each) => each.uri === header)?.diagnostics.length).toBe(1);
  });
});

describe('requests', () => {
  test('the lens says nodes, peak and violations, and offers the commands', async () => {
    const client = await startClient({ initializationOptions: { commands: true } });
    client.open(uri, 'int main() { cudaGraphNode cudaGraphNode BAD }');
    const lenses = await client.request<CodeLens[]>('textDocument/codeLens', { textDocument: { uri } });
    expect(lenses.map(({ command }) => command?.title).join(' | ')).toBe(
      'graph: 2 nodes · peak 64 MiB · 1 violation | Show graph | Simulate',
    );
    expect(lenses[2]?.command).toEqual({ title: 'Simulate', command: 'graphmem.simulate', arguments: [uri, 'main'] });
  });

  test('an editor without our commands is offered none', async () => {
    const client = await startClient();
    client.open(uri, 'int main() { cudaGraphNode BAD }');
    const lenses = await client.request<CodeLens[]>('textDocument/codeLens', { textDocument: { uri } });
    expect(lenses.map(({ command }) => command?.title)).toEqual(['graph: 1 node · peak 64 MiB · 1 violation']);
    const params = { textDocument: { uri }, range: range(0, 27, 30), context: { diagnostics: [] } };
    const actions = await client.request<CodeAction[]>('textDocument/codeAction', params);
    expect(actions.map(({ title }) => title)).toEqual(['Say GOOD', 'Say nothing']);
  });

  test('the hover is of the newest text, published or not', async () => {
    const client = await startClient();
    client.open(uri, 'cudaGraph_t BAD;');
    client.edit(uri, 2, 'cudaGraph_t  BAD;');
    const hover = await client.request<Hover>('textDocument/hover', {
      textDocument: { uri },
      position: { line: 0, character: 14 },
    });
    expect(hover).toEqual({ contents: { kind: 'markdown', value: '**BAD** is a word' }, range: range(0, 13, 16) });
  });

  test('the light bulb offers verified edits for this version, the first preferred, and the explanation', async () => {
    const client = await startClient({ initializationOptions: { commands: true } });
    client.open(uri, 'cudaGraph_t g;\nBAD');
    const params = { textDocument: { uri }, range: range(1, 1, 1), context: { diagnostics: [] } };
    const actions = await client.request<CodeAction[]>('textDocument/codeAction', params);
    expect(actions).toMatchObject([
      {
        title: 'Say GOOD',
        kind: 'quickfix',
        isPreferred: true,
        edit: {
          documentChanges: [{ textDocument: { uri, version: 1 }, edits: [{ range: range(1, 0, 3), newText: 'GOOD' }] }],
        },
      },
      { title: 'Say nothing', isPreferred: false },
      { title: 'Explain bad-word', command: { command: 'graphmem.explainRule', arguments: ['bad-word'] } },
    ]);
    const elsewhere = { ...params, range: range(0, 0, 3) };
    expect(await client.request('textDocument/codeAction', elsewhere)).toEqual([]);
  });

  test('the scene, or why there is none', async () => {
    const client = await startClient();
    client.open(uri, 'int main() { cudaGraphNode }');
    client.open('file:///empty.cu', 'cudaGraph_t g;');
    client.open('file:///bad.cu', 'cudaGraph_t NOPICTURE;');
    const scene = (params: unknown) => client.request<SceneResult>('graphmem/scene', params);
    expect(await scene({ uri, entry: 'main' })).toMatchObject({ kind: 'scene', scene: { entry: 'main' } });
    expect(await scene({ uri: 'file:///empty.cu' })).toMatchObject({ kind: 'empty' });
    expect(await scene({ uri: 'file:///bad.cu' })).toMatchObject({ kind: 'failed', detail: 'no picture' });
    expect(await scene({ uri: 'file:///closed.cu' })).toMatchObject({ kind: 'failed', title: 'The file is not open' });
  });

  test('the client is told of every analysis', async () => {
    const client = await startClient();
    client.open(uri, 'cudaGraph_t g;\n  UNKNOWN BAD');
    await expect
      .poll(() => client.analysed.at(-1))
      .toMatchObject({
        uri,
        version: 1,
        findings: 1,
        status: 'partial',
        gaps: [
          { kind: 'callee', name: 'UNKNOWN', range: { start: { line: 2, column: 3 }, end: { line: 2, column: 10 } } },
        ],
      });
  });
});

describe('settings', () => {
  test('switched off, nothing is analysed and what was published goes away', async () => {
    const client = await startClient();
    client.open(uri, 'cudaGraph_t BAD;');
    expect(await client.diagnostics(uri)).toHaveLength(1);
    void client.connection.sendNotification('workspace/didChangeConfiguration', {
      settings: { graphmem: { enable: false } },
    });
    await expect.poll(() => client.published.at(-1)?.diagnostics).toEqual([]);
  });

  test('model files come with their text or are read; one that is not there or has a mistake is named', async () => {
    const models = ['/a.json', { file: 'b.json', text: '{}' }, '/missing.json', 7];
    const client = await startClient({
      host: { readFile: (file) => (file === '/a.json' ? '{ "rows": [] }' : undefined) },
      initializationOptions: { models },
    });
    client.open(uri, 'cudaGraph_t g;');
    await client.diagnostics(uri);
    expect(client.engine.inputs[0]?.models).toEqual([
      { file: '/a.json', text: '{ "rows": [] }' },
      { file: 'b.json', text: '{}' },
    ]);
    expect(client.messages).toEqual([
      'Graph Memory Debugger: in a model file is a mistake: b.json: "rows" must be a list',
      'Graph Memory Debugger: the model file /missing.json could not be read',
    ]);
  });
});

describe('what-if', () => {
  const changes = [{ kind: 'moveFree', free: 3 }];

  test('comes back as edits for the version that was read', async () => {
    const client = await startClient();
    client.open(uri, 'cudaGraph_t g;');
    client.edit(uri, 2, 'cudaGraph_t graph;');
    await client.diagnostics(uri, 2);
    const start = { line: 1, column: 1 };
    expect(await client.request<WhatIfEditsResult>('graphmem/whatIfEdits', { uri, changes })).toEqual({
      kind: 'edits',
      version: 2,
      edits: [{ range: { start, end: start }, newText: '// changed\n' }],
    });
  });

  test('is refused with the reason, also for a file that is not open', async () => {
    const client = await startClient();
    client.open(uri, 'cudaGraph_t FIXED;');
    await client.diagnostics(uri);
    const ask = (file: string) => client.request<WhatIfEditsResult>('graphmem/whatIfEdits', { uri: file, changes });
    expect(await ask(uri)).toEqual({ kind: 'refused', reason: 'no place for 1 change' });
    expect(await ask('file:///other.cu')).toMatchObject({ kind: 'refused' });
  });
});
