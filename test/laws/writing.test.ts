/** Laws: names, layout, macros and helper functions say nothing; neither does the order of statements that do not meet. */

import fc from 'fast-check';
import { describe, expect } from 'vitest';
import type { Finding } from '../../src/base/finding.ts';
import { testEngine } from '../support/engine.ts';
import { dags } from './generated/dag.ts';
import { unique } from './generated/expected.ts';
import { listingOf } from './generated/host-program.ts';
import { hostPrograms } from './generated/host-programs.ts';
import { type Listing, plainWriting, reordered, type Writing, write } from './generated/listing.ts';
import { law } from './generated/scale.ts';
import { asCapture, asExplicitGraph } from './generated/three-ways.ts';
import { verdictsOf } from './generated/verdicts.ts';
import { writings } from './generated/writings.ts';

const engine = await testEngine();

const picks = fc.array(fc.nat({ max: 20 }), { minLength: 12, maxLength: 12 });

/** Graphs built by hand and captured, and programs of streams. */
const listings: fc.Arbitrary<Listing> = fc.oneof(
  dags.map(asExplicitGraph),
  fc.tuple(dags, picks).map(([dag, each]) => asCapture(dag, each)),
  hostPrograms.map(listingOf),
);

interface Said {
  readonly findings: readonly { readonly rule: string; readonly place: string | null }[];
  readonly verdicts: readonly string[];
}

function said(listing: Listing, writing: Writing, accept: (finding: Finding) => boolean): Said {
  const written = write(listing, writing);
  const analysis = engine.analyse({ file: 'a.cu', text: written.text, language: 'cuda' });
  expect(analysis.gaps).toEqual([]);
  const findings = analysis.findings.filter(accept).map(({ rule, severity, span }) => ({
    rule: `${severity} ${rule}`,
    place: written.statementAt(span.start)?.text ?? null,
  }));
  return { findings, verdicts: verdictsOf(analysis, written) };
}

/** What is found, with places; a rule that stands in a helper or macro that is used once counts without them. */
function compared(findings: Said['findings'], beside: Said['findings']): readonly string[] {
  const hidden = new Set([...findings, ...beside].flatMap(({ rule, place }) => (place === null ? [rule] : [])));
  return unique(findings.map(({ rule, place }) => (hidden.has(rule) ? rule : `${rule}: ${place}`)));
}

interface Rewritten {
  readonly listing: Listing;
  readonly writing: Writing;
}

interface Shuffled {
  readonly listing: Listing;
  readonly picks: readonly number[];
}

/** Two accesses without an order are reported at the one that is written later, and addresses hang on that order too. */
const hasOnePlace = (finding: Finding): boolean =>
  finding.severity !== 'hint' && !/conflicting-access|too-early/.test(finding.rule);

/** Buffers that are raced for, whichever statement comes last. */
const racedFor = (verdicts: readonly string[]): readonly string[] =>
  unique(verdicts.flatMap((each) => /^race .* (b\d+)$/.exec(each)?.[1] ?? []));

describe('a program', () => {
  law<Rewritten>(
    'is judged alike whatever it is called and however it is written',
    1200,
    fc.record({ listing: listings, writing: writings }),
    ({ listing, writing }) => write(listing, writing).text,
    ({ listing, writing }) => {
      const { findings: here } = said(listing, writing, () => true);
      const { findings: plain } = said(listing, plainWriting, () => true);
      expect(compared(here, plain)).toEqual(compared(plain, here));
    },
  );

  law<Shuffled>(
    'is judged alike when statements that do not meet change places',
    1200,
    fc.record({ listing: listings, picks }),
    ({ listing, picks }) => `${write(listing).text}\n${write(reordered(listing, picks)).text}`,
    ({ listing, picks }) => {
      const first = said(listing, plainWriting, hasOnePlace);
      const second = said(reordered(listing, picks), plainWriting, hasOnePlace);
      expect(compared(second.findings, [])).toEqual(compared(first.findings, []));
      expect(racedFor(second.verdicts)).toEqual(racedFor(first.verdicts));
    },
  );
});
