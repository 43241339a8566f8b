/** The line over the graph: what graph this is, what it costs and how far its launches are. */

import type { Scene, SceneGraph } from '../scene/scene.ts';
import type { Actions } from './actions.ts';
import { button, h } from './dom.ts';
import { launchState } from './facts.ts';
import { formatBytes, formatPlace, graphName } from './format.ts';
import { pageSize } from './graph-model.ts';
import type { State } from './store.ts';
import { autoFreeSwitch } from './what-if-form.ts';

export function graphHeader(scene: Scene, state: State, actions: Actions): Node[] {
  const graph = scene.graphs[state.graph];
  if (!graph) return [];
  const name = button(graphName(scene, graph.id), () => actions.open(graph.place), {
    class: 'graph-name',
    title: `Open ${formatPlace(graph.place)}`,
  });
  const facts = h('span', { class: 'graph-facts', title: factsOf(graph).join(' · ') });
  for (const fact of factsOf(graph)) facts.append(h('span', {}, fact));
  return [
    name,
    facts,
    autoFreeSwitch(graph, actions),
    launchChip(scene, state),
    ...pager(graph, state, actions),
  ].filter((node) => node !== null);
}

/**
 * Most telling first: the line is cut where the pane ends. What must be live at once is the driver's lower bound. How many nodes there are
 * stands in the toolbar.
 */
function factsOf(graph: SceneGraph): readonly string[] {
  const facts: string[] = [];
  if (graph.result !== 'cudaSuccess' && graph.result !== '') facts.push(`refused: ${graph.result}`);
  else if (!graph.instantiated) facts.push('not instantiated');
  if (graph.peakLiveBytes !== null && graph.peakLiveBytes > 0)
    facts.push(`at least ${formatBytes(graph.peakLiveBytes)} live at once`);
  if (graph.footprintBytes !== null && graph.footprintBytes > 0)
    facts.push(`driver uses ${formatBytes(graph.footprintBytes)}`);
  facts.push(graph.built === 'capture' ? 'captured' : 'explicit', ...graph.flags);
  return facts;
}

function launchChip(scene: Scene, state: State): Node | null {
  const launches = launchState(scene, state.graph, state.step);
  if (launches.total === 0) return h('span', { class: 'launch-chip' }, 'never launched');
  const stream = scene.operations[state.step]?.stream;
  if (launches.now) {
    const where = stream ? ` on ${stream}` : '';
    return h('span', { class: 'launch-chip now' }, `▶ launch ${launches.done} of ${launches.total}${where}`);
  }
  return h('span', { class: 'launch-chip' }, `launched ${launches.done} of ${launches.total}`);
}

function pager(graph: SceneGraph, state: State, actions: Actions): Node[] {
  const pages = Math.ceil(graph.nodes.length / pageSize);
  if (pages <= 1) return [];
  const first = state.page * pageSize;
  const end = Math.min(first + pageSize, graph.nodes.length);
  return [
    h(
      'span',
      { class: 'pager', role: 'group', 'aria-label': 'Pages of the graph' },
      button('‹', () => actions.showPage(state.page - 1), {
        disabled: state.page === 0,
        'aria-label': 'Previous nodes',
      }),
      `nodes ${first + 1}–${end} of ${graph.nodes.length}`,
      button('›', () => actions.showPage(state.page + 1), {
        disabled: state.page >= pages - 1,
        'aria-label': 'Next nodes',
      }),
    ),
  ];
}
