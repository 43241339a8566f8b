/** Heads of functions in plain items and classes. */

import type { SyntaxNode } from '../../syntax-tree.ts';
import { parameterList, type pointersBefore } from './declarations.ts';
import { as, endBefore, expect, kindAt, leaf, type Made, made, type Reading, sign, startOf, wordAs } from './nodes.ts';
import { argumentList, initializerList } from './operands.ts';
import { endOfOperatorName, operatorName } from './operators.ts';
import { compound } from './statements.ts';
import { notPlain } from './tokens.ts';
import { endOfTemplateArguments, isQualifier, qualifier, templateArguments, trailingType } from './types.ts';

/** `C::C(int a) : a_(a) …`, `C::~C() …`, `TEST(A, B) …` */
export function functionWithoutType(reading: Reading, start: number, before: readonly SyntaxNode[] = []): Made {
  const children: SyntaxNode[] = [...before, as('declarator', functionDeclarator(reading))];
  if (kindAt(reading) === ':') children.push(initializers(reading));
  const body = as('body', compound(reading));
  return made('function_definition', start, body.end, [...children, body]);
}

/** `: a(1), b{2}` */
function initializers(reading: Reading): Made {
  const start = startOf(reading);
  const children: SyntaxNode[] = [];
  do {
    reading.at++;
    const name = initialized(reading);
    if (kindAt(reading) !== '(' && kindAt(reading) !== '{') throw notPlain;
    const value = kindAt(reading) === '(' ? argumentList(reading) : initializerList(reading);
    children.push(made('field_initializer', name.start, value.end, [name, value]));
  } while (kindAt(reading) === ',');
  return made('field_initializer_list', start, endBefore(reading), children);
}

/** `a`, or a base: `B<int>`, `n::B` */
function initialized(reading: Reading): Made {
  if (kindAt(reading) !== 'name') throw notPlain;
  const start = startOf(reading);
  if (kindAt(reading, 1) === '::') {
    const scope = as('scope', leaf(reading, 'namespace_identifier'));
    reading.at++;
    const last = as('name', initialized(reading));
    return made('qualified_identifier', start, last.end, [scope, last]);
  }
  const name = leaf(reading, 'field_identifier');
  if (kindAt(reading) !== '<') return name;
  if (endOfTemplateArguments(reading, reading.at) < 0) throw notPlain;
  const list = templateArguments(reading);
  if (kindAt(reading) === '::') throw notPlain;
  return made('template_method', start, list.end, [as('name', name), list]);
}

/** `__launch_bounds__(256, 2)` */
export function launchBounds(reading: Reading): Made {
  const word = sign(reading);
  const list = argumentList(reading);
  return made('launch_bounds', word.start, list.end, [word, ...list.children]);
}

/** Whether a name, perhaps with those of its classes before it, and a list of parameters come next. */
export function beginsFunction(reading: Reading): boolean {
  const { kinds } = reading.tokens;
  for (let at = reading.at; ; ) {
    if (kinds[at] === 'operator') {
      const behind = endOfOperatorName(reading, at);
      return behind > 0 && kinds[behind] === '(';
    }
    if (kinds[at] === '~') return kinds[at + 1] === 'name' && kinds[at + 2] === '(';
    if (kinds[at] !== 'name') return false;
    // `T (*f)()` is a pointer to one.
    if (kinds[at + 1] === '(') return kinds[at + 2] !== '*';
    const end = kinds[at + 1] === '<' ? endOfTemplateArguments(reading, at + 1) : at + 1;
    if (end < 0 || kinds[end] !== '::') return false;
    at = end + 1;
  }
}

/** `f`, `C::f`, `C<T>::f`, `C::~C` */
function functionName(reading: Reading, nameType = 'identifier'): Made {
  const start = startOf(reading);
  if (kindAt(reading) === 'operator') return operatorName(reading);
  if (kindAt(reading) === '~') {
    const tilde = sign(reading);
    const name = leaf(reading, 'identifier');
    return made('destructor_name', start, name.end, [tilde, name]);
  }
  if (kindAt(reading, 1) === '(') return leaf(reading, nameType);
  const isTemplate = kindAt(reading, 1) === '<';
  let scope = leaf(reading, isTemplate ? 'type_identifier' : 'namespace_identifier');
  if (isTemplate) {
    const list = templateArguments(reading);
    scope = made('template_type', start, list.end, [as('name', scope), list]);
  }
  expect(reading, '::');
  const name = as('name', functionName(reading));
  return made('qualified_identifier', start, name.end, [as('scope', scope), name]);
}

/** A function's name, as a node of that type, its parameters and what stands behind these. */
export function functionDeclarator(reading: Reading, nameType = 'identifier'): Made {
  const name = as('declarator', functionName(reading, nameType));
  const parameters = as('parameters', parameterList(reading));
  const children: SyntaxNode[] = [name, parameters];
  while (isQualifier(kindAt(reading))) children.push(qualifier(reading));
  if (kindAt(reading) === 'noexcept' && kindAt(reading, 1) !== '(') children.push(wordAs(reading, 'noexcept'));
  if (kindAt(reading) === '->') children.push(trailingType(reading));
  if (kindAt(reading) === 'override') children.push(wordAs(reading, 'virtual_specifier'));
  return made('function_declarator', name.start, endBefore(reading), children);
}

/** What is declared with the pointers before it. */
export function wrapped(declared: Made, pointers: ReturnType<typeof pointersBefore>): Made {
  let node = declared;
  for (const { type, parts } of [...pointers].reverse()) {
    const inner = as(type === 'pointer_declarator' ? 'declarator' : null, node);
    node = made(type, parts[0]!.start, node.end, [...parts, inner]);
  }
  return node;
}
