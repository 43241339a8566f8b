/** A macro's body, lowered when a use of it is interpreted. */

import type { Parser } from 'web-tree-sitter';
import { textMark } from '../../program/macro-definition.ts';
import type { MacroBody, MacroDefinition } from '../../program/program.ts';
import { childByField, namedChildren, parseTree, type SyntaxNode } from '../syntax-tree.ts';
import { type Expanded, expandUses, hasShortTypeOf, placeBehind } from './expand-uses.ts';
import { loosenessOf } from './loose-macros.ts';
import type { LowerContext } from './lower-context.ts';
import { lowerExpression } from './lower-expressions.ts';
import { lowerBody } from './lower-statements.ts';
import { macroUses } from './macro-uses.ts';
import { plainBlock } from './plain/statements.ts';
import { preparedBody } from './prepare.ts';
import type { Preprocessed } from './preprocess.ts';
import { computedGoto } from './rare-words.ts';
import { blank } from './scan.ts';
import { isTextMacro } from './text-macros.ts';

/** Parses a macro's body inside a wrapper function; its spans point into the `#define`. */
export function lowerMacro(parser: Parser, preprocessed: Preprocessed, name: string): MacroBody | null {
  const macro = preprocessed.macros.get(name);
  if (!macro || macro.body.trim() === '') return macro ? { kind: 'statements', body: [] } : null;
  const expanded = withUses(preprocessed, macro.body);
  const body = preparedBody(expanded?.text ?? macro.body, preprocessed.macros).replace(/##/g, '  ');
  const prefix = 'void m(){';
  const { text, block } = blockOf(parser, prefix, body, macro.parameters ?? []);
  const statements = block ? namedChildren(block) : [];
  const context: LowerContext = {
    file: macro.span.file,
    text,
    shift: macro.bodyStart - prefix.length,
    placeOf: expanded ? placeBehind(expanded.placeOf, prefix.length) : null,
    limit: Number.POSITIVE_INFINITY,
    later: null,
    innerCases: [],
    unread: [],
  };
  const only = statements[0];
  const meaningful = statements.filter(
    (statement) =>
      !(
        statement.type === 'expression_statement' &&
        statement.children.length <= 1 &&
        statement.end - statement.start <= 1
      ),
  );
  // `goto *labels[*at++]` is a jump, whatever the parser takes it for.
  const isJump = body.trimStart().startsWith(computedGoto);
  if (!isJump && meaningful.length === 1 && only?.type === 'expression_statement') {
    const expression = namedChildren(only)[0];
    if (expression) return { kind: 'expression', expression: lowerExpression(context, expression) };
  }
  if (meaningful.length === 0) return null;
  // `#define REAL double`: a type does nothing.
  if (meaningful.length === 1 && (only?.type === 'primitive_type' || only?.type === 'sized_type_specifier'))
    return { kind: 'statements', body: [] };
  return {
    kind: 'statements',
    body: lowerBody(context, {
      type: 'compound_statement',
      named: true,
      field: null,
      start: 0,
      end: text.length,
      missing: false,
      children: meaningful,
    }),
  };
}

/** The body as a block of a function; the parser knows no text behind another one but literals. */
function blockOf(
  parser: Parser,
  prefix: string,
  body: string,
  parameters: readonly string[],
): { text: string; block: SyntaxNode | undefined } {
  const whole = `${prefix}${withTexts(body, parameters, false)};}`;
  const plain = plainBlock(whole, prefix.length - 1, whole.length);
  if (plain) return { text: whole, block: plain };
  const text = `${prefix}${withoutLastTexts(withTexts(body, parameters, true), parameters)};}`;
  const definition = namedChildren(parseTree(parser, text))[0];
  return { text, block: definition && childByField(definition, 'body') };
}

/** `#name`: a name of its own, of the same length; the empty text where `name` is no parameter, or, if `isFirst`, behind another text. */
function withTexts(body: string, parameters: readonly string[], isFirst: boolean): string {
  return body.replace(/#\s*([A-Za-z_]\w*)/g, (made, name: string, at: number) => {
    const isLeft = isFirst && /["\w]\s*$/.test(body.slice(0, at));
    return parameters.includes(name) && !isLeft
      ? `${' '.repeat(made.length - name.length - textMark.length)}${textMark}${name}`
      : `""${' '.repeat(made.length - 2)}`;
  });
}

/** `CASE(kFloat, float, …)` in a body: a label of a `switch` is no statement by itself. Nor is a text beside another one. */
function withUses({ macros }: Preprocessed, body: string): Expanded | null {
  const words = body.match(/[A-Za-z_]\w*/g) ?? [];
  const labels = new Set(words.filter((word) => /^\s*(?:case|default)\b/.test(macros.get(word)?.body ?? '')));
  const texts = mayJoin.test(body) ? words.filter((word) => isText(macros.get(word), macros)) : [];
  const names = [
    ...labels,
    ...texts,
    ...(operator.test(body) || givenType.test(body) ? words.filter((word) => isLoose(macros, macros.get(word))) : []),
  ];
  if (names.length === 0 && !hasShortTypeOf(body)) return null;
  const uses = macroUses(names, []);
  return expandUses(body, { macros, retired: [], rules: { partial: labels, uses } }, 0);
}

/** `printf("[%d] " text, n)` without the parameter, which the parser does not know as the last of several texts. */
function withoutLastTexts(body: string, parameters: readonly string[]): string {
  return body.replace(
    /("(?:[^"\\\n]|\\.)*"\s*)\b([A-Za-z_]\w*)\b(?=\s*[,)])/g,
    (whole, literal: string, name: string) => (parameters.includes(name) ? literal + blank(name) : whole),
  );
}

/** A literal or a name, and one of them behind it. */
const mayJoin = /["\w)]\s+["A-Za-z_]|"[A-Za-z_]|\w"/;

/** Something beside which a macro without brackets may fall apart. */
const operator = /[-+*/%&|^<>!~?[.]/;

/** `container_of(p, struct item, link)`: a type is no expression, and the macro that is given it is read where it is used. */
const givenType =
  /[(,]\s*(?:const\s+)?(?:struct|union|enum|class|unsigned|signed|long|short|int|char|float|double|bool|void|\w+_t)\b/;

function isLoose(macros: Preprocessed['macros'], macro: MacroDefinition | undefined): boolean {
  return macro !== undefined && (macro.parameters !== null || loosenessOf(macros, macro) !== null);
}

function isText(macro: MacroDefinition | undefined, macros: Preprocessed['macros']): boolean {
  return macro !== undefined && isTextMacro(macros, macro);
}
