/**
 * Algorithms of CUB by what they read and write, in the forms that are given their workspace and its size first (CCCL 3.0, CUB's
 * device-wide primitives). Forms with an environment have fewer arguments; of those nothing is known.
 */

import { argumentPaths } from './access-path.ts';
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
  ['Reduce::TransformReduce', [8, 10], [2], [3]],
  ['Reduce::ReduceByKey', [9, 11], [2, 4], [3, 5, 6]],
  ['SegmentedReduce::Sum', [7, 9], [2, 5, 6], [3]],
  ['SegmentedReduce::Min', [7, 9], [2, 5, 6], [3]],
  ['SegmentedReduce::Max', [7, 9], [2, 5, 6], [3]],
  ['SegmentedReduce::Reduce', [9, 11], [2, 5, 6], [3]],
  ['Scan::ExclusiveSumByKey', [6, 9], [2, 3], [4]],
  ['Scan::InclusiveSumByKey', [6, 9], [2, 3], [4]],
  ['Histogram::HistogramEven', [8, 9], [2], [3]],
  ['Histogram::HistogramRange', [7, 8], [2, 5], [3]],
  ['RunLengthEncode::Encode', [7, 8], [2], [3, 4, 5]],
  ['RunLengthEncode::NonTrivialRuns', [7, 8], [2], [3, 4, 5]],
  ['MergeSort::SortKeys', [5, 6], [2], [2]],
  ['MergeSort::StableSortKeys', [5, 6], [2], [2]],
  ['MergeSort::SortKeysCopy', [6, 7], [2], [3]],
  ['MergeSort::SortPairs', [6, 7], [2, 3], [2, 3]],
  ['MergeSort::StableSortPairs', [6, 7], [2, 3], [2, 3]],
  ['Partition::Flagged', [7, 8], [2, 3], [4, 5]],
  ['Partition::If', [7, 8], [2], [3, 4]],
  ['Select::Flagged', [7, 9], [2, 3], [4, 5]],
  ['Select::If', [7, 9], [2], [3, 4]],
  ['Select::Unique', [6, 8], [2], [3, 4]],
  ['RadixSort::SortKeys', [5, 9], [2], [3]],
  ['RadixSort::SortKeysDescending', [5, 9], [2], [3]],
  ['RadixSort::SortPairs', [7, 11], [2, 4], [3, 5]],
  ['RadixSort::SortPairsDescending', [7, 11], [2, 4], [3, 5]],
];

/** Algorithms without a workspace, of which a function says what they do, or to what; the stream is the last argument. */
const withFunctions: readonly ModelRow[] = [
  ['For::Bulk', null],
  ['For::ForEachN', 'arg0'],
  ['For::ForEach', 'arg0'],
  ['For::ForEachCopy', 'arg0'],
  ['For::ForEachCopyN', 'arg0'],
].map(([name, calledWith]) => ({
  name: `cub::Device${name}`,
  arity: [2, 4],
  returns: 'status',
  effects: [
    { verb: 'library.call', kind: 'kernel', label: `cub::Device${name}`, ...(calledWith ? { calledWith } : {}) },
  ],
}));

const withWorkspace: readonly ModelRow[] = algorithms.map(([name, arity, reads, writes]) => ({
  name: `cub::Device${name}`,
  arity,
  returns: 'status',
  effects: [
    {
      verb: 'library.call',
      askedWithoutWorkspace: 'arg0',
      kind: 'kernel',
      label: `cub::Device${name}`,
      reads: argumentPaths(reads),
      writes: ['arg0', ...argumentPaths(writes)],
    },
  ],
}));

export const cubAlgorithms: readonly ModelRow[] = [...withWorkspace, ...withFunctions];
