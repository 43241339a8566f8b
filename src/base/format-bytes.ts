/** Sizes as people write them. */

const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

/** `64 MiB`, `1.5 GiB`, `512 B`: the largest unit that leaves at least 1, with at most two decimals. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (Math.abs(value) >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${Number(value.toFixed(2))} ${units[unit]}`;
}
