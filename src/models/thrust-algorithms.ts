/**
 * Algorithms of Thrust by what they read and write, counted behind the execution policy where there is one (CCCL 3.0, Thrust's
 * algorithms). What they are given is known where it is an address; of iterators nothing is.
 */

import { argumentPaths } from './access-path.ts';
import type { ModelEffect, ModelRow } from './model.ts';

/** How many arguments a form takes, where its forms differ. */
type Form = readonly [reads: readonly number[], writes: readonly number[], count?: number];

const one = (
  names: string,
  ...forms: readonly Form[]
): readonly (readonly [name: string, ...forms: readonly Form[]])[] =>
  names.split(' ').map((name) => [name, ...forms] as const);

const algorithms: readonly (readonly [name: string, ...forms: readonly Form[]])[] = [
  ...one('fill fill_n sequence generate generate_n tabulate uninitialized_fill uninitialized_fill_n', [[], [0]]),
  ...one('sort stable_sort replace replace_if reverse unique remove remove_if partition stable_partition', [[0], [0]]),
  ...one('sort_by_key stable_sort_by_key unique_by_key', [
    [0, 2],
    [0, 2],
  ]),
  ...one('copy copy_n inclusive_scan exclusive_scan adjacent_difference', [[0], [2]]),
  ...one('unique_copy remove_copy reverse_copy replace_copy uninitialized_copy', [[0], [2]]),
  ...one('transform_inclusive_scan transform_exclusive_scan', [[0], [2]]),
  ...one('copy_if remove_copy_if', [[0], [2], 4], [[0, 2], [3], 5]),
  ...one('replace_copy_if', [[0], [2], 5], [[0, 2], [3], 6]),
  ...one('for_each for_each_n', [[], []]),
  ...one('transform', [[0], [2], 4], [[0, 2], [3], 5]),
  ...one('gather scatter', [[0, 2], [3]]),
  ...one('inclusive_scan_by_key exclusive_scan_by_key', [[0, 2], [3]]),
  ...one('reduce_by_key', [
    [0, 2],
    [3, 4],
  ]),
  ...one('merge set_union set_intersection set_difference set_symmetric_difference', [[0, 2], [4]]),
  ...one('swap_ranges', [
    [0, 2],
    [0, 2],
  ]),
  ...one('reduce count count_if max_element min_element minmax_element all_of any_of none_of', [[0], []]),
  ...one('transform_reduce find find_if find_if_not is_sorted is_sorted_until is_partitioned', [[0], []]),
  ...one('inner_product equal mismatch', [[0, 2], []]),
];

const effect = (name: string, [reads, writes, count]: Form): ModelEffect => ({
  verb: 'library.call',
  waits: true,
  onlyWithMemory: true,
  mayHavePolicy: true,
  kind: 'kernel',
  label: `thrust::${name}`,
  reads: argumentPaths(reads),
  writes: argumentPaths(writes),
  ...(count === undefined ? {} : { count }),
  ...(name.startsWith('for_each') ? { calledWith: 'arg0' } : {}),
});

export const thrustAlgorithms: readonly ModelRow[] = algorithms.map(([name, ...forms]) => ({
  name: `thrust::${name}`,
  effects: forms.map((form) => effect(name, form)),
}));
