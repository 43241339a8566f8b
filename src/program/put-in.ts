/** Expressions among template arguments with other things in the place of names: `N * 2` where `N` is given. */

import type { Expression, TypeReference } from './program.ts';
import { isType } from './type-named.ts';

/** What a name stands for; nothing for a name that stands for itself. */
export type Given = (name: string) => TypeReference | Expression | undefined;

/** What arithmetic over names and sizes comes to; other expressions stay as they are. */
export function withPutIn(expression: Expression, given: Given): Expression {
  const inside = (part: Expression): Expression => withPutIn(part, given);
  switch (expression.kind) {
    case 'name': {
      const value = given(expression.name);
      if (value === undefined) return expression;
      return isType(value) ? { ...expression, name: value.name } : value;
    }
    case 'binary':
      return { ...expression, left: inside(expression.left), right: inside(expression.right) };
    case 'unary':
    case 'cast':
      return { ...expression, operand: inside(expression.operand) };
    case 'sizeof': {
      const { type, operand } = expression;
      const value = type ? given(type.name) : undefined;
      const pointers = type?.pointers ?? 0;
      return {
        ...expression,
        type: value && isType(value) ? { ...value, pointers: value.pointers + pointers } : type,
        operand: operand && inside(operand),
      };
    }
    default:
      return expression;
  }
}
