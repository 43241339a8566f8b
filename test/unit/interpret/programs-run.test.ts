/**
 * Programs and the values that they work out. `programs-run.json` has programs of what people write around CUDA (classes, templates,
 * containers, algorithms, texts, streams, numbers, sizes), and what each gave to its `put` when g++ 12 had compiled it: that many bytes are
 * allocated. What the engine says of a value is never something else; of a few it says that it does not know them.
 */

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { evaluateSize } from '../../../src/trace/size.ts';
import { analyseText } from '../../support/engine.ts';

interface Recording {
  readonly head: readonly string[];
  /** Values that may be unknown, in all programs together. */
  readonly unknown: number;
  readonly programs: readonly { readonly name: string; readonly text: string; readonly bytes: readonly number[] }[];
}

const { head, unknown, programs }: Recording = JSON.parse(
  readFileSync(new URL('../../recordings/programs-run.json', import.meta.url), 'utf8'),
);

/** What the program allocates, one after the other; null where that is not known. */
async function bytesOf(text: string): Promise<(number | null)[]> {
  const { facts } = await analyseText(`${head.join('\n')}\n${text}`);
  const trace = facts.get('main')?.trace;
  return (trace?.events ?? []).flatMap((event) => {
    if (event.verb !== 'memory.allocateAsync') return [];
    const bytes = trace?.allocations[event.allocation]?.bytes;
    return [bytes ? evaluateSize(bytes) : null];
  });
}

describe('programs give what they gave when they were compiled', () => {
  let open = 0;

  it.each(programs.map(({ name, text, bytes }) => [name, text, bytes] as const))('%s', async (_, text, bytes) => {
    const found = await bytesOf(text);
    expect(found.map((each, index) => each ?? bytes[index])).toEqual(bytes);
    open += found.filter((each) => each === null).length;
  });

  it('of few values nothing is known', () => {
    expect(open).toBeLessThanOrEqual(unknown);
  });
});
