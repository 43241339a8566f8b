/**
 * Which memory is freed, and in what order: `frees.json` has generated functions (owners that move, copy and swap, containers of
 * them, bases, lists, exceptions, captures) and what they freed when g++ 12 had compiled them, allocations numbered as they were made.
 */

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { analyseText } from '../../support/engine.ts';

interface Recording {
  readonly before: string;
  readonly programs: readonly { readonly body: string; readonly frees: string }[];
}

const { before, programs }: Recording = JSON.parse(
  readFileSync(new URL('../../recordings/frees.json', import.meta.url), 'utf8'),
);

async function freesOf(body: string): Promise<string> {
  const { facts } = await analyseText(`#include <cuda_runtime.h>\n${before}\nint main() { ${body} }`);
  const events = facts.get('main')?.trace.events ?? [];
  const made = events.flatMap((event) => (event.verb === 'memory.allocate' ? [event.allocation] : []));
  const freed = events.flatMap((event) =>
    event.verb === 'memory.free' && event.pointer ? [event.pointer.allocation] : [],
  );
  return freed.map((allocation) => made.indexOf(allocation)).join(' ');
}

describe('memory is freed as a compiled program frees it', () => {
  it('in generated functions', async () => {
    expect(programs).toHaveLength(100);
    for (const { body, frees } of programs) expect({ body, frees: await freesOf(body) }).toEqual({ body, frees });
  });

  it.each([
    ['an object is moved into an optional', 'std::optional<Buf> o; Buf b; o = std::move(b); o = std::move(b);', '0'],
    ['a variant is made from a braced list', 'std::variant<int, Buf> v{Buf()};', '0'],
    ['a shared pointer is assigned to itself', 'auto s = std::make_shared<Buf>(); s = s;', '0'],
    ['an object is moved from, and filled again', 'Buf a; { Buf b(std::move(a)); } a = make();', '0 1'],
    ['the parts of a result get names', '{ auto [b, p] = both(); cudaFree(p); }', '1 0'],
    ['a lambda has a copy of its own', 'Copy c; auto f = [k = c] { return k.p; }; f();', '1 0'],
    [
      'members are moved into an object by name',
      'struct Two { Buf a, b; }; Buf x, y; Two t = Two{.a = std::move(x), .b = std::move(y)};',
      '1 0',
    ],
    ['a base outlives the members of what derives from it', '{ Derived d; }', '2 1 0'],
  ])('where %s', async (_, body, frees) => {
    expect(await freesOf(body)).toBe(frees);
  });
});
