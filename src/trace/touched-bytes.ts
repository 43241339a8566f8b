/** What a kernel touches in any case. */

/** Bytes from one place on to another, counted from where a pointer leads, that are surely touched. */
export interface TouchedBytes {
  readonly from: number;
  readonly to: number;
  readonly isWrite: boolean;
}
