/** Names of specialisations, which tell them from others of their template. */

import type { Expression, TypeReference } from './program.ts';
import { isType } from './type-named.ts';

/** `const T *`, `T &&`, `T[]`, `List<H, T...>`: what tells patterns of one parameter apart. */
function formOf({ name, arguments: list, pointers, isConst, isReference, takesMoved, extents }: TypeReference): string {
  const reference = isReference ? (takesMoved ? '&&' : '&') : '';
  const plain = specialisedName(name.split('::').at(-1) ?? '', list);
  return `${isConst ? 'const ' : ''}${list.length > 0 ? plain : plain.slice(0, -2)}${'*'.repeat(pointers)}${reference}${extents.map((extent) => (extent ? '[N]' : '[]')).join('')}`;
}

/** `S<int, 4>` as a name that tells this specialisation from others. */
export function specialisedName(name: string, list: readonly (TypeReference | Expression)[]): string {
  const parts = list.map((each) => {
    if (isType(each)) return formOf(each);
    return each.kind === 'number' ? String(each.value) : each.kind === 'name' ? each.name.split('::').at(-1) : '?';
  });
  return `${name}<${parts.join(',')}>`;
}
