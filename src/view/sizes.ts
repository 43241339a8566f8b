/** Sizes that the text does not determine: listed, and set by the person. */

import type { Scene, SceneSymbol } from '../scene/scene.ts';
import type { Actions } from './actions.ts';
import { button, h } from './dom.ts';
import { formatBytes } from './format.ts';
import { placeLink } from './links.ts';

/** What was typed, as a value: empty clears it, anything that is not a whole number from 0 up is refused. */
export function readSize(text: string): number | null | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  if (!/^\d+$/.test(trimmed)) return undefined;
  const value = Number(trimmed);
  return Number.isSafeInteger(value) ? value : undefined;
}

export function sizesForm(scene: Scene, actions: Actions, standalone: boolean): Node[] {
  if (scene.symbols.length === 0) {
    return [h('p', { class: 'quiet' }, 'Every size that matters is determined by the text.')];
  }
  const words = standalone
    ? 'The text does not determine these. Set them with graphmem simulate --set NAME=VALUE.'
    : 'The text does not determine these. Set a value and everything is worked out again; it is kept in the workspace.';
  return [
    h('p', { class: 'quiet' }, words),
    h('ul', { class: 'sizes' }, ...scene.symbols.map((symbol) => sizeRow(symbol, actions, standalone))),
  ];
}

function sizeRow(symbol: SceneSymbol, actions: Actions, standalone: boolean): HTMLElement {
  const id = `size-${symbol.name}`;
  const input = h('input', {
    id,
    type: 'number',
    min: 0,
    step: 1,
    inputmode: 'numeric',
    placeholder: 'unknown',
    value: symbol.value ?? '',
    disabled: standalone,
    'aria-describedby': `${id}-words`,
  });
  const words = h('span', { id: `${id}-words`, class: 'quiet' }, valueWords(symbol.value));
  input.addEventListener('input', () => {
    const value = readSize(input.value);
    input.setCustomValidity(value === undefined ? 'A whole number, 0 or more' : '');
    words.textContent = value === undefined ? 'a whole number, 0 or more' : valueWords(value);
  });
  input.addEventListener('change', () => {
    const value = readSize(input.value);
    if (value !== undefined && value !== symbol.value) actions.setSymbol(symbol.name, value);
  });
  const clear = button('Clear', () => actions.setSymbol(symbol.name, null), {
    disabled: standalone || symbol.value === null,
    'aria-label': `Clear ${symbol.name}`,
  });
  return h(
    'li',
    {},
    h('div', { class: 'size-name' }, h('label', { for: id }, symbol.name), placeLink(symbol.place, actions)),
    h('div', { class: 'size-value' }, input, clear),
    words,
  );
}

function valueWords(value: number | null): string {
  if (value === null) return 'not set';
  return value >= 1024 ? `${value.toLocaleString('en')} = ${formatBytes(value)} if bytes` : String(value);
}
