/**
 * Whole programs in idioms of C and C++ (`test/idioms`), each in two versions: `// only wrong` and `// only right` stand behind lines of one
 * of them, `// found: RULE` behind a line of the wrong one where that is said. The right one is free of errors and warnings.
 */

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { positionAt } from '../../src/base/source-text.ts';
import { analyseText, repository } from '../support/engine.ts';

const folder = path.join(repository, 'test', 'idioms');
const programs = readdirSync(folder).filter((name) => name.endsWith('.cu'));

/** The text of one version; its lines stand where they stand in the file. */
function version(text: string, wanted: 'wrong' | 'right'): string {
  const other = wanted === 'wrong' ? '// only right' : '// only wrong';
  return text
    .split('\n')
    .map((line) => (line.includes(other) ? '' : line.replace(/ \/\/ (?:only|found:) .*$/, '')))
    .join('\n');
}

/** What is to be found, `line rule`. */
function marked(text: string): readonly string[] {
  return text
    .split('\n')
    .flatMap((line, index) => [...line.matchAll(/\/\/ found: (\S+)/g)].map(([, rule]) => `${index + 1} ${rule}`));
}

async function found(text: string) {
  const { findings, sources, file } = await analyseText(text);
  const source = sources.get(file)!;
  return findings.map(({ rule, severity, span }) => ({
    place: `${positionAt(source, span.start).line} ${rule}`,
    isSaidOutright: severity === 'error' || severity === 'warning',
  }));
}

describe('programs in other idioms', () => {
  test('are there', () => expect(programs.length).toBeGreaterThan(50));

  test.each(programs)('%s', async (name) => {
    const text = readFileSync(path.join(folder, name), 'utf8');
    const right = await found(version(text, 'right'));
    expect(right.filter(({ isSaidOutright }) => isSaidOutright)).toEqual([]);
    const known = new Set(right.map(({ place }) => place));
    const wrong = (await found(version(text, 'wrong'))).map(({ place }) => place).filter((place) => !known.has(place));
    expect([...new Set(wrong)].sort()).toEqual([...new Set(marked(text))].sort());
  });
});
