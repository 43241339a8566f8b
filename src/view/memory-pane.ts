/** The memory pane: addresses × step, usage with its peaks, physical blocks with who maps them, and why memory was mapped. */

import type { Scene } from '../scene/scene.ts';
import type { Actions } from './actions.ts';
import { h, s } from './dom.ts';
import type { Pane } from './lanes-pane.ts';
import { type Column, columnsWidth, timeColumns } from './memory-axis.ts';
import { memoryNotes } from './memory-notes.ts';
import { paintAddresses, paintBlocks, paintRuler, paintUsage } from './memory-paint.ts';
import { changed, type State, type Store } from './store.ts';
import { type Window, windowAround } from './window.ts';

const gutterWidth = 84;

export function createMemoryPane(store: Store, actions: Actions): Pane {
  const charts = h('div', { class: 'charts', tabindex: 0, role: 'group', 'aria-label': 'Memory over the steps' });
  const notes = h('div', { class: 'memory-notes' });
  const element = h('section', { class: 'pane memory-pane', 'aria-label': 'Memory' }, charts, notes);
  let columns: readonly Column[] = [];
  let window: Window = { first: 0, end: 0 };
  let cursors: SVGElement[] = [];

  const draw = (scene: Scene, state: State): void => {
    const available = Math.max(280, charts.clientWidth - gutterWidth - 18);
    columns = timeColumns(scene.operations, window, available);
    const imagined = columns.length === 0;
    if (imagined) columns = [{ operation: -1, x: 0, width: available }];
    const width = columnsWidth(columns);
    const frame = { columns, width, gutter: gutterWidth };
    const parts = imagined
      ? [paintAddresses(scene, state, frame, actions)]
      : [
          paintRuler(scene, frame),
          paintUsage(scene, frame),
          paintAddresses(scene, state, frame, actions),
          paintBlocks(scene, state, frame),
        ];
    charts.replaceChildren(...parts);
    cursors = imagined ? [] : [...charts.querySelectorAll('svg')].map(addCursor);
    charts.dispatchEvent(new Event('scroll'));
    notes.replaceChildren(...memoryNotes(scene, window, actions));
  };

  const mark = (state: State): void => {
    const column = columns.find((one) => one.operation === state.step);
    for (const cursor of cursors) {
      cursor.setAttribute('x', String(gutterWidth + (column?.x ?? 0)));
      cursor.setAttribute('width', String(column?.width ?? 0));
    }
    for (const span of charts.querySelectorAll('[data-allocation]')) {
      const id = Number(span.getAttribute('data-allocation'));
      span.classList.toggle('selected', state.selection?.kind === 'allocation' && state.selection.id === id);
    }
    for (const note of notes.querySelectorAll('[data-step]')) {
      const now = Number(note.getAttribute('data-step')) === state.step;
      note.classList.toggle('now', now);
      if (now && note instanceof HTMLElement) keepNoteInView(notes, note);
    }
    if (column) keepColumnInView(charts, column);
  };

  charts.addEventListener('scroll', () => {
    for (const names of charts.querySelectorAll('.gutter')) {
      names.setAttribute('transform', `translate(${charts.scrollLeft} 0)`);
    }
  });
  charts.addEventListener('pointerdown', (event) => {
    const svg = event.target instanceof Element ? event.target.closest('svg') : null;
    if (!svg || event.button !== 0) return;
    const x = event.clientX - svg.getBoundingClientRect().left - gutterWidth;
    const column = columns.find((one) => x >= one.x && x < one.x + one.width);
    if (column && column.operation >= 0) actions.goToStep(column.operation);
  });
  charts.addEventListener('keydown', (event) => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (by === 0) return;
    event.preventDefault();
    event.stopPropagation();
    actions.stepBy(by);
  });
  let width = 0;
  new ResizeObserver(() => {
    const state = store.get();
    if (!state.scene || charts.clientWidth === width) return;
    width = charts.clientWidth;
    draw(state.scene, state);
    mark(state);
  }).observe(charts);

  return {
    element,
    update(state, previous) {
      const scene = state.scene;
      if (!scene) return;
      const next = windowAround(scene.operations.length, state.step);
      if (changed(state, previous, 'scene', 'graph') || next.first !== window.first) {
        window = next;
        draw(scene, state);
        mark(state);
      } else if (changed(state, previous, 'step', 'selection')) mark(state);
    },
  };
}

function addCursor(svg: SVGSVGElement): SVGElement {
  const cursor = s('rect', { class: 'cursor', y: 0, height: svg.getAttribute('height') ?? 0, x: 0, width: 0 });
  svg.querySelector('.gutter')?.before(cursor);
  return cursor;
}

/** Scrolls the notes alone; `scrollIntoView` would move everything around them too. */
function keepNoteInView(notes: HTMLElement, note: HTMLElement): void {
  const [box, item] = [notes.getBoundingClientRect(), note.getBoundingClientRect()];
  if (item.top < box.top) notes.scrollTop -= box.top - item.top + 8;
  else if (item.bottom > box.bottom) notes.scrollTop += item.bottom - box.bottom + 8;
}

function keepColumnInView(charts: HTMLElement, column: Column): void {
  const [left, right] = [column.x, gutterWidth + column.x + column.width + 12];
  if (left < charts.scrollLeft) charts.scrollLeft = Math.max(0, left - 12);
  else if (right > charts.scrollLeft + charts.clientWidth) charts.scrollLeft = right - charts.clientWidth;
}
