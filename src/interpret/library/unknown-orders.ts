/** What is left to say of elements that were put into an order that nobody knows. */

import { unknownValue, type Value } from '../value.ts';

/** Where an order is not known, which number stands where is not known either. */
export function forgotten(value: Value): Value {
  return value.kind === 'record' || value.kind === 'sequence' ? value : unknownValue;
}

/** The same of the numbers in an object; what it owns is all still there. */
export function forgottenIn(value: Value): Value {
  if (value.kind !== 'record') return forgotten(value);
  for (const member of value.record.fields.values())
    if (member.value.kind === 'number') member.value = { kind: 'unknown' };
  return value;
}
