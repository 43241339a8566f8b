/** The picture as a file of its own: a copy whose colours and fonts are written into it, because no stylesheet goes along. */

import type { Extent } from './camera.ts';
import { s, setAttributes } from './dom.ts';

const properties = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'stroke-opacity',
  'opacity',
  'font-family',
  'font-size',
  'font-weight',
  'text-anchor',
  'color',
] as const;

export function svgText(viewport: SVGGElement, extent: Extent): string {
  const margin = 24;
  const copy = viewport.cloneNode(true) as SVGGElement;
  copy.removeAttribute('transform');
  const originals = [...viewport.querySelectorAll('*')];
  [...copy.querySelectorAll('*')].forEach((element, index) => {
    const style = getComputedStyle(originals[index]!);
    if (style.display === 'none') element.setAttribute('display', 'none');
    for (const name of properties) element.setAttribute(name, style.getPropertyValue(name));
    for (const name of ['marker-end', 'marker-start']) {
      const marker = style.getPropertyValue(name);
      if (marker && marker !== 'none') element.setAttribute(name, marker.replace(/url\(.*#(.*?)"?\)/, 'url(#$1)'));
    }
    for (const name of ['class', 'tabindex', 'role', 'data-key', 'aria-label', 'aria-pressed'])
      element.removeAttribute(name);
  });
  const root = s('svg');
  const [width, height] = [extent.width + 2 * margin, extent.height + 2 * margin];
  const [x, y] = [extent.x - margin, extent.y - margin];
  setAttributes(root, { width, height, viewBox: `${x} ${y} ${width} ${height}` });
  const background = getComputedStyle(document.body).backgroundColor;
  root.append(s('rect', { x, y, width, height, fill: background }), copy);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(root)}\n`;
}
