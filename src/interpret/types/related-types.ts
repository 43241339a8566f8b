/** What the library says of how one type goes with another: `std::is_base_of_v<A, B>`, `std::is_convertible_v<A, B>`, `std::is_constructible_v<T, A>`. */

import { numbersOf } from '../../program/number-types.ts';
import type { TypeReference } from '../../program/program.ts';
import { isPartOf } from '../expressions/conversions.ts';
import { isText } from '../library/strings.ts';
import { constructorOf, findClass, hasUnseenBase, lastPart, resolveType } from '../program-table.ts';
import type { World } from '../world.ts';
import { sameType } from './template-patterns.ts';

type Pair = readonly [TypeReference, TypeReference];

/** Such a trait's answer; null for other traits, for more or fewer types, and where nobody can tell. */
export function relationOf(world: World, trait: string, types: readonly TypeReference[]): boolean | null {
  const [first, second] = types;
  if (!first || !second || types.length > 2) return null;
  switch (trait) {
    case 'is_base_of':
    case 'derived_from':
      return isBase(world, trait === 'is_base_of' ? [first, second] : [second, first]);
    case 'is_convertible':
      return isMade(world, [second, first], false);
    case 'is_constructible':
      return isMade(world, [first, second], true);
    default:
      return null;
  }
}

function isNumber({ name, pointers, extents }: TypeReference): boolean {
  return pointers === 0 && extents.length === 0 && numbersOf(name) !== null;
}

/** A number or an address, which has no parts and is part of nothing. */
function isBare(type: TypeReference): boolean {
  return type.pointers > 0 || isNumber(type);
}

function isBase(world: World, [base, derived]: Pair): boolean | null {
  if (isBare(base) || isBare(derived)) return false;
  if (isPartOf(world, derived.name, lastPart(base.name), 0)) return base.arguments.length > 0 ? null : true;
  if (derived.name.startsWith('std::')) return false;
  return findClass(world.program, derived.name) && !hasUnseenBase(world.program, derived.name) ? false : null;
}

/** Whether an object of the first type is made from one of the second. `isAsked`: constructors that say `explicit` count, too. */
function isMade(world: World, [wanted, given]: Pair, isAsked: boolean): boolean | null {
  if (isBare(wanted)) return isBareFrom(world, wanted, given);
  if (sameType(wanted, given)) return isCopied(world, wanted, given);
  if (isText(wanted)) return isTextFrom(wanted, given, isAsked);
  if (wanted.name.startsWith('std::')) return isBare(given) || given.name.startsWith('std::') ? null : false;
  const definition = findClass(world.program, wanted.name);
  if (!definition) return null;
  if (isPartOf(world, given.name, lastPart(wanted.name), 0)) return true;
  const isSeen = isBare(given) || given.name.startsWith('std::') || findClass(world.program, given.name) !== undefined;
  if (!isSeen || hasUnseenBase(world.program, given.name)) return null;
  const constructors = world.program.functions.get(constructorOf(wanted.name)) ?? [];
  let isOpen = world.program.conversions.has(given.name) || (constructors.length === 0 && isBare(given));
  for (const { parameters, templateParameters } of constructors) {
    const [first, ...rest] = parameters;
    if (!first || rest.some(({ defaultValue, isPack }) => !defaultValue && !isPack)) continue;
    const asked = resolveType(world.program, first.type);
    const isTaken = isBare(asked)
      ? isBareFrom(world, asked, given) === true
      : isPartOf(world, given.name, lastPart(asked.name), 0);
    if (isTaken) return isAsked ? true : null;
    // What becomes of it on the way to another class is not followed.
    isOpen ||= templateParameters.length > 0 || definition.templateParameters.includes(asked.name);
    isOpen ||= !(sameType(asked, wanted) || isBare(asked));
  }
  return isOpen ? null : false;
}

/** A text is made from characters, and one that owns them from a view only where that is asked for. */
function isTextFrom(wanted: TypeReference, given: TypeReference, isAsked: boolean): boolean | null {
  const isAddress = given.pointers + given.extents.length === 1;
  if (isAddress) return lastPart(given.name) === 'char';
  if (isBare(given)) return false;
  if (!isText(given)) return null;
  return isAsked || isView(wanted) || !isView(given);
}

function isView({ name }: TypeReference): boolean {
  return lastPart(name) === 'string_view';
}

/** `int` from `float`, `void *` from `T *`, and neither from an object without a conversion. */
function isBareFrom(world: World, wanted: TypeReference, given: TypeReference): boolean | null {
  if (!isBare(given)) {
    const isSeen = given.name.startsWith('std::') || findClass(world.program, given.name) !== undefined;
    return isSeen && !world.program.conversions.has(given.name) && !hasUnseenBase(world.program, given.name)
      ? false
      : null;
  }
  if (isNumber(wanted)) return isNumber(given) || wanted.name === 'bool';
  if (isNumber(given)) return false;
  if (wanted.name === 'void' && wanted.pointers === 1) return true;
  if (wanted.pointers !== given.pointers) return false;
  if (wanted.name === given.name) return true;
  return isBase(world, [
    { ...wanted, pointers: 0 },
    { ...given, pointers: 0 },
  ]);
}

/** Of one type from another of it: what owns alone is only moved, and so may be what says nothing of copies. */
function isCopied({ program }: World, { name }: TypeReference, given: TypeReference): boolean | null {
  if (name === 'std::unique_ptr') return !(given.isReference && given.takesMoved !== true);
  const own = program.functions.get(constructorOf(name)) ?? [];
  return own.every(({ body, isDefaulted }) => body !== null || isDefaulted === true) ? true : null;
}
