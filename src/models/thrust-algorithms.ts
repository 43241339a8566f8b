/**
 * Algorithms of Thrust by what they read and write, counted behind the execution policy where there is one (CCCL 3.0, Thrust's
 * algorithms). What they are given is known where it is an address; of iterators nothing is.
 */

import type { ModelEffect, ModelRow } from './model.ts';

/** How many arguments a form takes, where its forms differ. */
type Form = readonly [reads: readonly number[], writes: readonly number[], count?: number];

const algorithms: readonly (readonly [name: string, ...forms: readonly Form[]])[] = [
  ...['fill', 'fill_n', 'sequence', 'generate', 'generate_n', 'tabulate'].map((name) => [name, [[], [0]]] as const),
  ...['sort', 'stable_sort', 'replace', 'replace_if', 'reverse', 'unique', 'remove', 'remove_if'].map(
    (name) => [name, [[0], [0]]] as const,
  ),
  ...['sort_by_key', 'stable_sort_by_key'].map(
    (name) =>
      [
        name,
        [
          [0, 2],
          [0, 2],
        ],
      ] as const,
  ),
  ...['copy', 'copy_n', 'inclusive_scan', 'exclusive_scan', 'adjacent_difference'].map(
    (name) => [name, [[0], [2]]] as const,
  ),
  ...['for_each', 'for_each_n'].map((name) => [name, [[], []]] as const),
  ['transform', [[0], [2], 4], [[0, 2], [3], 5]],
  ...['gather', 'scatter'].map((name) => [name, [[0, 2], [3]]] as const),
  ...['reduce', 'count', 'count_if', 'max_element', 'min_element', 'all_of', 'any_of', 'none_of'].map(
    (name) => [name, [[0], []]] as const,
  ),
];

const paths = (places: readonly number[]): readonly string[] => places.map((place) => `arg${place}`);

const effect = (name: string, [reads, writes, count]: Form): ModelEffect => ({
  verb: 'library.call',
  waits: true,
  onlyWithMemory: true,
  mayHavePolicy: true,
  kind: 'kernel',
  label: `thrust::${name}`,
  reads: paths(reads),
  writes: paths(writes),
  ...(count === undefined ? {} : { count }),
  ...(name.startsWith('for_each') ? { calledWith: 'arg0' } : {}),
});

export const thrustAlgorithms: readonly ModelRow[] = algorithms.map(([name, ...forms]) => ({
  name: `thrust::${name}`,
  effects: forms.map((form) => effect(name, form)),
}));
