/** Types in plain statements: `const float`, `unsigned long long`, `std::vector<int>`, `struct node`. */

import type { SyntaxNode } from '../../syntax-tree.ts';
import { as, endBefore, expect, kindAt, leaf, type Made, made, type Reading, sign, startOf, wordAs } from './nodes.ts';
import { notPlain } from './tokens.ts';

export function isQualifier(kind: string): boolean {
  return kind === 'const' || kind === 'volatile' || kind === 'constexpr' || kind === 'qualifier';
}

export function qualifier(reading: Reading): Made {
  return wordAs(reading, 'type_qualifier');
}

/** Whether a type begins here that is none of the program's names. */
export function beginsType(kind: string): boolean {
  return kind === 'primitive' || kind === 'sized' || kind === 'auto' || isQualifier(kind) || isKeyword(kind);
}

function isKeyword(kind: string): boolean {
  return kind === 'struct' || kind === 'union' || kind === 'class' || kind === 'enum';
}

/** A type without qualifiers. */
export function typeSpecifier(reading: Reading): Made {
  const kind = kindAt(reading);
  const start = startOf(reading);
  if (kind === 'primitive') return leaf(reading, 'primitive_type');
  if (kind === 'auto') {
    const word = leaf(reading, 'auto');
    return made('placeholder_type_specifier', start, word.end, [word]);
  }
  if (kind === 'sized') {
    const children: SyntaxNode[] = [];
    while (kindAt(reading) === 'sized') children.push(sign(reading));
    if (kindAt(reading) === 'primitive') children.push(as('type', leaf(reading, 'primitive_type')));
    if (kindAt(reading) === 'sized') throw notPlain;
    return made('sized_type_specifier', start, endBefore(reading), children);
  }
  if (isKeyword(kind)) {
    const word = sign(reading);
    if (kindAt(reading) !== 'name') throw notPlain;
    const name = as('name', leaf(reading, 'type_identifier'));
    if (kindAt(reading) === '{' || kindAt(reading) === ':' || kindAt(reading) === '::') throw notPlain;
    return made(`${kind}_specifier`, start, name.end, [word, name]);
  }
  if (kind === 'name') return namedType(reading);
  if (kind === 'typename') {
    const word = sign(reading);
    if (kindAt(reading) !== 'name') throw notPlain;
    const name = namedType(reading);
    if (name.type !== 'qualified_identifier') throw notPlain;
    return made('dependent_type', start, name.end, [word, name]);
  }
  throw notPlain;
}

/** `a`, `a::b`, `a<int>`, `a<int>::b`. */
function namedType(reading: Reading): Made {
  const start = startOf(reading);
  if (kindAt(reading, 1) === '::') return qualified(reading, start, leaf(reading, 'namespace_identifier'));
  const name = leaf(reading, 'type_identifier');
  if (kindAt(reading) !== '<') return name;
  const list = templateArguments(reading);
  const type = made('template_type', start, list.end, [as('name', name), list]);
  return kindAt(reading) === '::' ? qualified(reading, start, type) : type;
}

function qualified(reading: Reading, start: number, scope: Made): Made {
  expect(reading, '::');
  if (!isNameInScope(kindAt(reading))) throw notPlain;
  const name = as('name', namedType(reading));
  return made('qualified_identifier', start, name.end, [as('scope', scope), name]);
}

/** Behind `::` the names of types that the grammar knows are names like others. */
export function isNameInScope(kind: string): boolean {
  return kind === 'name' || kind === 'primitive';
}

/** `<int, T *, 3>` behind a name. */
export function templateArguments(reading: Reading): Made {
  const children: SyntaxNode[] = [sign(reading)];
  const start = children[0]!.start;
  for (;;) {
    const kind = kindAt(reading);
    children.push(kind === 'number' ? leaf(reading, 'number_literal') : typeDescriptor(reading));
    if (kindAt(reading) === ',') reading.at++;
    else break;
  }
  if (kindAt(reading) !== '>') throw notPlain;
  children.push(sign(reading));
  return as('arguments', made('template_argument_list', start, endBefore(reading), children));
}

/** Where a list of plain template arguments that begins at token `from` ends; -1 where it is none. */
export function endOfTemplateArguments(reading: Reading, from: number): number {
  const { kinds } = reading.tokens;
  let at = from + 1;
  for (;;) {
    if (kinds[at] === 'number') at++;
    else at = endOfTypeDescriptor(reading, at);
    if (at < 0) return -1;
    if (kinds[at] === '>') return at + 1;
    if (kinds[at] !== ',') return -1;
    at++;
  }
}

/** Where a plain type that begins at token `from` ends, its pointers included; -1 where none begins. */
export function endOfTypeDescriptor(reading: Reading, from: number): number {
  const { kinds } = reading.tokens;
  let at = from;
  while (isQualifier(kinds[at]!)) at++;
  at = endOfType(reading, at);
  while (at > 0 && (kinds[at] === '*' || kinds[at] === '&')) at++;
  return at;
}

/** Where a type that begins at token `from` ends, without qualifiers and pointers; -1 where none begins. */
export function endOfType(reading: Reading, from: number): number {
  const { kinds } = reading.tokens;
  let at = from;
  const kind = kinds[at]!;
  if (kind === 'primitive' || kind === 'auto') return at + 1;
  if (kind === 'sized') {
    while (kinds[at] === 'sized') at++;
    return kinds[at] === 'primitive' ? at + 1 : at;
  }
  if (isKeyword(kind)) return kinds[at + 1] === 'name' ? at + 2 : -1;
  if (kind !== 'name') return -1;
  while (kinds[at + 1] === '::' && isNameInScope(kinds[at + 2]!)) at += 2;
  if (kinds[at + 1] !== '<') return at + 1;
  const end = endOfTemplateArguments(reading, at + 1);
  return end > 0 && kinds[end] === '::' ? endOfType(reading, end + 1) : end;
}

/** A type with its pointers, but nothing that has them. */
export function typeDescriptor(reading: Reading): Made {
  const start = startOf(reading);
  const children: SyntaxNode[] = [];
  while (isQualifier(kindAt(reading))) children.push(qualifier(reading));
  children.push(as('type', typeSpecifier(reading)));
  if (isQualifier(kindAt(reading))) throw notPlain;
  if (kindAt(reading) === '*' || kindAt(reading) === '&') children.push(as('declarator', abstractDeclarator(reading)));
  return made('type_descriptor', start, endBefore(reading), children);
}

/** `-> int` behind parameters. */
export function trailingType(reading: Reading): Made {
  const start = startOf(reading);
  reading.at++;
  const type = typeDescriptor(reading);
  return made('trailing_return_type', start, type.end, [type]);
}

export function abstractDeclarator(reading: Reading): Made {
  const start = startOf(reading);
  const type = kindAt(reading) === '*' ? 'abstract_pointer_declarator' : 'abstract_reference_declarator';
  const children: Made[] = [sign(reading)];
  if (kindAt(reading) === '*' || kindAt(reading) === '&') {
    const inner = abstractDeclarator(reading);
    children.push(type === 'abstract_pointer_declarator' ? as('declarator', inner) : inner);
  }
  return made(type, start, endBefore(reading), children);
}

/** Lists in the list of template arguments that comes next: in expressions the parser reads them in its own way. */
export function hasNested(reading: Reading, end: number): boolean {
  for (let at = reading.at + 1; at < end; at++) if (reading.tokens.kinds[at] === '<') return true;
  return false;
}
