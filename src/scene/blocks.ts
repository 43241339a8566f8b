/** Physical blocks and who maps them, step by step. */

import type { Facts } from '../checks/facts.ts';
import type { Simulation } from '../simulation/simulate.ts';
import type { SceneBlock, SceneOperation } from './scene.ts';

interface Holder {
  readonly graph: number;
  readonly address: number;
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** Follows the driver's block changes; steps are indexes into the operations shown. */
export function buildBlocks(facts: Facts, simulation: Simulation, operations: readonly SceneOperation[]): SceneBlock[] {
  const bases = graphBases(facts, simulation);
  const blocks = new Map<number, { holders: Mutable<SceneBlock['holders'][number]>[]; now: Holder[] }>();
  let shown = -1;
  const steps = stepOfEvent(simulation, operations, facts);
  for (const call of simulation.calls) {
    const step = steps.get(call.event);
    if (step !== undefined) shown = step;
    const at = Math.max(0, shown);
    const touched = new Set<number>();
    for (const change of call.outcome?.changes ?? []) {
      const block = blocks.get(change.block) ?? { holders: [], now: [] };
      blocks.set(change.block, block);
      touched.add(change.block);
      if (change.kind === 'map' && change.graph !== undefined)
        block.now = [
          ...block.now.filter((each) => each.graph !== change.graph),
          { graph: change.graph, address: change.address ?? 0 },
        ];
      if (change.kind === 'unmap')
        block.now = block.now.filter(
          (each) => each.graph !== change.graph || (change.address !== undefined && each.address !== change.address),
        );
      if (change.kind === 'release') block.now = [];
    }
    for (const id of touched) {
      const block = blocks.get(id)!;
      const last = block.holders.at(-1);
      const entry = {
        fromStep: at,
        toStep: operations.length - 1,
        graphs: block.now.map((each) => each.graph),
        offsets: block.now.map((each) => each.address - (bases.get(each.graph) ?? each.address)),
      };
      if (last && last.fromStep === at) block.holders[block.holders.length - 1] = entry;
      else {
        if (last) last.toStep = at - 1;
        block.holders.push(entry);
      }
    }
  }
  return [...blocks].map(([id, block]) => ({ id, bytes: simulation.profile.blockBytes, holders: block.holders }));
}

function graphBases(facts: Facts, simulation: Simulation): ReadonlyMap<number, number> {
  const bases = new Map<number, number>();
  for (const [allocation, { address }] of simulation.addresses) {
    const graph = facts.execution.allocations[allocation]?.graph;
    if (graph !== null && graph !== undefined)
      bases.set(graph, Math.min(bases.get(graph) ?? Number.POSITIVE_INFINITY, address));
  }
  return bases;
}

/** Which shown step each event became, matched by position in the text and order. */
function stepOfEvent(
  simulation: Simulation,
  operations: readonly SceneOperation[],
  facts: Facts,
): ReadonlyMap<number, number> {
  const steps = new Map<number, number>();
  let next = 0;
  for (const call of simulation.calls) {
    const operation = operations[next];
    const event = facts.trace.events[call.event]!;
    if (operation && operation.event === event.index) steps.set(call.event, next++);
  }
  return steps;
}
