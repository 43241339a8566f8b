/** What nests more deeply than this process can follow: texts that programs write, or circles in the program that is read. */

/** Whether an error says so. */
export function isTooDeep(error: unknown): boolean {
  return error instanceof RangeError && error.message === 'Maximum call stack size exceeded';
}

/** How it is said to people. */
export const tooDeep = 'it nests too deeply';
