/**
 * Routines of cuBLAS by what they read and write, on the stream of the handle (cuBLAS reference, levels 1 to 3 and extensions). Those
 * that give a number wait for it when it is to lie on the host.
 */

import { argumentPaths } from './access-path.ts';
import type { ModelRow } from './model.ts';

/** Name behind `cublas` and the letter of the type, what is read, what is written. */
const routines: readonly (readonly [name: string, reads: readonly number[], writes: readonly number[]])[] = [
  ['axpy', [3, 5], [5]],
  ['scal', [3], [3]],
  ['copy', [2], [4]],
  ['swap', [2, 4], [2, 4]],
  ['gemv', [5, 7], [10]],
  ['ger', [4, 6], [8]],
  ['geru', [4, 6], [8]],
  ['gerc', [4, 6], [8]],
  ['symv', [4, 6], [9]],
  ['hemv', [4, 6], [9]],
  ['trmv', [5, 7], [7]],
  ['trsv', [5, 7], [7]],
  ['gemm', [7, 9], [12]],
  ['gemmStridedBatched', [7, 10], [14]],
  ['symm', [6, 8], [11]],
  ['hemm', [6, 8], [11]],
  ['syrk', [6], [9]],
  ['herk', [6], [9]],
  ['syr2k', [6, 8], [11]],
  ['her2k', [6, 8], [11]],
  ['trsm', [8, 10], [10]],
  ['geam', [6, 9], [11]],
];

const letters = ['S', 'D', 'C', 'Z', 'H'];

const routine = (name: string, reads: readonly number[], writes: readonly number[]): ModelRow => ({
  name,
  returns: 'status',
  effects: [
    {
      verb: 'library.call',
      library: 'arg0',
      kind: 'kernel',
      label: name,
      reads: argumentPaths(reads),
      writes: argumentPaths(writes),
    },
  ],
});

/** Name behind `cublas`, what is read, where the number goes. */
const numbers: readonly (readonly [name: string, reads: readonly number[], result: number])[] = [
  ...['Sdot', 'Ddot', 'Cdotu', 'Cdotc', 'Zdotu', 'Zdotc'].map((name) => [name, [2, 4], 6] as const),
  ...['Sasum', 'Dasum', 'Scasum', 'Dzasum', 'Snrm2', 'Dnrm2', 'Scnrm2', 'Dznrm2'].map(
    (name) => [name, [2], 4] as const,
  ),
  ...['Isamax', 'Idamax', 'Icamax', 'Izamax', 'Isamin', 'Idamin', 'Icamin', 'Izamin'].map(
    (name) => [name, [2], 4] as const,
  ),
];

const giving = (name: string, reads: readonly number[], result: number): ModelRow => ({
  name,
  returns: 'status',
  effects: [
    {
      verb: 'library.call',
      library: 'arg0',
      kind: 'kernel',
      label: name,
      reads: argumentPaths(reads),
      writes: [`arg${result}`],
      waitsUnlessOnDevice: `arg${result}`,
    },
  ],
});

export const blasRoutines: readonly ModelRow[] = [
  ...numbers.map(([name, reads, result]) => giving(`cublas${name}`, reads, result)),
  ...routines.flatMap(([name, reads, writes]) =>
    letters.map((letter) => routine(`cublas${letter}${name}`, reads, writes)),
  ),
  routine('cublasGemmEx', [7, 10], [14]),
];
