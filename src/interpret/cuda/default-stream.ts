/**
 * Which stream a handle that is no stream of the program's own means: 0 and a missing argument, `cudaStreamLegacy` (1) and
 * `cudaStreamPerThread` (2). With CUDA_API_PER_THREAD_DEFAULT_STREAM defined, 0 is the calling thread's own stream, which does
 * not wait for other streams (CUDA Programming Guide, default stream). A definition inside a `.cu` file comes too late: nvcc includes
 * the runtime's header before the first line (there too; nvcc 13.0 links `cudaMemsetAsync`, not `cudaMemsetAsync_ptsz`).
 */

import { commandLine } from '../../program/program.ts';
import { legacyStream, perThreadStream } from '../../trace/event.ts';
import type { ProgramTable } from '../program-table.ts';

const perThreadMacros = ['CUDA_API_PER_THREAD_DEFAULT_STREAM', '__CUDA_API_PER_THREAD_DEFAULT_STREAM'];

const known = new WeakMap<ProgramTable, number>();

/** The stream that 0 means in this program. */
export function defaultStream(program: ProgramTable): number {
  let stream = known.get(program);
  if (stream === undefined) {
    const isTooLate = /\.cuh?$/.test(program.modules[0]?.file ?? '');
    const isPerThread = perThreadMacros.some((name) => {
      const macro = program.macro(name);
      return macro !== undefined && (!isTooLate || macro.span.file === commandLine);
    });
    stream = isPerThread ? perThreadStream : legacyStream;
    known.set(program, stream);
  }
  return stream;
}

/** The stream that a number used as a handle means. */
export function streamOfNumber(program: ProgramTable, value: number): number {
  if (value === 1) return legacyStream;
  return value === 2 ? perThreadStream : defaultStream(program);
}
