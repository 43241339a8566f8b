/** The outline as a tree widget: arrow keys walk and open it, Enter chooses. Children are made when they are first shown. */

import type { Actions } from './actions.ts';
import { h } from './dom.ts';
import { severitySigns } from './graph-paint.ts';
import { type OutlineItem, outlineOf } from './outline-model.ts';
import { colourClass } from './palette.ts';
import { changed, type State } from './store.ts';

/** More children than this are counted, not listed: a tree of thousands of rows helps nobody. */
const mostChildren = 500;

export interface Outline {
  readonly element: HTMLElement;
  update(state: State, previous: State): void;
}

export function createOutline(actions: Actions): Outline {
  const element = h('ul', { class: 'tree', role: 'tree', 'aria-label': 'Everything in this scene' });
  const open = new Map<string, boolean>();
  const items = new WeakMap<Element, OutlineItem>();
  let drawn = false;

  const row = (item: OutlineItem, level: number): HTMLElement => {
    const children = item.children();
    const expanded = children.length > 0 && (open.get(item.id) ?? item.open ?? false);
    const line = h(
      'div',
      { class: 'tree-line' },
      h('span', { class: 'twist', 'aria-hidden': 'true' }, children.length === 0 ? '' : expanded ? '▾' : '▸'),
      item.colour === undefined
        ? null
        : h('span', { class: `swatch ${colourClass(item.colour)}`, 'aria-hidden': 'true' }),
      item.severity
        ? h('span', { class: `sign ${item.severity}`, 'aria-hidden': 'true' }, severitySigns[item.severity])
        : null,
      h('span', { class: 'tree-label' }, item.label),
      item.detail ? h('span', { class: 'quiet' }, item.detail) : null,
    );
    line.style.setProperty('--level', String(level));
    const element = h('li', {
      role: 'treeitem',
      tabindex: -1,
      'aria-level': level + 1,
      'aria-expanded': children.length > 0 ? String(expanded) : null,
      'aria-label': [item.severity, item.label, item.detail].filter(Boolean).join(', '),
      'data-id': item.id,
    });
    items.set(element, item);
    element.append(line);
    if (expanded) element.append(group(children, level + 1));
    return element;
  };

  const group = (children: readonly OutlineItem[], level: number): HTMLElement => {
    const list = h('ul', { role: 'group' }, ...children.slice(0, mostChildren).map((child) => row(child, level)));
    if (children.length > mostChildren) {
      list.append(
        h('li', { class: 'quiet', role: 'none' }, `and ${children.length - mostChildren} more: use the search box`),
      );
    }
    return list;
  };

  const draw = (state: State, focused?: string): void => {
    if (!state.scene) return;
    element.replaceChildren(...outlineOf(state.scene, state.graph).map((item) => row(item, 0)));
    drawn = true;
    const rows = [...element.querySelectorAll<HTMLElement>('[role=treeitem]')];
    const target = rows.find((one) => one.dataset['id'] === focused);
    (target ?? rows[0])?.setAttribute('tabindex', '0');
    target?.focus();
    mark(state);
  };

  const mark = (state: State): void => {
    for (const one of element.querySelectorAll('[role=treeitem]')) {
      const selection = items.get(one)?.selection;
      const same = selection !== null && JSON.stringify(selection) === JSON.stringify(state.selection);
      one.setAttribute('aria-selected', String(same));
    }
  };

  let current: State | undefined;
  const toggle = (item: OutlineItem, to: boolean): void => {
    open.set(item.id, to);
    if (current) draw(current, item.id);
  };
  const choose = (item: OutlineItem, focus: boolean): void => {
    if (item.graph !== undefined) actions.showGraph(item.graph);
    if (item.selection?.kind === 'operation') actions.goToStep(item.selection.id);
    if (item.selection) actions.select(item.selection, { open: true, focus });
    else if (item.place) actions.open(item.place, focus);
  };

  element.addEventListener('click', (event) => {
    const target = event.target instanceof Element ? event.target.closest<HTMLElement>('[role=treeitem]') : null;
    const item = target && items.get(target);
    if (!item) return;
    const onTwist = event.target instanceof Element && event.target.closest('.twist') !== null;
    if (onTwist || (!item.selection && !item.place)) toggle(item, target.getAttribute('aria-expanded') !== 'true');
    else choose(item, false);
  });
  element.addEventListener('keydown', (event) => {
    const target = event.target instanceof HTMLElement ? event.target : undefined;
    const item = target && items.get(target);
    if (!target || !item) return;
    const rows = [...element.querySelectorAll<HTMLElement>('[role=treeitem]')];
    const at = rows.indexOf(target);
    const expanded = target.getAttribute('aria-expanded');
    const focusRow = (to: HTMLElement | null | undefined): void => {
      if (!to) return;
      for (const one of rows) one.tabIndex = -1;
      to.tabIndex = 0;
      to.focus();
    };
    const keys: Record<string, () => void> = {
      ArrowDown: () => focusRow(rows[at + 1]),
      ArrowUp: () => focusRow(rows[at - 1]),
      Home: () => focusRow(rows[0]),
      End: () => focusRow(rows[rows.length - 1]),
      ArrowRight: () => (expanded === 'false' ? toggle(item, true) : focusRow(rows[at + 1])),
      ArrowLeft: () =>
        expanded === 'true'
          ? toggle(item, false)
          : focusRow(target.parentElement?.closest<HTMLElement>('[role=treeitem]')),
      Enter: () => (item.selection || item.place ? choose(item, true) : toggle(item, expanded !== 'true')),
      ' ': () => (item.selection || item.place ? choose(item, false) : toggle(item, expanded !== 'true')),
    };
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  });

  return {
    element,
    update(state, previous) {
      current = state;
      if (state.tab !== 'outline' || !state.scene) return;
      if (!drawn || changed(state, previous, 'scene', 'graph', 'tab')) draw(state);
      else if (changed(state, previous, 'selection')) mark(state);
    },
  };
}
