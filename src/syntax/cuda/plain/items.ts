/** Items of a file that can be read in one way only: heads of functions, prototypes, variables, names for types. */

import type { SyntaxNode, SyntaxTree } from '../../syntax-tree.ts';
import { declaration, parameterList, pointersBefore, specifiers } from './declarations.ts';
import { as, endBefore, expect, kindAt, leaf, type Made, made, type Reading, sign, startOf } from './nodes.ts';
import { argumentList, initializerList } from './operands.ts';
import { compound, staticAssertion, typeDefinition, usingStatement } from './statements.ts';
import { leavesToParser, notPlain, tokensOf } from './tokens.ts';
import { endOfTemplateArguments, isQualifier, qualifier, templateArguments, typeDescriptor } from './types.ts';

/** The tree of a text that is one item; null where it is not plain. */
export function plainItem(text: string): SyntaxTree | null {
  try {
    const reading: Reading = { tokens: tokensOf(text, 0, text.length), at: 0, depth: 0, parse: null };
    const node = item(reading);
    if (kindAt(reading) !== 'end') return null;
    return { ...made('translation_unit', node.start, node.end, [node]), isWhole: true };
  } catch (signal) {
    if (leavesToParser(signal)) return null;
    throw signal;
  }
}

function item(reading: Reading): Made {
  switch (kindAt(reading)) {
    case 'template':
      return template(reading);
    case 'using':
      return usingStatement(reading);
    case 'typedef':
      return typeDefinition(reading);
    case 'namespace':
      return namespaceAlias(reading);
    case 'static_assert':
      return staticAssertion(reading);
    case 'extern':
      return kindAt(reading, 1) === 'string' ? linkage(reading) : functionOrVariables(reading);
    default:
      return functionOrVariables(reading);
  }
}

/** `extern "C" void f() …` */
function linkage(reading: Reading): Made {
  const word = sign(reading);
  const language = as('value', leaf(reading, 'string_literal'));
  if (kindAt(reading) === '{') throw notPlain;
  const body = as('body', functionOrVariables(reading));
  return made('linkage_specification', word.start, body.end, [word, language, body]);
}

/** `template <typename T, int N> void f() …` */
function template(reading: Reading): Made {
  const word = sign(reading);
  const list = as('parameters', templateParameters(reading));
  const inner = functionOrVariables(reading);
  if (inner.type !== 'function_definition') throw notPlain;
  return made('template_declaration', word.start, inner.end, [word, list, inner]);
}

function templateParameters(reading: Reading): Made {
  if (kindAt(reading) !== '<') throw notPlain;
  const children: SyntaxNode[] = [sign(reading)];
  while (kindAt(reading) !== '>') {
    if (children.length > 1) expect(reading, ',');
    children.push(templateParameter(reading));
  }
  children.push(sign(reading));
  return made('template_parameter_list', children[0]!.start, endBefore(reading), children);
}

function templateParameter(reading: Reading): Made {
  const start = startOf(reading);
  if (kindAt(reading) === 'typename' || kindAt(reading) === 'class') {
    const children: SyntaxNode[] = [sign(reading)];
    const isPack = kindAt(reading) === '...';
    if (isPack) children.push(sign(reading));
    if (kindAt(reading) !== 'name') throw notPlain;
    children.push(leaf(reading, 'type_identifier'));
    if (kindAt(reading) === '=') throw notPlain;
    const type = isPack ? 'variadic_type_parameter_declaration' : 'type_parameter_declaration';
    return made(type, start, endBefore(reading), children);
  }
  const children = specifiers(reading);
  if (kindAt(reading) !== 'name') throw notPlain;
  children.push(as('declarator', leaf(reading, 'identifier')));
  if (kindAt(reading) !== ',' && kindAt(reading) !== '>') throw notPlain;
  return made('parameter_declaration', start, endBefore(reading), children);
}

function functionOrVariables(reading: Reading): Made {
  const from = reading.at;
  const start = startOf(reading);
  if (beginsFunction(reading)) return functionWithoutType(reading);
  const children = specifiers(reading);
  while (kindAt(reading) === '__launch_bounds__') children.push(launchBounds(reading));
  const pointers = pointersBefore(reading);
  if (!beginsFunction(reading)) {
    if (pointers.length === 0 && kindAt(reading) === '(') throw notPlain;
    reading.at = from;
    return declaration(reading);
  }
  let declared = functionDeclarator(reading);
  for (const { type, parts } of pointers.reverse()) {
    const inner = as(type === 'pointer_declarator' ? 'declarator' : null, declared);
    declared = made(type, parts[0]!.start, declared.end, [...parts, inner]);
  }
  children.push(as('declarator', declared));
  if (kindAt(reading) === ';') {
    reading.at++;
    return made('declaration', start, endBefore(reading), children);
  }
  const body = as('body', compound(reading));
  return made('function_definition', start, body.end, [...children, body]);
}

/** `C::C(int a) : a_(a) …`, `C::~C() …`, `TEST(A, B) …` */
function functionWithoutType(reading: Reading): Made {
  const declared = as('declarator', functionDeclarator(reading));
  const children: SyntaxNode[] = [declared];
  if (kindAt(reading) === ':') children.push(initializers(reading));
  const body = as('body', compound(reading));
  return made('function_definition', declared.start, body.end, [...children, body]);
}

/** `: a(1), b{2}` */
function initializers(reading: Reading): Made {
  const start = startOf(reading);
  const children: SyntaxNode[] = [];
  do {
    reading.at++;
    if (kindAt(reading) !== 'name') throw notPlain;
    const name = leaf(reading, 'field_identifier');
    if (kindAt(reading) !== '(' && kindAt(reading) !== '{') throw notPlain;
    const value = kindAt(reading) === '(' ? argumentList(reading) : initializerList(reading);
    children.push(made('field_initializer', name.start, value.end, [name, value]));
  } while (kindAt(reading) === ',');
  return made('field_initializer_list', start, endBefore(reading), children);
}

function launchBounds(reading: Reading): Made {
  const word = sign(reading);
  const list = argumentList(reading);
  return made('launch_bounds', word.start, list.end, [word, ...list.children]);
}

/** `namespace a = b;` */
function namespaceAlias(reading: Reading): Made {
  const word = sign(reading);
  if (kindAt(reading) !== 'name' || kindAt(reading, 1) !== '=' || kindAt(reading, 2) !== 'name') throw notPlain;
  const name = as('name', leaf(reading, 'namespace_identifier'));
  const children = [word, name, sign(reading), leaf(reading, 'namespace_identifier')];
  expect(reading, ';');
  return made('namespace_alias_definition', word.start, endBefore(reading), children);
}

/** Whether a name, perhaps with those of its classes before it, and a list of parameters come next. */
function beginsFunction(reading: Reading): boolean {
  const { kinds } = reading.tokens;
  for (let at = reading.at; ; ) {
    if (kinds[at] === '~') return kinds[at + 1] === 'name' && kinds[at + 2] === '(';
    if (kinds[at] !== 'name') return false;
    if (kinds[at + 1] === '(') return true;
    const end = kinds[at + 1] === '<' ? endOfTemplateArguments(reading, at + 1) : at + 1;
    if (end < 0 || kinds[end] !== '::') return false;
    at = end + 1;
  }
}

/** `f`, `C::f`, `C<T>::f`, `C::~C` */
function functionName(reading: Reading): Made {
  const start = startOf(reading);
  if (kindAt(reading) === '~') {
    const tilde = sign(reading);
    const name = leaf(reading, 'identifier');
    return made('destructor_name', start, name.end, [tilde, name]);
  }
  if (kindAt(reading, 1) === '(') return leaf(reading, 'identifier');
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

function functionDeclarator(reading: Reading): Made {
  const name = as('declarator', functionName(reading));
  const parameters = as('parameters', parameterList(reading));
  const children: SyntaxNode[] = [name, parameters];
  while (isQualifier(kindAt(reading))) children.push(qualifier(reading));
  if (kindAt(reading) === 'noexcept' && kindAt(reading, 1) !== '(') {
    const word = sign(reading);
    children.push(made('noexcept', word.start, word.end, [word]));
  }
  if (kindAt(reading) === '->') {
    const start = startOf(reading);
    reading.at++;
    const type = typeDescriptor(reading);
    children.push(made('trailing_return_type', start, type.end, [type]));
  }
  return made('function_declarator', name.start, endBefore(reading), children);
}
