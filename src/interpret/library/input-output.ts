/** `in.read(to, n)`, `out.write(from, n)`: what streams of the library do with memory of the host. */

import type { Argument } from '../calls/call.ts';
import { noteHostUses } from '../cuda/host-accesses.ts';
import { forgetRead } from '../expressions/reading.ts';
import type { Value } from '../value.ts';
import type { World } from '../world.ts';

/** Runs a method that takes or fills memory; false for other methods and objects. */
export function ranOnStream(world: World, object: Value, method: string, values: readonly Argument[]): boolean {
  if (object.kind !== 'record' || !/^std::(?:basic_)?[io]?(?:f|string)?stream$/.test(object.record.className))
    return false;
  const name = `std::istream::${method}`;
  const uses = world.models.hostUses.get(name);
  if (!uses) return false;
  noteHostUses(world, name, values);
  if (uses.writes.length > 0) forgetRead(world, 'fread', values.slice(0, 1));
  return true;
}
