/** A map whose values are made when they are first asked for. */

export class LazyMap<K, V> implements ReadonlyMap<K, V> {
  readonly #make: ReadonlyMap<K, () => V>;
  readonly #made = new Map<K, V>();

  constructor(make: Iterable<readonly [K, () => V]>) {
    this.#make = new Map(make);
  }

  get size(): number {
    return this.#make.size;
  }

  has(key: K): boolean {
    return this.#make.has(key);
  }

  get(key: K): V | undefined {
    const known = this.#made.get(key);
    const make = this.#make.get(key);
    if (known !== undefined || !make) return known;
    const value = make();
    this.#made.set(key, value);
    return value;
  }

  keys(): MapIterator<K> {
    return this.#make.keys();
  }

  *values(): MapIterator<V> {
    for (const [, value] of this.entries()) yield value;
  }

  *entries(): MapIterator<[K, V]> {
    for (const [key, make] of this.#make) yield [key, this.get(key) ?? make()];
  }

  [Symbol.iterator](): MapIterator<[K, V]> {
    return this.entries();
  }

  forEach(see: (value: V, key: K, map: ReadonlyMap<K, V>) => void): void {
    for (const [key, value] of this.entries()) see(value, key, this);
  }
}
