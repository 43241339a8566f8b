/**
 * What functions of the device that CUDA brings along do to the memory that they are given: CUDA C++ Programming Guide, device
 * extensions; cuda_pipeline_primitives.h, sm_32_intrinsics.h, mma.h, curand_kernel.h; libcu++.
 */

import type { Expression } from '../../program/program.ts';
import { lastPart } from '../program-table.ts';

/** Whether a statement ends the thread, if not the kernel: nothing of what stands behind it is done. */
export function endsThread(expression: Expression): boolean {
  if (expression.kind !== 'call' || expression.callee.kind !== 'name') return false;
  return /^(?:__trap|__builtin_(?:trap|unreachable)|unreachable|__nv_ptx_builtin_ocg_exit)$/.test(
    lastPart(expression.callee.name),
  );
}

/** Of each argument that is an address: `r` it is read, `w` written, `x` both, `a` both by an atomic operation, `-` neither. Behind the last all are as the last. */
export type Manner = string;

const manners: readonly (readonly [name: RegExp, manner: Manner])[] = [
  [/^atomic[A-Z]/, 'a-'],
  [/^__ld(?:g|c[gasv]|lu)$/, 'r'],
  [/^__st(?:wb|c[gs]|wt)$/, 'w-'],
  [/^(?:__builtin_)?mem(?:cpy|move)$/, 'wr-'],
  [/^(?:__builtin_)?memset$/, 'w-'],
  [/^__pipeline_memcpy_async$/, 'wr-'],
  [/^load_matrix_sync$/, '-r-'],
  [/^store_matrix_sync$/, 'w-'],
  // cub::LoadDirectBlocked(thread, from, items), cub::ThreadLoad<…>(from)
  [/^LoadDirect\w+$/, '-r-'],
  [/^StoreDirect\w+$/, '-w-'],
  [/^ThreadLoad$/, 'r'],
  [/^ThreadStore$/, 'w-'],
  [/^curand_init$/, '---w'],
  [/^curand/, 'x-'],
  [/^(?:tex|surf)\d?[A-Z1-3]/, '-'],
  [
    /^(?:printf|assert|__assert_fail|__builtin_assume|__cvta_.*|__match_\w+|__reduce_\w+|__is(?:Global|Shared|Constant|Local))$/,
    '-',
  ],
];

/** What the function of that name does; null for one that is not known. */
export function mannerOf(name: string): Manner | null {
  return manners.find(([pattern]) => pattern.test(name))?.[1] ?? null;
}

/** What a method does to what it is given, of a class that the program does not define: CUB's collective loads and stores. */
export function mannerOfMethod(name: string): Manner | null {
  if (name === 'Load') return 'r-';
  return name === 'Store' ? 'w-' : null;
}

/** Functions that return what they are given. */
export const handsBack: ReadonlySet<string> = new Set([
  'move',
  'forward',
  'as_const',
  'addressof',
  '__builtin_assume_aligned',
  'assume_aligned',
  'raw_pointer_cast',
  'launder',
]);

/** Views of the library's whose elements are named by a call, or by several indices. */
export const arrayViews: ReadonlySet<string> = new Set(['mdspan']);

/** Methods of the library's views that give an address in what they see, or say something about it, and touch nothing. */
export const viewMethods: ReadonlySet<string> = new Set([
  'begin',
  'cbegin',
  'data',
  'data_handle',
  'empty',
  'end',
  'extent',
  'first',
  'get',
  'last',
  'size',
  'size_bytes',
  'subspan',
]);

/** What a method of an atomic does to what it stands for; null for one that no atomic has. */
export function mannerOfAtomicMethod(name: string): 'r' | 'w' | 'x' | null {
  if (name === 'load' || name === 'wait') return 'r';
  if (name === 'store') return 'w';
  return /^(?:fetch_|exchange$|compare_exchange_)/.test(name) ? 'x' : null;
}
