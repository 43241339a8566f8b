/** Items of a file that can be read in one way only: functions, classes, prototypes, variables, names for types. */

import type { SyntaxTree } from '../../syntax-tree.ts';
import { beginsClass, classSpecifier } from './classes.ts';
import { declaration, pointersBefore, specifiers } from './declarations.ts';
import { beginsEnum, enumSpecifier } from './enums.ts';
import { beginsFunction, functionDeclarator, functionWithoutType, launchBounds, wrapped } from './functions.ts';
import {
  as,
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
import { compound, staticAssertion, usingStatement } from './statements.ts';
import { templateParameters } from './templates.ts';
import { ifPlain, notPlain, tokensOf } from './tokens.ts';
import { typeDefinition } from './type-definitions.ts';

/** The tree of a text that is one item; null where it is not plain. With `parse`, statements in it need not be plain. */
export function plainItem(text: string, parse: ParseStatements | null = null): SyntaxTree | null {
  return ifPlain(() => {
    const reading: Reading = { tokens: tokensOf(text, 0, text.length), at: 0, depth: 0, parse };
    const node = item(reading);
    const children = [node];
    // `void f() { … };`
    if (kindAt(reading) === ';' && node.type === 'function_definition') {
      children.push(made('expression_statement', startOf(reading), startOf(reading) + 1));
      reading.at++;
    }
    if (kindAt(reading) !== 'end') return null;
    return Object.assign(made('translation_unit', node.start, endBefore(reading), children), { isWhole: true });
  });
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
    case 'enum':
      return beginsEnum(reading) ? enumItem(reading) : functionOrVariables(reading);
    default:
      return beginsClass(reading) ? classItem(reading) : functionOrVariables(reading);
  }
}

function classItem(reading: Reading): Made {
  const node = classSpecifier(reading);
  expect(reading, ';');
  return node;
}

function enumItem(reading: Reading): Made {
  const node = enumSpecifier(reading);
  expect(reading, ';');
  return node;
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
  const inner = beginsClass(reading) ? classItem(reading) : functionOrVariables(reading);
  if (inner.type !== 'function_definition' && !inner.type.endsWith('_specifier')) throw notPlain;
  return made('template_declaration', word.start, endBefore(reading), [word, list, inner]);
}

function functionOrVariables(reading: Reading): Made {
  const from = reading.at;
  const start = startOf(reading);
  if (kindAt(reading) === 'operator') throw notPlain;
  if (beginsFunction(reading)) return functionWithoutType(reading, start);
  const children = specifiers(reading);
  while (kindAt(reading) === '__launch_bounds__') children.push(launchBounds(reading));
  const pointers = pointersBefore(reading);
  if (!beginsFunction(reading)) {
    if (pointers.length === 0 && kindAt(reading) === '(') throw notPlain;
    reading.at = from;
    return declaration(reading);
  }
  children.push(as('declarator', wrapped(functionDeclarator(reading), pointers)));
  if (kindAt(reading) === ';') {
    reading.at++;
    return made('declaration', start, endBefore(reading), children);
  }
  const body = as('body', compound(reading));
  return made('function_definition', start, body.end, [...children, body]);
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
