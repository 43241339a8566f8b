/** The small pieces of the server: which files are ours, how sizes and lenses read, which settings are accepted. */

import { describe, expect, test } from 'vitest';
import { formatBytes } from '../../../src/base/format-bytes.ts';
import { createAttempts } from '../../../src/server/attempt.ts';
import { lensTitle } from '../../../src/server/code-lens.ts';
import { languageOf } from '../../../src/server/languages.ts';
import { rulePage } from '../../../src/server/rule-links.ts';
import {
  defaultSettings,
  settingsFromConfiguration,
  settingsFromInitialization,
} from '../../../src/server/settings.ts';

describe('languages', () => {
  test.each([
    ['file:///a/b.cu', 'plaintext', 'cuda'],
    ['file:///a/b.CUH', 'plaintext', 'cuda'],
    ['vscode-vfs://github/a/b.mts?ref=1', 'typescript', 'typescript'],
    ['untitled:Untitled-1', 'cuda-cpp', 'cuda'],
    ['file:///a/b.py', 'python', undefined],
    ['file:///a/cu', 'plaintext', undefined],
  ])('%s (%s) is %s', (uri, languageId, expected) => {
    expect(languageOf(uri, languageId)).toBe(expected);
  });
});

describe('words', () => {
  test.each([
    [0, '0 B'],
    [512, '512 B'],
    [4096, '4 KiB'],
    [64 * 2 ** 20, '64 MiB'],
    [1.5 * 2 ** 30, '1.5 GiB'],
    [33554433, '32 MiB'],
  ])('%d bytes are %s', (bytes, expected) => {
    expect(formatBytes(bytes)).toBe(expected);
  });

  test('a lens counts in words that fit the numbers', () => {
    const summary = {
      name: 'main',
      span: { file: 'a', start: 0, end: 4 },
      graphs: 1,
      nodes: 11,
      peakBytes: 2 ** 26,
      findings: 1,
    };
    expect(lensTitle(summary)).toBe('graph: 11 nodes · peak 64 MiB · 1 violation');
    expect(lensTitle({ ...summary, graphs: 2, nodes: 1, peakBytes: null, findings: 0 })).toBe(
      '2 graphs: 1 node · peak not determined · 0 violations',
    );
  });

  test('a rule leads to its page, in the editor where that is possible', () => {
    expect(rulePage('graph-use-free-race', true)).toBe('graphmem-rule:/graph-use-free-race.md');
    expect(rulePage('graph-use-free-race', false)).toMatch(/^https:.*\/graph-use-free-race\.md$/);
  });
});

describe('settings', () => {
  test('malformed values fall back, good ones beside them count', () => {
    const settings = settingsFromInitialization({
      enable: 'yes',
      models: [1, null, 'm.json'],
      commands: 1,
      wasm: { x: 'y' },
    });
    expect(settings).toEqual({ ...defaultSettings, models: [{ file: 'm.json' }] });
    expect(settingsFromInitialization(null)).toEqual(defaultSettings);
  });

  test('a change keeps what it does not mention', () => {
    const before = settingsFromInitialization({ enable: false, commands: true });
    expect(settingsFromConfiguration(before, { graphmem: { models: ['a'] } })).toMatchObject({
      enable: false,
      commands: true,
      models: [{ file: 'a' }],
    });
  });
});

describe('attempts', () => {
  test('nothing is cancelled while nothing is attempted, and a failure is a value', () => {
    const attempts = createAttempts(1000);
    expect(
      attempts.attempt(
        () => attempts.isCancelled(),
        () => true,
      ),
    ).toEqual({ kind: 'done', value: true });
    expect(attempts.isCancelled()).toBe(false);
    const failure = attempts.attempt(() => {
      throw new Error('no\nreally');
    });
    expect(failure).toEqual({ kind: 'failed', reason: 'no' });
  });

  test('what takes too long is given up, and says so', () => {
    const attempts = createAttempts(10);
    const result = attempts.attempt(() => {
      for (;;) if (attempts.isCancelled()) throw new Error('stopped');
    });
    expect(result).toEqual({ kind: 'failed', reason: 'it took longer than 0.01 s' });
  });
});
