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

/** The number of an error; an unknown one counts as `cudaErrorInvalidValue`. */
export function numberOfError(name: string): number {
  return errorNumbers[name] ?? 1;
}

/** How recordings write an error: its name, `ok` for success. */
export function nameOfError(number: number): string {
  if (number === 0) return 'ok';
  return Object.keys(errorNumbers).find((name) => errorNumbers[name] === number) ?? `error ${number}`;
}
