/**
 * nvCOMP's calls on many pieces at once (low-level API, versions 2 to 5; those of version 5 have one argument more). The pieces lie behind
 * lists of addresses in the device's memory: of the calls the lists, the numbers, what they say of each piece and the room to work in are known.
 */

import { argumentPaths } from './access-path.ts';
import type { ModelRow } from './model.ts';

const formats = ['LZ4', 'Snappy', 'Deflate', 'Gdeflate', 'Gzip', 'Zstd', 'ANS', 'Bitcomp', 'Cascaded'];

/** What stands behind the format's name, the number of arguments, of which the last is the stream, what is read and what is written. */
const calls: readonly (readonly [string, number, reads: readonly number[], writes: readonly number[]])[] = [
  ['CompressAsync', 10, [0, 1, 6], [4, 7]],
  ['CompressAsync', 11, [0, 1, 6], [4, 7, 9]],
  ['DecompressAsync', 10, [0, 1, 2, 7], [3, 5, 8]],
  ['DecompressAsync', 11, [0, 1, 2, 7], [3, 5, 9]],
  ['GetDecompressSizeAsync', 5, [0, 1], [2]],
];

export const compressionRoutines: readonly ModelRow[] = formats.flatMap((format) =>
  calls.map(([call, arity, reads, writes]): ModelRow => {
    const name = `nvcompBatched${format}${call}`;
    const accesses = { reads: argumentPaths(reads), writes: argumentPaths(writes) };
    const work = { verb: 'stream.operation', stream: `arg${arity - 1}`, kind: 'kernel', label: name, ...accesses };
    return { name, arity, returns: 'status', effects: [work] };
  }),
);
