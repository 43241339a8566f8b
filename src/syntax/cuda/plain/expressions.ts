/** Expressions of plain statements, by precedence. */

import type { SyntaxNode } from '../../syntax-tree.ts';
import {
  as,
  deeper,
  endBefore,
  expect,
  isFollowedByCloser,
  kindAt,
  leaf,
  type Made,
  made,
  type Reading,
  sign,
  startOf,
} from './nodes.ts';
import { ambiguousBehindName, argumentList, initializerList, listed, operand } from './operands.ts';
import { assignments, notPlain } from './tokens.ts';
import { beginsType, endOfTypeDescriptor, isQualifier, typeDescriptor } from './types.ts';

const assignable = new Set([
  'identifier',
  'field_expression',
  'pointer_expression',
  'subscript_expression',
  'parenthesized_expression',
  'qualified_identifier',
  // `T{a} = b` and `count<int> = b`, which the parser does not know.
  'template_function',
  'compound_literal_expression',
]);

/** How tightly operators between two operands hold. */
export const strengths: Readonly<Record<string, number>> = {
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
  '<<': 9,
  '>>': 9,
  '+': 10,
  '-': 10,
  '*': 11,
  '/': 11,
  '%': 11,
};

/** With commas between several. */
export function commaExpression(reading: Reading): Made {
  const left = expression(reading);
  if (kindAt(reading) !== ',' || kindAt(reading, 1) === '...') return left;
  reading.at++;
  const right = deeper(reading, commaExpression);
  return made('comma_expression', left.start, right.end, [as('left', left), as('right', right)]);
}

/** Without commas. */
export function expression(reading: Reading): Made {
  const left = conditional(reading);
  if (!assignments.has(kindAt(reading))) return left;
  if (!assignable.has(left.type)) throw notPlain;
  const operator = sign(reading, 'operator');
  const right = deeper(reading, listed);
  return made('assignment_expression', left.start, right.end, [as('left', left), operator, as('right', right)]);
}

function conditional(reading: Reading): Made {
  const condition = binary(reading, 1);
  if (kindAt(reading) !== '?') return condition;
  const question = sign(reading);
  const consequence = deeper(reading, expression);
  expect(reading, ':');
  const alternative = deeper(reading, expression);
  return made('conditional_expression', condition.start, alternative.end, [
    as('condition', condition),
    question,
    as('consequence', consequence),
    as('alternative', alternative),
  ]);
}

function binary(reading: Reading, least: number): Made {
  let left = unary(reading);
  for (;;) {
    const isShift = kindAt(reading) === '>' && isFollowedByCloser(reading, 1);
    const kind = isShift ? '>>' : kindAt(reading);
    const strength = strengths[kind];
    if (strength === undefined || strength < least || (isShift && isFollowedByCloser(reading, 2))) return left;
    if (kindAt(reading, 1) === '...') return left;
    if (kind === '<' && kindAt(reading, -1) === 'name') refuseTemplate(reading);
    const operator = sign(reading, 'operator', kind.length);
    if (isShift) reading.at++;
    const right = binary(reading, strength + 1);
    left = made('binary_expression', left.start, right.end, [as('left', left), operator, as('right', right)]);
  }
}

/** `a < b` could be the beginning of `a<b>`: where a `>` follows in the same expression, it takes the parser to tell, unless an operand follows. */
function refuseTemplate(reading: Reading): void {
  const { kinds } = reading.tokens;
  let depth = 0;
  for (let at = reading.at + 1; ; at++) {
    const kind = kinds[at]!;
    if (kind === '(' || kind === '[' || kind === '{') depth++;
    else if (kind === ')' || kind === ']' || kind === '}') {
      if (--depth < 0) return;
    } else if (kind === ';' || kind === 'end') return;
    else if (depth > 0) {
      if (kind === '>') throw notPlain;
    } else if (kind === ',') {
      if (hasCloser(reading, at)) throw notPlain;
    } else if (kind === '>' && kinds[at + 1] !== 'name' && kinds[at + 1] !== 'number') throw notPlain;
  }
}

function hasCloser(reading: Reading, from: number): boolean {
  const { kinds } = reading.tokens;
  for (let at = from; kinds[at] !== ';' && kinds[at] !== 'end'; at++) if (kinds[at] === '>') return true;
  return false;
}

function unary(reading: Reading): Made {
  switch (kindAt(reading)) {
    case '-':
    case '+':
      if (kindAt(reading, 1) === 'number' && reading.tokens.starts[reading.at + 1] === startOf(reading) + 1)
        return operand(reading, signedNumber(reading));
      return prefixed(reading, 'unary_expression');
    case '!':
    case '~':
      return prefixed(reading, 'unary_expression');
    case '*':
    case '&':
      return prefixed(reading, 'pointer_expression');
    case '++':
    case '--':
      return prefixed(reading, 'update_expression');
    case 'sizeof':
      return sizeOf(reading);
    case 'new':
      return newObject(reading);
    case '(':
      return cast(reading) ?? operand(reading);
    default:
      return operand(reading);
  }
}

/** The sign is part of the number where they touch. */
function signedNumber(reading: Reading): Made {
  const start = startOf(reading);
  reading.at++;
  const { end } = leaf(reading, 'number_literal');
  return made('number_literal', start, end);
}

function prefixed(reading: Reading, type: string): Made {
  const operator = sign(reading, 'operator');
  const argument = deeper(reading, unary);
  return made(type, operator.start, argument.end, [operator, as('argument', argument)]);
}

function sizeOf(reading: Reading): Made {
  const word = sign(reading);
  if (kindAt(reading) !== '(') {
    const measured = deeper(reading, unary);
    if (measured.type === 'cast_expression') throw notPlain;
    return made('sizeof_expression', word.start, measured.end, [word, as('value', measured)]);
  }
  const end = endOfTypeDescriptor(reading, reading.at + 1);
  const { kinds } = reading.tokens;
  if (kindAt(reading, 1) === '::') throw notPlain;
  const isWhole = end > 0 && kinds[end] === ')';
  const isOneName = end === reading.at + 2 && kindAt(reading, 1) === 'name';
  const isType = isWhole && !isOneName;
  // `sizeof(a::b)`, `sizeof(a<b>)`
  if (isType && !beginsType(kindAt(reading, 1)) && kinds[end - 1] !== '*' && kinds[end - 1] !== '&') throw notPlain;
  if (isType) {
    reading.at++;
    const type = as('type', typeDescriptor(reading));
    expect(reading, ')');
    return made('sizeof_expression', word.start, endBefore(reading), [word, type]);
  }
  const measured = operand(reading);
  return made('sizeof_expression', word.start, measured.end, [word, as('value', measured)]);
}

/** Whether the tokens up to `end` are only names with `::` between them. */
function isPath(reading: Reading, from: number, end: number): boolean {
  const { kinds } = reading.tokens;
  for (let at = from; at < end; at++) if (kinds[at] !== 'name' && kinds[at] !== '::') return false;
  return true;
}

/** `new T`, `new T(a)`, `new T[n]`. */
function newObject(reading: Reading): Made {
  const word = sign(reading);
  const from = reading.at;
  const end = endOfTypeDescriptor(reading, from);
  const before = reading.tokens.kinds[end - 1];
  if (end < 0 || before === '*' || before === '&' || isQualifier(kindAt(reading))) throw notPlain;
  const type = typeDescriptor(reading).children[0]!;
  const children: SyntaxNode[] = [word, type];
  if (kindAt(reading) === '[') {
    const start = startOf(reading);
    reading.at++;
    const length = as('length', deeper(reading, expression));
    expect(reading, ']');
    if (kindAt(reading) === '[') throw notPlain;
    children.push(as('declarator', made('new_declarator', start, endBefore(reading), [length])));
  }
  if (kindAt(reading) === '(') children.push(as('arguments', argumentList(reading)));
  else if (kindAt(reading) === '{') children.push(as('arguments', initializerList(reading)));
  return made('new_expression', word.start, endBefore(reading), children);
}

const operandStarts = new Set([
  'name',
  'number',
  'string',
  'character',
  'true',
  'false',
  'NULL',
  'nullptr',
  'this',
  'sizeof',
  '!',
  '~',
]);
const signStarts = new Set(['-', '+', '*', '&', '(', '++', '--']);

/** `(T)x`, where it is plain that `T` is a type; null where it is an expression in parentheses. */
function cast(reading: Reading): Made | null {
  const { kinds, starts } = reading.tokens;
  const end = endOfTypeDescriptor(reading, reading.at + 1);
  if (end < 0 || kinds[end] !== ')') return null;
  const next = kinds[end + 1]!;
  const isSurelyType = beginsType(kindAt(reading, 1)) || !isPath(reading, reading.at + 1, end);
  if (!isSurelyType && !operandStarts.has(next)) {
    const isOneName = end === reading.at + 2;
    if (isOneName ? ambiguousBehindName.has(next) : next === '(' || ambiguousBehindName.has(next)) throw notPlain;
    return null;
  }
  if (!operandStarts.has(next) && !signStarts.has(next)) throw notPlain;
  // `(f<T>)(x)`, `(size<T>) + 1`
  if ((next === '(' || ambiguousBehindName.has(next)) && kinds[end - 1] === '>') throw notPlain;
  const start = starts[reading.at]!;
  reading.at++;
  const type = as('type', typeDescriptor(reading));
  reading.at++;
  const value = deeper(reading, unary);
  return made('cast_expression', start, value.end, [type, as('value', value)]);
}
