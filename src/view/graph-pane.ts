/** The graph pane: holds the painted picture, moves the camera over it, and turns clicks and keys into actions. */

import type { Scene } from '../scene/scene.ts';
import type { Actions } from './actions.ts';
import { bringIntoView, type Camera, fitAll, fitReadable, labelZoom, type View, zoomAt } from './camera.ts';
import { button, h, s } from './dom.ts';
import { svgText } from './export-svg.ts';
import { drawSheet, type Layouter, type Picture } from './graph-geometry.ts';
import { graphHeader } from './graph-header.ts';
import { buildSheet } from './graph-model.ts';
import { markGraph } from './graph-overlay.ts';
import { type PaintedGraph, paintGraph } from './graph-paint.ts';
import { changed, type State, type Store } from './store.ts';

export interface GraphPane {
  readonly element: HTMLElement;
  update(state: State, previous: State): void;
  zoom(factor: number): void;
  pan(x: number, y: number): void;
  fit(): void;
  /** The picture as a file of its own; empty when nothing is drawn. */
  svg(): string;
  focus(): void;
}

export function createGraphPane(store: Store, actions: Actions, layouter: Layouter): GraphPane {
  const header = h('div', { class: 'graph-header' });
  const canvas = s('svg', { class: 'graph-canvas', role: 'group', 'aria-label': 'Graph', tabindex: 0 });
  const viewport = s('g');
  canvas.append(viewport);
  const busy = h('div', { class: 'graph-busy', hidden: true }, 'Laying out…');
  const nothing = h('div', { class: 'graph-nothing', hidden: true });
  const hint = h('div', { class: 'graph-hint', role: 'status', hidden: true });
  const element = h(
    'section',
    { class: 'pane graph-pane', 'aria-label': 'Graph' },
    header,
    canvas,
    hint,
    busy,
    nothing,
  );

  let picture: Picture | undefined;
  let painted: PaintedGraph | undefined;
  let drawing = 0;

  const view = (): View => ({ width: canvas.clientWidth || 600, height: canvas.clientHeight || 400 });
  const extent = (): Picture | { x: number; y: number; width: number; height: number } =>
    picture ?? { x: 0, y: 0, width: 0, height: 0 };
  const camera = (): Camera => store.get().camera ?? fitReadable(extent(), view());

  const moveCamera = (next: Camera): void =>
    store.set({ camera: { zoom: next.zoom, panX: next.panX, panY: next.panY } });

  const applyCamera = (): void => {
    const now = camera();
    canvas.classList.toggle('far', now.zoom < labelZoom);
    viewport.setAttribute('transform', `translate(${now.panX} ${now.panY}) scale(${now.zoom})`);
    const cut = picture !== undefined && store.get().camera === null && fitReadable(extent(), view()).cut;
    hint.hidden = !cut;
    if (cut) {
      const all = button('Show all', () => moveCamera(fitAll(extent(), view())), { class: 'link' });
      hint.replaceChildren(`Larger than the pane, shown at ${Math.round(now.zoom * 100)} %. `, all);
    }
  };

  const reveal = (state: State): void => {
    const key = revealedKey(state, picture);
    const box = picture?.boxes.find((one) => one.card.key === key);
    if (!box) return;
    const now = camera();
    const next = bringIntoView(now, view(), box);
    if (next.panX !== now.panX || next.panY !== now.panY) moveCamera(next);
  };

  const draw = async (scene: Scene, state: State): Promise<void> => {
    const turn = ++drawing;
    const sheet = buildSheet(scene, state.graph, state.page);
    nothing.hidden = sheet !== undefined && sheet.total > 0;
    nothing.textContent = sheet ? 'This graph has no nodes.' : 'This function builds no graph.';
    if (!sheet) {
      picture = undefined;
      painted = undefined;
      viewport.replaceChildren();
      applyCamera();
      return;
    }
    const slow = setTimeout(() => {
      busy.hidden = false;
    }, 250);
    const next = await drawSheet(sheet, layouter);
    clearTimeout(slow);
    if (turn !== drawing) return;
    busy.hidden = true;
    picture = next;
    painted = paintGraph(scene, next);
    viewport.replaceChildren(painted.defs, painted.root);
    const now = store.get();
    markGraph(scene, next, painted, now);
    applyCamera();
    reveal(now);
    element.dispatchEvent(new CustomEvent('drawn'));
  };

  const pointer = listenToPointer(canvas, { camera, moveCamera });
  canvas.addEventListener('click', (event) => {
    if (pointer.dragged()) return;
    const node = nodeAt(event.target, picture);
    if (node) actions.select({ kind: 'node', graph: node.graph, id: node.id }, { open: true });
    else if (event.target === canvas) actions.select(null);
  });
  canvas.addEventListener('click', (event) => {
    const rail = event.target instanceof Element ? event.target.closest('.rail') : null;
    const id = rail && [...(painted?.rails ?? [])].find(([, group]) => group === rail)?.[0];
    if (id !== null && id !== undefined) actions.select({ kind: 'allocation', id });
  });
  canvas.addEventListener('focusin', (event) => {
    const node = nodeAt(event.target, picture);
    if (node && event.target instanceof Element && event.target.matches(':focus-visible')) {
      actions.select({ kind: 'node', graph: node.graph, id: node.id });
    }
  });
  canvas.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    const node = nodeAt(event.target, picture);
    if (!node) return;
    event.preventDefault();
    actions.select({ kind: 'node', graph: node.graph, id: node.id }, { open: true, focus: event.key === 'Enter' });
  });
  new ResizeObserver(() => applyCamera()).observe(canvas);

  return {
    element,
    update(state, previous) {
      const scene = state.scene;
      if (!scene) return;
      if (changed(state, previous, 'scene', 'graph', 'page')) void draw(scene, state);
      else if (picture && painted) {
        if (changed(state, previous, 'selection', 'lit', 'query', 'step')) markGraph(scene, picture, painted, state);
        if (changed(state, previous, 'camera')) applyCamera();
        if (changed(state, previous, 'selection', 'lit')) reveal(state);
      }
      if (changed(state, previous, 'scene', 'graph', 'step'))
        header.replaceChildren(...graphHeader(scene, state, actions));
    },
    zoom: (factor) => moveCamera(zoomAt(camera(), factor, view().width / 2, view().height / 2)),
    pan(x, y) {
      const now = camera();
      moveCamera({ zoom: now.zoom, panX: now.panX + x, panY: now.panY + y });
    },
    fit: () => store.set({ camera: null }),
    svg: () => (picture ? svgText(viewport, picture) : ''),
    focus: () => canvas.focus(),
  };
}

/** The key of the box that the selection or the editor's cursor points at. */
function revealedKey(state: State, picture: Picture | undefined): string | undefined {
  const selection = state.selection;
  const target =
    state.lit.find((ref) => selection?.kind === 'node' && ref.graph === selection.graph && ref.id === selection.id) ??
    (selection?.kind === 'node' ? selection : undefined) ??
    state.lit[0];
  const accused = selection?.kind === 'finding' ? selection.id : undefined;
  return picture?.boxes.find((box) =>
    accused === undefined
      ? target && box.card.graph === target.graph && box.card.node.id === target.id
      : box.card.node.findings.includes(accused),
  )?.card.key;
}

function nodeAt(target: EventTarget | null, picture: Picture | undefined): { graph: number; id: number } | undefined {
  const key = target instanceof Element ? target.closest('.node')?.getAttribute('data-key') : undefined;
  const box = key ? picture?.boxes.find((one) => one.card.key === key) : undefined;
  return box && { graph: box.card.graph, id: box.card.node.id };
}

interface Movable {
  camera(): Camera;
  moveCamera(next: Camera): void;
}

/** Wheel pans, wheel with ctrl (a pinch) zooms, dragging the background pans. */
function listenToPointer(canvas: SVGSVGElement, movable: Movable): { dragged(): boolean } {
  let dragged = false;
  canvas.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault();
      const now = movable.camera();
      const rect = canvas.getBoundingClientRect();
      if (event.ctrlKey || event.metaKey) {
        const factor = Math.exp(-Math.max(-60, Math.min(60, event.deltaY)) * 0.01);
        movable.moveCamera(zoomAt(now, factor, event.clientX - rect.left, event.clientY - rect.top));
      } else {
        const sideways = event.shiftKey && event.deltaX === 0;
        const [x, y] = sideways ? [event.deltaY, 0] : [event.deltaX, event.deltaY];
        movable.moveCamera({ zoom: now.zoom, panX: now.panX - x, panY: now.panY - y });
      }
    },
    { passive: false },
  );
  let from: { x: number; y: number; camera: Camera } | undefined;
  canvas.addEventListener('pointerdown', (event) => {
    if (event.button !== 0 && event.button !== 1) return;
    dragged = false;
    if (event.button === 0 && event.target instanceof Element && event.target.closest('.node, .rail')) return;
    from = { x: event.clientX, y: event.clientY, camera: movable.camera() };
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener('pointermove', (event) => {
    if (!from) return;
    const [x, y] = [event.clientX - from.x, event.clientY - from.y];
    if (Math.hypot(x, y) < 3) return;
    dragged = true;
    canvas.classList.add('dragging');
    movable.moveCamera({ zoom: from.camera.zoom, panX: from.camera.panX + x, panY: from.camera.panY + y });
  });
  for (const name of ['pointerup', 'pointercancel'] as const) {
    canvas.addEventListener(name, () => {
      from = undefined;
      canvas.classList.remove('dragging');
    });
  }
  return { dragged: () => dragged };
}
