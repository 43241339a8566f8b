/** What the inspector says about a thing, worked out from the scene: uses of an allocation, launches of a graph, the now. */

import type { Place, Scene, SceneNode } from '../scene/scene.ts';
import { type ChipRole, roleWords } from './graph-model.ts';
import { launches } from './memory-axis.ts';

export interface Use {
  readonly graph: number;
  readonly node: number;
  readonly role: ChipRole;
}

/** Every node that allocates, uses or frees an allocation, in the order of graphs and nodes. */
export function usesOf(scene: Scene, allocation: number): readonly Use[] {
  return scene.graphs.flatMap((graph) =>
    graph.nodes.flatMap((node) => {
      const role = roleAt(node, allocation);
      return role ? [{ graph: graph.id, node: node.id, role }] : [];
    }),
  );
}

/** What a node does with an allocation; undefined when it does not touch it. */
export function roleAt(node: SceneNode, allocation: number): ChipRole | undefined {
  if (node.allocation === allocation) return node.kind === 'memFree' ? 'free' : 'alloc';
  return node.accesses.find((access) => access.allocation === allocation)?.mode;
}

/** `reads`, `frees` …: the verb for a use. */
export function useWord(use: Use): string {
  return roleWords[use.role];
}

export interface LaunchState {
  readonly total: number;
  /** Launches up to and including the step. */
  readonly done: number;
  /** True when the step itself launches the graph. */
  readonly now: boolean;
}

/** How far a graph's launches are at a step. */
export function launchState(scene: Scene, graph: number, step: number): LaunchState {
  const all = scene.operations.filter((operation) => launches(operation) && operation.graph === graph);
  return {
    total: all.length,
    done: all.filter((operation) => operation.id <= step).length,
    now: all.some((operation) => operation.id === step),
  };
}

export type NodeTime = 'done' | 'now' | 'coming';

/**
 * Where nodes stand at a step: by their graph's launches, or, when it is never launched, by the call that made the node.
 * Undefined when the story says nothing of it.
 */
export function nodeTimes(scene: Scene, step: number): (graph: number, node: SceneNode) => NodeTime | undefined {
  const launchesOf = scene.graphs.map((graph) => launchState(scene, graph.id, step));
  const calls = new Map<string, number>();
  for (const operation of scene.operations) {
    const key = startOf(operation.place);
    if (!calls.has(key)) calls.set(key, operation.id);
  }
  return (graph, node) => {
    const state = launchesOf[graph];
    if (state && state.total > 0) return state.now ? 'now' : state.done > 0 ? 'done' : 'coming';
    const call = calls.get(startOf(node.place));
    if (call === undefined) return undefined;
    return call < step ? 'done' : call === step ? 'now' : 'coming';
  };
}

function startOf(place: Place): string {
  return `${place.range.start.line}:${place.range.start.column}:${place.file}`;
}
