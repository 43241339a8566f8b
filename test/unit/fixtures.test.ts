/** Every fixture reports what its carets say, and nothing else. How to write one: `test/support/carets.ts`. */

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createSourceText } from '../../src/base/source-text.ts';
import { allowedGaps, compare } from '../support/carets.ts';
import { analyseRepositoryFile, repository } from '../support/engine.ts';

const folder = 'test/fixtures';

const fixtures = readdirSync(path.join(repository, folder))
  .filter((file) => /\.(?:cu|cpp|ts)$/.test(file))
  .sort();

describe('fixtures', () => {
  for (const name of fixtures) it(name, () => check(name));
});

async function check(name: string): Promise<void> {
  const file = `${folder}/${name}`;
  const text = readFileSync(path.join(repository, file), 'utf8');
  const analysis = await analyseRepositoryFile(file);
  const { missing, unexpected } = compare(analysis, createSourceText(file, text));
  expect({ missing, unexpected }).toEqual({ missing: [], unexpected: [] });
  const allowed = allowedGaps(text);
  const gaps = [...new Set(analysis.gaps.map((gap) => `${gap.kind} ${gap.name}`))];
  expect(gaps.sort()).toEqual([...allowed].sort());
}
