/**
 * `new T *[n]`, which the grammar does not know: each asterisk becomes a white space that nobody writes, so that what follows the type
 * is read, and that says how many there were. No character moves.
 */

const mark = '\v';

const word = '(?:(?:const|unsigned|signed|long|short|struct|class|typename)\\s+)*(?:::)?[A-Za-z_]\\w*';
const list = '(?:\\s*<[^;(){}\\[\\]]*?>)?';
const typeBehindNew = new RegExp(
  `\\bnew\\s*(?:\\([^()]*\\)\\s*|\\s)${word}${list}(?:::${word}${list})*(\\s*\\*(?:\\s*(?:\\*|const\\b))*)(?=\\s*[[({;,)])`,
  'g',
);

export function markNewPointers(text: string): string {
  if (!text.includes('new')) return text;
  return text.replace(typeBehindNew, (match, pointers: string) => {
    const marked = pointers.replace(/const/g, '     ').replaceAll('*', mark);
    const before = match.slice(0, match.length - pointers.length);
    return before.replace(/(?<=^new\s+)const\b/, '     ') + marked;
  });
}

/** How many asterisks stood between the type and what follows it. */
export function pointersBehind(between: string): number {
  return between.split(mark).length - 1;
}
