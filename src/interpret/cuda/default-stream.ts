/**
 * Which stream a handle that is no stream of the program's own means: 0 and a missing argument, `cudaStreamLegacy` (1) and
 * `cudaStreamPerThread` (2). With CUDA_API_PER_THREAD_DEFAULT_STREAM defined, 0 is the calling thread's own stream, which does
 * not wait for other streams (CUDA Programming Guide, default stream). A definition inside a `.cu` file comes too late: nvcc includes
 * the runtime's header before the first line (there too; nvcc 13.0 links `cudaMemsetAsync`, not `cudaMemsetAsync_ptsz`).
 */

import { Attached } from '../../base/attached.ts';
import { commandLine } from '../../program/program.ts';
import { legacyStream, threadsOwn } from '../../trace/event.ts';
import type { ProgramTable } from '../program-table.ts';
import { createHandle, type World } from '../world.ts';

const perThreadMacros = ['CUDA_API_PER_THREAD_DEFAULT_STREAM', '__CUDA_API_PER_THREAD_DEFAULT_STREAM'];

const known = new Attached<ProgramTable, boolean>();

/** The stream that 0 means in this program, in the thread under way. */
export function defaultStream(world: World): number {
  return isPerThreadIn(world.program) ? streamOfThread(world) : legacyStream;
}

/** The stream that `cudaStreamPerThread` means in the thread under way: each thread of the program has one of its own. */
function streamOfThread(world: World): number {
  const { threads } = world;
  threads.ownStream ??= createHandle(world, 'stream', threadsOwn, world.statement).id;
  return threads.ownStream;
}

function isPerThreadIn(program: ProgramTable): boolean {
  let isPerThread = known.get(program);
  if (isPerThread === undefined) {
    const isTooLate = /\.cuh?$/.test(program.modules[0]?.file ?? '');
    isPerThread = perThreadMacros.some((name) => {
      const macro = program.macro(name);
      return macro !== undefined && (!isTooLate || macro.span.file === commandLine);
    });
    known.set(program, isPerThread);
  }
  return isPerThread;
}

/** The stream that a number used as a handle means. */
export function streamOfNumber(world: World, value: number): number {
  if (value === 1) return legacyStream;
  return value === 2 ? streamOfThread(world) : defaultStream(world);
}
