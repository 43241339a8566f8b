/** What is written in literals of characters and texts. */

const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\x07',
  b: '\b',
  f: '\f',
  v: '\v',
};

/** The code of `'a'`, `'\0'`, `L'\x41'`. */
export function characterIn(literal: string): number {
  return unescaped(literal.slice(literal.indexOf("'") + 1, -1)).charCodeAt(0);
}

/** The text of `"a"`, `u8"a"`, `"a" "b"`, `R"(a)"`, up to the zero that ends it. */
export function textIn(literals: string): string {
  const raw = /R"([^()\\\s]{0,16})\(([\s\S]*)\)\1"$/.exec(literals);
  if (raw) return raw[2] ?? '';
  const parts = [...literals.matchAll(/"((?:\\[\s\S]|[^"\\])*)"/g)].map((part) => unescaped(part[1] ?? ''));
  return parts.join('').replace(/\0[\s\S]*$/, '');
}

function unescaped(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(/\\(?:x([0-9a-fA-F]+)|([0-7]{1,3})|(\r?\n)|([\s\S]))/g, (_, hex, octal, newline, other) => {
    if (hex || octal) return String.fromCharCode(Number.parseInt(hex ?? octal, hex ? 16 : 8));
    return newline ? '' : (escapes[other] ?? other);
  });
}
