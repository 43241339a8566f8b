/**
 * Routines of cuDNN, cuSOLVER and cuBLASLt by what they read and write: on the stream of the handle, of cuBLASLt on the one that is given
 * (cuDNN API reference 9, cuSOLVER and cuBLASLt of CUDA 13.0). A destination that is blended with what was there counts as written.
 */

import { argumentPaths } from './access-path.ts';
import type { ModelEffect, ModelRow } from './model.ts';

type Routine = readonly [name: string, reads: readonly number[], writes: readonly number[]];

const dnn: readonly Routine[] = [
  ['ConvolutionForward', [3, 5], [8, 12]],
  ['ConvolutionBackwardData', [3, 5], [8, 12]],
  ['ConvolutionBackwardFilter', [3, 5], [8, 12]],
  ['ConvolutionBackwardBias', [3], [6]],
  ['AddTensor', [3], [6]],
  ['TransformTensor', [3], [6]],
  ['OpTensor', [4, 7], [10]],
  ['ReduceTensor', [8], [4, 11]],
  ['ScaleTensor', [2], [2]],
  ['SetTensor', [], [2]],
  ['SoftmaxForward', [5], [8]],
  ['SoftmaxBackward', [5, 7], [10]],
  ['ActivationForward', [4], [7]],
  ['ActivationBackward', [4, 6, 8], [11]],
  ['PoolingForward', [4], [7]],
  ['PoolingBackward', [4, 6, 8], [11]],
  ['BatchNormalizationForwardInference', [5, 9, 10, 11, 12], [7]],
];

/** Name behind `cusolverDn` and the letter of the type. */
const solvers: readonly Routine[] = [
  ['getrf', [3], [3, 5, 6, 7]],
  ['getrs', [4, 6, 7], [7, 9]],
  ['potrf', [3], [3, 5, 7]],
  ['potrs', [4, 6], [6, 8]],
  ['geqrf', [3], [3, 5, 6, 8]],
  ['syevd', [4], [4, 6, 7, 9]],
  ['heevd', [4], [4, 6, 7, 9]],
  ['gesvd', [5], [5, 7, 8, 10, 12, 15]],
];

const routine = ([name, reads, writes]: Routine, of: ModelEffect): ModelRow => ({
  name,
  returns: 'status',
  effects: [{ ...of, kind: 'kernel', label: name, reads: argumentPaths(reads), writes: argumentPaths(writes) }],
});

const ofHandle: ModelEffect = { verb: 'library.call', library: 'arg0' };

export const dnnRoutines: readonly ModelRow[] = [
  ...dnn.map(([name, reads, writes]) => routine([`cudnn${name}`, reads, writes], ofHandle)),
  ...solvers.flatMap(([name, reads, writes]) =>
    ['S', 'D', 'C', 'Z'].map((letter) => routine([`cusolverDn${letter}${name}`, reads, writes], ofHandle)),
  ),
  routine(['cublasLtMatmul', [3, 5, 8], [10, 13]], { verb: 'stream.operation', stream: 'arg15' }),
];
