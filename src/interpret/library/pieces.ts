/** `m.emplace(std::piecewise_construct, std::forward_as_tuple(k), std::forward_as_tuple(a, b))`: key and value, each made where it is of its own arguments. */

import type { Argument } from '../calls/call.ts';
import { constructValue } from '../objects/construct.ts';
import { lastPart } from '../program-table.ts';
import type { Scope } from '../scope.ts';
import type { RecordObject } from '../value.ts';
import type { World } from '../world.ts';

/** The key, and behind it what the value is made of, as `emplace` of a map is given them otherwise; all other arguments as they are. */
export function fromPieces(
  world: World,
  scope: Scope,
  { templates }: RecordObject,
  values: readonly Argument[],
): readonly Argument[] {
  const [how, ...tuples] = values;
  const { expression } = how ?? {};
  if (expression?.kind !== 'name' || lastPart(expression.name) !== 'piecewise_construct') return values;
  const [key, made] = tuples.map(partsAsArguments);
  if (!key || !made || tuples.length !== 2) return values;
  const type = key.length === 1 ? undefined : templates?.types.get('K');
  const { span } = tuples[0]!;
  const whole = type ? { value: constructValue(world, scope, type, key, span), cell: null, span } : key[0];
  return whole ? [whole, ...made] : values;
}

/** The parts of a tuple of references, as the constructor is given them; null for what is none. */
function partsAsArguments({ value, span }: Argument): readonly Argument[] | null {
  if (value.kind !== 'record' || value.record.className !== 'std::tuple') return null;
  const { fields, refersTo } = value.record;
  return [...fields].map(([name, cell]) => ({ value: cell.value, cell: refersTo?.has(name) ? cell : null, span }));
}
