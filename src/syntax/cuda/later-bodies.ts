/** The body of a function, read from its file when it is first asked for. */

import { FunctionBody } from '../../program/function-body.ts';
import { noteHalfTyped } from '../../program/half-typed.ts';
import { childByField, hasError, namedChildren } from '../syntax-tree.ts';
import type { BodyRange } from './bodies-in-class.ts';
import { expandUses, placeBehind } from './expand-uses.ts';
import { looksHalfTyped, takesInNextLine } from './half-typed.ts';
import type { ItemSource, Unread } from './item-source.ts';
import { type LowerContext, noteUnread } from './lower-context.ts';
import { lowerBody } from './lower-statements.ts';
import { parseStatements } from './parse-statements.ts';
import { parseText } from './parse-text.ts';
import { plainBlock } from './plain/statements.ts';
import { preparePiece } from './prepare.ts';
import { wordsOf } from './scan.ts';
import { splitStatements } from './split-statements.ts';

/** What stands between these braces of a file. `missing`: closing braces that its text lacks. What cannot be read is added to `unread` then. */
export function bodyInside(source: ItemSource, range: BodyRange & { missing: number }, unread: Unread[]): FunctionBody {
  const { parser, file, rules, packings } = source;
  const inside = source.text.slice(range.open + 1, range.close);
  const limit = source.text.length;
  const result: FunctionBody = new FunctionBody(
    () => {
      const prefix = 'void f(){';
      const expanded = expandUses(inside, source, range.open + 1);
      // With its bracket, so that a macro that stands last without a semicolon gets one.
      const prepared = preparePiece(`${expanded?.text ?? inside}\n}`, rules, true);
      const text = `${prefix}${prepared}${'}'.repeat(Math.max(0, range.missing - 1))}`;
      const shift = range.open + 1 - prefix.length;
      const placeOf = expanded ? placeBehind(expanded.placeOf, prefix.length) : null;
      const context: LowerContext = {
        file,
        text,
        shift,
        placeOf,
        limit,
        later: null,
        packings,
        innerCases: [],
        unread,
      };
      const plain = plainBlock(text, prefix.length - 1, text.length, parseStatements(parser, text));
      if (plain) {
        if (takesInNextLine(plain, text)) noteHalfTyped(result.identity);
        return lowerBody(context, plain);
      }
      const root = parseText(parser, text);
      const body = namedChildren(root).length === 1 ? childByField(namedChildren(root)[0]!, 'body') : undefined;
      if (looksHalfTyped(root, text)) noteHalfTyped(result.identity);
      if (body && !hasError(root)) return lowerBody(context, body);
      return splitStatements(text, prefix.length, text.length - Math.max(1, range.missing)).flatMap(
        ({ start, end }) => {
          const piece = `${prefix}${text.slice(start, end)}}`;
          const simple = plainBlock(piece, prefix.length - 1, piece.length, parseStatements(parser, piece));
          const node = simple ?? namedChildren(parseText(parser, piece))[0];
          const inner = simple ?? (node ? childByField(node, 'body') : undefined);
          const by = start - prefix.length;
          const place = {
            ...context,
            text: piece,
            shift: shift + by,
            placeOf: placeOf ? placeBehind(placeOf, -by) : null,
          };
          if (node && !inner) noteUnread(place, node, 'syntax the parser does not know');
          return inner ? lowerBody(place, inner) : [];
        },
      );
    },
    () => wordsOf(inside),
  );
  return result;
}
