/** `BENCHMARK_TEMPLATE(f, float)->Arg(8);`, `BENCHMARK_CAPTURE(f, name, 4);`: how a function of google-benchmark is called, which nobody else does. */

import { splitArguments } from './expand-macro.ts';
import { closingBracket } from './scan.ts';

/**
 * The text of a function that calls a benchmark as the library does; null where an item registers none, or one that needs nothing but the
 * state, and so can be run as it is.
 */
export function benchmarkCalled(item: string, macros: ReadonlyMap<string, unknown>): string | null {
  const [head, macro] = /^(BENCHMARK(?:_TEMPLATE1?|_CAPTURE)?)\s*\(/.exec(item) ?? [];
  const close = head === undefined || macros.has(macro!) ? -1 : closingBracket(item, head.length - 1);
  if (close < 0 || item.includes('{')) return null;
  const [called, ...given] = splitArguments(item.slice(head!.length, close)).map((each) => each.trim());
  if (!called || !/^[A-Za-z_][\w:]*(?:<[\w:\s,*&]*>)?$/.test(called)) return null;
  const isCapture = macro === 'BENCHMARK_CAPTURE';
  const types = !isCapture && given.length > 0 ? `<${given.join(', ')}>` : '';
  if (types === '' && !isCapture && !called.includes('<')) return null;
  const values = isCapture ? given.slice(1).map((each) => `, ${each}`) : [];
  const name = `${called}${types}${isCapture ? `_${given[0]}` : ''}`.replace(/\W+/g, '_');
  return `void ${name}(benchmark::State &state) { ${called}${types}(state${values.join('')}); }`;
}
