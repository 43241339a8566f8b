/**
 * An engine for tests of the server: it "finds" every word `BAD`, repairs it by `GOOD`, throws on `POISON`, waits to be
 * cancelled on `SLOW`, takes its time on `LONG`, reads includes, takes `HALF` for something half typed, and counts every `graph` as a node.
 */

import type { Finding } from '../../../src/base/finding.ts';
import { createSourceText } from '../../../src/base/source-text.ts';
import type { Span } from '../../../src/base/span.ts';
import type { Analysis, AnalysisInput, Engine } from '../../../src/pipeline.ts';
import type { Scene } from '../../../src/scene/scene.ts';

export interface FakeEngine extends Engine {
  /** The inputs it was given, oldest first. */
  readonly inputs: AnalysisInput[];
  /** The inputs it was to rehearse, oldest first. */
  readonly rehearsed: AnalysisInput[];
}

export function createFakeEngine(): FakeEngine {
  const inputs: AnalysisInput[] = [];
  const rehearsed: AnalysisInput[] = [];
  return {
    inputs,
    rehearsed,
    rehearse: (input) => void rehearsed.push(input),
    analyse(input) {
      inputs.push(input);
      return analyse(input);
    },
  };
}

function analyse(input: AnalysisInput): Analysis {
  const { file, text } = input;
  if (text.includes('POISON')) throw new Error('poisoned\nsecond line');
  if (text.includes('SLOW')) waitUntilCancelled(input);
  if (text.includes('LONG')) waitFor(60);
  const includes = [...text.matchAll(/#include "([^"]+)"/g)].flatMap(
    ([, name]) => input.readInclude?.(name!, file) ?? [],
  );
  const files = [{ file, text }, ...includes];
  const sources = new Map(files.map((each) => [each.file, createSourceText(each.file, each.text)]));
  const findings = files.flatMap((each) => wordsIn(each.file, each.text, 'BAD').map(badWord));
  return {
    file,
    status: text.includes('UNKNOWN') ? 'partial' : 'ok',
    findings,
    gaps: wordsIn(file, text, 'UNKNOWN').map((span) => ({ kind: 'callee', name: 'UNKNOWN', span })),
    callSites: () => [],
    halfTyped: () => new Set(text.includes('HALF') ? ['main'] : []),
    sources,
    functions: wordsIn(file, text, 'main').map((span) => ({
      name: 'main',
      span,
      nodes: wordsIn(file, text, 'cudaGraphNode').length,
      graphs: 1,
      peakBytes: 64 * 1024 * 1024,
      findings: findings.length,
    })),
    entries: ['main'],
    facts: new Map(),
    fixes: ({ span }) => [
      { title: 'Say GOOD', edits: [{ span, newText: 'GOOD' }] },
      { title: 'Say nothing', edits: [{ span, newText: '' }] },
    ],
    hover: (offset) => {
      const span = wordsIn(file, text, 'BAD').find(({ start, end }) => start <= offset && offset <= end);
      return span && { span, markdown: '**BAD** is a word' };
    },
    whatIfCode: ({ changes }) =>
      text.includes('FIXED')
        ? { kind: 'refused', reason: `no place for ${changes?.length} change` }
        : { kind: 'edit', edit: { span: { file, start: 0, end: 0 }, newText: '// changed\n' } },
    reading: () => null,
    scene: (options) => {
      if (text.includes('NOPICTURE')) throw new Error('no picture');
      return emptyScene(file, options?.entry ?? 'main', text.includes('main'));
    },
  };
}

function badWord(span: Span): Finding {
  return {
    rule: 'bad-word',
    severity: 'error',
    certainty: 'always',
    message: 'BAD is used',
    span,
    related: [{ role: 'here', message: 'said here', span }],
    witness: [
      { message: 'said here', span },
      { message: 'then heard here', span },
    ],
  };
}

function wordsIn(file: string, text: string, word: string): Span[] {
  return [...text.matchAll(new RegExp(`\\b${word}\\b`, 'g'))].map(({ index }) => ({
    file,
    start: index,
    end: index + word.length,
  }));
}

function waitUntilCancelled({ isCancelled }: AnalysisInput): void {
  const end = Date.now() + 5000;
  while (Date.now() < end) if (isCancelled?.()) throw new Error('cancelled');
  throw new Error('nobody cancelled');
}

function waitFor(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

function emptyScene(file: string, entry: string, hasGraph: boolean): Scene {
  const place = { file, range: { start: { line: 1, column: 1 }, end: { line: 1, column: 1 } } };
  const graph = {
    id: 0,
    name: 'graph',
    built: 'explicit' as const,
    instantiated: true,
    flags: [],
    result: 'cudaSuccess',
    place,
    nodes: [],
    edges: [],
    peakLiveBytes: null,
    footprintBytes: null,
  };
  return {
    version: 1,
    file,
    entry,
    entries: [entry],
    driver: { name: 'fake', estimate: true },
    graphs: hasGraph ? [graph] : [],
    allocations: [],
    lanes: [],
    operations: [],
    blocks: [],
    findings: [],
    gaps: [],
    symbols: [],
    peak: { used: 0, reserved: 0 },
  };
}
