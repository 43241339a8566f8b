/** What the command prints fits the schemas that ship with it. */

import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkCommand } from '../../../src/cli/check.ts';
import { graphCommand } from '../../../src/cli/graph.ts';
import { simulateCommand } from '../../../src/cli/simulate.ts';
import { repository, testEngine } from '../../support/engine.ts';
import { schemaProblems } from '../../support/json-schema.ts';

const schema = (name: string): unknown =>
  JSON.parse(readFileSync(path.join(repository, 'schema', `${name}.schema.json`), 'utf8'));

const listed = (folder: string, ending: RegExp): string[] =>
  readdirSync(path.join(repository, folder))
    .filter((name) => ending.test(name))
    .map((name) => path.join(repository, folder, name));

const fixtures = listed('test/fixtures', /\.(?:cu|ts)$/);
const examples = listed('examples', /\.(?:cu|ts)$/);
const programs = listed('test/programs', /\.cu$/).filter((_, index) => index % 16 === 0);

async function printed(command: typeof checkCommand, words: readonly string[]): Promise<unknown> {
  let out = '';
  await command(words, {
    stdout: (text) => {
      out += text;
    },
    stderr: () => {},
    readFile: (file) => readFile(file),
    writeFile: async () => {},
    loadEngine: testEngine,
  });
  return out === '' ? undefined : JSON.parse(out);
}

describe('schemas', () => {
  it('check', async () => {
    const report = await printed(checkCommand, ['--format', 'json', ...examples, ...fixtures, ...programs]);
    expect(schemaProblems(schema('check'), report)).toEqual([]);
  });

  it.each([
    ['graph', graphCommand],
    ['simulate', simulateCommand],
  ])('%s', async (name, command) => {
    let reports = 0;
    for (const file of [...examples, ...fixtures, ...programs]) {
      const report = await printed(command, ['--format', 'json', file]);
      if (report === undefined) continue;
      reports++;
      expect(schemaProblems(schema(name), report), file).toEqual([]);
    }
    expect(reports).toBeGreaterThan(100);
  });

  it('models', () => {
    const models = {
      rows: [
        {
          name: 'poolTake',
          arity: [2, 3],
          effects: [{ verb: 'memory.allocateAsync', pointer: 'return', bytes: ['arg0'], stream: 'arg1' }],
        },
        {
          name: 'Pool::give',
          effects: [{ verb: 'memory.freeAsync', pointer: 'arg0', stream: 'arg1' }],
          returns: 'status',
        },
      ],
      pure: ['logLine'],
    };
    expect(schemaProblems(schema('models'), models)).toEqual([]);
    expect(schemaProblems(schema('models'), { rows: [{ effects: [{}], effcts: 1 }] })).toEqual([
      '$.rows[0].effects[0]: "verb" is missing',
      '$.rows[0]: "name" is missing',
      '$.rows[0]: "effcts" is not expected',
    ]);
  });

  it('refuse what does not fit', () => {
    const problems = schemaProblems(schema('check'), { version: 2, findings: [{}], gaps: [], files: 3, more: 1 });
    expect(problems).toContain('$.version: is not 1');
    expect(problems).toContain('$.files: is number, not array');
    expect(problems).toContain('$: "more" is not expected');
    expect(problems).toContain('$.findings[0]: "rule" is missing');
  });
});
