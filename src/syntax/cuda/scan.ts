/** Finding one's way through C++ text without parsing it: comments, literals and matching braces. Offsets throughout. */

const newline = 10;
const quote = 34;
const apostrophe = 39;
const backslash = 92;

/** The text with nothing but its lines left. */
export function blank(text: string): string {
  const first = text.indexOf('\n');
  if (text.includes('\r')) return text.replace(/[^\r\n]/g, ' ');
  if (first < 0) return ' '.repeat(text.length);
  let out = '';
  let start = 0;
  for (let end = first; end >= 0; end = text.indexOf('\n', start)) {
    out += `${' '.repeat(end - start)}\n`;
    start = end + 1;
  }
  return out + ' '.repeat(text.length - start);
}

/** The end of a comment that begins at `start`, or `start` when none does. */
export function endOfComment(text: string, start: number): number {
  const next = text.charCodeAt(start + 1);
  if (next === 47) {
    const end = text.indexOf('\n', start);
    return end < 0 ? text.length : end;
  }
  if (next !== 42) return start;
  const end = text.indexOf('*/', start + 2);
  return end < 0 ? text.length : end + 2;
}

/** Behind the literal whose opening quote stands at `open`; −1 when its line ends first. */
export function endOfLiteral(text: string, open: number): number {
  const mark = text.charCodeAt(open);
  if (mark === quote && text[open - 1] === 'R') {
    const end = endOfRawString(text, open);
    if (end > 0) return end;
  }
  if (mark === apostrophe && isDigitSeparator(text, open)) return open + 1;
  for (let index = open + 1; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === backslash) index += text[index + 1] === '\r' ? 2 : 1;
    else if (code === mark) return index + 1;
    else if (code === newline) return -1;
  }
  return -1;
}

function endOfRawString(text: string, open: number): number {
  const bracket = text.indexOf('(', open);
  if (bracket < 0 || !/^[^()\\\s]{0,16}$/.test(text.slice(open + 1, bracket))) return -1;
  const closing = `)${text.slice(open + 1, bracket)}"`;
  const end = text.indexOf(closing, bracket);
  return end < 0 ? text.length : end + closing.length;
}

/** `1'000'000` */
function isDigitSeparator(text: string, at: number): boolean {
  return /[0-9a-fA-F]/.test(text[at - 1] ?? '') && /[0-9a-fA-F]/.test(text[at + 1] ?? '');
}

export interface BraceMatch {
  /** Of the closing brace; the text's length when there is none. */
  readonly close: number;
  /** Braces still open at the end of the text. */
  readonly open: number;
}

/** The brace that closes the one at `open`. Literals that are not closed end with their line. */
export function matchBrace(text: string, open: number): BraceMatch {
  let depth = 0;
  let index = open;
  while (index < text.length) {
    const code = text.charCodeAt(index);
    if (code === 123) depth++;
    else if (code === 125) {
      if (--depth === 0) return { close: index, open: 0 };
    } else if (code === 47) {
      const end = endOfComment(text, index);
      if (end > index) {
        index = end;
        continue;
      }
    } else if (code === quote || code === apostrophe) {
      const end = endOfLiteral(text, index);
      index = end < 0 ? endOfLine(text, index) : end;
      continue;
    }
    index++;
  }
  return { close: text.length, open: depth };
}

/** Whether one of the braces that are open at the end of `text` is what is looked for, from the innermost on; those before `least` are not seen. */
export function someOpenBrace(text: string, least: number, isMeant: (brace: number) => boolean): boolean {
  let depth = 0;
  let open = text.lastIndexOf('{');
  let close = text.lastIndexOf('}');
  while (open >= least && open >= 0) {
    if (close > open) {
      depth++;
      close = close === 0 ? -1 : text.lastIndexOf('}', close - 1);
      continue;
    }
    if (--depth < 0) {
      if (isMeant(open)) return true;
      depth = 0;
    }
    open = open === 0 ? -1 : text.lastIndexOf('{', open - 1);
  }
  return false;
}

export function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}

export function isWordCode(code: number): boolean {
  return (
    (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95 || (code >= 48 && code <= 57) || code > 127
  );
}

/** Names in a text, and `<<<` where one stands; comments and strings left out. */
export function wordsOf(text: string): ReadonlySet<string> {
  const words = new Set<string>();
  const pattern = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:\\.|[^"\\\n])*"|([A-Za-z_]\w*)|<<</g;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    if (match[1] !== undefined) words.add(match[1]);
    else if (match[0] === '<<<') words.add('<<<');
  }
  return words;
}

/** The bracket that closes the one at `open`; −1 when it is not among the next characters, as while somebody types. */
export function closingBracket(text: string, open: number, most = 4_000): number {
  let depth = 0;
  for (let index = open; index < Math.min(text.length, open + most); index++) {
    const character = text[index];
    if (character === '"' || character === "'") {
      const end = endOfLiteral(text, index);
      if (end < 0) return -1;
      index = end - 1;
    } else if (character === '(') depth++;
    else if (character === ')' && --depth === 0) return index;
  }
  return -1;
}
