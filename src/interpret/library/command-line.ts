/**
 * `getopt` of POSIX, as in a run without arguments: there is no option, and what comes first behind them is argument 1. What follows
 * from an option is looked at all the same, as behind `argc > 1`.
 */

import { unknownValue, type Value } from '../value.ts';
import type { Builtin } from './builtin.ts';

/** `getopt(argc, argv, "n:v")`, `getopt_long(…)`: −1, as far as nothing is given. */
export const nextOption: Builtin = (world, _scope, _values, { span }) => {
  let name = 'the next option';
  // Each is another one.
  for (let other = 2; world.symbols.has(name); other++) name = `the next option (${other})`;
  world.symbols.set(name, span);
  return { kind: 'symbol', size: { kind: 'symbol', name }, hint: -1 };
};

/** What a variable begins as that the C library defines. */
export function libraryVariable(name: string): Value {
  return name === 'optind' ? { kind: 'symbol', size: { kind: 'symbol', name }, hint: 1 } : unknownValue;
}
