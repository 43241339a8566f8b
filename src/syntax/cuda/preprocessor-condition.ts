/** Evaluates the condition of `#if`: integers, `defined`, the C operators. Unknown names are 0, as in C. */

import { operatorWords } from './operator-words.ts';

type Lookup = (name: string) => string | undefined;
/** The parameters of a macro that has some; null for all other names. */
type Parameters = (name: string) => readonly string[] | null;

/** Whether the condition holds. Text that is not a valid expression counts as false. */
export function evaluateCondition(text: string, lookup: Lookup, parametersOf: Parameters = () => null): boolean {
  try {
    return new ConditionParser(tokensOf(text), lookup, parametersOf).expression(0) !== 0;
  } catch {
    return false;
  }
}

/** A number is one with its suffix: `201703L`. */
function tokensOf(text: string): readonly string[] {
  const tokens =
    withHeaders(text).match(/\d[\w']*|'(?:\\.|[^'\\])'|[A-Za-z_]\w*|&&|\|\||[<>=!]=|<<|>>|##|[-+*/%<>!~()?:,&|^]/g) ??
    [];
  return tokens.some((each) => operatorWords.has(each))
    ? tokens.map((each) => operatorWords.get(each) ?? each)
    : tokens;
}

/** Headers of the C++ library have no ending; those of C and of CUDA are there wherever CUDA is compiled. */
const ownHeaders =
  /^(?:[a-z_]+|(?:cuda|cub|thrust|nv|cooperative_groups)(?:\/[\w/]+)?|(?:cub|thrust|cuda|cooperative_groups)[\w/]*\.(?:h|hpp|cuh)|(?:std(?:int|io|lib|bool|def)|string|math|limits|assert|errno|time|float|ctype)\.h)$/;

/** `__has_include(<optional>)` as the number that it is; a header of somebody else's is not there. */
function withHeaders(text: string): string {
  return text.replace(/\b__has_include\s*\(\s*<([^>]*)>\s*\)/g, (_, name: string) =>
    ownHeaders.test(name.trim()) ? '1' : '0',
  );
}

/** What a character is: one behind a backslash may be one that C has a name for. */
function characterIn(token: string): number {
  const named: Readonly<Record<string, number>> = { n: 10, t: 9, r: 13, '0': 0, a: 7, b: 8, f: 12, v: 11 };
  const last = token.at(-2) ?? '';
  return token.length > 3 && Object.hasOwn(named, last) ? named[last]! : last.charCodeAt(0);
}

function numberIn(token: string): number {
  const digits = token.replaceAll("'", '').replace(/[uUlLzZ]+$/, '');
  return Number(/^0\d/.test(digits) ? `0o${digits}` : digits);
}

const precedence: Readonly<Record<string, number>> = {
  '||': 1,
  '&&': 2,
  '|': 3,
  '^': 4,
  '&': 5,
  '==': 6,
  '!=': 6,
  '<': 7,
  '>': 7,
  '<=': 7,
  '>=': 7,
  '<<': 8,
  '>>': 8,
  '+': 9,
  '-': 9,
  '*': 10,
  '/': 10,
  '%': 10,
};

/** Macros in macros that are followed: one that is made of itself ends here. */
const mostExpansions = 500;

class ConditionParser {
  private index = 0;
  private readonly tokens: string[];
  private readonly lookup: Lookup;
  private readonly parametersOf: Parameters;
  private expansions = 0;

  constructor(tokens: readonly string[], lookup: Lookup, parametersOf: Parameters) {
    this.tokens = [...tokens];
    this.lookup = lookup;
    this.parametersOf = parametersOf;
  }

  expression(minimum: number): number {
    let left = this.primary();
    for (;;) {
      const operator = this.tokens[this.index];
      const level = operator === undefined ? undefined : precedence[operator];
      if (operator === undefined || level === undefined || level < minimum) break;
      this.index++;
      left = apply(operator, left, this.expression(level + 1));
    }
    if (minimum === 0 && this.tokens[this.index] === '?') {
      this.index++;
      const yes = this.expression(0);
      this.index++;
      const no = this.expression(0);
      return left !== 0 ? yes : no;
    }
    return left;
  }

  private primary(): number {
    const token = this.tokens[this.index++];
    if (token === undefined) throw new Error('incomplete condition');
    if (token === '(') {
      const value = this.expression(0);
      this.index++;
      return value;
    }
    if (token === '!') return this.primary() === 0 ? 1 : 0;
    if (token === '-') return -this.primary();
    if (token === '+') return this.primary();
    if (token === '~') return ~this.primary();
    if (token.startsWith("'")) return characterIn(token);
    if (/^\d/.test(token)) return numberIn(token);
    if (token === 'defined') {
      const bracket = this.tokens[this.index] === '(';
      if (bracket) this.index++;
      const name = this.tokens[this.index++] ?? '';
      if (bracket) this.index++;
      return this.lookup(name) === undefined ? 0 : 1;
    }
    const start = this.index - 1;
    const given = this.tokens[this.index] === '(' ? this.givenArguments() : null;
    const body = this.lookup(token);
    if (body === undefined || this.expansions++ > mostExpansions) return token === 'true' ? 1 : 0;
    const parameters = given && this.parametersOf(token);
    const tokens = pasted(tokensOf(body).flatMap((each) => given?.[parameters?.indexOf(each) ?? -1] ?? each));
    if (tokens.length === 0) return 0;
    // As text: what has no brackets around it may fall apart beside other operators.
    this.tokens.splice(start, this.index - start, ...tokens);
    this.index = start;
    return this.primary();
  }

  /** What stands between the brackets of a macro's use, part by part. */
  private givenArguments(): string[][] {
    const out: string[][] = [[]];
    let level = 0;
    do {
      const token = this.tokens[this.index++];
      if (token === undefined) return out;
      if (token === '(' && level++ === 0) continue;
      if (token === ')' && --level === 0) continue;
      if (token === ',' && level === 1) out.push([]);
      else out.at(-1)?.push(token);
    } while (level > 0);
    return out;
  }
}

/** `HAVE_##feature` */
function pasted(tokens: readonly string[]): readonly string[] {
  if (!tokens.includes('##')) return tokens;
  const out: string[] = [];
  for (let index = 0; index < tokens.length; index++)
    if (tokens[index] === '##') out.push(`${out.pop() ?? ''}${tokens[++index] ?? ''}`);
    else out.push(tokens[index]!);
  return out;
}

function apply(operator: string, left: number, right: number): number {
  switch (operator) {
    case '||':
      return left !== 0 || right !== 0 ? 1 : 0;
    case '&&':
      return left !== 0 && right !== 0 ? 1 : 0;
    case '|':
      return left | right;
    case '^':
      return left ^ right;
    case '&':
      return left & right;
    case '==':
      return left === right ? 1 : 0;
    case '!=':
      return left !== right ? 1 : 0;
    case '<':
      return left < right ? 1 : 0;
    case '>':
      return left > right ? 1 : 0;
    case '<=':
      return left <= right ? 1 : 0;
    case '>=':
      return left >= right ? 1 : 0;
    case '<<':
      return left << right;
    case '>>':
      return left >> right;
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '/':
      return right === 0 ? 0 : Math.trunc(left / right);
    default:
      return right === 0 ? 0 : left % right;
  }
}
