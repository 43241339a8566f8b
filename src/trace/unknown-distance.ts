/** How far an address lies behind its allocation's start where a number that nobody knows says so. */

import type { Size } from './size.ts';
import { isSameSize } from './size-order.ts';

/** So many times a number that is not known, and bytes behind that: two with the same number lie as far apart as their bytes say. */
export class UnknownDistance {
  readonly #count: unknown;
  readonly #bytesEach: number;
  readonly #size: Size | null;
  readonly bytes: number;

  /** `count`: what stands for the number; the same one only for numbers that are surely equal. `size`: the number as a size, where it is one. */
  constructor(count: unknown, bytesEach: number, bytes: number, size: Size | null = null) {
    this.#count = count;
    this.#bytesEach = bytesEach;
    this.#size = size;
    this.bytes = bytes;
  }

  plus(bytes: number): UnknownDistance {
    return new UnknownDistance(this.#count, this.#bytesEach, this.bytes + bytes, this.#size);
  }

  /** All of it in bytes; null where what stands for the number says nothing of how much it is. */
  asSize(): Size | null {
    if (!this.#size) return null;
    const counted: Size = {
      kind: 'operation',
      operator: '*',
      left: this.#size,
      right: { kind: 'number', value: this.#bytesEach },
    };
    return { kind: 'operation', operator: '+', left: counted, right: { kind: 'number', value: this.bytes } };
  }

  /** Whether both count the same number, by what stands for it or by what it is calculated from. */
  isCountedAs(other: UnknownDistance): boolean {
    if (this.#bytesEach !== other.#bytesEach) return false;
    return (
      this.#count === other.#count ||
      (this.#size !== null && other.#size !== null && isSameSize(this.#size, other.#size))
    );
  }
}
