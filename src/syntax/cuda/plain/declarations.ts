/** Declarations in plain statements: variables, what they begin with, parameters. */

import type { SyntaxNode } from '../../syntax-tree.ts';
import { expression } from './expressions.ts';
import { as, endBefore, expect, kindAt, leaf, type Made, made, type Reading, sign, startOf, wordAs } from './nodes.ts';
import { argumentList, initializerList, listed } from './operands.ts';
import { notPlain } from './tokens.ts';
import { abstractDeclarator, beginsType, endOfType, isQualifier, qualifier, typeSpecifier } from './types.ts';

function isStorage(kind: string): boolean {
  return kind === 'static' || kind === 'extern' || kind === 'inline';
}

/** Whether a declaration begins here. A type that is one of the program's names needs another name behind it. */
export function beginsDeclaration(reading: Reading, isCondition = false): boolean {
  const kind = kindAt(reading);
  if (isStorage(kind)) return true;
  if (beginsType(kind)) {
    const behind = reading.tokens.kinds[endOfType(reading, reading.at)];
    // `int(x)`, and what else begins with a type.
    if (!isQualifier(kind) && behind === '(' && kind === 'primitive') return false;
    if (!isQualifier(kind) && (behind === '(' || behind === '{' || behind === '::')) throw notPlain;
    return true;
  }
  if (kind !== 'name') return false;
  const { kinds } = reading.tokens;
  let at = endOfType(reading, reading.at);
  if (at < 0) return false;
  if (kinds[at] === 'name' || isQualifier(kinds[at]!)) return true;
  if (kinds[at] !== '*' && kinds[at] !== '&' && kinds[at] !== '&&') return false;
  while (kinds[at] === '*' || kinds[at] === '&' || kinds[at] === '&&' || isQualifier(kinds[at]!)) at++;
  if (kinds[at] !== 'name') return false;
  const behind = kinds[at + 1];
  if (isCondition) return behind === '=';
  if (behind === '=' || behind === ';' || behind === ',' || behind === '[' || behind === ':') return true;
  throw notPlain;
}

/** Qualifiers, how it is stored, and the type. */
export function specifiers(reading: Reading): SyntaxNode[] {
  const children: SyntaxNode[] = [];
  for (;;) {
    if (isQualifier(kindAt(reading))) children.push(qualifier(reading));
    else if (isStorage(kindAt(reading))) children.push(wordAs(reading, 'storage_class_specifier'));
    else if (kindAt(reading) === 'space') children.push(sign(reading));
    else break;
  }
  const type = as('type', typeSpecifier(reading));
  children.push(type);
  // The parser counts them to the type in `unsigned const`.
  if (type.type === 'sized_type_specifier' && isQualifier(kindAt(reading))) throw notPlain;
  while (isQualifier(kindAt(reading))) children.push(qualifier(reading));
  return children;
}

export function declaration(reading: Reading): Made {
  const start = startOf(reading);
  return declarators(reading, start, specifiers(reading));
}

/** What is declared, behind what all of it begins with. */
export function declarators(reading: Reading, start: number, children: SyntaxNode[]): Made {
  for (;;) {
    children.push(as('declarator', initialized(reading, declarator(reading))));
    if (kindAt(reading) === ';') break;
    expect(reading, ',');
  }
  reading.at++;
  return made('declaration', start, endBefore(reading), children);
}

/** `*`, `*const` and `&` in front of what is declared, outermost first. */
export function pointersBefore(reading: Reading): { readonly type: string; readonly parts: readonly Made[] }[] {
  const found: { readonly type: string; readonly parts: readonly Made[] }[] = [];
  for (;;) {
    const kind = kindAt(reading);
    if (kind !== '*' && kind !== '&' && kind !== '&&') return found;
    const parts = [sign(reading)];
    while (kind === '*' && isQualifier(kindAt(reading))) parts.push(qualifier(reading));
    found.push({ type: kind === '*' ? 'pointer_declarator' : 'reference_declarator', parts });
  }
}

export function declarator(reading: Reading, nameType = 'identifier'): Made {
  const start = startOf(reading);
  if (kindAt(reading) === '*') {
    const children: Made[] = [sign(reading)];
    while (isQualifier(kindAt(reading))) children.push(qualifier(reading));
    children.push(as('declarator', declarator(reading, nameType)));
    return made('pointer_declarator', start, endBefore(reading), children);
  }
  if (kindAt(reading) === '&' || kindAt(reading) === '&&') {
    const children = [sign(reading), declarator(reading, nameType)];
    return made('reference_declarator', start, endBefore(reading), children);
  }
  if (kindAt(reading) === '[') return structuredBinding(reading);
  if (kindAt(reading) !== 'name') throw notPlain;
  let node = leaf(reading, nameType);
  while (kindAt(reading) === '[') {
    reading.at++;
    if (kindAt(reading) === '[') throw notPlain;
    const children: Made[] = [as('declarator', node)];
    if (kindAt(reading) !== ']') children.push(as('size', expression(reading)));
    expect(reading, ']');
    node = made('array_declarator', start, endBefore(reading), children);
  }
  return node;
}

/** Whether `(*name)(`, a pointer to a function, comes next. */
export function beginsFunctionPointer(reading: Reading): boolean {
  return (
    kindAt(reading) === '(' &&
    kindAt(reading, 1) === '*' &&
    kindAt(reading, 2) === 'name' &&
    kindAt(reading, 3) === ')' &&
    kindAt(reading, 4) === '('
  );
}

/** `(*name)(int a)` */
export function functionPointer(reading: Reading, nameType: string): Made {
  const start = startOf(reading);
  reading.at++;
  const mark = sign(reading);
  const name = as('declarator', leaf(reading, nameType));
  reading.at++;
  const pointer = made('pointer_declarator', mark.start, name.end, [mark, name]);
  const target = as('declarator', made('parenthesized_declarator', start, endBefore(reading), [pointer]));
  const parameters = as('parameters', parameterList(reading));
  return made('function_declarator', start, parameters.end, [target, parameters]);
}

function initialized(reading: Reading, target: Made): Made {
  const kind = kindAt(reading);
  if (kind === '=') {
    const children: SyntaxNode[] = [as('declarator', target), sign(reading)];
    children.push(as('value', listed(reading)));
    return made('init_declarator', target.start, endBefore(reading), children);
  }
  if (kind !== '(' && kind !== '{') return target;
  if (kind === '(' && isParameterList(reading)) {
    const parameters = as('parameters', parameterList(reading));
    return made('function_declarator', target.start, parameters.end, [as('declarator', target), parameters]);
  }
  if (kind === '(' && !areSurelyArguments(reading)) throw notPlain;
  const list = kind === '{' ? initializerList(reading) : argumentList(reading);
  return made('init_declarator', target.start, list.end, [as('declarator', target), as('value', list)]);
}

const onlyInArguments = new Set(['new', 'number', 'string', 'character', '.', '->', '+', '-', '/', '%', '==', '!=']);

/** `T x(a, b)`, with nothing but names, declares a function for the parser. */
function isParameterList(reading: Reading): boolean {
  const { kinds } = reading.tokens;
  let at = reading.at + 1;
  if (kinds[at] === ')') return true;
  while (kinds[at] === 'name' && kinds[at + 1] === ',') at += 2;
  return kinds[at] === 'name' && kinds[at + 1] === ')';
}

/** `T x(a)` could declare a function; something has to stand in the parentheses that no list of parameters has. */
function areSurelyArguments(reading: Reading): boolean {
  const { kinds } = reading.tokens;
  let inBrackets = 0;
  for (let at = reading.at + 1, depth = 0; ; at++) {
    const kind = kinds[at]!;
    if (kind === '(' || kind === '{') depth++;
    else if (kind === ')' || kind === '}') {
      if (--depth < 0) return false;
    } else if (kind === '[') inBrackets++;
    else if (kind === ']') inBrackets--;
    else if (kind === 'end' || kind === ';') return false;
    else if (inBrackets === 0 && onlyInArguments.has(kind) && kinds[at - 1] !== '<' && kinds[at + 1] !== '>')
      return true;
  }
}

/** `[a, b]` */
function structuredBinding(reading: Reading): Made {
  const start = startOf(reading);
  reading.at++;
  const names: SyntaxNode[] = [];
  for (;;) {
    if (kindAt(reading) !== 'name') throw notPlain;
    names.push(leaf(reading, 'identifier'));
    if (kindAt(reading) !== ',') break;
    reading.at++;
  }
  expect(reading, ']');
  return made('structured_binding_declarator', start, endBefore(reading), names);
}

/** `if (T *x = f())`: not split into declarators. */
export function declaredCondition(reading: Reading): Made {
  const start = startOf(reading);
  const children = [...specifiers(reading), as('declarator', declarator(reading))];
  if (kindAt(reading) !== '=') throw notPlain;
  children.push(sign(reading), as('value', expression(reading)));
  return made('declaration', start, endBefore(reading), children);
}

/** `(int a, const T &b)` */
export function parameterList(reading: Reading): Made {
  const start = startOf(reading);
  expect(reading, '(');
  const children: SyntaxNode[] = [];
  while (kindAt(reading) !== ')') {
    if (children.length > 0) expect(reading, ',');
    children.push(kindAt(reading) === '...' ? sign(reading) : parameter(reading));
  }
  reading.at++;
  return made('parameter_list', start, endBefore(reading), children);
}

/** `...x` and `&&...x`, behind the type of a parameter. */
function pack(reading: Reading): Made {
  const start = startOf(reading);
  const first = sign(reading);
  if (first.type !== '...') {
    const inner = pack(reading);
    return made('reference_declarator', start, inner.end, [first, inner]);
  }
  const children: SyntaxNode[] = [first];
  if (kindAt(reading) === 'name') children.push(leaf(reading, 'identifier'));
  return made('variadic_declarator', start, endBefore(reading), children);
}

/** A parameter, with or without a name. */
export function parameter(reading: Reading): Made {
  const start = startOf(reading);
  const children = specifiers(reading);
  const isDependent = children.some(({ type }) => type === 'dependent_type');
  const { kinds } = reading.tokens;
  let at = reading.at;
  const isBehindReference = kinds[at] === '&' || kinds[at] === '&&';
  if (kinds[isBehindReference ? at + 1 : at] === '...') {
    children.push(as('declarator', pack(reading)));
    if (kindAt(reading) !== ',' && kindAt(reading) !== ')') throw notPlain;
    return made('variadic_parameter_declaration', start, endBefore(reading), children);
  }
  while (kinds[at] === '*' || kinds[at] === '&' || kinds[at] === '&&' || isQualifier(kinds[at]!)) at++;
  if (kinds[at] === 'name') children.push(as('declarator', declarator(reading)));
  else if (at > reading.at) children.push(as('declarator', abstractDeclarator(reading)));
  const isOptional = kindAt(reading) === '=';
  // `typename T::type * = nullptr`, which the parser does not understand.
  if (isOptional && isDependent && kinds[at] !== 'name') throw notPlain;
  if (isOptional) children.push(sign(reading), as('default_value', expression(reading)));
  if (kindAt(reading) !== ',' && kindAt(reading) !== ')') throw notPlain;
  const type = isOptional ? 'optional_parameter_declaration' : 'parameter_declaration';
  return made(type, start, endBefore(reading), children);
}
