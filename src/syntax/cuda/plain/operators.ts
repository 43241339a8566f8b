/** Operators as the names of functions: `operator=`, `operator()`, and `operator T()`. */

import type { SyntaxNode } from '../../syntax-tree.ts';
import { parameterList } from './declarations.ts';
import { as, endBefore, kindAt, type Made, made, type Reading, sign, startOf, wordAs } from './nodes.ts';
import { notPlain } from './tokens.ts';
import { isQualifier, qualifier, typeSpecifier } from './types.ts';

/** Those that are one sign; what converts, what begins with `>` or is a word is left to the parser. */
const signs = new Set(
  '= == != + - * / % += -= *= /= %= < <= >= << <<= ++ -- ! ~ & | ^ && || &= |= ^= -> ->* ,'.split(' '),
);

/** Behind the name of an operator that begins at a token; -1 where none does, or one that is not plain. */
export function endOfOperatorName({ tokens }: Reading, from: number): number {
  const { kinds, starts, ends } = tokens;
  if (kinds[from] !== 'operator') return -1;
  const first = kinds[from + 1]!;
  if (signs.has(first)) return from + 2;
  const closing = first === '(' ? ')' : first === '[' ? ']' : null;
  return closing !== null && kinds[from + 2] === closing && starts[from + 2] === ends[from + 1] ? from + 3 : -1;
}

export function operatorName(reading: Reading): Made {
  const word = sign(reading);
  const kind = kindAt(reading);
  const isPair = kind === '(' || kind === '[';
  const symbol = sign(reading, null, isPair ? 2 : 0);
  if (isPair) reading.at++;
  // Commas and arrows are left out of every tree.
  const children = kind === '->' || kind === ',' ? [word] : [word, symbol];
  return as(null, made('operator_name', word.start, symbol.end, children));
}

/** `operator T *() const` */
export function operatorCast(reading: Reading): Made {
  const children: SyntaxNode[] = [sign(reading)];
  while (isQualifier(kindAt(reading))) children.push(qualifier(reading));
  children.push(as('type', typeSpecifier(reading)));
  children.push(as('declarator', convertedTo(reading)));
  return made('operator_cast', children[0]!.start, endBefore(reading), children);
}

/** What stands behind the type: its pointer, and the parameters, of which there are none. */
function convertedTo(reading: Reading): Made {
  const start = startOf(reading);
  const kind = kindAt(reading);
  if (kind === '*' || kind === '&') {
    const mark = sign(reading);
    const inner = as(kind === '*' ? 'declarator' : null, withoutParameters(reading));
    return made(kind === '*' ? 'abstract_pointer_declarator' : 'abstract_reference_declarator', start, inner.end, [
      mark,
      inner,
    ]);
  }
  return withoutParameters(reading);
}

function withoutParameters(reading: Reading): Made {
  const start = startOf(reading);
  if (kindAt(reading) !== '(' || kindAt(reading, 1) !== ')') throw notPlain;
  const children: SyntaxNode[] = [as('parameters', parameterList(reading))];
  while (isQualifier(kindAt(reading))) children.push(qualifier(reading));
  if (kindAt(reading) === 'noexcept' && kindAt(reading, 1) !== '(') children.push(wordAs(reading, 'noexcept'));
  return made('abstract_function_declarator', start, endBefore(reading), children);
}
