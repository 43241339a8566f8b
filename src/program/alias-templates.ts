/** Alias templates, for what they are given. */

import type { Expression, TypeReference } from './program.ts';
import { withPutIn } from './put-in.ts';
import { isType } from './type-named.ts';

/** Parts of a type: what functions that call themselves name anew in each call may grow without an end. */
const mostParts = 500;

/** What an alias template stands for, with what it is given put in for its parameters; as it is written where that would be too large. */
export function instantiatedAlias(
  target: TypeReference,
  names: readonly string[],
  given: TypeReference['arguments'],
): TypeReference {
  if (isLarge(given) || isLarge(target.arguments)) return target;
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
  // It has its parameters: whoever names it in turn gives it none.
  const { qualifier, parameters: _, ...meant } = target;
  return {
    ...meant,
    arguments: all(target.arguments),
    ...(qualifier ? { qualifier: { ...qualifier, arguments: all(qualifier.arguments) } } : {}),
  };
}

/** Whether there is no end to what is in these, as far as anybody wants to look. */
export function isLarge(types: TypeReference['arguments']): boolean {
  return types.length > 0 && partsOf(types, mostParts) > mostParts;
}

/** How many types are in these; not counted further than one beyond `most`. */
function partsOf(types: TypeReference['arguments'], most: number): number {
  let count = types.length;
  for (const each of types) {
    if (count > most) break;
    if (isType(each)) count += partsOf(each.arguments, most - count);
  }
  return count;
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
