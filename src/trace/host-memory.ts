/** What work of the device touches of the host's own memory. */

import type { Size } from './size.ts';

/** A part of the host's own memory: a variable, or elements of an array. */
export interface HostMemory {
  /** What the address keeps alive, or does not. */
  readonly object: number;
  /** The variables and arrays in it that the host is watched with, as {@link HostElement} numbers them. */
  readonly places: readonly number[];
  readonly name: string;
  /** The first element, and how many surely follow; null where nobody can tell. */
  readonly first: number | null;
  readonly count: number | null;
  /** `unknown`: what a callback does with what it is called with. */
  readonly mode: 'read' | 'write' | 'unknown';
  /** It was registered with CUDA: copies of it in a stream are not over when the call returns. */
  readonly isPinned?: true;
}

/** An element of an array of the host, or all of a variable; null where nobody can tell which element. */
export interface HostElement {
  readonly place: number;
  readonly index: number | null;
}

/** Memory of the host of which a copy touches more bytes than there are. */
export interface BeyondHost {
  readonly name: string;
  /** How many bytes it has, at which of them the copy begins, and how far it reaches from there. */
  readonly has: Size;
  readonly from: number;
  readonly reach: Size;
}

/** Memory of the host, pageable, which a copy's direction (a number of `cudaMemcpyKind`) says is memory of the device. */
export interface Misdirected {
  readonly name: string;
  readonly isSource: boolean;
  readonly direction: number;
}

/** Memory of the host's own that a kernel is given: what it is called, '' where it has no name, and whether `malloc` or `new` gave it. */
export interface HostGiven {
  readonly name: string;
  readonly isHeap: boolean;
}
