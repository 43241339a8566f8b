/** What a person can do, in one place: panes and keys call these, and these change the store and tell the host. */

import type { Place, Scene } from '../scene/scene.ts';
import { type WhatIfChange, withChange } from '../scene/what-if-change.ts';
import { isDrawnInside, pageOf } from './graph-model.ts';
import type { Host } from './host.ts';
import { searchNodes } from './search.ts';
import type { Selection, State, Store, Tab } from './store.ts';

export interface Actions {
  /** Selects; shows the graph and page where it stands; `open` also shows its code beside. */
  select(selection: Selection | null, how?: { readonly open?: boolean; readonly focus?: boolean }): void;
  open(place: Place, takeFocus?: boolean): void;
  openSelection(): void;
  showGraph(graph: number): void;
  showPage(page: number): void;
  showPane(pane: State['pane']): void;
  showTab(tab: Tab): void;
  goToStep(step: number): void;
  stepBy(steps: number): void;
  nextFinding(direction: 1 | -1): void;
  search(query: string): void;
  nextMatch(direction: 1 | -1): void;
  setSymbol(name: string, value: number | null): void;
  chooseEntry(entry: string): void;
  showGaps(): void;
  cancel(): void;
  /** False where nobody could work out a changed program: in a page of its own. */
  readonly canChange: boolean;
  /** Shows the program with one change more. */
  tryChange(change: WhatIfChange): void;
  applyWhatIf(): void;
  /** Back to the program as it is; false when that is what is shown. */
  discardWhatIf(): boolean;
}

export function createActions(store: Store, host: Host): Actions {
  const scene = (): Scene | null => store.get().scene;
  const open = (place: Place, takeFocus = false): void => host.post({ kind: 'open', place, preserveFocus: !takeFocus });

  const select: Actions['select'] = (selection, how = {}) => {
    const now = scene();
    if (!selection || !now) {
      store.set({ selection: null });
      return;
    }
    store.set({ selection, ...standsAt(now, store.get(), selection) });
    const place = placeOf(now, selection);
    if (how.open && place) open(place, how.focus);
  };

  /** The step walked to is what the inspector shows, unless a person is looking at something else. */
  const walkTo = (step: number): void => {
    const operations = scene()?.operations ?? [];
    if (operations.length === 0) return;
    const id = Math.max(0, Math.min(step, operations.length - 1));
    const looking = store.get().selection;
    const follows = looking === null || looking.kind === 'operation';
    store.set(follows ? { step: id, selection: { kind: 'operation', id } } : { step: id });
  };

  return {
    select,
    open,
    openSelection() {
      const { scene: now, selection } = store.get();
      const place = now && selection && placeOf(now, selection);
      if (place) open(place, true);
    },
    showGraph: (graph) => store.set({ graph, page: 0, camera: null, selection: null }),
    showPage: (page) => store.set({ page: Math.max(0, page), camera: null }),
    showPane: (pane) => store.set({ pane, dock: null }),
    showTab: (tab) => store.set({ tab }),
    goToStep: walkTo,
    stepBy: (steps) => walkTo(store.get().step + steps),
    nextFinding(direction) {
      const total = scene()?.findings.length ?? 0;
      if (total === 0) return;
      const selected = store.get().selection;
      const at = selected?.kind === 'finding' ? selected.id : direction > 0 ? -1 : total;
      select({ kind: 'finding', id: (at + direction + total) % total }, { open: true });
    },
    search: (query) => store.set({ query }),
    nextMatch(direction) {
      const { scene: now, graph, query, selection } = store.get();
      const matches = now ? searchNodes(now, graph, query) : [];
      if (matches.length === 0) return;
      const at = selection?.kind === 'node' && selection.graph === graph ? matches.indexOf(selection.id) : -1;
      const next =
        at < 0 ? (direction > 0 ? 0 : matches.length - 1) : (at + direction + matches.length) % matches.length;
      select({ kind: 'node', graph, id: matches[next]! });
    },
    setSymbol: (name, value) => host.post({ kind: 'setSymbol', name, value }),
    chooseEntry: (entry) => host.post({ kind: 'entry', entry }),
    showGaps() {
      store.set({ tab: 'outline' });
      host.post({ kind: 'showGaps' });
    },
    canChange: !host.standalone,
    tryChange: (change) => host.post({ kind: 'whatIf', changes: withChange(scene()?.whatIf?.changes ?? [], change) }),
    applyWhatIf() {
      const whatIf = scene()?.whatIf;
      if (whatIf && whatIf.refusal === null) host.post({ kind: 'applyWhatIf', changes: whatIf.changes });
    },
    discardWhatIf() {
      if (!scene()?.whatIf) return false;
      host.post({ kind: 'whatIf', changes: [] });
      return true;
    },
    cancel() {
      store.set({ progress: null });
      host.post({ kind: 'cancel' });
    },
  };
}

/** Where the code of something stands. */
export function placeOf(scene: Scene, selection: Selection): Place | undefined {
  switch (selection.kind) {
    case 'node':
      return scene.graphs[selection.graph]?.nodes[selection.id]?.place;
    case 'allocation':
      return scene.allocations[selection.id]?.place;
    case 'operation':
      return scene.operations[selection.id]?.place;
    case 'finding':
      return scene.findings[selection.id]?.place;
  }
}

/** The graph, page, step and tab at which a selection can be seen. */
function standsAt(scene: Scene, state: State, selection: Selection): Partial<State> {
  const tab: Partial<State> = state.tab === 'sizes' ? { tab: 'details' } : {};
  const at = (graph: number, node: number): Partial<State> => {
    const outer = graph === state.graph || isDrawnInside(scene, state.graph, graph) ? state.graph : graph;
    if (outer !== graph) return tab;
    const page = pageOf(scene.graphs[graph]!, node);
    const camera = graph === state.graph && page === state.page ? state.camera : null;
    return { ...tab, graph, page, camera };
  };
  switch (selection.kind) {
    case 'node':
      return at(selection.graph, selection.id);
    case 'operation':
      return { ...tab, step: selection.id };
    case 'finding': {
      const node = nodeOfFinding(scene, state.graph, selection.id);
      return { ...(node ? at(node.graph, node.id) : tab), tab: 'details' };
    }
    case 'allocation': {
      const graph = scene.allocations[selection.id]?.graph;
      return graph === undefined || graph === state.graph ? tab : { ...tab, graph, page: 0, camera: null };
    }
  }
}

/** A node that names the finding, in the graph shown if it has one. */
function nodeOfFinding(scene: Scene, graph: number, finding: number): { graph: number; id: number } | undefined {
  const graphs = [...scene.graphs].sort((a, b) => Number(b.id === graph) - Number(a.id === graph));
  for (const candidate of graphs) {
    const node = candidate.nodes.find((one) => one.findings.includes(finding));
    if (node) return { graph: candidate.id, id: node.id };
  }
  return undefined;
}
