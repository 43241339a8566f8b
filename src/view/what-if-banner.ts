/** The line over the panes while a what-if is shown: what it changes, and the ways into the code and back. */

import type { WhatIf } from '../scene/what-if-change.ts';
import type { Actions } from './actions.ts';
import { button, h } from './dom.ts';
import { count } from './format.ts';
import type { Pane } from './lanes-pane.ts';
import { changed } from './store.ts';
import { type Comparison, comparisonsOf } from './what-if-model.ts';

export function createWhatIfBanner(actions: Actions): Pane {
  const element = h('section', { class: 'what-if-banner', 'aria-label': 'What if', hidden: true });
  return {
    element,
    update(state, previous) {
      if (!changed(state, previous, 'scene', 'graph')) return;
      const whatIf = state.scene?.whatIf;
      element.hidden = whatIf === undefined;
      element.replaceChildren(...(whatIf ? bannerOf(whatIf, state.graph, actions) : []));
      // The control that was pressed is gone with the old picture; the keyboard goes on here.
      const isNew = whatIf !== undefined && previous.scene?.whatIf !== whatIf;
      if (isNew && document.activeElement === document.body) element.querySelector<HTMLElement>('.discard')?.focus();
    },
  };
}

function bannerOf(whatIf: WhatIf, graph: number, actions: Actions): Node[] {
  const apply = button('Apply to code', () => actions.applyWhatIf(), {
    class: 'apply',
    disabled: whatIf.refusal !== null,
    title: whatIf.refusal ?? 'Make these changes in the code (checked by analysing the edited text)',
  });
  return [
    h(
      'div',
      { class: 'what-if-words', role: 'status' },
      h('strong', {}, `What if: ${count(whatIf.changes.length, 'change')}`),
      ...comparisonsOf(whatIf, graph).map(comparison),
      whatIf.refusal === null ? null : h('span', { class: 'quiet' }, whatIf.refusal),
    ),
    apply,
    button('Discard', () => actions.discardWhatIf(), { class: 'discard', title: 'Back to the code as it is (Esc)' }),
  ];
}

function comparison({ name, before, after, trend }: Comparison): HTMLElement {
  if (trend === 'same') return h('span', { class: 'same' }, `${name} ${after}`);
  return h('span', { class: trend }, `${name} ${before} → ${after}`);
}
