/** What a call of CUDA returns, by the name that its API has for it. */

/** Errors that the driver does not call as the runtime does (`cuda.h`, `driver_types.h`). */
const ofDriver: Readonly<Record<string, string>> = {
  cudaErrorMemoryAllocation: 'CUDA_ERROR_OUT_OF_MEMORY',
  cudaErrorInvalidResourceHandle: 'CUDA_ERROR_INVALID_HANDLE',
};

/** `result`: the runtime's name; `api`: the call, `cuGraphClone` or `cudaGraphClone`. */
export function resultName(api: string, result: string): string {
  if (!/^cu[A-Z]/.test(api)) return result;
  const words = result.replace(/^cuda/, '').replace(/(?<=[a-z])(?=[A-Z])/g, '_');
  return ofDriver[result] ?? `CUDA_${words.toUpperCase()}`;
}
