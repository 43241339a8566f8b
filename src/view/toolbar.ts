/** The toolbar: which function, which graph, search, zoom, export, panes, and how many violations there are. */

import type { Scene } from '../scene/scene.ts';
import type { Actions } from './actions.ts';
import { button, h } from './dom.ts';
import { count, graphName } from './format.ts';
import { severityOrder } from './graph-model.ts';
import { severitySigns } from './graph-paint.ts';
import type { Pane } from './lanes-pane.ts';
import { searchNodes } from './search.ts';
import { changed, type State } from './store.ts';

export interface ToolbarDoes {
  zoom(factor: number): void;
  fit(): void;
  exportSvg(): void;
  help(): void;
}

export interface Toolbar extends Pane {
  focusSearch(): void;
}

export function createToolbar(actions: Actions, does: ToolbarDoes, standalone: boolean): Toolbar {
  const entry = h('select', { 'aria-label': 'Entry function', title: 'Entry function' });
  entry.addEventListener('change', () => actions.chooseEntry(entry.value));
  const graph = h('select', { 'aria-label': 'Graph', title: 'Graph' });
  graph.addEventListener('change', () => actions.showGraph(Number(graph.value)));

  const search = h('input', {
    type: 'search',
    placeholder: 'Search nodes',
    'aria-label': 'Search nodes',
    title: 'Search (/)',
  });
  search.addEventListener('input', () => actions.search(search.value));
  search.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') actions.nextMatch(event.shiftKey ? -1 : 1);
    if (event.key === 'Escape') {
      actions.search('');
      search.blur();
    }
    event.stopPropagation();
  });
  const matches = h('span', { class: 'matches', role: 'status' });

  const panes = new Map(
    (['graph', 'memory'] as const).map((pane) => [
      pane,
      button(pane === 'graph' ? 'Graph' : 'Memory', () => actions.showPane(pane), { class: 'segment' }),
    ]),
  );
  const violations = button('', () => actions.nextFinding(1), { class: 'violations' });
  const element = h(
    'header',
    { class: 'toolbar off', role: 'toolbar', 'aria-label': 'Graph Memory' },
    h('div', { class: 'group selects' }, entry, graph),
    h('div', { class: 'group search' }, search, matches),
    h('div', { class: 'group segments', role: 'group', 'aria-label': 'Larger pane' }, ...panes.values()),
    h(
      'div',
      { class: 'group', role: 'group', 'aria-label': 'Zoom' },
      button('−', () => does.zoom(1 / 1.2), { 'aria-label': 'Zoom out', title: 'Zoom out (-)', class: 'icon' }),
      button('+', () => does.zoom(1.2), { 'aria-label': 'Zoom in', title: 'Zoom in (+)', class: 'icon' }),
      button('Fit', () => does.fit(), { title: 'Fit the graph into its pane (F)' }),
    ),
    button('Export SVG', () => does.exportSvg(), { title: 'Save the graph as an SVG picture' }),
    button('?', () => does.help(), { class: 'icon', 'aria-label': 'Keys and signs', title: 'Keys and signs (?)' }),
    h('div', { class: 'spring' }),
    violations,
  );

  return {
    element,
    focusSearch() {
      search.focus();
      search.select();
    },
    update(state, previous) {
      const scene = state.scene;
      element.classList.toggle('off', scene === null);
      if (!scene) return;
      if (changed(state, previous, 'scene')) {
        fillEntries(entry, scene, standalone);
        fillGraphs(graph, scene);
        fillViolations(violations, scene);
      }
      if (changed(state, previous, 'scene', 'graph')) graph.value = String(state.graph);
      if (changed(state, previous, 'query')) search.value = state.query;
      if (changed(state, previous, 'scene', 'query', 'graph', 'selection'))
        matches.textContent = matchWords(scene, state);
      for (const [pane, control] of panes) control.setAttribute('aria-pressed', String(pane === state.pane));
    },
  };
}

function fillEntries(select: HTMLSelectElement, scene: Scene, standalone: boolean): void {
  const entries = scene.entries.includes(scene.entry) ? scene.entries : [scene.entry, ...scene.entries];
  select.replaceChildren(...entries.map((name) => h('option', { value: name }, name || '(file)')));
  select.value = scene.entry;
  select.disabled = standalone || entries.length < 2;
}

function fillGraphs(select: HTMLSelectElement, scene: Scene): void {
  select.replaceChildren(
    ...scene.graphs.map((graph) => {
      const wrong = graph.nodes.some((node) => node.findings.length > 0);
      const words = `${wrong ? '● ' : ''}${graphName(scene, graph.id)} · ${count(graph.nodes.length, 'node')}`;
      return h('option', { value: graph.id }, words);
    }),
  );
  select.disabled = scene.graphs.length < 2;
}

function fillViolations(control: HTMLButtonElement, scene: Scene): void {
  const total = scene.findings.length;
  const worst = severityOrder.find((severity) => scene.findings.some((finding) => finding.severity === severity));
  control.className = `violations ${worst ?? 'none'}`;
  control.disabled = total === 0;
  control.title = total === 0 ? 'Nothing was found' : 'Next violation (N)';
  const sign = worst ? severitySigns[worst] : '✓';
  control.replaceChildren(
    h('span', { class: 'sign', 'aria-hidden': 'true' }, sign),
    total === 0 ? 'No violations' : count(total, 'violation'),
  );
}

function matchWords(scene: Scene, state: State): string {
  if (state.query.trim() === '') return '';
  const found = searchNodes(scene, state.graph, state.query);
  if (found.length === 0) return 'none';
  const at = state.selection?.kind === 'node' ? found.indexOf(state.selection.id) : -1;
  return at < 0 ? String(found.length) : `${at + 1}/${found.length}`;
}
