/** Every model that ships, in one place. */

import { cppStandardModel } from './cpp-standard.ts';
import { cudaCaptureModel } from './cuda-capture.ts';
import { cudaCopiesModel } from './cuda-copies.ts';
import { cudaDriverModel } from './cuda-driver.ts';
import { cudaGraphModel } from './cuda-graph.ts';
import { cudaGraphUpdatesModel } from './cuda-graph-updates.ts';
import { cudaMemoryModel } from './cuda-memory.ts';
import { cudaQueriesModel } from './cuda-queries.ts';
import { cudaStreamModel } from './cuda-stream.ts';
import { cudaTexturesModel } from './cuda-textures.ts';
import { graphStructureModel } from './graph-structure.ts';
import { hostFunctionsModel } from './host-functions.ts';
import { librariesModel } from './libraries.ts';
import type { ModelFile } from './model.ts';
import { typescriptCallbacksModel } from './typescript-callbacks.ts';
import { typescriptRuntimeModel } from './typescript-runtime.ts';

export const cudaModels: readonly ModelFile[] = [
  cppStandardModel,
  hostFunctionsModel,
  cudaQueriesModel,
  cudaMemoryModel,
  cudaTexturesModel,
  cudaCopiesModel,
  cudaStreamModel,
  cudaCaptureModel,
  cudaGraphModel,
  cudaGraphUpdatesModel,
  graphStructureModel,
  cudaDriverModel,
  librariesModel,
];

export const typescriptModels: readonly ModelFile[] = [
  cppStandardModel,
  typescriptCallbacksModel,
  typescriptRuntimeModel,
];
