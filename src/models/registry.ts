/** Every model that ships, in one place. */

import { cppStandardModel } from './cpp-standard.ts';
import { cudaGraphModel } from './cuda-graph.ts';
import { cudaMemoryModel } from './cuda-memory.ts';
import { cudaStreamModel } from './cuda-stream.ts';
import type { ModelFile } from './model.ts';

export const cudaModels: readonly ModelFile[] = [cppStandardModel, cudaMemoryModel, cudaStreamModel, cudaGraphModel];
