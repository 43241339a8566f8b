/** Of what type a text is that is in no variable: one of C's, or an object of the library. */

import type { TypeReference } from '../../program/program.ts';
import { typeNamed } from '../../program/type-named.ts';
import type { Argument } from '../calls/call.ts';
import { lastPart } from '../program-table.ts';
import type { World } from '../world.ts';

const ofCharacters: TypeReference = { ...typeNamed('char'), pointers: 1, isConst: true };
const ofLibrary = typeNamed('std::string');

/** Methods of texts, exceptions and types that give characters, and those that give texts. */
const givesCharacters = new Set(['c_str', 'data', 'what', 'name']);
const givesText = new Set(['substr', 'str', 'string', 'to_string', 'format']);

/** The type of a text that is given, as far as the expression tells; null for all else. A literal that is referred to is an array. */
export function typeOfText(
  world: World,
  { value, type, expression }: Argument,
  isReferredTo: boolean,
): TypeReference | null {
  if (value.kind !== 'string' || world.program.isScript) return null;
  switch (expression?.kind) {
    case 'string': {
      if (!isReferredTo) return ofCharacters;
      const extents = [{ kind: 'number' as const, value: value.value.length + 1, span: expression.span }];
      return { ...ofCharacters, pointers: 0, extents };
    }
    case 'binary':
      return expression.operator === '+' ? ofLibrary : null;
    case 'call': {
      const { callee } = expression;
      if (callee.kind === 'member')
        return givesCharacters.has(callee.name) ? ofCharacters : givesText.has(callee.name) ? ofLibrary : null;
      if (callee.kind !== 'name') return null;
      if (type) return type;
      const plain = lastPart(callee.name);
      const own = world.program.functions.get(plain);
      if (own) return own.length === 1 && own[0]!.templateParameters.length === 0 ? own[0]!.returnType : null;
      if (plain === 'string_view') return typeNamed('std::string_view');
      return givesText.has(plain) && callee.name.startsWith('std::') ? ofLibrary : null;
    }
    default:
      return type ?? null;
  }
}
