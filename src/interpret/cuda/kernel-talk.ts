/** Kernels that the host learns from, or tells, through memory how far the other is, while they run. */

import { rememberedByProgram } from '../../program/consulted.ts';
import type { FunctionBody } from '../../program/function-body.ts';
import type { FunctionDefinition } from '../../program/program.ts';
import { eachNode } from '../../program/walk.ts';
import { lastPart } from '../program-table.ts';
import type { World } from '../world.ts';

const maximumDepth = 4;

/**
 * Whether a kernel, or what it calls, takes memory for something that the host may look at or change at the same time: by `volatile` and
 * `atomic` types, fences and atomic operations for the whole system, sleep, or assembly (CUDA C++ Programming Guide, memory fence functions).
 */
export function talksToHost(world: World, kernel: FunctionDefinition): boolean {
  return answers(world.program).get(kernel, false, () => talks(world, kernel, 0));
}

/** Asked for each kernel that the host's accesses are held against, pair by pair. */
const answers = rememberedByProgram<FunctionDefinition, boolean>();

function talks(world: World, { parameters, body }: FunctionDefinition, depth: number): boolean {
  if (parameters.some(({ type }) => type.isVolatile)) return true;
  if (!body || depth > maximumDepth) return false;
  if (mentionsOthers(body)) return true;
  let found = false;
  eachNode(body.statements, (node) => {
    if (found || node.kind !== 'call' || node.callee.kind !== 'name') return;
    const callee = world.program.functions.get(lastPart(node.callee.name))?.find((each) => each.body);
    found = callee !== undefined && talks(world, callee, depth + 1);
  });
  return found;
}

/** Whether the text of a body itself takes memory for something that others look at or change. */
export function mentionsOthers({ mentions }: FunctionBody): boolean {
  for (const word of mentions) if (talk.test(word)) return true;
  return false;
}

const talk =
  /^(?:volatile|__threadfence_system|__nanosleep|nanosleep|(?:__)?asm(?:__)?|(?:cuda_)?atomic(?:_ref|_thread_fence)?|atomic\w+_system|thread_scope_system|__(?:nv_)?atomic_\w+|ld_\w*volatile\w*|st_\w*release\w*)$/;
