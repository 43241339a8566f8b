/** CUDA's own types and their sizes in bytes, as CUDA 13.0's headers have them on 64 bits (g++, x86-64). */

/** Numbers and vectors of CUDA's, and wide characters; the other types of the language are in `number-types.ts`. */
const cudaBytes: Readonly<Record<string, number>> = {
  half: 2,
  __half: 2,
  wchar_t: 4,
  char8_t: 1,
  char16_t: 2,
  char32_t: 4,
  __nv_bfloat16: 2,
  float1: 4,
  float2: 8,
  int2: 8,
  uint2: 8,
  double2: 16,
  float3: 12,
  int3: 12,
  uint3: 12,
  float4: 16,
  int4: 16,
  uint4: 16,
  uchar4: 4,
  dim3: 12,
  nullptr_t: 8,
  'std::nullptr_t': 8,
  cuComplex: 8,
  cuFloatComplex: 8,
  cuDoubleComplex: 16,
  cufftReal: 4,
  cufftDoubleReal: 8,
  cufftComplex: 8,
  cufftDoubleComplex: 16,
};

/** Enumerations, addresses of what the library keeps, and numbers that stand for something. */
const words: Readonly<Record<string, 4 | 8>> = {
  cudaError_t: 4,
  cudaError: 4,
  CUresult: 4,
  CUdevice: 4,
  cudaMemcpyKind: 4,
  cudaGraphNodeType: 4,
  cudaStreamCaptureMode: 4,
  cudaStreamCaptureStatus: 4,
  cudaArray_t: 8,
  cudaMipmappedArray_t: 8,
  cudaTextureObject_t: 8,
  cudaSurfaceObject_t: 8,
  cudaGraphConditionalHandle: 8,
  cudaUserObject_t: 8,
  cudaExternalMemory_t: 8,
  cudaExternalSemaphore_t: 8,
  cudaFunction_t: 8,
  cudaKernel_t: 8,
  cudaHostFn_t: 8,
  cudaStreamCallback_t: 8,
  CUdeviceptr: 8,
  CUcontext: 8,
  CUmodule: 8,
  CUfunction: 8,
  CUkernel: 8,
  CUlibrary: 8,
  CUarray: 8,
  CUhostFn: 8,
};

/** Whether a name is that of an enumeration of CUDA's, or of a number that stands for something. */
export function isEnumerationOfCuda(name: string): boolean {
  return Object.hasOwn(words, name) && words[name] === 4;
}

/** Structures that begin at multiples of 8. */
const structures: Readonly<Record<string, number>> = {
  cudaPitchedPtr: 32,
  cudaExtent: 24,
  cudaPos: 24,
  cudaLaunchConfig_t: 56,
  cudaKernelNodeParams: 56,
  cudaMemsetParams: 40,
  cudaHostNodeParams: 16,
  cudaMemcpy3DParms: 160,
  cudaMemAllocNodeParams: 120,
  cudaGraphNodeParams: 256,
  cudaLaunchAttribute: 72,
  cudaLaunchAttributeValue: 64,
  cudaMemcpyAttributes: 24,
  cudaGraphExecUpdateResultInfo: 24,
  cudaGraphInstantiateParams: 32,
  cudaAccessPolicyWindow: 32,
  cudaMemPoolProps: 88,
  cudaResourceDesc: 144,
  cudaExternalSemaphoreSignalParams: 144,
  cudaExternalSemaphoreWaitParams: 144,
  cudaMemcpyNodeParams: 176,
  cudaKernelNodeParamsV2: 56,
  cudaMemsetParamsV2: 40,
  cudaMemAllocNodeParamsV2: 120,
  cudaHostNodeParamsV2: 16,
  cudaMemcpy3DPeerParms: 168,
  CUlaunchAttribute: 72,
  CUlaunchConfig: 56,
  CUgraphNodeParams: 256,
  CUDA_KERNEL_NODE_PARAMS: 72,
  CUDA_MEMSET_NODE_PARAMS: 40,
  CUDA_MEMCPY3D: 200,
  CUDA_MEMCPY2D: 128,
  CUDA_MEM_ALLOC_NODE_PARAMS: 120,
  CUDA_HOST_NODE_PARAMS: 16,
  CUstreamBatchMemOpParams: 48,
  CUmemPoolProps: 88,
};

/** Structures that begin at multiples of 4, or, as the data of edges, anywhere. */
const smallStructures: Readonly<Record<string, { readonly bytes: number; readonly alignment: number }>> = {
  cudaMemLocation: { bytes: 8, alignment: 4 },
  CUmemLocation: { bytes: 8, alignment: 4 },
  cudaMemAccessDesc: { bytes: 12, alignment: 4 },
  CUmemAccessDesc: { bytes: 12, alignment: 4 },
  cudaChannelFormatDesc: { bytes: 20, alignment: 4 },
  cudaGraphEdgeData: { bytes: 8, alignment: 1 },
  CUgraphEdgeData: { bytes: 8, alignment: 1 },
  cudaIpcMemHandle_t: { bytes: 64, alignment: 1 },
  cudaIpcEventHandle_t: { bytes: 64, alignment: 1 },
  cudaUUID_t: { bytes: 16, alignment: 1 },
};

/** Bytes of a number or a vector of CUDA's; undefined for every other type. */
export function bytesOfCudaType(name: string): number | undefined {
  return Object.hasOwn(cudaBytes, name) ? cudaBytes[name] : undefined;
}

/** Of a type of CUDA's that is none of these; null for all others. */
export function cudaSize(name: string): { readonly bytes: number; readonly alignment: number } | null {
  if (Object.hasOwn(words, name)) return { bytes: words[name]!, alignment: words[name]! };
  if (Object.hasOwn(structures, name)) return { bytes: structures[name]!, alignment: 8 };
  return Object.hasOwn(smallStructures, name) ? smallStructures[name]! : null;
}
