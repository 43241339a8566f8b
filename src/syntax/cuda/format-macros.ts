/**
 * `"%" PRIu64 "\n"`, `"in " __FILE__ ":"`, `"%" LIB_FMT`: the macros of `<cinttypes>`, the compiler's own that are texts, and what else
 * stands behind a literal, where there is room for nothing but a text: the parser does not take them, and they become empty literals of
 * the same length. Nobody asks what a format says of a number's size.
 */

export function blankFormatMacros(text: string): string {
  const asEmpty = (match: string, between: string, name: string, at: number, whole: string): string =>
    isClosing(whole, at) ? `"${between}""${' '.repeat(name.length - 2)}` : match;
  const plain = occurs.test(text) ? text.replace(formatMacro, asEmpty) : text;
  return mayBeText.test(plain) ? plain.replace(unknownText, asEmpty) : plain;
}

const occurs = /PRI|SCN|__(?:FILE|BASE_FILE|DATE|TIME|TIMESTAMP|VERSION)__/;
const formatMacro =
  /"(\s*)((?:PRI|SCN)[diouxX](?:LEAST|FAST)?(?:8|16|32|64|MAX|PTR)|__(?:FILE|BASE_FILE|DATE|TIME|TIMESTAMP|VERSION)__)\b/g;

const mayBeText = /"\s+[A-Za-z]\w+\s*["),]/;
/** `extern "C"` has a declaration behind it, and `"a" or "b"` two texts. */
const unknownText =
  /"(\s+)(?!(?:and|or|xor|bitand|bitor|\w+_eq)\b)([A-Z][A-Z0-9_]+|[A-Za-z]\w*_[A-Z]\w*)(?=\s*(?:"|,|\)))(?!(?<=\bextern\s*"C"\s+\w*))/g;

/** Whether a quotation mark ends a literal of its line. */
function isClosing(text: string, mark: number): boolean {
  let isInside = false;
  for (let at = text.lastIndexOf('\n', mark) + 1; at < mark; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"') isInside = !isInside;
  }
  return isInside;
}
