/**
 * Laws over random graphs. The first is a proof by exhaustion: every order in which the device may run the nodes is
 * enumerated, and what can go wrong in one of them is exactly what the rules report.
 */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Analysis } from '../../src/pipeline.ts';
import { testEngine } from '../support/engine.ts';
import { patience, scaled } from './generated/scale.ts';
import { graphPrograms } from './generators.ts';
import { type GraphProgram, printCuda, type Style, understood } from './programs.ts';

const engine = await testEngine();
const cuda = (text: string): Analysis => engine.analyse({ file: 'a.cu', text, language: 'cuda' });

/** In some order that respects the edges, `first` runs before `second`, by index. */
function someOrder(program: GraphProgram): boolean[][] {
  const size = program.nodes.length;
  const needs = program.nodes.map((node, index) => [
    ...node.dependencies,
    ...program.edges.flatMap(([from, to]) => (to === index ? [from] : [])),
  ]);
  const before = program.nodes.map(() => program.nodes.map(() => false));
  const done: number[] = [];
  const extend = (): void => {
    if (done.length === size) {
      done.forEach((first, position) => {
        for (const second of done.slice(position + 1)) before[first]![second] = true;
      });
      return;
    }
    for (let node = 0; node < size; node++) {
      if (done.includes(node) || !needs[node]!.every((each) => done.includes(each))) continue;
      done.push(node);
      extend();
      done.pop();
    }
  };
  extend();
  return before;
}

/** What can go wrong, straight from the definition, in the form of {@link understood}. */
function mistakes(program: GraphProgram): readonly string[] {
  const before = someOrder(program);
  const found: string[] = [];
  program.nodes.forEach((node, alloc) => {
    if (node.kind !== 'alloc') return;
    const free = program.nodes.findIndex((each) => each.kind === 'free' && each.buffer === alloc);
    if (free >= 0 && before[free]![alloc]) found.push(`error graph-free-before-alloc ${free}`);
    const users = program.nodes.flatMap((each, user) =>
      each.kind === 'kernel' && each.reads.includes(alloc) ? [user] : [],
    );
    const racing: number[] = [];
    for (const user of users) {
      if (free >= 0 && !before[user]![free]) found.push(`error graph-use-after-free ${user}`);
      else if (before[user]![alloc]) found.push(`error graph-use-before-alloc ${user}`);
      else if (free >= 0 && before[free]![user]) racing.push(user);
    }
    // The last of the racing uses stand for those that always come before them.
    for (const user of racing)
      if (!racing.some((other) => other !== user && !before[other]![user]))
        found.push(`error graph-use-free-race ${user}`);
  });
  return [...new Set(found)].sort();
}

describe('one graph', () => {
  it(
    'reports exactly what some order of execution gets wrong',
    () => {
      fc.assert(
        fc.property(graphPrograms, (program) => {
          const { findings, gaps } = understood(cuda(printCuda(program)));
          expect(gaps).toEqual([]);
          expect([...new Set(findings)]).toEqual(mistakes(program));
        }),
        scaled(400),
      );
    },
    patience,
  );

  it(
    'is the same whatever it is called and however it is written',
    () => {
      const style: fc.Arbitrary<Style> = fc.constantFrom<Style>(
        { definitions: '', name: (name) => `my_${name}_`, call: (call) => `${call};`, separator: '\n' },
        {
          definitions: '',
          name: (name) => name,
          call: (call) => `${call.replace(/([(,&])/g, '$1\n    ')};`,
          separator: ' ',
        },
        {
          definitions:
            '#define CHECK(call) do { cudaError_t status = (call); if (status) __builtin_trap(); } while (0)\n',
          name: (name) => name,
          call: (call) => `CHECK(${call});`,
          separator: '\n  ',
        },
        {
          definitions: 'static void check(cudaError_t status) { if (status != cudaSuccess) throw status; }\n',
          name: (name) => name.toUpperCase(),
          call: (call) => `check(${call});`,
          separator: '\n  // a remark\n  ',
        },
      );
      fc.assert(
        fc.property(graphPrograms, style, (program, written) => {
          expect(understood(cuda(printCuda(program, written)))).toEqual(understood(cuda(printCuda(program))));
        }),
        scaled(200),
      );
    },
    patience,
  );

  it(
    'gets no worse by a dependency more',
    () => {
      fc.assert(
        fc.property(graphPrograms, fc.nat(), fc.nat(), (program, first, second) => {
          const size = program.nodes.length;
          const [from, to] = [first % size, second % size];
          const before = someOrder(program);
          fc.pre(from !== to && before[from]![to] === true && before[to]![from] === true);
          const harmed = (edges: GraphProgram['edges']): Set<number> => allocationsHarmed({ ...program, edges });
          const earlier = harmed(program.edges);
          for (const allocation of harmed([...program.edges, [from, to]])) expect(earlier).toContain(allocation);
        }),
        scaled(200),
      );
    },
    patience,
  );
});

function allocationsHarmed(program: GraphProgram): Set<number> {
  const facts = cuda(printCuda(program)).facts.get('main');
  return new Set(facts?.graphHazards.map((hazard) => hazard.alloc.id));
}
