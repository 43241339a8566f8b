/** Names of specialisations, which tell them from others of their template. */

import type { Expression, TypeReference } from './program.ts';
import { isType } from './type-named.ts';

/**
 * `const T *`, `T &&`, `T[]`, `List<H, T...>`, `Trait<T>.value`: what tells patterns of one parameter apart. The names of classes go by
 * their last `::`, so that none stands in these.
 */
function formOf(type: TypeReference): string {
  const { name, arguments: list, pointers, isConst, isReference, takesMoved, extents, qualifier } = type;
  const before = qualifier ? `${formOf(qualifier)}.` : '';
  const reference = isReference ? (takesMoved ? '&&' : '&') : '';
  const plain = specialisedName(name.split('::').at(-1) ?? '', list);
  return `${isConst ? 'const ' : ''}${before}${list.length > 0 ? plain : plain.slice(0, -2)}${'*'.repeat(pointers)}${reference}${extents.map((extent) => (extent ? '[N]' : '[]')).join('')}`;
}

/** `S<int, 4>` as a name that tells this specialisation from others. */
export function specialisedName(name: string, list: readonly (TypeReference | Expression)[]): string {
  return `${name}<${list.map((each) => (isType(each) ? formOf(each) : formOfValue(each))).join(',')}>`;
}

/** `N`, `4`, and conditions as in `std::enable_if_t<A<T>::value && !B<T>::value>`, by which specialisations are told apart, too. */
function formOfValue(value: Expression): string {
  switch (value.kind) {
    case 'number':
      return String(value.value);
    case 'name': {
      const plain = value.name.split('::').at(-1) ?? '';
      const { qualifier, arguments: list = [] } = value.template ?? {};
      const own = list.length > 0 ? specialisedName(plain, list) : plain;
      return qualifier ? `${formOf(qualifier)}.${own}` : own;
    }
    case 'unary':
      return `${value.operator}${formOfValue(value.operand)}`;
    case 'binary':
      return `(${formOfValue(value.left)}${value.operator}${formOfValue(value.right)})`;
    default:
      return '?';
  }
}
