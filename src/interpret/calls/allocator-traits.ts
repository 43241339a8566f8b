/** `std::allocator_traits<A>::allocate(a, n)`: what the program's own allocator does. */

import type { Span } from '../../base/span.ts';
import type { TypeReference } from '../../program/program.ts';
import { lastPart } from '../program-table.ts';
import type { Scope } from '../scope.ts';
import type { World } from '../world.ts';
import type { Argument, CallResult } from './call.ts';
import { invokeMethod, ownerOfMethod } from './invoke.ts';

/** Functions of the traits that hand on to the allocator, which is their first argument. */
const handedOn = new Set(['allocate', 'deallocate', 'construct', 'destroy']);

export function isOfAllocator(owner: TypeReference, name: string): boolean {
  return lastPart(owner.name) === 'allocator_traits' && handedOn.has(lastPart(name));
}

/** The allocator's own method; null where its class has none, or is not seen. */
export function callAllocator(
  world: World,
  scope: Scope,
  name: string,
  [allocator, ...rest]: readonly Argument[],
  span: Span,
): CallResult | null {
  if (allocator?.value.kind !== 'record') return null;
  const { record } = allocator.value;
  const method = lastPart(name);
  return ownerOfMethod(world, record.className, method) ? invokeMethod(world, scope, record, method, rest, span) : null;
}
