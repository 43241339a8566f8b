/** Templates: texts with values between them, joined, or given to a function. */

import type { Expression } from '../../program/program.ts';
import { namedChildren, type SyntaxNode } from '../syntax-tree.ts';
import { textAt } from './built.ts';
import { optional, spanOf, type TypeScriptContext } from './lower-expressions.ts';
import { unescaped } from './lower-texts.ts';

/** `a${b}c`: its parts, joined. */
export function lowerTemplate(context: TypeScriptContext, node: SyntaxNode): Expression {
  const span = spanOf(context, node);
  const { texts, values } = partsOfTemplate(context, node);
  const parts = texts.flatMap((text, index) => {
    const value = values[index];
    const isLast = index === texts.length - 1;
    return [...(isLast && text === '' && index > 0 ? [] : [textAt(text, span)]), ...(value ? [value] : [])];
  });
  return parts.reduce((left, right) => ({ kind: 'binary', operator: '+', left, right, isScript: true, span }));
}

/** What stands between the values in a template, one text more than there are values. */
function partsOfTemplate(context: TypeScriptContext, node: SyntaxNode): { texts: string[]; values: Expression[] } {
  const values: Expression[] = [];
  const texts: string[] = [];
  let end = node.start + 1;
  for (const part of namedChildren(node).filter(({ type }) => type === 'template_substitution')) {
    texts.push(unescaped(context.text.slice(end, part.start)));
    values.push(optional(context, namedChildren(part)[0], part));
    end = part.end;
  }
  texts.push(unescaped(context.text.slice(end, node.end - 1)));
  return { texts, values };
}

/** What a function is given by `tag`a${b}c``: the texts in a list, and the values. */
export function taggedArguments(context: TypeScriptContext, node: SyntaxNode): readonly Expression[] {
  const span = spanOf(context, node);
  const { texts, values } = partsOfTemplate(context, node);
  const elements = texts.map((text) => ({ name: null, value: textAt(text, span) }));
  return [{ kind: 'list', isShared: true, elements, span }, ...values];
}
