/** No text is an error: whatever is cut out of a program, doubled, or typed into it, the analysis ends and says something. */

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { repository, testEngine } from '../support/engine.ts';

const engine = await testEngine();
const folder = path.join(repository, 'test', 'fixtures');

const texts = readdirSync(folder)
  .filter((name) => /\.(?:cu|ts)$/.test(name))
  .map((name) => ({ name, text: readFileSync(path.join(folder, name), 'utf8') }));

const pieces = [
  '{',
  '}',
  '(',
  ')',
  ';',
  '"',
  "'",
  '/*',
  '*/',
  '//',
  '#if 1\n',
  '#endif\n',
  '<<<',
  '>>>',
  '¶',
  '\0',
  '\u{1f600}',
  'template<',
  '= {',
  'return',
  '\r',
];

type Damage = (text: string) => string;

const damages: fc.Arbitrary<Damage> = fc
  .tuple(fc.nat(), fc.nat({ max: 60 }), fc.constantFrom(...pieces), fc.nat({ max: 3 }))
  .map(([at, length, piece, way]) => (text: string): string => {
    const start = text.length === 0 ? 0 : at % text.length;
    const end = Math.min(text.length, start + length);
    if (way === 0) return text.slice(0, start);
    if (way === 1) return text.slice(0, start) + text.slice(end);
    if (way === 2) return text.slice(0, end) + text.slice(start);
    return text.slice(0, start) + piece + text.slice(start);
  });

describe('damaged text', () => {
  it('is analysed to the end, and everything said has a place', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...texts),
        fc.array(damages, { minLength: 1, maxLength: 3 }),
        ({ name, text }, all) => {
          const damaged = all.reduce((done, damage) => damage(done), text);
          const language = name.endsWith('.ts') ? 'typescript' : 'cuda';
          const analysis = engine.analyse({ file: name, text: damaged, language });
          const spans = [
            ...analysis.findings.flatMap((finding) => [
              finding.span,
              ...finding.related.map((each) => each.span),
              ...finding.witness.map((step) => step.span),
            ]),
            ...analysis.gaps.map((gap) => gap.span),
          ];
          for (const { start, end } of spans) {
            expect(start).toBeGreaterThanOrEqual(0);
            expect(end).toBeGreaterThanOrEqual(start);
            expect(end).toBeLessThanOrEqual(damaged.length);
          }
          expect(analysis.scene().version).toBe(1);
        },
      ),
      { numRuns: 150 },
    );
  });

  it.fails('has no place that ends beyond it', () => {
    const text = '#include <cuda_runtime.h>\nint main() {\n  do {\n    cudaDeviceSynchronize();';
    const { gaps } = engine.analyse({ file: 'a.cu', text, language: 'cuda' });
    expect(gaps.length).toBeGreaterThan(0);
    for (const { span } of gaps) expect(span.end).toBeLessThanOrEqual(text.length);
  });
});
