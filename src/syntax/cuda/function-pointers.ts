/**
 * `int (*stages[])() = { … };` reads like a call of `int` to the parser, where the function takes nothing. With a type of two words it
 * cannot: what a function gives that is called through a pointer its definition says. No character moves.
 */

export function markFunctionPointers(text: string): string {
  return text.includes(')()') ? text.replace(declared, asDeclaration) : text;
}

const declared = /\b([A-Za-z_]\w*)(\s*)(?=\(\s*\*\s*\w+\s*(?:\[[^\]\n]*\]\s*)*\)\s*\(\)\s*=[^=])/g;
const noType = /^(?:return|else|case|throw|const|long)$/;

function asDeclaration(written: string, type: string): string {
  return written.length < 4 || noType.test(type) ? written : 'long'.padEnd(written.length);
}
