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

/** Bytes of one of them; undefined for every other type. */
export function bytesOfCudaType(name: string): number | undefined {
  return Object.hasOwn(cudaBytes, name) ? cudaBytes[name] : undefined;
}
