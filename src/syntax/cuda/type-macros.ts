/** `#define REAL float`: macros that stand for types, read as `using REAL = float` is. */

import type { Parser } from 'web-tree-sitter';
import { Attached } from '../../base/attached.ts';
import { isNumberName } from '../../program/number-types.ts';
import type { MacroDefinition, TypeReference } from '../../program/program.ts';
import { typeNamed } from '../../program/type-named.ts';
import { namedChildren, parseTree } from '../syntax-tree.ts';
import type { LowerContext } from './lower-context.ts';
import { lowerAliases } from './lower-declarations.ts';

/** One name, perhaps qualified. */
const oneName = /^[A-Za-z_]\w*(?:::[A-Za-z_]\w*)*$/;
/** Names, stars and what stands between angle brackets; nothing that calculates. */
const mayBeType = /^(?:::)?[A-Za-z_][\w\s:]*(?:<[\w\s:,*<>]*>)?[\w\s:]*[\s*]*$/;

/** What was parsed, by macro: those of a header are looked at again for each file behind it. */
const parsed = new Attached<MacroDefinition, TypeReference | null>();

/**
 * What macros without parameters stand for, by their names, where that may be a type: one name may be anything, and only the whole
 * program tells. Spans in the types lie nowhere in particular.
 */
export function typeMacros(
  parser: Parser,
  file: string,
  macros: ReadonlyMap<string, MacroDefinition>,
): ReadonlyMap<string, TypeReference> {
  const found = new Map<string, TypeReference>();
  for (const macro of macros.values()) {
    const { name, parameters, body } = macro;
    const written = body.trim();
    if (parameters !== null || written === '') continue;
    if (oneName.test(written)) found.set(name, typeNamed(written));
    else if (mayBeType.test(written)) {
      let known = parsed.get(macro);
      if (known === undefined) {
        known = typeWritten(parser, file, written);
        parsed.set(macro, known);
      }
      const type = known;
      if (type) found.set(name, type);
    }
  }
  return found;
}

/** Null when it is none, or only qualifies one: `static inline`. */
function typeWritten(parser: Parser, file: string, written: string): TypeReference | null {
  if (isNumberName(written)) return typeNamed(written);
  const text = `using A = ${written};`;
  const tree = namedChildren(parseTree(parser, text));
  const [alias] = tree;
  if (tree.length !== 1 || alias?.type !== 'alias_declaration') return null;
  const context: LowerContext = {
    file,
    text,
    shift: 0,
    placeOf: null,
    limit: 0,
    later: null,
    innerCases: [],
    unread: [],
  };
  const type = lowerAliases(context, alias)[0]?.[1];
  return type && type.name !== '' ? type : null;
}
