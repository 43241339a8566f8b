/** Classes of which every member can be read in one way only. */

import type { SyntaxNode } from '../../syntax-tree.ts';
import {
  beginsFunctionPointer,
  declarator,
  declarators,
  functionPointer,
  pointersBefore,
  specifiers,
} from './declarations.ts';
import { beginsEnum, enumSpecifier } from './enums.ts';
import { expression } from './expressions.ts';
import { beginsFunction, functionDeclarator, functionWithoutType, launchBounds, wrapped } from './functions.ts';
import { as, endBefore, expect, kindAt, leaf, type Made, made, type Reading, sign, startOf, wordAs } from './nodes.ts';
import { initializerList } from './operands.ts';
import { operatorCast } from './operators.ts';
import { compound, staticAssertion, usingStatement } from './statements.ts';
import { templateParameters } from './templates.ts';
import { notPlain } from './tokens.ts';
import { typeDefinition } from './type-definitions.ts';
import { endOfTemplateArguments, isQualifier, qualifier, templateArguments, typeSpecifier } from './types.ts';

/** Whether a class with its members begins here. */
export function beginsClass(reading: Reading): boolean {
  const { kinds } = reading.tokens;
  const at = reading.at;
  if (kinds[at] !== 'struct' && kinds[at] !== 'class' && kinds[at] !== 'union') return false;
  if (kinds[at + 1] === '{') return true;
  if (kinds[at + 1] !== 'name') return false;
  let behind = kinds[at + 2] === '<' ? endOfSpecialised(reading, at + 2) : at + 2;
  if (behind > 0 && kinds[behind] === 'final') behind++;
  return behind > 0 && (kinds[behind] === '{' || kinds[behind] === ':');
}

/** Behind the arguments of a specialisation; -1 where they are not plain: the parser takes `a::T<int>` and `T<int>::a` among them for functions. */
function endOfSpecialised(reading: Reading, from: number): number {
  const { kinds } = reading.tokens;
  const end = endOfTemplateArguments(reading, from);
  let [isNested, isQualified] = [false, false];
  for (let at = from + 1; at < end; at++)
    if (kinds[at] === '<') isNested = true;
    else if (kinds[at] === '::') isQualified = true;
  return isNested && isQualified ? -1 : end;
}

/** `class C : public B { … }` */
export function classSpecifier(reading: Reading): Made {
  const start = startOf(reading);
  const type = `${kindAt(reading)}_specifier`;
  const children: SyntaxNode[] = [sign(reading)];
  if (kindAt(reading) === 'name') children.push(as('name', className(reading)));
  if (kindAt(reading) === 'final') children.push(wordAs(reading, 'virtual_specifier'));
  if (kindAt(reading) === ':') children.push(bases(reading));
  const body = as('body', members(reading));
  return made(type, start, body.end, [...children, body]);
}

/** `struct Step { … };` and `struct { … } const steps[2] = { … };` in a function. */
export function localClass(reading: Reading): Made {
  const start = startOf(reading);
  const node = classSpecifier(reading);
  if (kindAt(reading) === ';') {
    reading.at++;
    return node;
  }
  const children: SyntaxNode[] = [as('type', node)];
  while (isQualifier(kindAt(reading))) children.push(qualifier(reading));
  return declarators(reading, start, children);
}

/** `C`, and `C<int>` of a specialisation */
function className(reading: Reading): Made {
  const name = leaf(reading, 'type_identifier');
  if (kindAt(reading) !== '<') return name;
  const list = templateArguments(reading);
  return made('template_type', name.start, list.end, [as('name', name), list]);
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
    case 'friend':
      return friend(reading);
    default:
      if (!beginsClass(reading) && !beginsEnum(reading)) return method(reading, 'field_identifier');
  }
  const inner = as('type', beginsClass(reading) ? classSpecifier(reading) : enumSpecifier(reading));
  if (kindAt(reading) !== ';') return fields(reading, start, [inner]);
  reading.at++;
  return made('field_declaration', start, endBefore(reading), [inner]);
}

/** `friend class C;` */
function friend(reading: Reading): Made {
  const word = sign(reading);
  if (kindAt(reading) !== 'class' && kindAt(reading) !== 'struct') throw notPlain;
  const kind = sign(reading);
  if (kindAt(reading) !== 'name') throw notPlain;
  const children = [word, kind, leaf(reading, 'type_identifier')];
  expect(reading, ';');
  return made('friend_declaration', word.start, endBefore(reading), children);
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

/** `operator T() const { … }` */
function conversion(reading: Reading, start: number, before: readonly SyntaxNode[]): Made {
  const children = [...before, as('declarator', operatorCast(reading))];
  if (kindAt(reading) === '{') {
    const body = as('body', compound(reading));
    return made('function_definition', start, body.end, [...children, body]);
  }
  expect(reading, ';');
  return made('declaration', start, endBefore(reading), children);
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
    // Behind others the parser may take it for a type.
    if (kindAt(reading) === 'explicit' && before.some(({ named }) => named)) throw notPlain;
    if (kindAt(reading) === 'explicit') before.push(wordAs(reading, 'explicit_function_specifier'));
    else if (kindAt(reading) === 'mutable') before.push(wordAs(reading, 'type_qualifier'));
    else if (kindAt(reading) === 'space' || kindAt(reading) === 'virtual') before.push(sign(reading));
    else if (kindAt(reading) === 'constexpr') before.push(qualifier(reading));
    else if (kindAt(reading) === 'inline') before.push(wordAs(reading, 'storage_class_specifier'));
    else break;
  }
  if (kindAt(reading) === 'operator') return conversion(reading, start, before);
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
  if (kindAt(reading) === '=') {
    if (kindAt(reading, 1) !== 'number') {
      children.push(defaultOrDelete(reading));
      return made('function_definition', start, endBefore(reading), children);
    }
    children.push(sign(reading), as('default_value', leaf(reading, 'number_literal')));
  }
  expect(reading, ';');
  return made('field_declaration', start, endBefore(reading), children);
}

function fields(reading: Reading, start: number, children: SyntaxNode[]): Made {
  for (;;) {
    children.push(as('declarator', field(reading)));
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

/** What is declared: `*p`, `a[3]`, `(*call)(int)` */
function field(reading: Reading): Made {
  const from = reading.at;
  const pointers = pointersBefore(reading);
  if (beginsFunctionPointer(reading)) return wrapped(functionPointer(reading, 'field_identifier'), pointers);
  reading.at = from;
  return declarator(reading, 'field_identifier');
}
