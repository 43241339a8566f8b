/** What stands in place of the panes while there is nothing to draw: waiting, empty, failed. */

import type { Scene } from '../scene/scene.ts';
import type { Actions } from './actions.ts';
import { button, h, s } from './dom.ts';
import { fileName } from './format.ts';
import type { Pane } from './lanes-pane.ts';
import { changed, type State } from './store.ts';

/** True when there is a graph or an operation to draw. */
export function hasPicture(state: State): boolean {
  return state.scene !== null && (state.scene.graphs.length > 0 || state.scene.operations.length > 0);
}

export function createStage(actions: Actions): Pane {
  const element = h('main', { class: 'stage' });
  return {
    element,
    update(state, previous) {
      if (!changed(state, previous, 'phase', 'title', 'detail', 'progress', 'scene')) return;
      element.hidden = hasPicture(state);
      if (!element.hidden) element.replaceChildren(card(state, actions));
    },
  };
}

function card(state: State, actions: Actions): HTMLElement {
  if (state.progress || state.phase === 'waiting' || (state.phase === 'ready' && !state.scene))
    return waiting(state, actions);
  if (state.scene) return nothingIn(state.scene);
  const failed = state.phase === 'failed';
  return h(
    'div',
    { class: `stage-card ${state.phase}`, role: failed ? 'alert' : 'status' },
    sketch(failed),
    h('h1', {}, state.title || (failed ? 'This file could not be analysed' : 'No graph here')),
    ...state.detail.split('\n').map((line) => h('p', {}, line)),
  );
}

/** The function chosen builds nothing: say so, and what to do. */
function nothingIn(scene: Scene): HTMLElement {
  const name = scene.entry || fileName(scene.file);
  const advice =
    scene.entries.length > 1
      ? 'Choose another function in the list above.'
      : 'Put the cursor into a function that creates or captures a CUDA graph, and show it again.';
  return h(
    'div',
    { class: 'stage-card empty', role: 'status' },
    sketch(false),
    h('h1', {}, `${name} builds no graph`),
    h('p', {}, advice),
  );
}

function waiting(state: State, actions: Actions): HTMLElement {
  const title = state.progress?.title ?? 'Reading the code…';
  const bar = h('progress', { max: 1, 'aria-label': title });
  const fraction = state.progress?.fraction ?? null;
  if (fraction !== null) bar.value = fraction;
  const cancel = state.progress ? button('Cancel', () => actions.cancel()) : null;
  return h('div', { class: 'stage-card waiting', role: 'status' }, sketch(false), h('h1', {}, title), bar, cancel);
}

/** Three boxes and two edges; in the failed state one edge is broken. */
function sketch(broken: boolean): SVGElement {
  const svg = s('svg', { class: 'sketch', width: 120, height: 92, viewBox: '0 0 120 92', 'aria-hidden': 'true' });
  svg.append(
    s('rect', { x: 40, y: 4, width: 40, height: 22, rx: 5 }),
    s('rect', { x: 6, y: 62, width: 40, height: 22, rx: 5 }),
    s('rect', { x: 74, y: 62, width: 40, height: 22, rx: 5, class: broken ? 'lost' : '' }),
    s('path', { d: 'M54 26V40Q54 44 50 44H30Q26 44 26 48V62' }),
    s('path', { d: broken ? 'M66 26V34M94 52V62' : 'M66 26V40Q66 44 70 44H90Q94 44 94 48V62' }),
  );
  return svg;
}
