/**
 * What is known of objects, for as long as they are there: kept in the objects themselves, where neither a copy nor whoever walks them
 * sees it. A `WeakMap` for all of them would do the same; but one that grows while V8 marks takes everything for alive that was ever
 * put into it since the last collection, which made the memory of a long run twice and three times as large.
 */
export class Attached<K extends object, V> {
  readonly #name = Symbol('attached');

  get(object: K): V | undefined {
    const holder: object = object;
    return Reflect.get(holder, this.#name);
  }

  /** The object must not be frozen. */
  set(object: K, value: V): void {
    Object.defineProperty(object, this.#name, { value, writable: true });
  }
}
