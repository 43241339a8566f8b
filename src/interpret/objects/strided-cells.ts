/** The elements of an array that lies in an array of bytes: those of the bytes, by their places there. */

import type { Cell } from '../value.ts';

/** Element `i` is what lies `at + i * each` bytes behind the beginning, where that `isElement`. */
export class StridedCells extends Map<number, Cell> {
  readonly #bytes: Map<number, Cell>;
  readonly #at: number;
  readonly #each: number;
  readonly #isElement: (cell: Cell) => boolean;

  constructor(bytes: Map<number, Cell>, at: number, each: number, isElement: (cell: Cell) => boolean) {
    super();
    this.#bytes = bytes;
    this.#at = at;
    this.#each = each;
    this.#isElement = isElement;
  }

  override get(index: number): Cell | undefined {
    const cell = this.#bytes.get(this.#at + index * this.#each);
    return cell && this.#isElement(cell) ? cell : undefined;
  }

  override has(index: number): boolean {
    return this.get(index) !== undefined;
  }

  override set(index: number, cell: Cell): this {
    this.#bytes.set(this.#at + index * this.#each, cell);
    return this;
  }

  override delete(index: number): boolean {
    return this.has(index) && this.#bytes.delete(this.#at + index * this.#each);
  }

  override clear(): void {
    for (const [index] of this.#all()) this.delete(index);
  }

  override get size(): number {
    return this.#all().length;
  }

  override forEach(visit: (cell: Cell, index: number, map: Map<number, Cell>) => void): void {
    for (const [index, cell] of this.#all()) visit(cell, index, this);
  }

  override entries(): MapIterator<[number, Cell]> {
    return this.#all().values();
  }

  override keys(): MapIterator<number> {
    return this.#all()
      .map(([index]) => index)
      .values();
  }

  override values(): MapIterator<Cell> {
    return this.#all()
      .map(([, cell]) => cell)
      .values();
  }

  override [Symbol.iterator](): MapIterator<[number, Cell]> {
    return this.entries();
  }

  #all(): [number, Cell][] {
    const all: [number, Cell][] = [];
    for (const [place, cell] of this.#bytes) {
      const index = (place - this.#at) / this.#each;
      if (index >= 0 && Number.isInteger(index) && this.#isElement(cell)) all.push([index, cell]);
    }
    return all;
  }
}
