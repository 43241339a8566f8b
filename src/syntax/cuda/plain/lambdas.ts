/** Lambdas in plain statements. */

import type { SyntaxNode } from '../../syntax-tree.ts';
import { parameterList } from './declarations.ts';
import { expression } from './expressions.ts';
import {
  as,
  deeper,
  endBefore,
  expect,
  kindAt,
  leaf,
  type Made,
  made,
  type Reading,
  sign,
  startOf,
  wordAs,
} from './nodes.ts';
import { compound } from './statements.ts';
import { notPlain } from './tokens.ts';
import { qualifier, trailingType } from './types.ts';

/** `[&](int i) mutable -> int { … }` */
export function lambda(reading: Reading): Made {
  const captured = as('captures', captures(reading));
  const children: SyntaxNode[] = [captured];
  if (kindAt(reading) === '(') children.push(as('declarator', head(reading)));
  if (kindAt(reading) !== '{') throw notPlain;
  const body = as('body', deeper(reading, compound));
  return made('lambda_expression', captured.start, body.end, [...children, body]);
}

function captures(reading: Reading): Made {
  const start = startOf(reading);
  reading.at++;
  const children: SyntaxNode[] = [];
  while (kindAt(reading) !== ']') {
    if (children.length > 0) expect(reading, ',');
    const kind = kindAt(reading);
    const isAlone = kindAt(reading, 1) === ',' || kindAt(reading, 1) === ']';
    if ((kind === '&' || kind === '=') && isAlone) {
      children.push(wordAs(reading, 'lambda_default_capture'));
    } else if (kind === '&') {
      children.push(sign(reading));
      if (kindAt(reading) !== 'name' || kindAt(reading, 1) === '=') throw notPlain;
      children.push(leaf(reading, 'identifier'));
    } else if (kind === 'this' && isAlone) children.push(leaf(reading, 'this'));
    else if (kind === 'name' && isAlone) children.push(leaf(reading, 'identifier'));
    else if (kind === 'name' && kindAt(reading, 1) === '=') {
      const name = as('left', leaf(reading, 'identifier'));
      const equals = sign(reading);
      const value = as('right', expression(reading));
      children.push(made('lambda_capture_initializer', name.start, value.end, [name, equals, value]));
    } else throw notPlain;
  }
  reading.at++;
  return made('lambda_capture_specifier', start, endBefore(reading), children);
}

function head(reading: Reading): Made {
  const parameters = as('parameters', parameterList(reading));
  const children: SyntaxNode[] = [parameters];
  if (kindAt(reading) === 'mutable') children.push(qualifier(reading));
  if (kindAt(reading) === '->') children.push(trailingType(reading));
  return made('abstract_function_declarator', parameters.start, endBefore(reading), children);
}
