/** Law: a graph built by hand, the same graph captured, and the same work given to streams are judged alike. */

import fc from 'fast-check';
import { describe, expect } from 'vitest';
import type { Analysis } from '../../src/pipeline.ts';
import { testEngine } from '../support/engine.ts';
import { acceptedDags, type Dag, dags } from './generated/dag.ts';
import { listingOf } from './generated/host-program.ts';
import { type Listing, type Written, write } from './generated/listing.ts';
import { law } from './generated/scale.ts';
import { asCapture, asExplicitGraph, asStreamProgram } from './generated/three-ways.ts';
import { verdictsOf } from './generated/verdicts.ts';
import { understood } from './programs.ts';

const engine = await testEngine();

interface Sample {
  readonly dag: Dag;
  readonly picks: readonly number[];
}

const picks = fc.array(fc.nat({ max: 5 }), { minLength: 10, maxLength: 10 });

const samples: fc.Arbitrary<Sample> = fc.record({ dag: dags, picks });

function analyse({ text }: Written): Analysis {
  return engine.analyse({ file: 'a.cu', text, language: 'cuda' });
}

function verdicts(listing: Listing): readonly string[] {
  const written = write(listing);
  const analysis = analyse(written);
  expect(analysis.gaps).toEqual([]);
  return verdictsOf(analysis, written);
}

describe('the same work', () => {
  law(
    'captured is the graph that one builds by hand',
    200,
    fc.record({ dag: acceptedDags, picks }),
    ({ dag }) => write(asExplicitGraph(dag)).text,
    ({ dag, picks }) => {
      const { nodes, order } = understood(analyse(write(asExplicitGraph(dag))));
      expect(understood(analyse(write(asCapture(dag, picks))))).toMatchObject({ nodes, order });
    },
  );

  law(
    'is judged alike as a graph, as a capture and in streams',
    600,
    samples,
    ({ dag }) => write(asExplicitGraph(dag)).text,
    ({ dag, picks }) => {
      const explicit = verdicts(asExplicitGraph(dag));
      expect(verdicts(asCapture(dag, picks)), 'captured').toEqual(explicit);
      const streamed = verdicts(listingOf(asStreamProgram(dag, picks)));
      expect(streamed, 'in streams').toEqual(withoutImplied(dag, explicit));
    },
  );
});

/**
 * Graphs report a free that may come before the allocation even where a use in front of it may as well; streams report the
 * use alone, because ordering the use orders the free.
 */
function withoutImplied(dag: Dag, verdicts: readonly string[]): readonly string[] {
  const behind = (node: number, earlier: number): boolean =>
    (dag.nodes[node]?.dependencies ?? []).some((each) => each === earlier || behind(each, earlier));
  const implied = dag.nodes.flatMap((node, free) =>
    dag.nodes.flatMap((_, user) => {
      const buffer = node.work.kind === 'free' ? `b${node.work.buffer}` : '';
      const isEarly = verdicts.includes(`use-before-alloc g0n${user} ${buffer}`);
      return isEarly && behind(free, user) ? [`free-before-alloc g0n${free} ${buffer}`] : [];
    }),
  );
  return verdicts.filter((each) => !implied.includes(each));
}
