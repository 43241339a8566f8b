/** What the signs mean and which keys there are: a dialog, opened with `?`. */

import { button, h, s } from './dom.ts';

const keys: readonly (readonly [string, string])[] = [
  ['Tab, Shift+Tab', 'next or previous node, in the order in which they run'],
  ['Enter', 'open the code of what has the focus'],
  ['[ ] or , .', 'previous, next step'],
  ['Home, End', 'first, last step'],
  ['N, Shift+N', 'next, previous violation'],
  ['/', 'search; Enter goes to the next match'],
  ['+ - F', 'zoom in, zoom out, fit'],
  ['arrows', 'pan the graph, walk the story, the charts or the outline'],
  ['G, M', 'larger graph, larger memory pane'],
  ['1 to 5', 'go to the story, the graph, the details, the memory, the timeline'],
  ['Esc', 'discard a what-if, else clear selection and search'],
];

const signs: readonly (readonly [string, string])[] = [
  ['solid', 'must: on every path'],
  ['dashed', 'may: on some paths only'],
  ['filled', 'allocated or used'],
  ['hatched', 'freed'],
  ['rail', 'life of an allocation, from alloc to free'],
  ['open', 'not freed in this graph'],
];

export interface Help {
  readonly element: HTMLDialogElement;
  show(): void;
}

export function createHelp(): Help {
  const close = button('Close', () => element.close());
  const element = h(
    'dialog',
    { class: 'help', 'aria-label': 'Keys and signs' },
    h('h2', {}, 'Keys'),
    h('dl', {}, ...keys.flatMap(([key, words]) => [h('dt', {}, h('kbd', {}, key)), h('dd', {}, words)])),
    h('h2', {}, 'Signs'),
    h('dl', {}, ...signs.flatMap(([sign, words]) => [h('dt', {}, sketch(sign)), h('dd', {}, words)])),
    close,
  );
  element.addEventListener('click', (event) => {
    if (event.target === element) element.close();
  });
  return { element, show: () => element.showModal() };
}

function sketch(sign: string): SVGElement {
  const svg = s('svg', {
    width: 44,
    height: 16,
    viewBox: '0 0 44 16',
    class: `sign-sketch ${sign} c0`,
    'aria-hidden': 'true',
  });
  if (sign === 'solid' || sign === 'dashed') svg.append(s('path', { d: 'M2 8H40M35 4L41 8L35 12' }));
  else if (sign === 'filled') svg.append(s('rect', { class: 'full', x: 16, y: 3, width: 11, height: 11, rx: 2 }));
  else if (sign === 'hatched') {
    svg.append(s('rect', { x: 16, y: 3, width: 11, height: 11, rx: 2 }), s('path', { d: 'M16 10L23 3M19 14L27 6' }));
  } else svg.append(s('rect', { class: sign === 'rail' ? 'full' : '', x: 4, y: 5, width: 36, height: 7, rx: 3 }));
  return svg;
}
