/** One colour an allocation, the same in every pane. Colours are classes: the stylesheet knows the theme. */

import { s } from './dom.ts';

export const colours = 12;

/** Sets `--c`, the allocation's colour, for an element and what is in it. */
export function colourClass(colour: number): string {
  return `c${((colour % colours) + colours) % colours}`;
}

/** Hatch patterns for freed space, one a colour; `prefix` keeps ids apart between pictures. */
export function hatchPatterns(prefix: string): SVGDefsElement {
  const defs = s('defs');
  for (let colour = 0; colour < colours; colour++) {
    const pattern = s('pattern', {
      id: `${prefix}-hatch-${colour}`,
      width: 6,
      height: 6,
      patternUnits: 'userSpaceOnUse',
      patternTransform: 'rotate(45)',
    });
    pattern.append(s('rect', { class: `hatch-line ${colourClass(colour)}`, width: 2, height: 6 }));
    defs.append(pattern);
  }
  return defs;
}

/** The `fill` that hatches in an allocation's colour. */
export function hatchFill(prefix: string, colour: number): string {
  return `url(#${prefix}-hatch-${((colour % colours) + colours) % colours})`;
}
