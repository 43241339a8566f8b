/**
 * `"%" PRIu64 "\n"`, `"in " __FILE__ ":"`: the macros of `<cinttypes>`, and the compiler's own that are texts, which the parser does
 * not take behind a literal, become empty literals of the same length. Nobody asks what a format says of a number's size.
 */

export function blankFormatMacros(text: string): string {
  if (!occurs.test(text)) return text;
  return text.replace(formatMacro, (match, between: string, name: string, at: number) =>
    isClosing(text, at) ? `"${between}""${' '.repeat(name.length - 2)}` : match,
  );
}

const occurs = /PRI|SCN|__(?:FILE|BASE_FILE|DATE|TIME|TIMESTAMP|VERSION)__/;
const formatMacro =
  /"(\s*)((?:PRI|SCN)[diouxX](?:LEAST|FAST)?(?:8|16|32|64|MAX|PTR)|__(?:FILE|BASE_FILE|DATE|TIME|TIMESTAMP|VERSION)__)\b/g;

/** Whether a quotation mark ends a literal of its line. */
function isClosing(text: string, mark: number): boolean {
  let isInside = false;
  for (let at = text.lastIndexOf('\n', mark) + 1; at < mark; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"') isInside = !isInside;
  }
  return isInside;
}
