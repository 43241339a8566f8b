/**
 * `int (*stages[])() = { … };` reads like a call of `int` to the parser, where the function takes nothing, and so does
 * `void (T::*m)(Stream) = …;` where types of one word are all it takes. With a type of two words it cannot: what a function gives that is called through a pointer its definition says. No character moves.
 */

export function markFunctionPointers(text: string): string {
  return mayDeclare.test(text) ? text.replace(declared, asDeclaration) : text;
}

const mayDeclare = /\(\s*\*[\s\w]+[^()]*\)\s*\(/;
const types = '(?:[A-Za-z_][\\w:]*(?:\\s*,\\s*[A-Za-z_][\\w:]*)*)?';
const declared = new RegExp(
  `\\b([A-Za-z_]\\w*)(\\s*)(?=\\(\\s*\\*\\s*\\w+\\s*(?:\\[[^\\]\\n]*\\]\\s*)*\\)\\s*\\(${types}\\)\\s*=[^=])`,
  'g',
);
const noType = /^(?:return|else|case|throw|const|long)$/;

function asDeclaration(written: string, type: string): string {
  return written.length < 4 || noType.test(type) ? written : 'long'.padEnd(written.length);
}
