/** Measures text in the page's own font, once a text. */

import { measureTextWith } from './text.ts';

/** Makes geometry measure with the font of `root`; without a canvas, estimates stay in use. */
export function measureWithPage(root: HTMLElement): void {
  const context = document.createElement('canvas').getContext('2d');
  if (!context) return;
  const family = getComputedStyle(root).fontFamily;
  const known = new Map<string, number>();
  measureTextWith((text, size, bold) => {
    const key = `${bold ? 'b' : ''}${size} ${text}`;
    const width = known.get(key);
    if (width !== undefined) return width;
    context.font = `${bold ? '600 ' : ''}${size}px ${family}`;
    const measured = context.measureText(text).width;
    if (known.size < 20_000) known.set(key, measured);
    return measured;
  });
}
