/**
 * What functions of the C and C++ libraries and of MPI do with memory of the host that they are given by address. They are over
 * with it when they return, or, where they are not, must not be given memory that still changes either.
 */

import type { ModelFile } from './model.ts';

/** Which arguments are read, and which are written. */
type Uses = readonly [reads: readonly number[], writes: readonly number[]];

const uses: Readonly<Record<string, Uses>> = {
  memcpy: [[1], [0]],
  memmove: [[1], [0]],
  memset: [[], [0]],
  memcmp: [[0, 1], []],
  fwrite: [[0], []],
  fread: [[], [0]],
  'std::copy': [[0], [2]],
  'std::copy_n': [[0], [2]],
  'std::accumulate': [[0], []],
  'std::reduce': [[0], []],
  'std::inner_product': [[0, 2], []],
  'std::equal': [[0, 2], []],
  'std::count': [[0], []],
  'std::count_if': [[0], []],
  'std::find': [[0], []],
  'std::find_if': [[0], []],
  'std::all_of': [[0], []],
  'std::any_of': [[0], []],
  'std::none_of': [[0], []],
  'std::max_element': [[0], []],
  'std::min_element': [[0], []],
  'std::for_each': [[0], []],
  'std::fill': [[], [0]],
  'std::fill_n': [[], [0]],
  'std::iota': [[], [0]],
  'std::generate': [[], [0]],
  'std::sort': [[], [0]],
  MPI_Send: [[0], []],
  MPI_Ssend: [[0], []],
  MPI_Isend: [[0], []],
  MPI_Recv: [[], [0]],
  MPI_Irecv: [[], [0]],
  MPI_Sendrecv: [[0], [5]],
  MPI_Bcast: [[0], []],
  MPI_Reduce: [[0], [1]],
  MPI_Allreduce: [[0], [1]],
  MPI_Iallreduce: [[0], [1]],
  MPI_Gather: [[0], [3]],
  MPI_Allgather: [[0], [3]],
  MPI_Scatter: [[0], [3]],
  MPI_Alltoall: [[0], [3]],
};

export const hostFunctionsModel: ModelFile = {
  name: 'host-functions',
  rows: [],
  hostUses: new Map(Object.entries(uses).map(([name, [reads, writes]]) => [name, { reads, writes }])),
};
