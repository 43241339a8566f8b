/**
 * A function-like macro as text with its arguments put in: `#name`, `a##b` and macros inside macros.
 *
 * Only for macros that make up the head of a definition; the interpreter expands the others where they are used.
 */

import type { MacroDefinition } from '../../program/program.ts';

type Macros = ReadonlyMap<string, MacroDefinition>;

/** `EXPAND(…)` of macros that go on by being read again is some hundred uses deep. */
const deepest = 500;

/** Words and signs that one use may be made of: macros that name others twice are twice as long at each level. */
const mostTokens = 100_000;

/** One expansion under way. */
interface Expansion {
  readonly macros: Macros;
  tokensLeft: number;
}

/** The text a use of `name` stands for; null when it is no function-like macro, never ends or is too long. */
export function expandMacroText(macros: Macros, name: string, given: readonly string[]): string | null {
  const expansion = { macros, tokensLeft: mostTokens };
  const text = expandUse(expansion, name, given, 0, []);
  return expansion.tokensLeft < 0 ? null : text;
}

/** The text of a macro without parameters, with those in it expanded; null when it is too long. */
export function expandBody(macros: Macros, { name, body }: MacroDefinition): string | null {
  const expansion = { macros, tokensLeft: mostTokens };
  const text = expandInside(expansion, body, 0, [name]);
  return expansion.tokensLeft < 0 ? null : text;
}

function expandUse(
  expansion: Expansion,
  name: string,
  given: readonly string[],
  depth: number,
  within: readonly string[],
): string | null {
  const macro = expansion.macros.get(name);
  if (!macro?.parameters || depth > deepest) return null;
  const values = bindParameters(macro.parameters, given);
  const tokens = tokensOf(macro.body);
  const out: string[] = [];
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index] ?? '';
    const value = values.get(token);
    if (token === '__VA_OPT__') {
      const close = closingBracket(tokens, nextWord(tokens, index + 1));
      if (values.get('__VA_ARGS__')?.trim())
        out.push(...tokens.slice(nextWord(tokens, index + 1) + 1, close).map((each) => values.get(each) ?? each));
      index = close;
    } else if (token === '#') {
      const next = nextWord(tokens, index + 1);
      out.push(JSON.stringify((values.get(tokens[next] ?? '') ?? '').trim()));
      index = next;
    } else if (token === '##') {
      while (out.length > 0 && out[out.length - 1]?.trim() === '') out.pop();
      index = nextWord(tokens, index + 1);
      const pasted = values.get(tokens[index] ?? '')?.trim() ?? tokens[index] ?? '';
      // `f(a, ##__VA_ARGS__)`: where nothing is given there is no comma either.
      if (pasted === '' && out.at(-1) === ',' && isRest(macro.parameters, tokens[index])) out.pop();
      out.push(pasted);
    } else if (value === undefined) out.push(token);
    else {
      const isPasted = tokens[nextWord(tokens, index + 1)] === '##';
      out.push(isPasted ? value.trim() : expandInside(expansion, value, depth + 1, within));
    }
  }
  return expandInside(expansion, out.join(''), depth + 1, [...within, name]);
}

function isRest(parameters: readonly string[], name: string | undefined): boolean {
  const last = parameters.at(-1);
  return last?.endsWith('...') === true && (last.slice(0, -3) || '__VA_ARGS__') === name;
}

function bindParameters(parameters: readonly string[], given: readonly string[]): Map<string, string> {
  const values = new Map<string, string>();
  for (const [index, parameter] of parameters.entries()) {
    if (parameter.endsWith('...')) values.set(parameter.slice(0, -3) || '__VA_ARGS__', given.slice(index).join(','));
    else values.set(parameter, given[index] ?? '');
  }
  return values;
}

/** Expands the macros that are used in a piece of text; not those that it stands `within`. */
function expandInside(expansion: Expansion, text: string, depth: number, within: readonly string[]): string {
  if (depth > deepest || expansion.tokensLeft < 0) return text;
  const { macros } = expansion;
  const tokens = tokensOf(text);
  expansion.tokensLeft -= tokens.length;
  const out: string[] = [];
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index] ?? '';
    const macro = within.includes(token) ? undefined : macros.get(token);
    const open = nextWord(tokens, index + 1);
    if (macro?.parameters && tokens[open] === '(') {
      const close = closingBracket(tokens, open);
      const made =
        expandUse(expansion, token, splitArguments(tokens.slice(open + 1, close).join('')), depth + 1, within) ?? '';
      // `JOIN(MAP, 2)(f, x, y)`: what was made is the name of a macro, whose arguments stand behind.
      const next = nextWord(tokens, close + 1);
      const last = tokens[next] === '(' ? /[A-Za-z_]\w*$/.exec(made)?.[0] : undefined;
      const end = last !== undefined && macros.get(last)?.parameters ? closingBracket(tokens, next) : -1;
      out.push(
        end < 0 ? made : expandInside(expansion, made + tokens.slice(next, end + 1).join(''), depth + 1, within),
      );
      index = end < 0 ? close : end;
    } else if (tokens[open] === '(' && within.includes(token) && macros.get(token)?.parameters) {
      // The function of that name: in brackets no macro is meant when the text is read again.
      out.push(`(${token})`);
    } else
      out.push(macro?.parameters === null ? expandInside(expansion, macro.body, depth + 1, [...within, token]) : token);
  }
  return out.join('');
}

/** The arguments between a use's brackets. */
export function splitArguments(text: string): string[] {
  const out = [''];
  let nesting = 0;
  for (const token of tokensOf(text)) {
    if (/^[([{]$/.test(token)) nesting++;
    if (/^[)\]}]$/.test(token)) nesting--;
    if (token === ',' && nesting === 0) out.push('');
    else out[out.length - 1] += token;
  }
  return out.map((part) => part.trim());
}

function tokensOf(text: string): readonly string[] {
  return text.match(/"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|##|[A-Za-z_]\w*|\s+|\d[\w.]*|[\s\S]/g) ?? [];
}

function nextWord(tokens: readonly string[], from: number): number {
  let index = from;
  while (index < tokens.length && tokens[index]?.trim() === '') index++;
  return index;
}

function closingBracket(tokens: readonly string[], open: number): number {
  let nesting = 0;
  for (let index = open; index < tokens.length; index++) {
    if (tokens[index] === '(') nesting++;
    else if (tokens[index] === ')' && --nesting === 0) return index;
  }
  return tokens.length;
}
