/** Names of the C++ library that programs also give to classes of their own, `gpu::vector` and `cu::unique_ptr`. */

const names = new Set([
  ...['vector', 'deque', 'list', 'forward_list', 'queue', 'stack', 'priority_queue', 'span', 'array', 'pair', 'tuple'],
  ...['set', 'multiset', 'unordered_set', 'unordered_multiset'],
  ...['map', 'multimap', 'unordered_map', 'unordered_multimap'],
  ...['optional', 'variant', 'any', 'initializer_list', 'unique_ptr', 'shared_ptr', 'weak_ptr'],
  ...['expected', 'unexpected', 'bitset', 'valarray', 'error_code'],
  ...['thread', 'jthread', 'latch', 'barrier', 'counting_semaphore', 'binary_semaphore'],
  ...['stop_source', 'stop_token'],
]);

/** Whether what is called so, without its namespace, would be taken for a class of the library. */
export function isNameOfLibrary(plain: string): boolean {
  return names.has(plain);
}

/** Containers that do what one of the library does, by their names in full, with the number of their arguments that says what they hold. */
const alike: ReadonlyMap<string, readonly [name: string, count: number]> = new Map(
  (
    [
      // What is in them stays where it is, or nobody knows when it moves.
      ['deque', 1, 'std::inplace_vector', 'boost::container::static_vector', 'boost::container::small_vector'],
      ['deque', 1, 'absl::InlinedVector', 'absl::FixedArray', 'llvm::SmallVector'],
      ['vector', 1, 'boost::container::vector'],
      ['map', 2, 'std::flat_map', 'boost::container::flat_map', 'absl::btree_map'],
      ['multimap', 2, 'std::flat_multimap', 'boost::container::flat_multimap', 'absl::btree_multimap'],
      ['set', 1, 'std::flat_set', 'boost::container::flat_set', 'absl::btree_set'],
      ['multiset', 1, 'std::flat_multiset', 'boost::container::flat_multiset', 'absl::btree_multiset'],
      ['unordered_map', 2, 'absl::flat_hash_map', 'absl::node_hash_map', 'boost::unordered_map', 'llvm::DenseMap'],
      ['unordered_map', 2, 'boost::unordered_flat_map', 'robin_hood::unordered_map', 'tsl::robin_map'],
      ['unordered_set', 1, 'absl::flat_hash_set', 'absl::node_hash_set', 'boost::unordered_set', 'llvm::DenseSet'],
    ] as const
  ).flatMap(([name, count, ...others]) => others.map((other) => [other, [`std::${name}`, count] as const] as const)),
);

/** The container of the library that one of that name is like, and how many of its arguments say what it holds. */
export function containerLike(name: string): readonly [name: string, count: number] | undefined {
  return alike.get(name);
}
