/**
 * How wide a text will be: geometry is computed before anything is painted (and in tests, where there is no page). Estimated
 * for a system sans-serif at the wide end, until the page says how to measure its own font.
 */

const narrow = /[iljtfr.,:;'|!()[\]\s]/;
const wide = /[mwMW@%&→←]/;
const upper = /[A-Z0-9_<>=+]/;

export type Measure = (text: string, size: number, bold: boolean) => number;

let measure: Measure = estimate;

/** Lets a page that knows its font measure exactly; everything drawn afterwards fits exactly. */
export function measureTextWith(exact: Measure): void {
  measure = exact;
}

/** Width in pixels of `text` at a font size. */
export function textWidth(text: string, size: number, bold = false): number {
  return measure(text, size, bold);
}

function estimate(text: string, size: number, bold: boolean): number {
  let ems = 0;
  for (const character of text) {
    if (narrow.test(character)) ems += 0.36;
    else if (wide.test(character)) ems += 0.92;
    else if (upper.test(character)) ems += 0.66;
    else if (character.charCodeAt(0) > 0x2e80) ems += 1.05;
    else ems += 0.6;
  }
  return ems * size * (bold ? 1.06 : 1);
}

/** `text`, cut with an ellipsis so that it fits into `width`; empty when not even one character does. */
export function fitText(text: string, width: number, size: number, bold = false): string {
  if (textWidth(text, size, bold) <= width) return text;
  const ellipsis = textWidth('…', size, bold);
  let kept = '';
  for (const character of text) {
    if (textWidth(kept + character, size, bold) + ellipsis > width) break;
    kept += character;
  }
  return kept === '' ? '' : `${kept.trimEnd()}…`;
}
