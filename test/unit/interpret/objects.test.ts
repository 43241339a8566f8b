/**
 * What programs allocate and free, and in what order: `objects.json` has functions (members that own, assignments and copies
 * without an operator, constructors that throw, temporaries, containers of owners, sizes of types, templates), some of them
 * generated, and what they did when g++ 12 had compiled them: `m64` allocates 64 bytes, `f2` frees what was allocated third.
 */

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { evaluateSize } from '../../../src/trace/size.ts';
import { analyseText } from '../../support/engine.ts';

interface Recording {
  readonly before: string;
  readonly groups: readonly {
    readonly before: string;
    /** `atEnd`: what ends behind the function that was recorded, with the program. */
    readonly programs: readonly {
      readonly before?: string;
      readonly body: string;
      readonly calls: string;
      readonly atEnd?: string;
    }[];
  }[];
}

const { before, groups }: Recording = JSON.parse(
  readFileSync(new URL('../../recordings/objects.json', import.meta.url), 'utf8'),
);

async function callsOf(text: string): Promise<string> {
  const { facts } = await analyseText(text);
  const trace = facts.get('main')?.trace;
  const made: number[] = [];
  const calls = trace?.events.flatMap((event) => {
    if (event.verb === 'memory.allocate') {
      made.push(event.allocation);
      const bytes = trace.allocations[event.allocation]?.bytes;
      return [`m${bytes ? evaluateSize(bytes) : '?'}`];
    }
    if (event.verb !== 'memory.free' || !event.pointer) return [];
    return [`f${made.indexOf(event.pointer.allocation)}`];
  });
  return calls?.join(' ') ?? '';
}

describe('objects begin and end as in a compiled program', () => {
  it.each(groups.map((group, index) => [index, group] as const))('group %i', { timeout: 60_000 }, async (_, group) => {
    expect(group.programs.length).toBeGreaterThan(10);
    for (const { before: own = '', body, calls, atEnd = '' } of group.programs) {
      const text = `#include <cuda_runtime.h>\n${before}\n${group.before}\n${own}\nint main() { ${body}\n }`;
      expect({ body, calls: await callsOf(text) }).toEqual({ body, calls: `${calls} ${atEnd}`.trim() });
    }
  });
});
