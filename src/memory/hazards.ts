/** Ordering mistakes across graphs, streams and the host: each use and free of each instance, judged once. */

import type { AllocationModel, Execution } from '../execution/execution.ts';
import { partlySeen } from '../execution/unseen.ts';
import type { Order } from '../order/order.ts';
import type { Death, Instance, Lifetimes, Use } from './lifetimes.ts';

export type HazardKind =
  | 'neverLive'
  | 'useOfInternal'
  | 'useAfterFree'
  | 'useBeforeAlloc'
  | 'useFreeRace'
  | 'hostFreeRace'
  | 'freeBeforeAlloc';

export interface Hazard {
  readonly kind: HazardKind;
  readonly allocation: AllocationModel;
  readonly instance: Instance | null;
  readonly use: Use | null;
  readonly death: Death | null;
}

/** Judges every use, those in its allocation's own graph against frees outside, and every free. Precedence as in the catalogue, 2.Z. */
export function findHazards(execution: Execution, order: Order, lifetimes: Lifetimes): readonly Hazard[] {
  const out: Hazard[] = [];
  const isPartlySeen = partlySeen(execution);
  for (const { allocation, use } of lifetimes.unborn) {
    // A function that is not seen may only want the address, to build another graph with it.
    if (use.isOpaque || allocation.kind !== 'graph' || isBuiltInUnseenGraph(execution, allocation)) continue;
    out.push({ kind: 'neverLive', allocation, instance: null, use, death: null });
  }
  for (const instance of lifetimes.instances) {
    const { allocation } = instance;
    const racing: Hazard[] = [];
    const freedInside = instance.deaths.find((death) => death.kind === 'freeNode' && death.isInternal) ?? null;
    for (const use of instance.uses) {
      const hazard = use.isInternal
        ? judgeOwnUse(isPartlySeen, order, instance, use, freedInside)
        : judgeUse(isPartlySeen, order, instance, use, freedInside);
      if (!hazard) continue;
      const full: Hazard = { allocation, instance, use, ...hazard };
      (hazard.kind === 'useFreeRace' ? racing : out).push(full);
    }
    // A use before another racing one needs no report: ordering the last of them orders all.
    for (const hazard of racing)
      if (!racing.some((other) => order.before(hazard.use!.point, other.use!.point))) out.push(hazard);
    judgeFrees(isPartlySeen, order, instance, out);
  }
  return out;
}

/** Allocations of graphs whose launches we cannot see prove nothing when no launch is seen. */
function isBuiltInUnseenGraph(execution: Execution, allocation: AllocationModel): boolean {
  const graph = allocation.graph === null ? null : execution.graphs[allocation.graph]!;
  return !graph || graph.hasUnseen;
}

type Judgement = Pick<Hazard, 'kind' | 'death'> | null;

function judgeUse(
  isPartlySeen: ReturnType<typeof partlySeen>,
  order: Order,
  instance: Instance,
  use: Use,
  freedInside: Death | null,
): Judgement {
  if (freedInside) return { kind: 'useOfInternal', death: freedInside };
  const outside = instance.deaths;
  const after = outside.find((death) => order.before(death.point, use.point));
  if (after) return { kind: 'useAfterFree', death: after };
  if (isPartlySeen(use.operation) || isPartlySeen(instance.birthOperation)) return null;
  if (instance.birth !== null && !order.before(instance.birth, use.point))
    return { kind: 'useBeforeAlloc', death: null };
  const { kind } = instance.allocation;
  const racing = outside.find(
    (death) => mayComeTooEarly(death, kind) && !order.before(use.point, death.point) && !isPartlySeen(death.operation),
  );
  if (!racing) return null;
  return { kind: racing.kind === 'hostFree' ? 'hostFreeRace' : 'useFreeRace', death: racing };
}

/**
 * A use in the graph that allocates: a free outside that comes after the allocation need not come after it, as where both
 * hang on an event that the graph records before the use. A free that does not even come after the allocation is judged as such.
 */
function judgeOwnUse(
  isPartlySeen: ReturnType<typeof partlySeen>,
  order: Order,
  { birth, deaths }: Instance,
  use: Use,
  freedInside: Death | null,
): Judgement {
  if (freedInside || birth === null || isPartlySeen(use.operation)) return null;
  const racing = deaths.find(
    ({ kind, point, operation }) =>
      kind !== 'autoFree' && order.before(birth, point) && !order.before(use.point, point) && !isPartlySeen(operation),
  );
  return racing ? { kind: racing.kind === 'hostFree' ? 'hostFreeRace' : 'useFreeRace', death: racing } : null;
}

/** What the host frees of cudaMalloc's memory, CUDA frees when the device is done with it; how it is with memory from outside nobody knows. */
function mayComeTooEarly(death: Death, kind: AllocationModel['kind']): boolean {
  if (kind === 'stream' || kind === 'graph') return true;
  return death.kind !== 'hostFree' && kind === 'device';
}

function judgeFrees(
  isPartlySeen: ReturnType<typeof partlySeen>,
  order: Order,
  instance: Instance,
  out: Hazard[],
): void {
  const { allocation } = instance;
  for (const death of instance.deaths) {
    if (death.isInternal || death.kind === 'autoFree') continue;
    if (isPartlySeen(death.operation) || isPartlySeen(instance.birthOperation)) continue;
    const birth = instance.birth;
    if (birth === null || order.before(birth, death.point)) continue;
    // Of what cudaMallocAsync gave, cudaFree asks that its uses are over: the host has had the address since the call.
    if (death.kind === 'hostFree' && allocation.kind === 'stream') continue;
    const followsUnorderedUse = instance.uses.some(
      (use) => !use.isInternal && !order.before(birth, use.point) && order.before(use.point, death.point),
    );
    if (!followsUnorderedUse)
      out.push({
        kind: death.kind === 'hostFree' ? 'hostFreeRace' : 'freeBeforeAlloc',
        allocation,
        instance,
        use: null,
        death,
      });
  }
}
