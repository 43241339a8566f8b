/** How far an address lies behind its allocation's start where a number that nobody knows says so. */

/** So many times a number that is not known, and bytes behind that: two with the same number lie as far apart as their bytes say. */
export class UnknownDistance {
  readonly #count: unknown;
  readonly #bytesEach: number;
  readonly bytes: number;

  /** `count`: what stands for the number; the same one only for numbers that are surely equal. */
  constructor(count: unknown, bytesEach: number, bytes: number) {
    this.#count = count;
    this.#bytesEach = bytesEach;
    this.bytes = bytes;
  }

  plus(bytes: number): UnknownDistance {
    return new UnknownDistance(this.#count, this.#bytesEach, this.bytes + bytes);
  }

  isCountedAs(other: UnknownDistance): boolean {
    return this.#count === other.#count && this.#bytesEach === other.#bytesEach;
  }
}
