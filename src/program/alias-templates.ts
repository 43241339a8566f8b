/** Alias templates, for what they are given. */

import type { Expression, TypeReference } from './program.ts';
import { withPutIn } from './put-in.ts';
import { isType } from './type-named.ts';

/** What an alias template stands for, with what it is given put in for its parameters. */
export function instantiatedAlias(
  target: TypeReference,
  names: readonly string[],
  given: TypeReference['arguments'],
): TypeReference {
  const put = (argument: TypeReference | Expression): TypeReference | Expression => {
    if (!isType(argument)) return withPutIn(argument, (name) => given[names.indexOf(name)]);
    const value = given[names.indexOf(argument.name)];
    if (value === undefined) return { ...argument, arguments: all(argument.arguments) };
    return isType(value) ? madeOf(value, argument) : value;
  };
  const all = (list: TypeReference['arguments']): TypeReference['arguments'] =>
    list.flatMap((each) => {
      // `template <class... T> using All = std::tuple<T...>;`
      const pack = isType(each) && each.name.endsWith('...') ? names.indexOf(each.name) : -1;
      return pack < 0 ? [put(each)] : given.slice(pack);
    });
  // `template <class T> using Buffer = T *;`
  const own = given[names.indexOf(target.name)];
  if (own && isType(own)) return madeOf(own, target);
  const { qualifier } = target;
  return {
    ...target,
    arguments: all(target.arguments),
    ...(qualifier ? { qualifier: { ...qualifier, arguments: all(qualifier.arguments) } } : {}),
  };
}

/** `T *`, `const T`, `T &`, where it is known what `T` is. */
function madeOf(type: TypeReference, { pointers, isConst, isReference, extents }: TypeReference): TypeReference {
  return {
    ...type,
    pointers: type.pointers + pointers,
    // `const T`, where `T` is a pointer, points at what may be changed.
    isConst: type.isConst || (isConst && type.pointers === 0),
    isReference: type.isReference || isReference,
    extents: [...extents, ...type.extents],
  };
}
