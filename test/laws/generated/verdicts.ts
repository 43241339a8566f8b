/** What an analysis says about order and lifetimes, in words that graphs and streams share. */

import type { Analysis } from '../../../src/pipeline.ts';
import type { Written } from './listing.ts';

export type VerdictKind =
  | 'use-before-alloc'
  | 'use-after-free'
  | 'use-free-race'
  | 'free-before-alloc'
  | 'double-free'
  | 'host-free-race'
  | 'use-of-internal'
  | 'free-of-internal'
  | 'relaunch'
  | 'race';

/** The rules of graphs, of launches and of streams that say the same thing. */
const kinds: Readonly<Record<string, VerdictKind>> = {
  'graph-use-before-alloc': 'use-before-alloc',
  'async-use-before-alloc': 'use-before-alloc',
  'xgraph-use-unordered-with-alloc': 'use-before-alloc',
  'xgraph-use-without-launch': 'use-before-alloc',
  'graph-use-after-free': 'use-after-free',
  'async-use-after-free': 'use-after-free',
  'xgraph-use-after-free': 'use-after-free',
  'graph-use-free-race': 'use-free-race',
  'async-use-free-race': 'use-free-race',
  'xgraph-use-free-race': 'use-free-race',
  'graph-free-before-alloc': 'free-before-alloc',
  'async-free-before-alloc': 'free-before-alloc',
  'xgraph-free-before-alloc': 'free-before-alloc',
  'graph-double-free-node': 'double-free',
  'async-double-free': 'double-free',
  'xgraph-double-free': 'double-free',
  'async-host-free-unsynchronised': 'host-free-race',
  'xgraph-host-free-unsynchronised': 'host-free-race',
  'xgraph-external-use-of-internal': 'use-of-internal',
  'xgraph-external-free-of-internal': 'free-of-internal',
  'relaunch-with-live-allocation': 'relaunch',
  'graph-conflicting-access': 'race',
  'stream-conflicting-access': 'race',
  'event-recorded-too-early': 'race',
};

/** Rules that are not about order: what is left over at the end, and what a program could do better. */
const others = new Set(['async-leak', 'xgraph-alloc-leak']);

/** `kind place buffer`, where the place is what the program calls it; in alphabetical order, each once. */
export function verdictsOf(analysis: Analysis, written: Written): readonly string[] {
  const said = analysis.findings.flatMap((finding) => {
    if (finding.severity === 'hint' || others.has(finding.rule)) return [];
    const buffer = /`(b\d+)`/.exec(finding.message)?.[1];
    return [`${kinds[finding.rule] ?? finding.rule} ${written.statementAt(finding.span.start)?.id} ${buffer}`];
  });
  return [...new Set(said)].sort();
}
