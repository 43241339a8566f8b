/**
 * NVSHMEM as the host calls it: memory that has the same address everywhere, and work on a stream. What lies at an address on
 * another device is no memory of this one, so that the far side of a copy is only known to be there. Source: the manual of 3.5.
 */

import type { ModelEffect, ModelRow } from './model.ts';

const types =
  'half bfloat16 float double char schar short int long longlong uchar ushort uint ulong ulonglong ' +
  'int8 int16 int32 int64 uint8 uint16 uint32 uint64 size ptrdiff';
const typeNames = types.split(' ');

const row = (name: string, effect: ModelEffect): ModelRow => ({ name, effects: [effect] });

/** Work on the stream in an argument, all of which a call may say of memory. */
const work = (name: string, stream: string, memory: Readonly<Record<string, readonly string[]>> = {}): ModelRow =>
  row(name, { verb: 'stream.operation', stream, kind: 'kernel', label: name, ...memory });

const allocations: readonly ModelRow[] = [
  ['nvshmem_malloc', 'arg0'],
  ['nvshmem_align', 'arg1'],
  ['nvshmem_calloc', 'arg0', 'arg1'],
].map(([name = '', ...bytes]) => row(name, { verb: 'memory.allocate', origin: 'device', pointer: 'return', bytes }));

/** `nvshmemx_float_put_on_stream(there, here, count, pe, stream)`, and the other way round. */
const copies: readonly ModelRow[] = ['', '_nbi'].flatMap((kind) => [
  ...[...typeNames.map((type) => `${type}_put`), 'put8', 'put16', 'put32', 'put64', 'put128', 'putmem'].map((name) =>
    work(`nvshmemx_${name}${kind}_on_stream`, 'arg4', { touches: ['arg0'], reads: ['arg1'] }),
  ),
  ...[...typeNames.map((type) => `${type}_get`), 'get8', 'get16', 'get32', 'get64', 'get128', 'getmem'].map((name) =>
    work(`nvshmemx_${name}${kind}_on_stream`, 'arg4', { writes: ['arg0'], touches: ['arg1'] }),
  ),
  ...[...typeNames.map((type) => `${type}_put`), 'putmem'].map((name) =>
    work(`nvshmemx_${name}_signal${kind}_on_stream`, 'arg7', { touches: ['arg0', 'arg3'], reads: ['arg1'] }),
  ),
]);

/** The team comes first, then where it goes, then where it comes from. */
const collectives: readonly ModelRow[] = [
  ...['alltoall', 'fcollect'].flatMap((what) =>
    [`${what}mem`, ...typeNames.map((type) => `${type}_${what}`)].map((name) =>
      work(`nvshmemx_${name}_on_stream`, 'arg4', { writes: ['arg1'], reads: ['arg2'] }),
    ),
  ),
  ...typeNames.flatMap((type) =>
    ['sum', 'prod', 'min', 'max', 'and', 'or', 'xor'].map((what) =>
      work(`nvshmemx_${type}_${what}_reduce_on_stream`, 'arg4', { writes: ['arg1'], reads: ['arg2'] }),
    ),
  ),
  // Only the root's source is read.
  ...['broadcastmem', ...typeNames.map((type) => `${type}_broadcast`)].map((name) =>
    work(`nvshmemx_${name}_on_stream`, 'arg5', { writes: ['arg1'], touches: ['arg2'] }),
  ),
];

const order: readonly ModelRow[] = [
  ...['barrier_all', 'sync_all', 'quiet'].map((name) => work(`nvshmemx_${name}_on_stream`, 'arg0')),
  ...['barrier', 'sync', 'team_sync'].map((name) => work(`nvshmemx_${name}_on_stream`, 'arg1')),
  work('nvshmemx_signal_op_on_stream', 'arg4', { touches: ['arg0'] }),
  work('nvshmemx_signal_wait_until_on_stream', 'arg3', { touches: ['arg0'] }),
];

export const nvshmem: readonly ModelRow[] = [
  ...allocations,
  row('nvshmem_free', { verb: 'memory.free', pointer: 'arg0' }),
  ...copies,
  ...collectives,
  ...order,
  row('nvshmemx_collective_launch', {
    verb: 'stream.operation',
    stream: 'arg5',
    kind: 'kernel',
    function: 'arg0',
    grid: 'arg1',
    block: 'arg2',
    kernelArguments: 'arg3',
    cooperative: true,
  }),
];

/** What only says who one is. */
export const nvshmemQueries: readonly string[] = [
  ...['init', 'init_thread', 'my_pe', 'n_pes', 'team_my_pe', 'team_n_pes', 'team_translate_pe'].map(
    (name) => `nvshmem_${name}`,
  ),
  ...['init_attr', 'init_status', 'get_uniqueid', 'set_attr_uniqueid_args'].map((name) => `nvshmemx_${name}`),
];
