/**
 * Algorithms of CUB by what they read and write, in the forms that are given their workspace and its size first (CCCL 3.0, CUB's
 * device-wide primitives). Forms with an environment have fewer arguments; of those nothing is known.
 */

import type { ModelRow } from './model.ts';

type Algorithm = readonly [
  name: string,
  arity: readonly [number, number],
  reads: readonly number[],
  writes: readonly number[],
];

/** Input, output, a number, and perhaps a stream and a flag. */
const plain = ['Reduce::Sum', 'Reduce::Min', 'Reduce::Max', 'Reduce::ArgMin', 'Reduce::ArgMax'];
const scans = ['Scan::ExclusiveSum', 'Scan::InclusiveSum'];

const algorithms: readonly Algorithm[] = [
  ...[...plain, ...scans].map((name): Algorithm => [name, [5, 7], [2], [3]]),
  ['Reduce::Reduce', [7, 9], [2], [3]],
  ['Scan::ExclusiveScan', [7, 9], [2], [3]],
  ['Scan::InclusiveScan', [6, 8], [2], [3]],
  ['Select::Flagged', [7, 9], [2, 3], [4, 5]],
  ['Select::If', [7, 9], [2], [3, 4]],
  ['Select::Unique', [6, 8], [2], [3, 4]],
  ['RadixSort::SortKeys', [5, 9], [2], [3]],
  ['RadixSort::SortKeysDescending', [5, 9], [2], [3]],
  ['RadixSort::SortPairs', [7, 11], [2, 4], [3, 5]],
  ['RadixSort::SortPairsDescending', [7, 11], [2, 4], [3, 5]],
];

const paths = (places: readonly number[]): readonly string[] => places.map((place) => `arg${place}`);

export const cubAlgorithms: readonly ModelRow[] = algorithms.map(([name, arity, reads, writes]) => ({
  name: `cub::Device${name}`,
  arity,
  returns: 'status',
  effects: [
    {
      verb: 'library.call',
      askedWithoutWorkspace: 'arg0',
      kind: 'kernel',
      label: `cub::Device${name}`,
      reads: paths(reads),
      writes: ['arg0', ...paths(writes)],
    },
  ],
}));
