/** Beside the memory charts: why each piece of memory was mapped. */

import type { Scene, SceneOperation } from '../scene/scene.ts';
import type { Actions } from './actions.ts';
import { button, h } from './dom.ts';
import { count, formatBytes } from './format.ts';
import type { Window } from './window.ts';

export function memoryNotes(scene: Scene, window: Window, actions: Actions): Node[] {
  const remaps = scene.operations.filter((operation) => operation.remapped > 0 || operation.reason !== undefined);
  const total = remaps.reduce((sum, operation) => sum + operation.remapped, 0);
  const nodes: Node[] = [h('h3', {}, 'Why memory was mapped')];
  if (remaps.length === 0) nodes.push(h('p', { class: 'quiet' }, 'No call maps memory.'));
  else {
    const near = remaps.filter((operation) => operation.id >= window.first && operation.id < window.end);
    const part = near.length < remaps.length ? `; steps ${window.first + 1} to ${window.end} listed` : '';
    nodes.push(
      h('p', { class: 'quiet' }, `${formatBytes(total)} mapped in ${count(remaps.length, 'call')}${part}`),
      h('ol', { class: 'remaps' }, ...near.map((operation) => remapItem(operation, actions))),
    );
  }
  if (scene.driver.estimate) {
    nodes.push(h('p', { class: 'quiet' }, `Driver model ${scene.driver.name}: an estimate, addresses may differ.`));
  }
  return nodes;
}

function remapItem(operation: SceneOperation, actions: Actions): HTMLElement {
  const go = button(
    '',
    () => {
      actions.goToStep(operation.id);
      actions.select({ kind: 'operation', id: operation.id }, { open: true });
    },
    { class: 'remap' },
  );
  go.append(
    h('span', { class: 'remap-step' }, String(operation.id + 1)),
    h('span', { class: 'remap-bytes' }, formatBytes(operation.remapped)),
    h('span', { class: 'remap-reason' }, operation.reason ?? ''),
    h('span', { class: 'remap-label' }, operation.label),
  );
  return h('li', { 'data-step': operation.id }, go);
}
