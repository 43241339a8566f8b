/**
 * `void f(Options o = {})`, `T* = nullptr` in the head of a template: defaults that the grammar does not know. What is begun by braces
 * gets a type that nobody writes, and a parameter without a name one such name, each in place of a white space. No character moves.
 */

/** A type, or a name, that the text does not say. */
export const unsaid = '$';

const braces = /=[ \t](?=\s*\{[^{};]*\}\s*[,)])/g;

const withoutName = /(?<=[*&])[ \t](?=\s*=[^=])/g;

/** The text with defaults that the parser knows. */
export function markDefaults(text: string): string {
  const named = text.replace(withoutName, unsaid);
  if (!named.includes('= {')) return named;
  return named.replace(braces, (written, at: number) => (isInParentheses(named, at) ? `=${unsaid}` : written));
}

/** How far before a default its list of parameters may begin. */
const farthest = 4_000;

function isInParentheses(text: string, from: number): boolean {
  let depth = 0;
  for (let at = from - 1; at >= Math.max(0, from - farthest); at--) {
    const sign = text[at];
    if (sign === ')' || sign === '}' || sign === ']') depth++;
    else if (sign === '(' || sign === '{' || sign === '[') {
      if (depth === 0) return sign === '(';
      depth--;
    } else if (sign === ';' && depth === 0) return false;
  }
  return false;
}
