/** The story: every call of the host in order, drawn like a commit graph, with the host and the streams as lanes. */

import type { Scene, SceneLane, SceneOperation } from '../scene/scene.ts';
import type { Actions } from './actions.ts';
import { h, s } from './dom.ts';
import { failed, formatBytes, formatPlace } from './format.ts';
import { drawLanes, rowHeight } from './lanes-geometry.ts';
import { changed, type State, type Store } from './store.ts';
import { fitText } from './text.ts';
import { type Window, windowAround } from './window.ts';

export interface Pane {
  readonly element: HTMLElement;
  update(state: State, previous: State): void;
}

const headerHeight = 54;

export function createLanesPane(store: Store, actions: Actions): Pane {
  const body = h('div', { class: 'lanes-body' });
  const element = h('section', { class: 'pane lanes-pane', 'aria-label': 'Streams and host' }, body);
  let rows: HTMLElement[] = [];
  let window: Window = { first: 0, end: 0 };

  const draw = (scene: Scene): void => {
    if (scene.operations.length === 0) {
      rows = [];
      body.replaceChildren(
        h('h2', { class: 'pane-title' }, 'Story'),
        h('p', { class: 'quiet' }, 'Nothing runs here: this code builds its graph and launches nothing.'),
      );
      return;
    }
    const picture = drawLanes(scene.lanes, scene.operations, window);
    rows = scene.operations.slice(window.first, window.end).map((operation) => operationRow(operation, actions));
    const list = h('div', { class: 'story-rows', role: 'listbox', 'aria-label': 'Operations', tabindex: -1 }, ...rows);
    list.style.setProperty('--rails', `${picture.width}px`);
    const rails = s('svg', {
      class: 'rails',
      width: picture.width,
      height: picture.height,
      'aria-hidden': 'true',
    });
    for (const line of picture.lines) {
      const kind = scene.lanes[line.lane]?.kind ?? 'stream';
      rails.append(s('line', { class: `lane ${kind}`, x1: line.x, x2: line.x, y1: line.top, y2: line.bottom }));
    }
    rails.append(waitArrow());
    for (const wait of picture.waits) rails.append(s('path', { class: 'wait', d: wait.path, 'data-to': wait.to }));
    for (const dot of picture.dots) {
      const kind = scene.lanes[scene.operations[dot.operation]!.lane]?.kind ?? 'stream';
      rails.append(laneDot(kind, dot.x, dot.y, dot.operation));
    }
    const head = laneNames(scene.lanes, picture.lines, picture.width);
    body.replaceChildren(head, h('div', { class: 'story' }, rails, list), ...outside(scene, window));
  };

  const mark = (scene: Scene, state: State, lit = false): void => {
    const selected = state.selection?.kind === 'operation' ? state.selection.id : -1;
    rows.forEach((row, index) => {
      const id = window.first + index;
      row.classList.toggle('done', id < state.step);
      row.classList.toggle('now', id === state.step);
      row.classList.toggle('coming', id > state.step);
      row.classList.toggle('selected', id === selected);
      row.classList.toggle('lit', state.litOperations.includes(id));
      row.setAttribute('aria-selected', String(id === state.step));
      row.tabIndex = id === state.step ? 0 : -1;
      row.classList.toggle('of-graph', scene.operations[id]?.graph === state.graph);
    });
    for (const dot of body.querySelectorAll('.dot, .wait')) {
      const id = Number(dot.getAttribute('data-step') ?? dot.getAttribute('data-to'));
      dot.classList.toggle('now', id === state.step);
      dot.classList.toggle('coming', id > state.step);
    }
    const row = rows[(lit ? state.litOperations[0]! : state.step) - window.first];
    if (row) keepInView(element, row);
  };

  element.addEventListener('keydown', (event) => {
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (by === 0 || !(event.target instanceof Element) || !event.target.closest('.story-row')) return;
    event.preventDefault();
    event.stopPropagation();
    actions.stepBy(by);
    rows[store.get().step - window.first]?.focus();
  });

  return {
    element,
    update(state, previous) {
      const scene = state.scene;
      if (!scene) return;
      const next = windowAround(scene.operations.length, state.step);
      if (changed(state, previous, 'scene') || next.first !== window.first) {
        window = next;
        draw(scene);
        mark(scene, state);
      } else if (changed(state, previous, 'step', 'selection', 'graph', 'litOperations')) {
        mark(scene, state, state.litOperations.length > 0 && changed(state, previous, 'litOperations'));
      }
    },
  };
}

function operationRow(operation: SceneOperation, actions: Actions): HTMLElement {
  const row = h(
    'div',
    {
      class: 'story-row',
      role: 'option',
      'aria-label': describeOperation(operation),
      title: `${operation.op} · ${formatPlace(operation.place)}`,
    },
    h('span', { class: 'story-number' }, String(operation.id + 1)),
    h('span', { class: 'story-label' }, operation.label),
  );
  if (operation.remapped > 0) row.append(h('span', { class: 'story-remap', title: remapWords(operation) }, '⟲'));
  if (failed(operation)) row.append(h('span', { class: 'story-result' }, '✕'));
  const choose = (focus: boolean): void => {
    actions.goToStep(operation.id);
    actions.select({ kind: 'operation', id: operation.id }, { open: true, focus });
  };
  row.addEventListener('click', () => choose(false));
  row.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    choose(event.key === 'Enter');
  });
  return row;
}

function describeOperation(operation: SceneOperation): string {
  const parts = [`step ${operation.id + 1}`, operation.label];
  if (operation.waitsFor.length > 0) parts.push(`waits for step ${operation.waitsFor.map((id) => id + 1).join(', ')}`);
  if (operation.remapped > 0) parts.push(remapWords(operation));
  if (failed(operation)) parts.push(`fails with ${operation.result}`);
  return parts.join(', ');
}

function remapWords(operation: SceneOperation): string {
  return `maps ${formatBytes(operation.remapped)}${operation.reason ? `: ${operation.reason}` : ''}`;
}

function laneNames(
  lanes: readonly SceneLane[],
  lines: readonly { readonly lane: number; readonly x: number }[],
  width: number,
): HTMLElement {
  const svg = s('svg', { class: 'lane-names', height: headerHeight, width: width + 60, 'aria-hidden': 'true' });
  for (const line of lines) {
    const name = lanes[line.lane]?.name ?? '';
    svg.append(
      s(
        'text',
        { transform: `translate(${line.x + 3} ${headerHeight - 5}) rotate(-40)`, 'font-size': 11 },
        s('title', {}, name),
        fitText(name, 66, 11),
      ),
    );
  }
  return h('div', { class: 'lanes-head' }, svg, h('h2', { class: 'pane-title' }, 'Story'));
}

/** The host's dots are squares, streams' are round: the lane is not told by colour. */
function laneDot(kind: SceneLane['kind'], x: number, y: number, step: number): SVGElement {
  if (kind === 'host')
    return s('rect', { class: 'dot host', x: x - 4.5, y: y - 4.5, width: 9, height: 9, 'data-step': step });
  return s('circle', { class: 'dot stream', cx: x, cy: y, r: 5, 'data-step': step });
}

function waitArrow(): SVGMarkerElement {
  const marker = s('marker', {
    id: 'wait-arrow',
    viewBox: '0 0 8 8',
    refX: 6,
    refY: 4,
    markerWidth: 6,
    markerHeight: 6,
    orient: 'auto',
    markerUnits: 'userSpaceOnUse',
  });
  marker.append(s('path', { d: 'M0 0L8 4L0 8Z' }));
  return marker;
}

function outside(scene: Scene, window: Window): HTMLElement[] {
  const hidden = scene.operations.length - (window.end - window.first);
  if (hidden <= 0) return [];
  const words = `Steps ${window.first + 1}–${window.end} of ${scene.operations.length} are listed; the list follows the cursor.`;
  return [h('p', { class: 'quiet' }, words)];
}

/** Scrolls only the pane itself, and only as far as needed. */
function keepInView(pane: HTMLElement, row: HTMLElement): void {
  const head = pane.querySelector('.lanes-head')?.clientHeight ?? 0;
  const top = row.getBoundingClientRect().top - pane.getBoundingClientRect().top;
  if (top < head) pane.scrollTop += top - head - rowHeight;
  else if (top + rowHeight > pane.clientHeight) pane.scrollTop += top + 2 * rowHeight - pane.clientHeight;
}
