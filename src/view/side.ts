/** The side: tabs with the inspector, the outline and the open sizes. */

import type { Actions } from './actions.ts';
import { h } from './dom.ts';
import { inspect } from './inspector.ts';
import type { Pane } from './lanes-pane.ts';
import { createOutline } from './outline.ts';
import { sizesForm } from './sizes.ts';
import { changed, type Tab } from './store.ts';

const names: Readonly<Record<Tab, string>> = { details: 'Details', outline: 'Outline', sizes: 'Sizes' };
const tabs: readonly Tab[] = ['details', 'outline', 'sizes'];

export function createSide(actions: Actions, standalone: boolean): Pane {
  const outline = createOutline(actions);
  const panels: Readonly<Record<Tab, HTMLElement>> = {
    details: h('div', { class: 'inspector' }),
    outline: h('div', { class: 'outline' }, outline.element),
    sizes: h('div', { class: 'sizes-panel' }),
  };
  const buttons = new Map(tabs.map((tab) => [tab, tabButton(tab, actions)]));
  const list = h('div', { class: 'tabs', role: 'tablist', 'aria-label': 'Details' }, ...buttons.values());
  for (const tab of tabs) {
    panels[tab].id = `panel-${tab}`;
    panels[tab].setAttribute('role', 'tabpanel');
    panels[tab].setAttribute('aria-labelledby', `tab-${tab}`);
  }
  list.addEventListener('keydown', (event) => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    const at = tabs.findIndex((tab) => buttons.get(tab) === event.target);
    if (by === 0 || at < 0) return;
    event.preventDefault();
    event.stopPropagation();
    const next = tabs[(at + by + tabs.length) % tabs.length]!;
    actions.showTab(next);
    buttons.get(next)?.focus();
  });
  const element = h(
    'aside',
    { class: 'pane side', 'aria-label': 'Inspector' },
    list,
    ...tabs.map((tab) => panels[tab]),
  );

  return {
    element,
    update(state, previous) {
      const scene = state.scene;
      if (!scene) return;
      if (changed(state, previous, 'tab', 'scene')) {
        for (const tab of tabs) {
          panels[tab].hidden = tab !== state.tab;
          const chosen = buttons.get(tab)!;
          chosen.setAttribute('aria-selected', String(tab === state.tab));
          chosen.tabIndex = tab === state.tab ? 0 : -1;
        }
        const unset = scene.symbols.filter((symbol) => symbol.value === null).length;
        buttons.get('sizes')!.textContent = unset > 0 ? `Sizes (${unset})` : 'Sizes';
      }
      if (changed(state, previous, 'scene', 'selection')) {
        panels.details.replaceChildren(...inspect(scene, state, actions));
        panels.details.scrollTop = 0;
      }
      if (changed(state, previous, 'scene')) panels.sizes.replaceChildren(...sizesForm(scene, actions, standalone));
      outline.update(state, previous);
    },
  };
}

function tabButton(tab: Tab, actions: Actions): HTMLButtonElement {
  const element = h(
    'button',
    { type: 'button', role: 'tab', id: `tab-${tab}`, 'aria-controls': `panel-${tab}` },
    names[tab],
  );
  element.addEventListener('click', () => actions.showTab(tab));
  return element;
}
