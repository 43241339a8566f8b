/** The line under the toolbar: what was not understood, what is cut short, what is only an estimate, what is still being worked out. */

import type { Actions } from './actions.ts';
import { button, h } from './dom.ts';
import { count, formatPlace } from './format.ts';
import type { Pane } from './lanes-pane.ts';
import { changed, type State } from './store.ts';

/** Loops that are named. */
const mostLoops = 2;

export function createNotices(actions: Actions): Pane {
  const element = h('div', { class: 'notices', role: 'status', hidden: true });
  return {
    element,
    update(state, previous) {
      if (!changed(state, previous, 'scene', 'progress', 'phase', 'tab')) return;
      const notices = state.scene ? noticesOf(state, actions) : [];
      element.replaceChildren(...notices);
      element.hidden = notices.length === 0;
    },
  };
}

function noticesOf(state: State, actions: Actions): Node[] {
  const scene = state.scene!;
  const notices: Node[] = [];
  if (state.progress) {
    const bar = h('progress', { max: 1, 'aria-label': state.progress.title });
    if (state.progress.fraction !== null) bar.value = state.progress.fraction;
    notices.push(
      h(
        'span',
        { class: 'notice' },
        state.progress.title,
        bar,
        button('Cancel', () => actions.cancel(), { class: 'link' }),
      ),
    );
  }
  if (scene.gaps.length > 0) {
    const words = `${count(scene.gaps.length, 'call')} not understood: the picture may be incomplete. `;
    notices.push(
      h(
        'span',
        { class: 'notice gaps' },
        h('span', { class: 'sign', 'aria-hidden': 'true' }, '?'),
        words,
        button('Show', () => actions.showGaps(), { class: 'link' }),
      ),
    );
  }
  for (const loop of (scene.shortened ?? []).slice(0, mostLoops)) {
    const show = button(formatPlace(loop), () => actions.open(loop), { class: 'link' });
    const words = ' asks the same in every round: only the first rounds are shown.';
    const sign = h('span', { class: 'sign', 'aria-hidden': 'true' }, '↻');
    notices.push(h('span', { class: 'notice' }, sign, 'The loop at ', show, words));
  }
  const unset = scene.symbols.filter((symbol) => symbol.value === null).length;
  if (unset > 0) {
    const words = `${count(unset, 'size')} not determined by the text. `;
    const set = button('Set', () => actions.showTab('sizes'), { class: 'link' });
    notices.push(h('span', { class: 'notice' }, h('span', { class: 'sign', 'aria-hidden': 'true' }, '▢'), words, set));
  }
  return notices;
}
