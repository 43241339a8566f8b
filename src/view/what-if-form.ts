/** The controls of a what-if in the inspector: what can be tried on the thing that is selected. */

import { kindWords } from '../scene/kind-words.ts';
import type { Scene, SceneGraph, SceneNode, SceneOperation } from '../scene/scene.ts';
import type { Actions } from './actions.ts';
import { button, h } from './dom.ts';
import { canDepend, droppableDependencies, moveOf, possibleDependencies, streamsFor } from './what-if-model.ts';

/** Dependencies of a node; for a free also its place behind the last use. */
export function whatIfOfNode(graph: SceneGraph, id: number, actions: Actions): Node[] {
  const node = graph.nodes[id];
  if (!actions.canChange || node?.event === undefined) return [];
  const move = moveOf(graph, id);
  const controls = canDepend(graph, id)
    ? [addForm(graph, node, node.event, actions), dropList(graph, node.event, id, actions)]
    : [h('p', { class: 'quiet' }, 'Captured: its order comes from streams and events.')];
  return section([...controls, move ? moveButton(node.event, move.reason, actions) : null]);
}

/** The stream of a launch. */
export function whatIfOfOperation(scene: Scene, operation: SceneOperation, actions: Actions): Node[] {
  const streams = streamsFor(scene, operation);
  const { event } = operation;
  if (!actions.canChange || event === undefined || streams.length < 2) return [];
  const select = h(
    'select',
    { id: 'what-if-stream' },
    ...streams.map(({ handle, name }) => h('option', { value: handle, selected: name === operation.stream }, name)),
  );
  select.addEventListener('change', () =>
    actions.tryChange({ kind: 'launchStream', launch: event, stream: Number(select.value) }),
  );
  return section([h('div', { class: 'what-if-row' }, h('label', { for: select.id }, 'launched in'), select)]);
}

/** The switch for automatic frees, over the graph. */
export function autoFreeSwitch(graph: SceneGraph, actions: Actions): HTMLElement | null {
  const { executable } = graph;
  const allocates = graph.nodes.some((node) => node.kind === 'memAlloc');
  if (!actions.canChange || !executable || !allocates) return null;
  const { event, autoFree } = executable;
  return button('Auto-free', () => actions.tryChange({ kind: 'autoFree', instantiate: event, value: !autoFree }), {
    class: 'auto-free',
    'aria-pressed': String(autoFree),
    title: autoFree
      ? 'What if a launch did not free what the launch before left? (AutoFreeOnLaunch off)'
      : 'What if a launch freed what the launch before left? (AutoFreeOnLaunch on)',
  });
}

function section(controls: readonly (HTMLElement | null)[]): Node[] {
  const shown = controls.filter((control) => control !== null);
  return shown.length === 0 ? [] : [h('h3', {}, 'What if'), h('div', { class: 'what-if' }, ...shown)];
}

function addForm(graph: SceneGraph, node: SceneNode, to: number, actions: Actions): HTMLElement | null {
  const possible = possibleDependencies(graph, node.id);
  if (possible.length === 0) return null;
  const select = h(
    'select',
    { id: 'what-if-dependency' },
    ...possible.map((id) => h('option', { value: graph.nodes[id]?.event ?? '' }, nameOf(graph, id))),
  );
  const add = button('Add', () => actions.tryChange({ kind: 'addDependency', from: Number(select.value), to }), {
    'aria-label': 'Add the dependency',
  });
  return h('div', { class: 'what-if-row' }, h('label', { for: select.id }, 'also after'), select, add);
}

function dropList(graph: SceneGraph, to: number, id: number, actions: Actions): HTMLElement | null {
  const dependencies = droppableDependencies(graph, id);
  if (dependencies.length === 0) return null;
  const rows = dependencies.map((from) => {
    const name = nameOf(graph, from);
    const event = graph.nodes[from]?.event ?? -1;
    const drop = button('Drop', () => actions.tryChange({ kind: 'dropDependency', from: event, to }), {
      'aria-label': `Drop the dependency on ${name}`,
    });
    return h('li', { class: 'what-if-row' }, h('span', { class: 'quiet' }, 'after'), h('span', {}, name), drop);
  });
  return h('ul', {}, ...rows);
}

function moveButton(free: number, reason: string | null, actions: Actions): HTMLElement {
  return button('Move after the last use', () => actions.tryChange({ kind: 'moveFree', free }), {
    disabled: reason !== null,
    title: reason ?? 'What if it waited for every node that uses the memory?',
  });
}

/** A label that several nodes share gets the node's number. */
function nameOf(graph: SceneGraph, id: number): string {
  const name = (node: SceneNode | undefined): string => {
    const kind = node ? kindWords[node.kind] : '?';
    return node?.label && node.label !== kind ? `${node.label} (${kind})` : kind;
  };
  const own = name(graph.nodes[id]);
  const isShared = graph.nodes.some((node) => node.id !== id && name(node) === own);
  return isShared ? `${own} ${id + 1}` : own;
}
