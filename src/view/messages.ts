/** The view's side of the protocol, pure: what a message changes in the state, and what of the state is worth keeping. */

import type { ToView, ViewState } from '../scene/protocol.ts';
import type { Place, Scene } from '../scene/scene.ts';
import { pageOf, severityOrder } from './graph-model.ts';
import type { NodeRef, Selection, State } from './store.ts';

/** The part of the state that a message changes. */
export function receive(state: State, message: ToView): Partial<State> {
  switch (message.kind) {
    case 'scene':
      return receiveScene(state, message.scene);
    case 'empty':
    case 'failed':
      return {
        phase: message.kind,
        title: message.title,
        detail: message.detail,
        progress: null,
        scene: null,
        lit: [],
      };
    case 'progress':
      return { progress: { title: message.title, fraction: message.fraction } };
    case 'reveal':
      return reveal(state, message.file, message.line, message.column);
    case 'show':
      return message.pane === 'memory' ? { pane: 'memory', step: 0, dock: null } : { pane: 'graph', dock: null };
  }
}

/** What survives a reload of the window. */
export function toViewState(state: State): ViewState {
  const selection = state.selection;
  const kept = selection && !(selection.kind === 'node' && selection.graph !== state.graph) ? selection : null;
  return {
    file: state.scene?.file ?? state.saved?.file ?? '',
    entry: state.scene?.entry ?? null,
    graph: state.graph,
    step: state.step,
    pane: state.pane,
    zoom: state.camera?.zoom ?? 0,
    panX: state.camera?.panX ?? 0,
    panY: state.camera?.panY ?? 0,
    selection: kept && { kind: kept.kind, id: kept.id },
  };
}

/** Nodes whose call stands on a line; when several calls nest, the innermost. */
export function nodesAt(scene: Scene, file: string, line: number, column: number): readonly NodeRef[] {
  const hits = scene.graphs.flatMap((graph) =>
    graph.nodes
      .filter((node) => sameFile(node.place.file, file) && coversLine(node.place, line))
      .map((node) => ({ ref: { graph: graph.id, id: node.id }, place: node.place })),
  );
  const exact = hits.filter((hit) => covers(hit.place, line, column));
  const candidates = exact.length > 0 ? exact : hits;
  const shortest = Math.min(...candidates.map((hit) => extent(hit.place)));
  return candidates.filter((hit) => extent(hit.place) === shortest).map((hit) => hit.ref);
}

function receiveScene(state: State, scene: Scene): Partial<State> {
  const ready = {
    phase: 'ready' as const,
    title: '',
    detail: '',
    progress: null,
    scene,
    lit: [],
    litOperations: [],
    saved: null,
  };
  const saved = state.saved;
  if (saved && saved.file === scene.file && (saved.entry === null || saved.entry === scene.entry)) {
    return {
      ...ready,
      graph: clampIndex(saved.graph, scene.graphs.length),
      step: clampIndex(saved.step, scene.operations.length),
      pane: saved.pane,
      camera: saved.zoom > 0 ? { zoom: saved.zoom, panX: saved.panX, panY: saved.panY } : null,
      selection: validSelection(scene, saved.selection && restored(saved.selection, saved.graph)),
    };
  }
  const old = state.scene;
  if (!old || old.file !== scene.file || old.entry !== scene.entry) {
    return { ...ready, graph: firstGraph(scene), step: 0, page: 0, camera: null, selection: null, query: '' };
  }
  const graph = sameGraph(old, scene, state.graph);
  return {
    ...ready,
    graph,
    step: clampIndex(state.step, scene.operations.length),
    camera: graph === state.graph ? state.camera : null,
    selection: stillThere(old, scene, state.selection),
  };
}

/** The graph to open with: the one with the gravest finding, else the first that is launched by itself. */
function firstGraph(scene: Scene): number {
  for (const severity of severityOrder) {
    const wrong = scene.graphs.findIndex((graph) =>
      graph.nodes.some((node) => node.findings.some((id) => scene.findings[id]?.severity === severity)),
    );
    if (wrong >= 0) return wrong;
  }
  const children = new Set(scene.graphs.flatMap((graph) => graph.nodes.map((node) => node.childGraph)));
  const outer = scene.graphs.findIndex((graph) => graph.instantiated && !children.has(graph.id));
  return Math.max(0, outer);
}

function sameGraph(old: Scene, scene: Scene, graph: number): number {
  const name = old.graphs[graph]?.name;
  if (scene.graphs[graph]?.name === name) return graph;
  const byName = scene.graphs.findIndex((candidate) => candidate.name === name);
  return byName >= 0 ? byName : clampIndex(graph, scene.graphs.length);
}

function stillThere(old: Scene, scene: Scene, selection: Selection | null): Selection | null {
  const name = nameOf(old, selection);
  const kept = validSelection(scene, followed(old, scene, selection));
  return kept && nameOf(scene, kept) === name ? kept : null;
}

/** Within one text the event that added a node names it, also when a what-if makes it come in another place. */
function followed(old: Scene, scene: Scene, selection: Selection | null): Selection | null {
  if (selection?.kind !== 'node' || !(old.whatIf || scene.whatIf)) return selection;
  const event = old.graphs[selection.graph]?.nodes[selection.id]?.event;
  const id =
    event === undefined ? -1 : (scene.graphs[selection.graph]?.nodes.findIndex((node) => node.event === event) ?? -1);
  return id < 0 ? selection : { ...selection, id };
}

function nameOf(scene: Scene, selection: Selection | null): string | undefined {
  switch (selection?.kind) {
    case 'node':
      return scene.graphs[selection.graph]?.nodes[selection.id]?.label;
    case 'allocation':
      return scene.allocations[selection.id]?.name;
    case 'operation':
      return scene.operations[selection.id]?.label;
    case 'finding':
      return scene.findings[selection.id]?.rule;
    case undefined:
      return undefined;
  }
}

function validSelection(scene: Scene, selection: Selection | null): Selection | null {
  return nameOf(scene, selection) === undefined ? null : selection;
}

function restored(selection: NonNullable<ViewState['selection']>, graph: number): Selection {
  const { kind, id } = selection;
  return kind === 'node' ? { kind, graph, id } : { kind, id };
}

function reveal(state: State, file: string, line: number, column: number): Partial<State> {
  if (!state.scene) return {};
  const lit = nodesAt(state.scene, file, line, column);
  const litOperations = state.scene.operations
    .filter((operation) => sameFile(operation.place.file, file) && coversLine(operation.place, line))
    .map((operation) => operation.id);
  const selected = state.selection;
  const target =
    lit.find((ref) => selected?.kind === 'node' && ref.graph === selected.graph && ref.id === selected.id) ??
    lit.find((ref) => ref.graph === state.graph) ??
    lit[0];
  if (!target) return { lit, litOperations };
  const graph = state.scene.graphs[target.graph]!;
  const follows = selected === null || selected.kind === 'node';
  return {
    lit,
    litOperations,
    graph: target.graph,
    page: pageOf(graph, target.id),
    ...(target.graph === state.graph ? {} : { camera: null }),
    ...(follows ? { selection: { kind: 'node' as const, graph: target.graph, id: target.id } } : {}),
  };
}

function clampIndex(index: number, length: number): number {
  return Math.max(0, Math.min(index, length - 1));
}

function sameFile(a: string, b: string): boolean {
  if (a === b) return true;
  const [long, short] = a.length > b.length ? [a, b] : [b, a];
  return short !== '' && (long.endsWith(`/${short}`) || long.endsWith(`\\${short}`));
}

function coversLine(place: Place, line: number): boolean {
  return place.range.start.line <= line && line <= place.range.end.line;
}

function covers(place: Place, line: number, column: number): boolean {
  const { start, end } = place.range;
  const afterStart = line > start.line || (line === start.line && column >= start.column);
  return afterStart && (line < end.line || (line === end.line && column <= end.column));
}

function extent(place: Place): number {
  const { start, end } = place.range;
  return (end.line - start.line) * 10_000 + (end.line === start.line ? end.column - start.column : end.column);
}
