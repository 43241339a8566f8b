/** What is written in texts of TypeScript. */

const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  v: '\v',
  '0': '\0',
};

/** The text that stands between quotes: `\n`, `\x41`, `\u0041`, `\u{1f600}`; a line that goes on. */
export function unescaped(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(
    /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|u\{([0-9a-fA-F]{1,6})\}|(\r?\n)|([\s\S]))/g,
    (_, byte?: string, unit?: string, point?: string, newline?: string, other = '') => {
      const code = Number.parseInt(byte ?? unit ?? point ?? '', 16);
      if (!Number.isNaN(code)) return code <= 0x10ffff ? String.fromCodePoint(code) : '';
      return newline ? '' : (escapes[other] ?? other);
    },
  );
}
