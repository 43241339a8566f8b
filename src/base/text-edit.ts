/** Where a text was changed: what stands before and behind is the same in both. */

export interface TextEdit {
  /** UTF-16 units from the beginning that are the same. */
  readonly start: number;
  /** Where the same begins again in the text as it was, and as it is. */
  readonly endBefore: number;
  readonly endAfter: number;
}

/** The smallest part outside of which the two are the same. */
export function textEdit(before: string, after: string): TextEdit {
  const shorter = Math.min(before.length, after.length);
  const start = sameLength(shorter, (from, to) => before.slice(from, to) === after.slice(from, to));
  const behind = sameLength(
    shorter - start,
    (from, to) =>
      before.slice(before.length - to, before.length - from) === after.slice(after.length - to, after.length - from),
  );
  return { start, endBefore: before.length - behind, endAfter: after.length - behind };
}

/** Units that are compared at once: the engine compares whole pieces many times as fast as a loop does characters. */
const piece = 4096;

function sameLength(most: number, isSame: (from: number, to: number) => boolean): number {
  let known = 0;
  while (known < most && isSame(known, Math.min(known + piece, most))) known = Math.min(known + piece, most);
  for (let step = piece >> 1; step > 0; step >>= 1)
    while (known + step <= most && isSame(known, known + step)) known += step;
  return known;
}
