/** Small clickable pieces of text that the inspector and the outline share. */

import { kindWords } from '../scene/kind-words.ts';
import type { Place, Scene } from '../scene/scene.ts';
import type { Actions } from './actions.ts';
import { button, h } from './dom.ts';
import { formatPlace } from './format.ts';
import { severitySigns } from './graph-paint.ts';
import { colourClass } from './palette.ts';

/** `file.cu:17`, opens the code. */
export function placeLink(place: Place, actions: Actions): HTMLElement {
  return button(formatPlace(place), () => actions.open(place, true), {
    class: 'link place',
    title: `${place.file}:${place.range.start.line}:${place.range.start.column}`,
  });
}

export function nodeLink(scene: Scene, graph: number, id: number, actions: Actions): HTMLElement {
  const node = scene.graphs[graph]?.nodes[id];
  const label = node ? node.label || kindWords[node.kind] : '?';
  return button(label, () => actions.select({ kind: 'node', graph, id }, { open: true }), { class: 'link' });
}

/** The allocation's swatch and name. */
export function allocationLink(scene: Scene, id: number, actions: Actions): HTMLElement {
  const allocation = scene.allocations[id];
  const link = button('', () => actions.select({ kind: 'allocation', id }, { open: true }), {
    class: 'link with-swatch',
  });
  link.append(h('span', { class: `swatch ${colourClass(allocation?.colour ?? 0)}` }), allocation?.name ?? '?');
  return link;
}

/** The finding's sign and rule. */
export function findingLink(scene: Scene, id: number, actions: Actions): HTMLElement {
  const finding = scene.findings[id]!;
  const link = button('', () => actions.select({ kind: 'finding', id }, { open: true }), {
    class: `link rule ${finding.severity}`,
    title: finding.message,
  });
  link.append(h('span', { class: 'sign', 'aria-hidden': 'true' }, severitySigns[finding.severity]), finding.rule);
  return link;
}
