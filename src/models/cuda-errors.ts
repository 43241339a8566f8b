/** CUDA's errors by name: the numbers programs compare with. */

export const errorNumbers: Readonly<Record<string, number>> = {
  cudaSuccess: 0,
  cudaErrorInvalidValue: 1,
  cudaErrorMemoryAllocation: 2,
  cudaErrorInvalidDevice: 101,
  cudaErrorPeerAccessUnsupported: 217,
  cudaErrorInvalidResourceHandle: 400,
  cudaErrorIllegalState: 401,
  cudaErrorNotReady: 600,
  cudaErrorIllegalAddress: 700,
  cudaErrorContextIsDestroyed: 709,
  cudaErrorNotPermitted: 800,
  cudaErrorNotSupported: 801,
  cudaErrorStreamCaptureUnsupported: 900,
  cudaErrorStreamCaptureInvalidated: 901,
  cudaErrorStreamCaptureMerge: 902,
  cudaErrorStreamCaptureUnmatched: 903,
  cudaErrorStreamCaptureUnjoined: 904,
  cudaErrorStreamCaptureIsolation: 905,
  cudaErrorStreamCaptureImplicit: 906,
  cudaErrorCapturedEvent: 907,
  cudaErrorStreamCaptureWrongThread: 908,
  cudaErrorGraphExecUpdateFailure: 910,
};

/** The driver's names of the same errors. */
export const driverErrorNumbers: Readonly<Record<string, number>> = {
  CUDA_SUCCESS: 0,
  CUDA_ERROR_INVALID_VALUE: 1,
  CUDA_ERROR_OUT_OF_MEMORY: 2,
  CUDA_ERROR_INVALID_DEVICE: 101,
  CUDA_ERROR_PEER_ACCESS_UNSUPPORTED: 217,
  CUDA_ERROR_INVALID_HANDLE: 400,
  CUDA_ERROR_ILLEGAL_STATE: 401,
  CUDA_ERROR_NOT_READY: 600,
  CUDA_ERROR_ILLEGAL_ADDRESS: 700,
  CUDA_ERROR_CONTEXT_IS_DESTROYED: 709,
  CUDA_ERROR_NOT_PERMITTED: 800,
  CUDA_ERROR_NOT_SUPPORTED: 801,
  CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED: 900,
  CUDA_ERROR_STREAM_CAPTURE_INVALIDATED: 901,
  CUDA_ERROR_STREAM_CAPTURE_MERGE: 902,
  CUDA_ERROR_STREAM_CAPTURE_UNMATCHED: 903,
  CUDA_ERROR_STREAM_CAPTURE_UNJOINED: 904,
  CUDA_ERROR_STREAM_CAPTURE_ISOLATION: 905,
  CUDA_ERROR_STREAM_CAPTURE_IMPLICIT: 906,
  CUDA_ERROR_CAPTURED_EVENT: 907,
  CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD: 908,
  CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE: 910,
};

/** Whether a type, by its name, is what calls of either API return. */
export function isStatusType(name: string): boolean {
  return name === 'cudaError_t' || name === 'cudaError' || name === 'CUresult';
}

/** The number of an error; an unknown one counts as `cudaErrorInvalidValue`. */
export function numberOfError(name: string): number {
  return errorNumbers[name] ?? 1;
}

/** How recordings write an error: its name, `ok` for success. */
export function nameOfError(number: number): string {
  if (number === 0) return 'ok';
  return Object.keys(errorNumbers).find((name) => errorNumbers[name] === number) ?? `error ${number}`;
}
