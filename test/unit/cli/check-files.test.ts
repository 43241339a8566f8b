/** `--jobs`: what several threads say is what one says, in order; and a thread that ends takes one file with it. */

import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkFiles, countOfJobs } from '../../../src/cli/check-files.ts';
import type { CommandIo } from '../../../src/cli/io.ts';
import { repository, testEngine } from '../../support/engine.ts';

const settings = { models: [], defines: [], withCalls: false };

describe('threads that answer files', () => {
  /** Ends at `dies`, throws at `throws`, and says of all others that there is nothing to read in them. */
  const script = `
    const { parentPort } = require('node:worker_threads');
    parentPort.on('message', (file) => {
      if (file === 'dies') process.exit(3);
      if (file === 'throws') throw new Error('no more memory');
      setTimeout(() => parentPort.postMessage({ kind: 'irrelevant', file, milliseconds: 0 }), file === 'slow' ? 50 : 0);
    });`;
  const io: CommandIo = {
    stdout: () => {},
    stderr: () => {},
    readFile: async () => new Uint8Array(),
    writeFile: async () => {},
    loadEngine: testEngine,
    startThread: () => new Worker(script, { eval: true }),
  };

  it('keeps the order of the files, whichever is ready first', async () => {
    const files = ['slow', 'b', 'c', 'd', 'e'];
    const outcomes = await checkFiles(files, settings, 3, io);
    expect(outcomes.map(({ file }) => file)).toEqual(files);
  });

  it('goes on behind a thread that ended or threw, and says why that file was left', async () => {
    const outcomes = await checkFiles(['a', 'dies', 'b', 'throws', 'c', 'dies'], settings, 2, io);
    expect(outcomes.map((each) => (each.kind === 'quarantined' ? [each.file, each.reason] : each.file))).toEqual([
      'a',
      ['dies', 'its thread ended with code 3'],
      'b',
      ['throws', 'no more memory'],
      'c',
      ['dies', 'its thread ended with code 3'],
    ]);
  });
});

describe('--jobs', () => {
  it.each([
    [undefined, 1],
    ['3', 3],
  ])('%s', (given, value) => {
    expect(countOfJobs(given)).toEqual({ value });
  });

  it.each(['0', '-1', 'x', '', '1.5', '1000'])('refuses "%s"', (given) => {
    expect(countOfJobs(given)).toHaveProperty('error');
  });

  const folder = mkdtempSync(path.join(os.tmpdir(), 'graphmem-jobs-'));
  const command = path.join(folder, 'cli.cjs');
  beforeAll(async () => {
    await build({
      absWorkingDir: repository,
      entryPoints: ['src/cli/main.ts'],
      outfile: command,
      bundle: true,
      platform: 'node',
      format: 'cjs',
      define: { 'import.meta.url': 'address' },
      banner: { js: "const address = require('node:url').pathToFileURL(__filename).href;" },
    });
    for (const name of ['web-tree-sitter/web-tree-sitter', 'tree-sitter-cuda/tree-sitter-cuda'])
      copyFileSync(
        path.join(repository, 'node_modules', `${name}.wasm`),
        path.join(folder, `${path.basename(name)}.wasm`),
      );
    copyFileSync(
      path.join(repository, 'node_modules', 'tree-sitter-typescript/tree-sitter-typescript.wasm'),
      path.join(folder, 'tree-sitter-typescript.wasm'),
    );
    writeFileSync(path.join(folder, 'broken.cu'), new Uint8Array([0, 1, 2, 0]));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('says what one thread says: findings with their fixes, gaps and calls', () => {
    const files = [path.join(repository, 'examples'), path.join(folder, 'broken.cu')];
    const said = (...jobs: string[]) => {
      const words = ['check', '--format', 'json', '--gaps', '--fail-on', 'never', ...jobs, ...files];
      const { stdout, status } = spawnSync(process.execPath, [command, ...words], { encoding: 'utf8', stdio: 'pipe' });
      expect(status, 'a file that was named was not read').toBe(2);
      return stdout.replace(/"milliseconds": [\d.]+/g, '"milliseconds": 0');
    };
    const alone = said();
    expect(JSON.parse(alone).findings.some((each: { fixes: unknown[] }) => each.fixes.length > 0)).toBe(true);
    expect(alone).toContain('a binary file');
    expect(said('--jobs', '3')).toBe(alone);
  });
});
