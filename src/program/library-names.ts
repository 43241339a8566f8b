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
