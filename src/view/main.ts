/** The view's entry: makes the store, the host and the panes, and lets every change of the store reach every pane. */

import { createActions } from './actions.ts';
import { h } from './dom.ts';
import { createGraphPane } from './graph-pane.ts';
import { createHelp } from './help.ts';
import { connectHost, type Host } from './host.ts';
import { listenToKeys } from './keyboard.ts';
import { createLanesPane } from './lanes-pane.ts';
import { createElkLayouter } from './layout-elk.ts';
import { measureWithPage } from './measure.ts';
import { createMemoryPane } from './memory-pane.ts';
import { receive, toViewState } from './messages.ts';
import { createNotices } from './notices.ts';
import { createSide } from './side.ts';
import { createSplitter } from './splitter.ts';
import { createStage, hasPicture } from './stages.ts';
import { changed, createStore, initialState, type State, type Store } from './store.ts';
import { createTimeline } from './timeline.ts';
import { createToolbar } from './toolbar.ts';
import { createWhatIfBanner } from './what-if-banner.ts';

start(document.getElementById('graphmem') ?? document.body.appendChild(h('div', { id: 'graphmem' })));

function start(root: HTMLElement): void {
  const host = connectHost();
  const store = createStore();
  const actions = createActions(store, host);
  const elk = createElkLayouter(() => layoutScript(root));

  const graph = createGraphPane(store, actions, (input) => elk.layout(input));
  const lanes = createLanesPane(store, actions);
  const memory = createMemoryPane(store, actions);
  const side = createSide(actions, host.standalone);
  const stage = createStage(actions);
  const notices = createNotices(actions);
  const whatIf = createWhatIfBanner(actions);
  const timeline = createTimeline(actions);
  const help = createHelp();
  const toolbar = createToolbar(
    actions,
    {
      zoom: graph.zoom,
      fit: graph.fit,
      help: help.show,
      exportSvg: () => host.post({ kind: 'export', format: 'svg', content: graph.svg() }),
    },
    host.standalone,
  );

  const desk = h('div', { class: 'desk' });
  const splitter = createSplitter(store, memory.element, () => desk.clientHeight);
  desk.append(lanes.element, graph.element, side.element, splitter, memory.element);
  root.classList.add('graphmem');
  root.classList.toggle('standalone', host.standalone);
  measureWithPage(root);
  root.replaceChildren(
    toolbar.element,
    notices.element,
    whatIf.element,
    desk,
    stage.element,
    timeline.element,
    help.element,
  );

  const panes = [toolbar, notices, stage, graph, lanes, side, memory, timeline, whatIf];
  store.subscribe((state, previous) => {
    arrange(root, desk, state);
    for (const pane of panes) pane.update(state, previous);
  });
  arrange(root, desk, store.get());
  stage.update({ ...initialState, title: ' ' }, initialState);
  listenToKeys({
    actions,
    graph,
    toolbar,
    help,
    stops: [lanes.element, graph.element, side.element, memory.element, timeline.element],
  });
  keepState(store, host);
  listenToFocus(root);
  host.listen((message) => store.set(receive(store.get(), message)));
  host.post({ kind: 'ready' });
}

/** Which pane is large, and whether there is anything to show at all. */
function arrange(root: HTMLElement, desk: HTMLElement, state: State): void {
  desk.hidden = !hasPicture(state);
  root.dataset['pane'] = state.pane;
  root.dataset['phase'] = state.phase === 'ready' && !hasPicture(state) ? 'nothing' : state.phase;
  if (state.dock === null) desk.style.removeProperty('--dock');
  else desk.style.setProperty('--dock', `${state.dock}px`);
}

/** Remembers what is worth it, a moment after the last change, here and with the extension. */
function keepState(store: Store, host: Host): void {
  const remembered = host.recall();
  if (remembered) store.set({ saved: remembered.view, dock: remembered.dock, pane: remembered.view.pane });
  let timer: ReturnType<typeof setTimeout> | undefined;
  store.subscribe((state, previous) => {
    if (!state.scene || !changed(state, previous, 'scene', 'graph', 'step', 'pane', 'camera', 'selection', 'dock'))
      return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      const view = toViewState(store.get());
      host.remember({ view, dock: store.get().dock });
      host.post({ kind: 'state', state: view });
    }, 250);
  });
}

/** A class for the time in which focus is moved by keys: rings then, and only then. */
function listenToFocus(root: HTMLElement): void {
  document.addEventListener('keydown', () => root.classList.add('by-keys'), true);
  document.addEventListener('pointerdown', () => root.classList.remove('by-keys'), true);
}

/** The worker's script: carried by the page, or fetched from where the host says. */
async function layoutScript(root: HTMLElement): Promise<string> {
  const embedded = document.getElementById('graphmem-layout');
  if (embedded) return String(JSON.parse(embedded.textContent ?? '""'));
  const url = root.dataset['layoutWorker'];
  if (!url) throw new Error('no layout worker');
  const response = await fetch(url);
  if (!response.ok) throw new Error(`layout worker: ${response.status}`);
  return response.text();
}
