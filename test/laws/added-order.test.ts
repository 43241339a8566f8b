/** Law: a wait or a synchronisation more never makes a program worse: it harms no memory that was not harmed before. */

import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { testEngine } from '../support/engine.ts';
import { acceptedDags, type Dag } from './generated/dag.ts';
import { unique } from './generated/expected.ts';
import { type HostProgram, listingOf, type NamedStep } from './generated/host-program.ts';
import { hostPrograms } from './generated/host-programs.ts';
import { type Listing, write } from './generated/listing.ts';
import { law } from './generated/scale.ts';
import { asExplicitGraph } from './generated/three-ways.ts';
import { verdictsOf } from './generated/verdicts.ts';

const engine = await testEngine();

/** Buffers that something is said about. */
function harmed(listing: Listing): readonly string[] {
  const written = write(listing);
  const analysis = engine.analyse({ file: 'a.cu', text: written.text, language: 'cuda' });
  return unique(verdictsOf(analysis, written).map((verdict) => verdict.slice(verdict.lastIndexOf(' ') + 1)));
}

interface Added<Program> {
  readonly program: Program;
  readonly places: readonly [number, number];
  readonly streams: readonly [number, number];
}

function added<Program>(programs: fc.Arbitrary<Program>): fc.Arbitrary<Added<Program>> {
  const pair = fc.tuple(fc.nat({ max: 12 }), fc.nat({ max: 12 }));
  return fc.record({ program: programs, places: pair, streams: pair });
}

/** The program with one more wait of a stream for another, or, when the streams are one, with the host waiting for all. */
function withWait({ program, places, streams }: Added<HostProgram>): HostProgram {
  const count = program.steps.length + 1;
  const [from, to] = [places[0] % count, places[1] % count].sort((first, second) => first - second) as [number, number];
  const [first, second] = [streams[0] % program.streams.length, streams[1] % program.streams.length];
  const event = 99;
  const record: NamedStep = { id: 'record', step: { kind: 'record', stream: first, event } };
  const wait: NamedStep = { id: 'wait', step: { kind: 'wait', stream: second, event } };
  const more: readonly [NamedStep[], NamedStep[]] =
    first === second ? [[], [{ id: 'synchronise', step: { kind: 'syncDevice' } }]] : [[record], [wait]];
  const steps = [
    ...program.steps.slice(0, from),
    ...more[0],
    ...program.steps.slice(from, to),
    ...more[1],
    ...program.steps.slice(to),
  ];
  return { ...program, steps };
}

/** The graph with a dependency more, of a node on an earlier one. */
function withDependency({ program: dag, places }: Added<Dag>): Dag {
  const to = places[0] % dag.nodes.length;
  const from = places[1] % Math.max(1, to);
  const nodes = dag.nodes.map((node, index) =>
    index === to && from < to ? { ...node, dependencies: [...new Set([...node.dependencies, from])] } : node,
  );
  return { ...dag, nodes };
}

describe('more order', () => {
  law(
    'in streams harms no memory',
    500,
    added(hostPrograms),
    (sample) => write(listingOf(withWait(sample))).text,
    (sample) => {
      const before = harmed(listingOf(sample.program));
      for (const buffer of harmed(listingOf(withWait(sample)))) expect(before).toContain(buffer);
    },
  );

  law(
    'in a graph harms no memory',
    300,
    added(acceptedDags.filter((dag) => dag.nodes.length > 0)),
    (sample) => write(asExplicitGraph(withDependency(sample))).text,
    (sample) => {
      const before = harmed(asExplicitGraph(sample.program));
      for (const buffer of harmed(asExplicitGraph(withDependency(sample)))) expect(before).toContain(buffer);
    },
  );
});
