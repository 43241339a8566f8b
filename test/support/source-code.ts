/** TypeScript text with comments and the contents of strings blanked, so that searches see code only. Same length. */

/** Regular expression literals stay as they are; a `/` opens one only where an operand may begin. */
export function withoutCommentsAndStrings(text: string): string {
  const token =
    /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|(?<=[=(,:[!&|?{};\n]\s*)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/g;
  return text.replace(token, (found) => found.replace(/[^\n]/g, ' '));
}
