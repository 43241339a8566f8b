/** The bar between the graph and the dock: dragged, or moved with the arrow keys. */

import { h } from './dom.ts';
import type { Store } from './store.ts';

const smallestDock = 96;

export function createSplitter(store: Store, dock: HTMLElement, room: () => number): HTMLElement {
  const element = h('div', {
    class: 'splitter',
    role: 'separator',
    tabindex: 0,
    'aria-orientation': 'horizontal',
    'aria-label': 'Height of the memory pane',
  });
  const resize = (height: number): void => {
    store.set({ dock: Math.round(Math.max(smallestDock, Math.min(height, room() - 140))) });
  };
  let from: { y: number; height: number } | undefined;
  element.addEventListener('pointerdown', (event) => {
    from = { y: event.clientY, height: dock.clientHeight };
    element.setPointerCapture(event.pointerId);
    event.preventDefault();
  });
  element.addEventListener('pointermove', (event) => {
    if (from) resize(from.height + from.y - event.clientY);
  });
  element.addEventListener('pointerup', () => {
    from = undefined;
  });
  element.addEventListener('dblclick', () => store.set({ dock: null }));
  element.addEventListener('keydown', (event) => {
    const by = event.key === 'ArrowUp' ? 24 : event.key === 'ArrowDown' ? -24 : 0;
    if (by === 0) return;
    event.preventDefault();
    event.stopPropagation();
    resize(dock.clientHeight + by);
  });
  return element;
}
