/** A function of the C or C++ library whose value matters. */

import type { CallExpression } from '../../program/program.ts';
import type { Argument, CallResult } from '../calls/call.ts';
import type { Scope } from '../scope.ts';
import type { Value } from '../value.ts';
import type { World } from '../world.ts';

export type Builtin = (
  world: World,
  scope: Scope,
  values: readonly Argument[],
  expression: CallExpression,
) => Value | CallResult;

/** Macros of `<stdint.h>` and hints to the compiler: their value is what they are given. */
export const sameAsGiven = [
  ...[8, 16, 32, 64].flatMap((width) => [`INT${width}_C`, `UINT${width}_C`]),
  ...['INTMAX_C', 'UINTMAX_C', '__builtin_expect', '__builtin_assume_aligned', 'assume_aligned', 'launder'],
  ...['as_const', 'to_underlying', 'type_index', 'elements_of'],
];

/** `fill<T, Mode::random>(onDevice, n, seed)`, of a header that is not there: the library's algorithms are given neither without their namespace. */
export function isOfSomebody({ templateArguments }: CallExpression, [first]: readonly Argument[]): boolean {
  return templateArguments.length > 0 || first?.value.kind === 'device';
}
