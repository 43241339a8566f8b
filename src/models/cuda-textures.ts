/** Texture and surface objects: they stand for the memory that they are made over, which kernels reach through them. */

import type { ModelFile, ModelRow } from './model.ts';

/** Where the descriptions of resources have their memory, by kind. */
const runtimeKinds: Readonly<Record<string, string>> = {
  cudaResourceTypeArray: 'array.array',
  cudaResourceTypeMipmappedArray: 'mipmap.mipmap',
  cudaResourceTypeLinear: 'linear.devPtr',
  cudaResourceTypePitch2D: 'pitch2D.devPtr',
};

const driverKinds: Readonly<Record<string, string>> = {
  CU_RESOURCE_TYPE_ARRAY: 'array.hArray',
  CU_RESOURCE_TYPE_MIPMAPPED_ARRAY: 'mipmap.hMipmappedArray',
  CU_RESOURCE_TYPE_LINEAR: 'linear.devPtr',
  CU_RESOURCE_TYPE_PITCH2D: 'pitch2D.devPtr',
};

function madeOver(name: string, kinds: Readonly<Record<string, string>>): ModelRow {
  const cases = Object.entries(kinds).map(
    ([kind, place]) => [kind, [{ verb: 'write.value', target: '*arg0', value: `arg1.res.${place}` }]] as const,
  );
  return {
    name,
    returns: 'status',
    effects: [{ verb: 'write.pointees' }],
    select: { path: 'arg1.resType', cases: Object.fromEntries(cases) },
    // Texture objects were refused on an H200.
    ...(name.includes('Tex') ? { unsafeInCapture: true } : {}),
  };
}

export const cudaTexturesModel: ModelFile = {
  name: 'cuda-textures',
  rows: [
    ...['cudaCreateTextureObject', 'cudaCreateSurfaceObject'].map((name) => madeOver(name, runtimeKinds)),
    ...['cuTexObjectCreate', 'cuSurfObjectCreate'].map((name) => madeOver(name, driverKinds)),
  ],
  constants: Object.fromEntries([
    ...Object.keys(runtimeKinds).map((name, value) => [name, value] as const),
    ...Object.keys(driverKinds).map((name, value) => [name, value] as const),
  ]),
};
