/**
 * In what order addresses lie that the text does not tell. A container that orders pointers puts them into one that lasts, and any will
 * do for that: null comes first, then what was asked about first. Elsewhere `p < q` of two objects stays open.
 */

import { calculate } from '../../trace/size.ts';
import { keptByRun } from '../kept-by-run.ts';
import { isNull, truthValue, type Value } from '../value.ts';
import type { World } from '../world.ts';
import { relational } from './operands.ts';

interface AddressOrder {
  /** How many containers are comparing elements right now. */
  comparing: number;
  /** By allocation, handle, array or variable: the place that it was given. */
  readonly places: Map<unknown, number>;
}

const orderOfRun = keptByRun<AddressOrder>(() => ({ comparing: 0, places: new Map() }));

/** Runs what a container orders its elements by. */
export function whileOrdering<T>(world: World, compare: () => T): T {
  const order = orderOfRun(world);
  order.comparing++;
  try {
    return compare();
  } finally {
    order.comparing--;
  }
}

/** What `<`, `>`, `<=` or `>=` says of two addresses while a container compares; null elsewhere, and of other values. */
export function comparedInOrder(world: World, operator: string, left: Value, right: Value): Value | null {
  if (!relational.has(operator)) return null;
  const order = orderOfRun(world);
  if (order.comparing === 0) return null;
  const [first, second] = [placeOf(order, left), placeOf(order, right)];
  if (first === null || second === null || first === second) return null;
  return truthValue(calculate(operator, first, second) === 1);
}

function placeOf({ places }: AddressOrder, value: Value): number | null {
  if (isNull(value)) return 0;
  const object = objectAt(value);
  if (object === null) return null;
  const known = places.get(object) ?? places.size + 1;
  places.set(object, known);
  return known;
}

/** What tells one address from another; null of what is no address, or may be null. */
function objectAt(value: Value): unknown {
  if (value.kind === 'device') return value.allocation;
  if (value.kind === 'pointer') return value.sequence ?? value.cell;
  if (value.kind === 'sequence' && !value.sequence.byValue) return value.sequence;
  return null;
}
