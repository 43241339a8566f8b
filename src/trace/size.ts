/** Sizes and counts that the text may or may not determine: numbers, symbols, and arithmetic over both. */

export type Size =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'symbol'; readonly name: string }
  | { readonly kind: 'operation'; readonly operator: string; readonly left: Size; readonly right: Size };

/** The value under the given settings, or null when a symbol has none. */
export function evaluateSize(size: Size, settings: Readonly<Record<string, number>> = {}): number | null {
  switch (size.kind) {
    case 'number':
      return size.value;
    case 'symbol':
      return settings[size.name] ?? null;
    case 'operation': {
      const left = evaluateSize(size.left, settings);
      const right = evaluateSize(size.right, settings);
      return left === null || right === null ? null : calculate(size.operator, left, right);
    }
  }
}

/** C arithmetic on whole numbers: division truncates, comparisons give 0 or 1. Null for what C leaves undefined. */
export function calculate(operator: string, left: number, right: number): number | null {
  switch (operator) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '/':
      return right === 0
        ? null
        : Number.isInteger(left) && Number.isInteger(right)
          ? Math.trunc(left / right)
          : left / right;
    case '%':
      return right === 0 ? null : left % right;
    case '<<':
      return left * 2 ** right;
    case '>>':
      return Math.floor(left / 2 ** right);
    case '>>>':
      return left >>> right;
    case '&':
      return Number(BigInt(Math.trunc(left)) & BigInt(Math.trunc(right)));
    case '|':
      return Number(BigInt(Math.trunc(left)) | BigInt(Math.trunc(right)));
    case '^':
      return Number(BigInt(Math.trunc(left)) ^ BigInt(Math.trunc(right)));
    case '==':
    case '===':
      return left === right ? 1 : 0;
    case '!=':
    case '!==':
      return left !== right ? 1 : 0;
    case '<':
      return left < right ? 1 : 0;
    case '>':
      return left > right ? 1 : 0;
    case '<=':
      return left <= right ? 1 : 0;
    case '>=':
      return left >= right ? 1 : 0;
    default:
      return null;
  }
}

/** Texts of operations: they are asked for again and again, as parts of larger ones. */
const texts = new WeakMap<Size, string>();

/** As a person would write it: `n * 4`. */
export function printSize(size: Size): string {
  if (size.kind === 'number') return String(size.value);
  if (size.kind === 'symbol') return size.name;
  const known = texts.get(size);
  if (known !== undefined) return known;
  const text = `${operandText(size.left)} ${size.operator} ${operandText(size.right)}`;
  texts.set(size, text);
  return text;
}

function operandText(size: Size): string {
  return size.kind === 'operation' ? `(${printSize(size)})` : printSize(size);
}

/** The symbols in it, in order of appearance, without repetition. */
export function symbolsOf(size: Size, into: Set<string> = new Set()): Set<string> {
  if (size.kind === 'symbol') into.add(size.name);
  else if (size.kind === 'operation') {
    symbolsOf(size.left, into);
    symbolsOf(size.right, into);
  }
  return into;
}
