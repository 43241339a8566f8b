/** Methods of `std::atomic<T>`, which is a `T` to us: threads run one after another. */

import type { Argument, CallResult } from '../calls/call.ts';
import type { Place } from '../expressions/locate.ts';
import { combine, sameValue } from '../expressions/operators.ts';
import { isScalar } from '../types/types.ts';
import { numberValue, unknownValue, type Value } from '../value.ts';
import type { World } from '../world.ts';

const fetching: Readonly<Record<string, '+' | '-' | '|' | '&' | '^'>> = {
  fetch_add: '+',
  fetch_sub: '-',
  fetch_or: '|',
  fetch_and: '&',
  fetch_xor: '^',
};

/** The method's result; null when the place holds no plain value, or it is none of theirs. */
export function atomicMethod(
  world: World,
  { value: before, cell }: Place,
  name: string,
  [first, second]: readonly Argument[],
): CallResult | null {
  if (!isMethod(name) || !cell?.type || !isScalar(world.program, cell.type)) return null;
  const just = (value: Value): CallResult => ({ value, cell: null });
  const given = first?.value ?? unknownValue;
  const operator = Object.hasOwn(fetching, name) ? fetching[name] : undefined;
  if (operator) cell.value = combine(operator, before, given);
  else if (name === 'store' || name === 'exchange') cell.value = given;
  else if (name.startsWith('compare_exchange_')) {
    const isSame = sameValue(before, given);
    if (isSame === null) cell.value = unknownValue;
    else if (isSame) cell.value = second?.value ?? unknownValue;
    else if (first?.cell) first.cell.value = before;
    return just(isSame === null ? unknownValue : numberValue(isSame ? 1 : 0));
  }
  return just(before);
}

function isMethod(name: string): boolean {
  return name === 'load' || name === 'store' || name === 'exchange' || /^(?:fetch_|compare_exchange_)/.test(name);
}
