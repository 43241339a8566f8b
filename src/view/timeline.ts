/** The footer: one cursor for all panes. */

import type { Actions } from './actions.ts';
import { button, h, s } from './dom.ts';
import { describeStep, failed, formatBytes } from './format.ts';
import type { Pane } from './lanes-pane.ts';
import { changed, type State } from './store.ts';

export function createTimeline(actions: Actions): Pane {
  const first = iconButton('M4 3v10M13 3L7 8l6 5z', () => actions.goToStep(0), {
    'aria-label': 'First step',
    title: 'First step (Home)',
  });
  const back = iconButton('M11 3L5 8l6 5z', () => actions.stepBy(-1), {
    'aria-label': 'Previous step',
    title: 'Previous step ([ or ,)',
  });
  const next = iconButton('M5 3l6 5-6 5z', () => actions.stepBy(1), {
    'aria-label': 'Next step',
    title: 'Next step (] or .)',
  });
  const last = iconButton('M12 3v10M3 3l6 5-6 5z', () => actions.goToStep(Number.MAX_SAFE_INTEGER), {
    'aria-label': 'Last step',
    title: 'Last step (End)',
  });
  const slider = h('input', { type: 'range', min: 0, step: 1, 'aria-label': 'Step' });
  slider.addEventListener('input', () => actions.goToStep(Number(slider.value)));
  const text = h('p', { class: 'step-text', 'aria-live': 'polite' });
  const element = h(
    'footer',
    { class: 'timeline', 'aria-label': 'Timeline' },
    h('div', { class: 'buttons', role: 'group', 'aria-label': 'Step through the program' }, first, back, next, last),
    slider,
    text,
  );

  return {
    element,
    update(state, previous) {
      if (!changed(state, previous, 'scene', 'step')) return;
      const total = state.scene?.operations.length ?? 0;
      slider.max = String(Math.max(0, total - 1));
      slider.value = String(state.step);
      slider.setAttribute('aria-valuetext', describeStep(state.scene?.operations ?? [], state.step));
      for (const control of [slider, first, back, next, last]) control.disabled = total < 2;
      first.disabled ||= state.step === 0;
      back.disabled ||= state.step === 0;
      next.disabled ||= state.step >= total - 1;
      last.disabled ||= state.step >= total - 1;
      text.replaceChildren(...stepWords(state));
      text.title = text.textContent ?? '';
    },
  };
}

function iconButton(
  path: string,
  onClick: () => void,
  attributes: Readonly<Record<string, string>>,
): HTMLButtonElement {
  const element = button('', onClick, attributes);
  element.append(
    s('svg', { width: 16, height: 16, viewBox: '0 0 16 16', 'aria-hidden': 'true' }, s('path', { d: path })),
  );
  return element;
}

/** The sentence of `describeStep`, in pieces that can be set apart. */
function stepWords(state: State): Node[] {
  const operations = state.scene?.operations ?? [];
  const operation = operations[state.step];
  if (!operation) return [h('span', { class: 'quiet' }, 'Nothing is launched: there are no steps to walk through')];
  const words = [
    h('span', { class: 'step-count' }, `step ${state.step + 1} of ${operations.length}`),
    h('strong', {}, operation.label),
    h('span', {}, `used ${formatBytes(operation.used)}`),
    h('span', {}, `reserved ${formatBytes(operation.reserved)}`),
  ];
  if (operation.reason) words.push(h('span', { class: 'remap-why' }, `remap: ${operation.reason}`));
  if (failed(operation)) words.push(h('span', { class: 'step-failed' }, `✕ ${operation.result}`));
  return words.flatMap((word, index) => (index === 0 ? [word] : [h('span', { class: 'separator' }, ' · '), word]));
}
