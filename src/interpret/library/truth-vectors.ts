/** `std::vector<bool>`, whose elements are bits: `auto b = v[0]` and `for (auto b : v)` name the bit, and do not copy it. */

import { resolveType } from '../program-table.ts';
import { isType } from '../types/type-arguments.ts';
import type { Cell } from '../value.ts';
import type { World } from '../world.ts';

/** Whether what `auto` is given as an element of that container stands for the element itself. */
export function holdsBits(world: World, container: Cell | null, element: Cell | null): boolean {
  if (element?.madeIn?.elementType?.name !== 'bool' || !container?.type) return false;
  const type = resolveType(world.program, container.type);
  const [of] = type.arguments;
  return (
    /^(?:std::)?vector$/.test(type.name) && of !== undefined && isType(of) && of.pointers === 0 && of.name === 'bool'
  );
}
