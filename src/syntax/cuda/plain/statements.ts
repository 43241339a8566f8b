/**
 * Statements that can be read in one way only, as most of them are: declarations with plain types, calls, assignments, choices and
 * loops. The tree is the one that the parser would make (a test compares them), in a fraction of the time.
 */

import type { SyntaxNode } from '../../syntax-tree.ts';
import { beginsClass, localClass } from './classes.ts';
import {
  beginsDeclaration,
  declaration,
  declarator,
  declaredCondition,
  parameter,
  specifiers,
} from './declarations.ts';
import { commaExpression, expression } from './expressions.ts';
import {
  as,
  deeper,
  endBefore,
  expect,
  kindAt,
  leaf,
  type Made,
  made,
  type ParseStatements,
  type Reading,
  sign,
  startOf,
} from './nodes.ts';
import { initializerList, listed } from './operands.ts';
import { ifPlain, NotPlain, notPlain, tokensOf } from './tokens.ts';
import { typeDefinition } from './type-definitions.ts';
import { endOfType, typeDescriptor } from './types.ts';

/**
 * The block that begins with the `{` at `start` and ends with the `}` before `end`; null where it is not plain. With `parse`,
 * statements in it need not be plain.
 */
export function plainBlock(
  text: string,
  start: number,
  end: number,
  parse: ParseStatements | null = null,
): SyntaxNode | null {
  return ifPlain(() => {
    const reading: Reading = { tokens: tokensOf(text, start, end), at: 0, depth: 0, parse };
    const whole = as('body', compound(reading));
    return kindAt(reading) === 'end' ? whole : null;
  });
}

export function compound(reading: Reading): Made {
  return block(reading, readInto);
}

function block(reading: Reading, readOne: (children: SyntaxNode[], reading: Reading) => void): Made {
  const start = startOf(reading);
  expect(reading, '{');
  const children: SyntaxNode[] = [];
  while (kindAt(reading) !== '}') readOne(children, reading);
  reading.at++;
  return made('compound_statement', start, endBefore(reading), children);
}

/** The next statement, by the parser where it is not plain. */
function readInto(children: SyntaxNode[], reading: Reading): void {
  const { at, depth, parse } = reading;
  if (!parse) {
    children.push(statement(reading));
    return;
  }
  try {
    children.push(statement(reading));
  } catch (signal) {
    if (!(signal instanceof NotPlain) || !reading.parse) throw signal;
    const end = endOfStatement(reading.tokens.kinds, at);
    const parsed = end < 0 ? null : parse(reading.tokens.starts[at]!, reading.tokens.ends[end - 1]!);
    if (!parsed) {
      // What it does not understand here it will not understand in more of the text.
      reading.parse = null;
      throw signal;
    }
    children.push(...parsed);
    reading.at = end;
    reading.depth = depth;
  }
}

const withBlock = new Set(['if', 'for', 'while', 'switch', 'try', 'do', '{']);
const goesOnBehind = new Set(['else', 'catch']);

/** The token behind a statement; -1 where that is not plain. */
function endOfStatement(kinds: readonly string[], from: number): number {
  const first = kinds[from]!;
  for (let at = from, depth = 0; ; at++) {
    const kind = kinds[at]!;
    if (kind === '(' || kind === '[' || kind === '{') depth++;
    else if (kind === ')' || kind === ']' || kind === '}') {
      if (--depth < 0) return -1;
    } else if (kind === 'end') return -1;
    if (depth > 0 || (kind !== ';' && kind !== '}')) continue;
    const next = kinds[at + 1]!;
    if (goesOnBehind.has(next) || (first === 'do' && next === 'while')) continue;
    if (kind === ';' || withBlock.has(first)) return at + 1;
    // A macro with a block of its own, perhaps.
    if (first === 'name' && next !== ';' && next !== ',' && next !== ')' && next !== '(' && next !== '.') return -1;
  }
}

function statement(reading: Reading): Made {
  return deeper(reading, readStatement);
}

function readStatement(reading: Reading): Made {
  const start = startOf(reading);
  switch (kindAt(reading)) {
    case '{':
      return compound(reading);
    case ';':
      reading.at++;
      return made('expression_statement', start, start + 1, []);
    case 'if':
      return ifStatement(reading);
    case 'for':
      return forStatement(reading);
    case 'while': {
      const children: SyntaxNode[] = [sign(reading), condition(reading)];
      children.push(as('body', statement(reading)));
      return made('while_statement', start, endBefore(reading), children);
    }
    case 'do': {
      const word = sign(reading);
      const body = as('body', statement(reading));
      if (kindAt(reading) !== 'while') throw notPlain;
      const until = sign(reading);
      const open = startOf(reading);
      expect(reading, '(');
      const inner = commaExpression(reading);
      expect(reading, ')');
      const asked = as('condition', made('parenthesized_expression', open, endBefore(reading), [inner]));
      expect(reading, ';');
      return made('do_statement', start, endBefore(reading), [word, body, until, asked]);
    }
    case 'switch': {
      const word = sign(reading);
      const subject = condition(reading);
      const body = as('body', block(reading, readCase));
      return made('switch_statement', start, body.end, [word, subject, body]);
    }
    case 'return':
    case 'throw': {
      const type = `${kindAt(reading)}_statement`;
      const children: SyntaxNode[] = [sign(reading)];
      if (kindAt(reading) === '{' && type === 'return_statement') children.push(initializerList(reading));
      else if (kindAt(reading) !== ';') children.push(commaExpression(reading));
      expect(reading, ';');
      return made(type, start, endBefore(reading), children);
    }
    case 'break':
    case 'continue': {
      const type = `${kindAt(reading)}_statement`;
      const word = sign(reading);
      expect(reading, ';');
      return made(type, start, endBefore(reading), [word]);
    }
    case 'delete': {
      const inner = deleteExpression(reading);
      expect(reading, ';');
      return made('expression_statement', start, endBefore(reading), [inner]);
    }
    case 'goto': {
      const word = sign(reading);
      if (kindAt(reading) !== 'name') throw notPlain;
      const label = as('label', leaf(reading, 'statement_identifier'));
      expect(reading, ';');
      return made('goto_statement', start, endBefore(reading), [word, label]);
    }
    case 'try':
      return tryStatement(reading);
    case 'using':
      return usingStatement(reading);
    case 'typedef':
      return typeDefinition(reading);
    case 'static_assert':
      return staticAssertion(reading);
    default:
      if (beginsClass(reading)) return localClass(reading);
      if (beginsDeclaration(reading)) return declaration(reading);
      return expressionStatement(reading);
  }
}

function expressionStatement(reading: Reading): Made {
  const start = startOf(reading);
  if (kindAt(reading) === 'name') {
    // `name: …`
    if (kindAt(reading, 1) === ':') {
      const label = as('label', leaf(reading, 'statement_identifier'));
      reading.at++;
      const labelled = statement(reading);
      if (labelled.type === 'declaration') throw notPlain;
      return made('labeled_statement', start, labelled.end, [label, labelled]);
    }
    // A macro, or `Array<size(3)> a;`
    if ((kindAt(reading, 1) === '{' && !isAssigned(reading)) || endOfType(reading, reading.at) < 0) throw notPlain;
  }
  // `::Array<size(3)> a;`
  if (kindAt(reading) === '::' && endOfType(reading, reading.at + 1) < 0) throw notPlain;
  const inner = commaExpression(reading);
  expect(reading, ';');
  return made('expression_statement', start, endBefore(reading), [inner]);
}

/** `T{a} = b`: what stands in braces is not a block. */
function isAssigned(reading: Reading): boolean {
  const { kinds } = reading.tokens;
  for (let at = reading.at + 1, depth = 0; kinds[at] !== ';' && kinds[at] !== 'end'; at++) {
    if (kinds[at] === '{') depth++;
    else if (kinds[at] === '}' && --depth === 0) return kinds[at + 1] === '=';
  }
  return false;
}

const deletable = new Set(['identifier', 'field_expression', 'subscript_expression', 'qualified_identifier']);

function deleteExpression(reading: Reading): Made {
  const word = sign(reading);
  if (kindAt(reading) === '[') {
    reading.at++;
    expect(reading, ']');
  }
  if (kindAt(reading) !== 'name') throw notPlain;
  const operand = expression(reading);
  if (!deletable.has(operand.type)) throw notPlain;
  return made('delete_expression', word.start, operand.end, [word, operand]);
}

/** `(a < b)` behind `if`, `while` and `switch`. */
function condition(reading: Reading): Made {
  const start = startOf(reading);
  expect(reading, '(');
  const value = as('value', beginsDeclaration(reading, true) ? declaredCondition(reading) : expression(reading));
  expect(reading, ')');
  return as('condition', made('condition_clause', start, endBefore(reading), [value]));
}

function ifStatement(reading: Reading): Made {
  const start = startOf(reading);
  const children: SyntaxNode[] = [sign(reading)];
  if (kindAt(reading) === 'constexpr') children.push(sign(reading));
  children.push(condition(reading));
  children.push(as('consequence', statement(reading)));
  if (kindAt(reading) === 'else') {
    const word = sign(reading);
    const inner = statement(reading);
    children.push(as('alternative', made('else_clause', word.start, inner.end, [word, inner])));
  }
  return made('if_statement', start, endBefore(reading), children);
}

function tryStatement(reading: Reading): Made {
  const start = startOf(reading);
  const children: SyntaxNode[] = [sign(reading), as('body', compound(reading))];
  if (kindAt(reading) !== 'catch') throw notPlain;
  while (kindAt(reading) === 'catch') {
    const word = sign(reading);
    const open = startOf(reading);
    expect(reading, '(');
    const caught = kindAt(reading) === '...' ? sign(reading) : parameter(reading);
    expect(reading, ')');
    const parameters = as('parameters', made('parameter_list', open, endBefore(reading), [caught]));
    const body = as('body', compound(reading));
    children.push(made('catch_clause', word.start, body.end, [word, parameters, body]));
  }
  return made('try_statement', start, endBefore(reading), children);
}

/** `using namespace a::b;`, `using a::b;`, `using T = int;` */
export function usingStatement(reading: Reading): Made {
  const start = startOf(reading);
  const children: SyntaxNode[] = [sign(reading)];
  if (kindAt(reading) === 'namespace') {
    children.push(sign(reading), expression(reading));
    expect(reading, ';');
    return made('using_declaration', start, endBefore(reading), children);
  }
  if (kindAt(reading) !== 'name') throw notPlain;
  if (kindAt(reading, 1) === '::') {
    const name = expression(reading);
    if (name.type !== 'qualified_identifier') throw notPlain;
    children.push(name);
    expect(reading, ';');
    return made('using_declaration', start, endBefore(reading), children);
  }
  if (kindAt(reading, 1) !== '=') throw notPlain;
  children.push(as('name', leaf(reading, 'type_identifier')), sign(reading), as('type', typeDescriptor(reading)));
  expect(reading, ';');
  return made('alias_declaration', start, endBefore(reading), children);
}

export function staticAssertion(reading: Reading): Made {
  const start = startOf(reading);
  const children: SyntaxNode[] = [sign(reading)];
  expect(reading, '(');
  children.push(as('condition', expression(reading)));
  if (kindAt(reading) === ',') {
    reading.at++;
    if (kindAt(reading) !== 'string') throw notPlain;
    children.push(as('message', expression(reading)));
  }
  expect(reading, ')');
  expect(reading, ';');
  return made('static_assert_declaration', start, endBefore(reading), children);
}

function readCase(into: SyntaxNode[], reading: Reading): void {
  const start = startOf(reading);
  const children: SyntaxNode[] = [];
  if (kindAt(reading) === 'case') children.push(sign(reading), as('value', expression(reading)));
  else if (kindAt(reading) === 'default') children.push(sign(reading));
  else throw notPlain;
  expect(reading, ':');
  while (kindAt(reading) !== 'case' && kindAt(reading) !== 'default' && kindAt(reading) !== '}')
    readInto(children, reading);
  // The parser ends a case before some statements.
  if (children.some(({ type }) => outsideOfCases.has(type))) throw notPlain;
  into.push(made('case_statement', start, endBefore(reading), children));
}

const outsideOfCases = new Set([
  'alias_declaration',
  'type_definition',
  'using_declaration',
  'static_assert_declaration',
  'template_declaration',
  'namespace_alias_definition',
]);

function forStatement(reading: Reading): Made {
  const start = startOf(reading);
  const children: SyntaxNode[] = [sign(reading)];
  expect(reading, '(');
  if (isRangeLoop(reading)) return rangeLoop(reading, start, children);
  if (beginsDeclaration(reading)) children.push(as('initializer', declaration(reading)));
  else {
    if (kindAt(reading) !== ';') children.push(as('initializer', commaExpression(reading)));
    expect(reading, ';');
  }
  if (kindAt(reading) !== ';') children.push(as('condition', expression(reading)));
  expect(reading, ';');
  if (kindAt(reading) !== ')') children.push(as('update', commaExpression(reading)));
  expect(reading, ')');
  children.push(as('body', statement(reading)));
  return made('for_statement', start, endBefore(reading), children);
}

/** Whether a `:` comes before any `;`. */
function isRangeLoop(reading: Reading): boolean {
  const { kinds } = reading.tokens;
  for (let at = reading.at, depth = 0; ; at++) {
    const kind = kinds[at];
    if (kind === '(' || kind === '[' || kind === '{') depth++;
    else if (kind === ')' || kind === ']' || kind === '}') {
      if (--depth < 0) return false;
    } else if (kind === ':' && depth === 0) return true;
    else if (kind === ';' || kind === '?' || kind === 'end') return false;
  }
}

/** `for (const auto &each : all) …` */
function rangeLoop(reading: Reading, start: number, begun: readonly SyntaxNode[]): Made {
  const children = [...begun, ...specifiers(reading), as('declarator', declarator(reading))];
  expect(reading, ':');
  children.push(as('right', listed(reading)));
  expect(reading, ')');
  children.push(as('body', statement(reading)));
  return made('for_range_loop', start, endBefore(reading), children);
}
