/** A keystroke may cost less than a first reading, but it must say the same. */

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Analysis, createEngine, type Engine } from '../../src/pipeline.ts';
import { graphDocument } from '../../src/scene/graph-document.ts';
import { readGrammar } from '../support/engine.ts';

const folder = path.join(import.meta.dirname, '..', 'programs');
const programs = ['0001', '0012', '0021', '0045', '0134', '0167', '0248'].map((name) => `${folder}/${name}.cu`);

/** Files of many functions that nobody calls: what an edit does not touch is not run again. */
const fixtures = ['unknown-keeps-its-identity', 'not-a-race', 'alternatives-and-tests', 'outside-things'].map((name) =>
  path.join(import.meta.dirname, '..', 'fixtures', `${name}.cu`),
);

/** Tables, lists and members defined elsewhere: what hangs on what is not plain there. */
const tables = path.join(import.meta.dirname, 'tables-and-lists.cu');

/** Tests with common helpers: what is left out in one hangs on what others have tried. */
const helpers = path.join(import.meta.dirname, 'tests-with-helpers.cu');

/** A small generator, the same sequence every time. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return state / 2147483648;
  };
}

const pieces = [
  ' ',
  '\n',
  '\n\n',
  '// note\n',
  '/* note */',
  '\n    ',
  '}',
  '{',
  ';',
  '(',
  '"',
  '/*',
  '*/',
  '#if 0\n',
  '#endif\n',
  'int extra = 1;\n',
  'cudaFree(nullptr);',
  'cudaDeviceSynchronize();',
  'return;',
  'once(stream, data);',
  'cudaStreamSynchronize(other);',
  'cudaFree(data);',
];

function edit(text: string, next: () => number): string {
  const at = Math.floor(next() * text.length);
  if (next() < 0.4) return text.slice(0, at) + text.slice(Math.min(text.length, at + 1 + Math.floor(next() * 30)));
  return text.slice(0, at) + pieces[Math.floor(next() * pieces.length)] + text.slice(at);
}

function said(analysis: Analysis): unknown {
  return {
    findings: analysis.findings,
    gaps: analysis.gaps,
    functions: analysis.functions,
    graphs: graphDocument(analysis.facts, analysis.sources),
  };
}

describe('an analysis after an edit', () => {
  it.each([...programs, ...fixtures, tables, helpers].map((file) => [path.basename(file), file]))(
    'says what a first reading of the same text says: %s',
    async (_, file) => {
      const edited = await createEngine(readGrammar);
      const other = await freshEngine();
      const original = readFileSync(file, 'utf8');
      const next = random(original.length);
      let text = original;
      for (let step = 0; step < (file === tables || file === helpers ? 120 : 24); step++) {
        // Back to a whole program now and then, so that not every text is broken.
        text = step % 6 === 5 ? original : edit(text, next);
        const input = { file: 'edited.cu', text, language: 'cuda' as const };
        const first = said(edited.analyse(input));
        const again = said(other.analyse(input));
        expect(first, `step ${step}`).toEqual(again);
      }
    },
  );
});

/** What people type, letter by letter; each ends as a statement that is whole. */
const typings = [
  'cudaDeviceSynchronize();',
  'if (extra) { return; }',
  'float *extra = nullptr;',
  'for (;;) { break; }',
];

describe('an analysis while a statement is being typed', () => {
  it.each([...programs, tables].map((file) => [path.basename(file), file]))(
    'says of half a statement what it said before, and of a whole text what a first reading says: %s',
    async (_, file) => {
      const typed = await createEngine(readGrammar);
      const other = await freshEngine();
      const original = readFileSync(file, 'utf8');
      const lineEnds = [...original.matchAll(/;\n/g)].map(({ index }) => index + 2);
      const next = random(original.length);
      const input = { file: 'edited.cu', language: 'cuda' as const };
      const rules = (analysis: Analysis) => analysis.findings.map(({ rule }) => rule).sort();
      typed.analyse({ ...input, text: original, isTyped: true });
      let halves = 0;
      for (let round = 0; round < 4; round++) {
        const at = lineEnds[Math.floor(next() * lineEnds.length)]!;
        const statement = typings[round]!;
        let before = typed.analyse({ ...input, text: original, isTyped: true });
        const ups = Array.from(statement, (_, index) => index + 1);
        // Two of them are taken back letter by letter, too.
        for (const length of round < 2 ? [...ups, ...ups.map((each) => statement.length - each)] : ups) {
          const text = `${original.slice(0, at)}${statement.slice(0, length)}\n${original.slice(at)}`;
          const now = typed.analyse({ ...input, text, isTyped: true });
          if (now.halfTyped().size > 0) {
            halves++;
            if (isOneFunctionWith(text, statement.slice(0, length))) {
              expect(rules(now), `${round} ${length} at ${at}`).toEqual(rules(before));
            }
          } else {
            before = now;
            expect(said(now), `${round} ${length} at ${at}`).toEqual(said(other.analyse({ ...input, text })));
          }
        }
        const saved = { ...input, text: `${original.slice(0, at)}extra(\n${original.slice(at)}` };
        typed.analyse({ ...saved, isTyped: true });
        expect(said(typed.analyse(saved)), `saved at ${at}`).toEqual(said(other.analyse(saved)));
      }
      expect(halves).toBeGreaterThan(20);
    },
  );
});

/** Braces that are open make the functions behind it part of this one; outside of functions nothing stands in. */
function isOneFunctionWith(text: string, half: string): boolean {
  const count = (character: string) => half.split(character).length;
  return count('{') === count('}') && /^[ \t]/m.test(text);
}

/** An engine that has nothing of the file left: reading other files in between makes it forget. */
async function freshEngine(): Promise<Engine> {
  const engine = await createEngine(readGrammar);
  return {
    ...engine,
    analyse: (input) => {
      for (let index = 0; index < 14; index++)
        engine.analyse({ file: `other${index}.cu`, text: 'int x;', language: 'cuda' });
      return engine.analyse(input);
    },
  };
}
