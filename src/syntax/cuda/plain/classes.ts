/** Classes of which every member can be read in one way only. */

import type { SyntaxNode } from '../../syntax-tree.ts';
import { declarator, pointersBefore, specifiers } from './declarations.ts';
import { expression } from './expressions.ts';
import { beginsFunction, functionDeclarator, functionWithoutType, launchBounds, wrapped } from './functions.ts';
import { as, endBefore, expect, kindAt, leaf, type Made, made, type Reading, sign, startOf, wordAs } from './nodes.ts';
import { initializerList } from './operands.ts';
import { compound, staticAssertion, typeDefinition, usingStatement } from './statements.ts';
import { templateParameters } from './templates.ts';
import { notPlain } from './tokens.ts';
import { typeSpecifier } from './types.ts';

/** Whether a class with its members begins here. */
export function beginsClass(reading: Reading): boolean {
  const { kinds } = reading.tokens;
  const at = reading.at;
  if (kinds[at] !== 'struct' && kinds[at] !== 'class' && kinds[at] !== 'union') return false;
  return kinds[at + 1] === '{' || (kinds[at + 1] === 'name' && (kinds[at + 2] === '{' || kinds[at + 2] === ':'));
}

/** `class C : public B { … }` */
export function classSpecifier(reading: Reading): Made {
  const start = startOf(reading);
  const type = `${kindAt(reading)}_specifier`;
  const children: SyntaxNode[] = [sign(reading)];
  if (kindAt(reading) === 'name') children.push(as('name', leaf(reading, 'type_identifier')));
  if (kindAt(reading) === ':') children.push(bases(reading));
  const body = as('body', members(reading));
  return made(type, start, body.end, [...children, body]);
}

/** `: public B, private D<int>` */
function bases(reading: Reading): Made {
  const start = startOf(reading);
  const children: SyntaxNode[] = [];
  do {
    reading.at++;
    if (kindAt(reading) === 'access') children.push(wordAs(reading, 'access_specifier'));
    if (kindAt(reading) !== 'name') throw notPlain;
    children.push(typeSpecifier(reading));
  } while (kindAt(reading) === ',');
  return made('base_class_clause', start, endBefore(reading), children);
}

function members(reading: Reading): Made {
  const start = startOf(reading);
  expect(reading, '{');
  const children: SyntaxNode[] = [];
  while (kindAt(reading) !== '}') {
    if (kindAt(reading) === ';') reading.at++;
    else if (kindAt(reading) === 'access') {
      children.push(wordAs(reading, 'access_specifier'));
      expect(reading, ':');
    } else children.push(member(reading));
  }
  reading.at++;
  return made('field_declaration_list', start, endBefore(reading), children);
}

function member(reading: Reading): Made {
  const start = startOf(reading);
  switch (kindAt(reading)) {
    case 'using':
      return usingStatement(reading);
    case 'typedef':
      return typeDefinition(reading);
    case 'static_assert':
      return staticAssertion(reading);
    case 'template': {
      const word = sign(reading);
      const list = as('parameters', templateParameters(reading));
      const inner = method(reading, 'identifier');
      if (inner.type !== 'function_definition') throw notPlain;
      return made('template_declaration', start, inner.end, [word, list, inner]);
    }
    default:
      if (!beginsClass(reading)) return method(reading, 'field_identifier');
  }
  const inner = as('type', classSpecifier(reading));
  if (kindAt(reading) !== ';') throw notPlain;
  reading.at++;
  return made('field_declaration', start, endBefore(reading), [inner]);
}

/** With a body, by default, deleted or only declared. */
function constructorOrDestructor(reading: Reading, start: number, before: readonly SyntaxNode[]): Made {
  const from = reading.at;
  const declared = as('declarator', functionDeclarator(reading));
  if (kindAt(reading) === ';') {
    reading.at++;
    return made('declaration', start, endBefore(reading), [...before, declared]);
  }
  if (kindAt(reading) === '=') {
    const clause = defaultOrDelete(reading);
    return made('function_definition', start, endBefore(reading), [...before, declared, clause]);
  }
  reading.at = from;
  return functionWithoutType(reading, start, before);
}

/** `= default;`, `= delete;` */
function defaultOrDelete(reading: Reading): Made {
  const equals = sign(reading);
  const kind = kindAt(reading);
  if (kind !== 'default' && kind !== 'delete') throw notPlain;
  const word = sign(reading);
  expect(reading, ';');
  return made(`${kind}_method_clause`, equals.start, endBefore(reading), [equals, word]);
}

/** A method, a constructor or fields. */
function method(reading: Reading, nameType: string): Made {
  const start = startOf(reading);
  const before: SyntaxNode[] = [];
  for (;;) {
    if (kindAt(reading) === 'explicit') before.push(wordAs(reading, 'explicit_function_specifier'));
    else if (kindAt(reading) === 'space' || kindAt(reading) === 'virtual') before.push(sign(reading));
    else break;
  }
  if (beginsFunction(reading)) return constructorOrDestructor(reading, start, before);
  const children = [...before, ...specifiers(reading)];
  while (kindAt(reading) === '__launch_bounds__') children.push(launchBounds(reading));
  const from = reading.at;
  const pointers = pointersBefore(reading);
  if (!beginsFunction(reading)) {
    reading.at = from;
    return fields(reading, start, children);
  }
  const declared = functionDeclarator(reading, nameType);
  children.push(as('declarator', wrapped(declared, pointers)));
  if (kindAt(reading) === '{') {
    const body = as('body', compound(reading));
    return made('function_definition', start, body.end, [...children, body]);
  }
  if (kindAt(reading) === '=' && kindAt(reading, 1) === 'number')
    children.push(sign(reading), as('default_value', leaf(reading, 'number_literal')));
  expect(reading, ';');
  return made('field_declaration', start, endBefore(reading), children);
}

function fields(reading: Reading, start: number, children: SyntaxNode[]): Made {
  for (;;) {
    children.push(as('declarator', declarator(reading, 'field_identifier')));
    if (kindAt(reading) === '=') {
      children.push(sign(reading));
      const value = kindAt(reading) === '{' ? initializerList(reading) : expression(reading);
      children.push(as('default_value', value));
    } else if (kindAt(reading) === '{') children.push(as('default_value', initializerList(reading)));
    else if (kindAt(reading) === ':') {
      const colon = startOf(reading);
      reading.at++;
      const bits = expression(reading);
      children.push(made('bitfield_clause', colon, bits.end, [bits]));
    }
    if (kindAt(reading) !== ',') break;
    reading.at++;
  }
  expect(reading, ';');
  return made('field_declaration', start, endBefore(reading), children);
}
