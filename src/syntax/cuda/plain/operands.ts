/** What operators stand between in plain statements: names, literals, calls, elements, members. */

import type { SyntaxNode } from '../../syntax-tree.ts';
import { commaExpression, expression, strengths } from './expressions.ts';
import { lambda } from './lambdas.ts';
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
import { assignments, notPlain } from './tokens.ts';
import {
  endOfTemplateArguments,
  endOfType,
  hasNested,
  isNameInScope,
  templateArguments,
  typeSpecifier,
} from './types.ts';

/** `(a) - b` is a difference or a cast of `-b`, whatever `a` is. */
export const ambiguousBehindName = new Set(['-', '+', '*', '&', '&&', '++', '--']);

/** Something that stands by itself, or what was read already, and all that is done with it: called, indexed, counted up. */
export function operand(reading: Reading, first: Made = primary(reading)): Made {
  let node = first;
  for (;;) {
    const start = node.start;
    switch (kindAt(reading)) {
      case '(': {
        const given = as('arguments', argumentList(reading));
        node = made('call_expression', start, given.end, [as('function', node), given]);
        break;
      }
      case '<<<':
        node = launch(reading, node);
        break;
      case '[': {
        const from = startOf(reading);
        reading.at++;
        if (kindAt(reading) === '[') throw notPlain;
        const index = deeper(reading, expression);
        expect(reading, ']');
        const indices = as('indices', made('subscript_argument_list', from, endBefore(reading), [index]));
        node = made('subscript_expression', start, indices.end, [as('argument', node), indices]);
        break;
      }
      case '.':
      case '->': {
        reading.at++;
        if (kindAt(reading) !== 'name' || kindAt(reading, 1) === '::') throw notPlain;
        const field = as('field', member(reading));
        node = made('field_expression', start, field.end, [as('argument', node), field]);
        break;
      }
      case '++':
      case '--': {
        const operator = sign(reading, 'operator');
        node = made('update_expression', start, operator.end, [as('argument', node), operator]);
        break;
      }
      case '{':
        throw notPlain;
      default:
        return node;
    }
  }
}

/** `name`, `name<int>` behind a dot or an arrow. */
function member(reading: Reading): Made {
  const name = leaf(reading, 'field_identifier');
  const end = kindAt(reading) === '<' ? endOfTemplateArguments(reading, reading.at) : -1;
  if (end < 0) return name;
  if (reading.tokens.kinds[end] !== '(' || hasNested(reading, end)) throw notPlain;
  const list = templateArguments(reading);
  return made('template_method', name.start, list.end, [as('name', name), list]);
}

/** `kernel<<<grid, block>>>(a, b)`. */
function launch(reading: Reading, kernel: Made): Made {
  const from = startOf(reading);
  reading.at++;
  const given = listOf(reading, isLaunchEnd);
  reading.at += 2;
  const configuration = made('kernel_call_syntax', from, endBefore(reading), given);
  if (kindAt(reading) !== '(' || given.length === 0) throw notPlain;
  const list = as('arguments', argumentList(reading));
  return made('call_expression', kernel.start, list.end, [as('function', kernel), configuration, list]);
}

/** `(a, {b, c})` */
export function argumentList(reading: Reading): Made {
  const start = startOf(reading);
  reading.at++;
  const given = listOf(reading, isClosed);
  return made('argument_list', start, endBefore(reading), given);
}

function isClosed(reading: Reading): boolean {
  return kindAt(reading) === ')';
}

function isLaunchEnd(reading: Reading): boolean {
  return kindAt(reading) === '>' && isFollowedByCloser(reading, 1) && isFollowedByCloser(reading, 2);
}

/** An expression or a list in braces. */
export function listed(reading: Reading): Made {
  return kindAt(reading) === '{' ? initializerList(reading) : expression(reading);
}

function listOf(reading: Reading, isEnd: (reading: Reading) => boolean): SyntaxNode[] {
  const list: SyntaxNode[] = [];
  while (!isEnd(reading)) {
    if (list.length > 0) expect(reading, ',');
    list.push(deeper(reading, listed));
  }
  reading.at++;
  return list;
}

/** `{a, {b, c}, }` */
export function initializerList(reading: Reading): Made {
  const start = startOf(reading);
  reading.at++;
  const children: SyntaxNode[] = [];
  while (kindAt(reading) !== '}') {
    children.push(deeper(reading, initializerElement));
    if (kindAt(reading) === ',') reading.at++;
    else if (kindAt(reading) !== '}') throw notPlain;
  }
  reading.at++;
  return made('initializer_list', start, endBefore(reading), children);
}

function initializerElement(reading: Reading): Made {
  if (kindAt(reading) === '{') return initializerList(reading);
  if (kindAt(reading) !== '.') return expression(reading);
  const start = startOf(reading);
  reading.at++;
  if (kindAt(reading) !== 'name') throw notPlain;
  const name = leaf(reading, 'field_identifier');
  const designator = as('designator', made('field_designator', start, name.end, [name]));
  if (kindAt(reading) !== '=') throw notPlain;
  const equals = sign(reading);
  const value = as('value', listed(reading));
  return made('initializer_pair', start, value.end, [designator, equals, value]);
}

function primary(reading: Reading): Made {
  switch (kindAt(reading)) {
    case 'name': {
      const end = endOfType(reading, reading.at);
      return end > 0 && reading.tokens.kinds[end] === '{' ? compoundLiteral(reading) : nameOrPath(reading);
    }
    case '::': {
      const start = startOf(reading);
      reading.at++;
      if (kindAt(reading) !== 'name') throw notPlain;
      const name = as('name', nameOrPath(reading));
      return made('qualified_identifier', start, name.end, [name]);
    }
    case 'primitive':
      // `float(x)`
      if (kindAt(reading, 1) !== '(') throw notPlain;
      return leaf(reading, 'primitive_type');
    case '[':
      return lambda(reading);
    case 'number':
      return leaf(reading, 'number_literal');
    case 'string':
    case 'text of':
      return strings(reading);
    case 'character':
      return character(reading);
    case 'true':
    case 'false':
    case 'this':
      return leaf(reading, kindAt(reading));
    case 'NULL':
    case 'nullptr':
      return leaf(reading, 'null');
    case '(': {
      const start = startOf(reading);
      reading.at++;
      const inner = deeper(reading, commaExpression);
      // The grammar does not know `((i == k && (x = f(), true)) || ...)`, nor `(++n, ...)` and `(out << n, ...)`.
      const isJoining = kindAt(reading) === ',' || strengths[kindAt(reading)] !== undefined;
      if (isJoining && kindAt(reading, 1) === '...' && kindAt(reading, 2) === ')') {
        const operator = sign(reading, 'operator');
        reading.at += 2;
        return made('fold_expression', start, endBefore(reading), [as('left', inner), operator]);
      }
      expect(reading, ')');
      // `(a::f(b)) - c` and `(a::f(b))(c)` could be casts.
      const isCall = inner.type === 'call_expression' && inner.children[0]!.type === 'qualified_identifier';
      if (isCall && (kindAt(reading) === '(' || ambiguousBehindName.has(kindAt(reading)))) throw notPlain;
      return made('parenthesized_expression', start, endBefore(reading), [inner]);
    }
    default:
      throw notPlain;
  }
}

/** `T{a, b}` */
function compoundLiteral(reading: Reading): Made {
  const type = as('type', typeSpecifier(reading));
  const value = as('value', initializerList(reading));
  return made('compound_literal_expression', type.start, value.end, [type, value]);
}

/** What makes a template of `name<a>` for sure. At the head of a statement the parser takes `count<int> = 1` for a declaration. */
const goesBehindTemplate = new Set(['(', '<<<', '::', '.', '->', '[', ';', ',', ')', ']', '}', ...assignments]);

/** `bytes<T> * 2`: what nobody writes behind a comparison, unless it is one of several arguments. */
const goesBehindOneArgument = new Set(['*', '/', '%', '+', '-', '==', '!=', '<<', '&&', '||', '?', ':']);

function isTemplate(reading: Reading, end: number): boolean {
  const { kinds } = reading.tokens;
  const next = kinds[end]!;
  if (goesBehindTemplate.has(next)) return true;
  return goesBehindOneArgument.has(next) && !kinds.slice(reading.at, end).includes(',');
}

function nameOrPath(reading: Reading): Made {
  const start = startOf(reading);
  if (kindAt(reading, 1) === '::') return qualified(reading, start, leaf(reading, 'namespace_identifier'));
  const from = reading.at;
  const name = leaf(reading, 'identifier');
  if (kindAt(reading) !== '<') return name;
  const end = endOfTemplateArguments(reading, reading.at);
  if (end < 0) return name;
  if (!isTemplate(reading, end) || hasNested(reading, end)) throw notPlain;
  if (reading.tokens.kinds[end] === '::') {
    reading.at = from;
    const inner = as('name', leaf(reading, 'type_identifier'));
    const given = templateArguments(reading);
    return qualified(reading, start, made('template_type', start, given.end, [inner, given]));
  }
  const list = templateArguments(reading);
  return made('template_function', start, list.end, [as('name', name), list]);
}

function qualified(reading: Reading, start: number, scope: Made): Made {
  expect(reading, '::');
  if (!isNameInScope(kindAt(reading))) throw notPlain;
  const name = as('name', nameOrPath(reading));
  return made('qualified_identifier', start, name.end, [as('scope', scope), name]);
}

function strings(reading: Reading): Made {
  const all: Made[] = [];
  for (let kind = kindAt(reading); kind === 'string' || kind === 'text of'; kind = kindAt(reading))
    all.push(leaf(reading, kind === 'string' ? 'string_literal' : 'identifier'));
  if (kindAt(reading) === 'name') throw notPlain;
  const [first] = all;
  return all.length === 1 ? first! : made('concatenated_string', first!.start, endBefore(reading), all);
}

const characterInside = /^'(?:[^'\\]|(\\(?:[^xuU0-9\n]|0)))'$/;

function character(reading: Reading): Made {
  const { text, starts, ends } = reading.tokens;
  const start = starts[reading.at]!;
  const end = ends[reading.at]!;
  const found = characterInside.exec(text.slice(start, end));
  if (!found) throw notPlain;
  reading.at++;
  const inner = made(found[1] === undefined ? 'character' : 'escape_sequence', start + 1, end - 1);
  return made('char_literal', start, end, [inner]);
}
