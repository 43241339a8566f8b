/**
 * `case 1 ... 5:`, which the grammar does not know: the dots become an operator that nobody writes in a case. No character moves.
 */

export function markCaseRanges(text: string): string {
  return text.includes('...') && text.includes('case') ? text.replace(range, '$1<=>') : text;
}

const range = /(\bcase\b(?:[^:;{}."]|::)+)\.\.\.(?=(?:[^:;{}"]|::)+:)/g;
