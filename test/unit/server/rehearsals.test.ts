/** Analyses made while nobody waits, so that those that somebody waits for are quick. */

import { describe, expect, test } from 'vitest';
import { Cancelled, createEngine } from '../../../src/pipeline.ts';
import { createRehearsals } from '../../../src/server/rehearsals.ts';
import { readGrammar } from '../../support/engine.ts';
import { startClient } from './client.ts';

const uri = 'file:///a.cu';

describe('rehearsals', () => {
  test('follow an analysis that took long and read its document', async () => {
    const client = await startClient({ host: { messages: () => 0 } });
    client.open(uri, 'cudaGraph_t LONG;');
    await client.diagnostics(uri);
    await expect.poll(() => client.engine.rehearsed.length, { timeout: 5000 }).toBeGreaterThan(0);
    expect(client.engine.rehearsed[0]).toMatchObject({ file: uri, text: 'cudaGraph_t LONG;' });
    expect(client.engine.inputs).toHaveLength(1);
  });

  test('stop when a message comes and are taken up again, until one is quick', async () => {
    let messages = 0;
    const rehearsals = createRehearsals(() => messages);
    const stopped: boolean[] = [];
    const ended = new Promise<void>((resolve) => {
      rehearsals.analysed(100, (isStale) => {
        stopped.push(isStale());
        if (stopped.length === 1) messages++;
        if (stopped.length === 2) resolve();
        return !isStale();
      });
    });
    await ended;
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(stopped).toEqual([false, false]);
    rehearsals.dispose();
  });

  test('are given up where one fails', async () => {
    const rehearsals = createRehearsals(() => 0);
    let count = 0;
    const first = new Promise<void>((resolve) => {
      rehearsals.analysed(100, () => {
        count++;
        resolve();
        return false;
      });
    });
    await first;
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(count).toBe(1);
  });

  test('wait as long as messages come', async () => {
    let messages = 0;
    const rehearsals = createRehearsals(() => messages);
    let count = 0;
    const typing = setInterval(() => messages++, 50);
    rehearsals.analysed(100, () => {
      count++;
      return true;
    });
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(count).toBe(0);
    clearInterval(typing);
    await expect.poll(() => count, { timeout: 5000 }).toBe(1);
    rehearsals.dispose();
  });

  test('are not made of what is quick, nor where nobody can stop them', async () => {
    let count = 0;
    const rehearse = () => {
      count++;
      return true;
    };
    createRehearsals(() => 0).analysed(10, rehearse);
    createRehearsals(undefined).analysed(100, rehearse);
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(count).toBe(0);
  });
});

describe('a rehearsal of the engine', () => {
  test('keeps nothing, and is stopped like an analysis', async () => {
    const engine = await createEngine(readGrammar);
    const text = '#include <cuda_runtime.h>\nint main() { void *p; cudaMalloc(&p, 4); cudaFree(p); cudaFree(p); }';
    const input = { file: 'a.cu', text, language: 'cuda' as const };
    const before = engine.analyse(input).findings;
    expect(before).toHaveLength(1);
    engine.rehearse({ ...input, text: text.replace('cudaFree(p); cudaFree(p);', 'cudaFree(p);') });
    expect(engine.analyse(input).findings).toEqual(before);
    expect(() => engine.rehearse({ ...input, isCancelled: () => true })).toThrow(Cancelled);
  });
});
