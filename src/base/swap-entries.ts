/** Gives each of two maps what the other one has, in its order; the maps themselves stay, for those who hold them. */
export function swapEntries<K, V>(first: Map<K, V>, second: Map<K, V>): void {
  const kept = [...first];
  first.clear();
  for (const [key, value] of second) first.set(key, value);
  second.clear();
  for (const [key, value] of kept) second.set(key, value);
}
