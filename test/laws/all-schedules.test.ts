/**
 * Law: what is said about the order of things is what some schedule gets wrong. Small programs of streams, events, launches,
 * frees and synchronisation are run in every way that their queues allow, on a model that shares nothing with the analyser.
 */

import { describe, expect } from 'vitest';
import { findGraphConflicts, findStreamConflicts } from '../../src/memory/conflicts.ts';
import type { Analysis } from '../../src/pipeline.ts';
import { testEngine } from '../support/engine.ts';
import { expectedOf, unique } from './generated/expected.ts';
import { listingOf } from './generated/host-program.ts';
import { hostPrograms } from './generated/host-programs.ts';
import { type Written, write } from './generated/listing.ts';
import { law } from './generated/scale.ts';
import { verdictsOf } from './generated/verdicts.ts';

const engine = await testEngine();

/** Every pair of accesses without an order, those included that the rules leave out beside a worse mistake. */
function conflictsOf(analysis: Analysis, written: Written): readonly string[] {
  const facts = analysis.facts.get('main');
  if (!facts) return [];
  const { events, allocations } = facts.trace;
  const id = (event: number): string | null | undefined => written.statementAt(events[event]?.span.start ?? 0)?.id;
  return unique([
    ...findGraphConflicts(facts.execution).map(
      ({ first, second, allocation }) => `${id(first.event)} ${id(second.event)} ${allocations[allocation]?.name}`,
    ),
    ...findStreamConflicts(facts.execution, facts.order, facts.lifetimes).map(
      ({ first, second, instance }) =>
        `${id(first.event)} ${id(second.event)} ${allocations[instance.allocation.id]?.name}`,
    ),
  ]);
}

describe('a host program', () => {
  law(
    'is reported for exactly what some schedule gets wrong',
    2000,
    hostPrograms,
    (program) => write(listingOf(program)).text,
    (program) => {
      const written = write(listingOf(program));
      const analysis = engine.analyse({ file: 'a.cu', text: written.text, language: 'cuda' });
      expect(analysis.gaps).toEqual([]);
      const expected = expectedOf(program);
      expect(verdictsOf(analysis, written)).toEqual(expected.verdicts);
      expect(conflictsOf(analysis, written)).toEqual(expected.conflicts);
    },
  );
});
