/** Memory of the device that the host touches though it cannot reach it, as far as that is sure. */

import { Attached } from '../../base/attached.ts';
import { isLibraryFile } from '../../base/library-files.ts';
import { spanEncloses } from '../../base/span.ts';
import { rememberedByProgram } from '../../program/consulted.ts';
import type { FunctionBody } from '../../program/function-body.ts';
import type { FunctionDefinition } from '../../program/program.ts';
import { runningIn } from '../calls/other-function.ts';
import { ofDeviceAlone } from '../given-elements.ts';
import { keptByRun } from '../kept-by-run.ts';
import type { World } from '../world.ts';

/**
 * Memory of CUDA's that the host surely cannot reach: nobody has it as something else than its address (a `thrust::device_ptr` reads it by
 * a copy), nobody asks whether the host can, and what touches it is no lambda, which may be for the device.
 */
export function isOutOfReach(world: World, allocation: number): boolean {
  const record = world.allocations[allocation];
  if (!record || !ofDeviceAlone.has(record.origin) || world.entrusted.has(allocation)) return false;
  if (isLibraryFile(record.span.file) || world.frames.some(({ name }) => name === 'lambda')) return false;
  if (record.origin === 'stream' && givesDevicesPools(world)) return false;
  return ![...runningIn(world), ...entryOf(world)].some(({ body }) => body && mentionsReach(body));
}

/** The function that the run began with, which nothing has called: the one around the first call, or around the statement. */
export function entryOf(world: World): readonly FunctionDefinition[] {
  const { program, statement, frames } = world;
  const kept = entry(world);
  const inside = frames[0]?.call ?? statement;
  if (kept.around.length === 0)
    kept.around = [...program.functions.values()].flat().filter(({ span }) => spanEncloses(span, inside));
  return kept.around;
}

/** It is looked for once in a run: places in memory are named often. */
const entry = keptByRun((): { around: readonly FunctionDefinition[] } => ({ around: [] }));

const reaching = new Attached<FunctionBody, boolean>();

function mentionsReach(body: FunctionBody): boolean {
  const known = reaching.get(body);
  if (known !== undefined) return known;
  const reaches = [...body.mentions].some((name) => mayReach.test(name));
  reaching.set(body, reaches);
  return reaches;
}

const mayReach = /^(?:thrust|device_(?:ptr|vector|reference|pointer_cast|malloc))$|[pP]ageableMemoryAccess|HMM/;

/** Whether the program says from which pools its streams allocate: one may be of the host's memory, or of managed memory. */
function givesDevicesPools({ program }: World): boolean {
  return areGivenPools(program).get(program.functions, false, () =>
    [...program.functions.values()]
      .flat()
      .some(({ body }) => body && settersOfPools.some((each) => body.mentions.has(each))),
  );
}

const areGivenPools = rememberedByProgram<object, boolean>();
const settersOfPools = ['cudaDeviceSetMemPool', 'cuDeviceSetMemPool', 'cudaMemSetMemPool', 'cuMemSetMemPool'];

/** Whether the program asks if the device can reach all memory of the host: where it can, nothing has to be copied. */
export function mayReachPageable({ program }: World): boolean {
  return isAskedFor(program).get(program.functions, false, () =>
    [...program.functions.values()]
      .flat()
      .some(({ body }) => body && [...body.mentions].some((name) => /[pP]ageableMemoryAccess|PAGEABLE|HMM/.test(name))),
  );
}

const isAskedFor = rememberedByProgram<object, boolean>();
