/**
 * What functions of the C and C++ libraries and of MPI do with memory of the host that they are given by address. They are over
 * with it when they return, or, where they are not, must not be given memory that still changes either.
 */

import { comparisonsOfTests } from '../base/test-macros.ts';
import type { HostUses, ModelFile } from './model.ts';

/** Which arguments are read, which are written, and which say how much: where one of those is 0, nothing is. */
type Uses = readonly [reads: readonly number[], writes: readonly number[], counts?: readonly number[]];

const uses: Readonly<Record<string, Uses>> = {
  memcpy: [[1], [0], [2]],
  memmove: [[1], [0], [2]],
  memset: [[], [0], [2]],
  memcmp: [[0, 1], [], [2]],
  fwrite: [[0], [], [1, 2]],
  fread: [[], [0], [1, 2]],
  'std::istream::read': [[], [0], [1]],
  'std::istream::readsome': [[], [0], [1]],
  'std::istream::getline': [[], [0], [1]],
  'std::istream::get': [[], [0]],
  'std::istream::write': [[0], [], [1]],
  'std::copy': [[0], [2]],
  'std::copy_n': [[0], [2], [1]],
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
  'std::fill_n': [[], [0], [1]],
  'std::iota': [[], [0]],
  'std::generate': [[], [0]],
  'std::sort': [[], [0]],
};

/** An MPI that knows CUDA takes memory of the device, and knows nothing of streams. */
const usesOfMpi: Readonly<Record<string, Uses>> = {
  MPI_Send: [[0], [], [1]],
  MPI_Ssend: [[0], [], [1]],
  MPI_Bsend: [[0], [], [1]],
  MPI_Rsend: [[0], [], [1]],
  MPI_Isend: [[0], [], [1]],
  MPI_Recv: [[], [0], [1]],
  MPI_Irecv: [[], [0], [1]],
  MPI_Sendrecv: [[0], [5]],
  MPI_Bcast: [[0], [], [1]],
  MPI_Reduce: [[0], [1], [2]],
  MPI_Allreduce: [[0], [1], [2]],
  MPI_Iallreduce: [[0], [1], [2]],
  MPI_Gather: [[0], [3]],
  MPI_Gatherv: [[0], [3]],
  MPI_Allgather: [[0], [3]],
  MPI_Allgatherv: [[0], [3]],
  MPI_Scatter: [[0], [3]],
  MPI_Alltoall: [[0], [3]],
  MPI_Alltoallv: [[0], [4]],
};

/** Time, texts, the system, ranges for profilers, and what tests compare with. */
const hostOnly =
  'duration_cast duration time_point nanoseconds microseconds milliseconds seconds minutes steady_clock system_clock sleep_for ' +
  'setw setprecision setfill typeid getpid gettid syscall sysconf getrusage posix_memalign aligned_alloc mlock munlock ' +
  'atoi atof atol atoll strtol strtoul strtoull strtod stoi stol stoul stoull stof stod ' +
  'sdkCreateTimer sdkStartTimer sdkStopTimer sdkResetTimer sdkGetTimerValue sdkGetAverageTimerValue sdkDeleteTimer ' +
  'nvtxRangePush nvtxRangePushA nvtxRangePushEx nvtxRangePop nvtxMark nvtxMarkA nvtxRangeStartA nvtxRangeEnd ' +
  'nvtxDomainCreateA nvtxDomainRegisterStringA nvtxDomainRangePushEx nvtxDomainRangePop ' +
  'MPI_Barrier MPI_Wtime MPI_Comm_rank MPI_Comm_size MPI_Wait MPI_Waitall MPI_Abort ' +
  [...comparisonsOfTests].join(' ');

function hostUses([reads, writes, counts = []]: Uses): HostUses {
  return { reads, writes, counts };
}

export const hostFunctionsModel: ModelFile = {
  name: 'host-functions',
  rows: [],
  hostOnly: hostOnly.split(' '),
  hostUses: new Map<string, HostUses>([
    ...Object.entries(uses).map(([name, each]) => [name, hostUses(each)] as const),
    ...Object.entries(usesOfMpi).map(([name, each]) => [name, { ...hostUses(each), ofDevice: true }] as const),
  ]),
};
