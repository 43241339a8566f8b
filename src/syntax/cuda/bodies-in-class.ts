/** The methods of a class whose bodies can be read later: found by braces, as the items of a file are. */

import { blank, matchBrace } from './scan.ts';
import { endOfAngles, type ItemRange, splitItems } from './split-items.ts';

/** Offsets of the braces of a body. */
export interface BodyRange {
  readonly open: number;
  readonly close: number;
}

/** Bodies with fewer characters are read at once. */
const shortestBody = 24;

/** Classes inside classes inside classes. */
const deepest = 8;

/** The bodies of the methods of the class that an item is, those of classes inside it as well; none for anything else. */
export function bodiesInClass(text: string, { start, end, open, missing }: ItemRange, depth = 0): readonly BodyRange[] {
  if (open > start || missing > 0 || depth > deepest) return [];
  const brace = braceOfClass(text, start, end);
  if (brace < 0) return [];
  const { close, open: unclosed } = matchBrace(text, brace);
  if (unclosed > 0 || close >= end) return [];
  const from = brace + 1;
  const inner = splitItems(text.slice(from, close)).map((item) => ({
    ...item,
    start: item.start + from,
    end: item.end + from,
    open: item.open < 0 ? -1 : item.open + from,
    close: item.close < 0 ? -1 : item.close + from,
  }));
  return inner.flatMap((item): readonly BodyRange[] => {
    if (item.missing > 0) return [];
    if (item.open <= item.start) return bodiesInClass(text, behindLabels(text, item), depth + 1);
    return item.close - item.open > shortestBody ? [{ open: item.open, close: item.close }] : [];
  });
}

/** The text from `start` on without what stands in these bodies. An empty pair of braces would be the beginning of a value where a semicolon follows. */
export function withoutBodies(text: string, start: number, bodies: readonly BodyRange[]): string {
  if (bodies.length === 0) return text;
  const parts: string[] = [];
  let done = 0;
  for (const { open, close } of bodies) {
    parts.push(text.slice(done, open + 1 - start), `;${blank(text.slice(open + 2 - start, close - start))}`);
    done = close - start;
  }
  parts.push(text.slice(done));
  return parts.join('');
}

/** `public: struct Part { … }` */
function behindLabels(text: string, item: ItemRange): ItemRange {
  const label = /(?:\s*(?:public|private|protected)\s*:(?!:))*\s*/y;
  label.lastIndex = item.start;
  label.test(text);
  return { ...item, start: label.lastIndex };
}

const classHead =
  /\s*(?:(?:typedef|static|friend|const|constexpr|inline)\s+)*(?:struct|class|union)\b[^;{}()=]*(?:\([^;{}]*\)[^;{}()=]*)*/y;

/** Of the class that the text begins with; −1 where it begins with something else. */
function braceOfClass(text: string, start: number, end: number): number {
  let from = start;
  for (const template = /\s*template(?=\s*<)/y; ; ) {
    template.lastIndex = from;
    if (!template.test(text)) break;
    from = endOfAngles(text, template.lastIndex);
  }
  classHead.lastIndex = from;
  if (!classHead.test(text)) return -1;
  const brace = classHead.lastIndex;
  return brace < end && text[brace] === '{' ? brace : -1;
}
