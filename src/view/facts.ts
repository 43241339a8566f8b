/** What the inspector says about a thing, worked out from the scene: uses of an allocation, launches of a graph, the now. */

import type { Scene, SceneNode } from '../scene/scene.ts';
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
 * Where a node stands at a step: by the call that made it when the story shows that call, else by its graph's launches.
 * Undefined when the story says nothing of it.
 */
export function nodeTime(scene: Scene, graph: number, node: SceneNode, step: number): NodeTime | undefined {
  const state = launchState(scene, graph, step);
  if (state.total > 0) return state.now ? 'now' : state.done > 0 ? 'done' : 'coming';
  const call = scene.operations.find(
    (operation) =>
      operation.place.file === node.place.file &&
      operation.place.range.start.line === node.place.range.start.line &&
      operation.place.range.start.column === node.place.range.start.column,
  );
  if (!call) return undefined;
  return call.id < step ? 'done' : call.id === step ? 'now' : 'coming';
}
