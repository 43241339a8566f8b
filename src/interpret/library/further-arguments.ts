/** `va_start` and its like. */

import { nextArgument, startArguments } from '../calls/variable-arguments.ts';
import { unknownValue } from '../value.ts';
import type { Builtin } from './builtin.ts';

export const furtherArguments: Readonly<Record<string, Builtin>> = {
  va_start: (_world, scope, [list]) => {
    startArguments(scope, list);
    return unknownValue;
  },
  va_arg: (_world, _scope, [list]) => nextArgument(list),
  va_copy: (_world, _scope, [to, from]) => {
    if (to?.cell && from) to.cell.value = from.value;
    return unknownValue;
  },
  va_end: () => unknownValue,
};
