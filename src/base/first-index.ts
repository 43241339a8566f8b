/** The first index below `count` of which `isBehind` holds, found by halves: it must hold of all that follow. `count` when of none. */
export function firstIndex(count: number, isBehind: (index: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBehind(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
