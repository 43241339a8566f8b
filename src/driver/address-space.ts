/**
 * The range of addresses from which one device serves its graphs, and the holes that destroyed graphs left in it.
 *
 *     first                                            top
 *       | graph 0 | hole | graph 2 | hole | graph 4 |    never used yet ...
 *
 * Kept true: holes are sorted, do not touch one another, and none touches the top.
 */

export interface AddressRange {
  readonly start: number;
  readonly end: number;
}

export interface AddressSpace {
  readonly first: number;
  /** The high-water mark: everything from here on is free. */
  top: number;
  holes: AddressRange[];
}

export function createAddressSpace(first: number): AddressSpace {
  return { first, top: first, holes: [] };
}

/** The first range of a graph: the smallest hole that holds it, else the top (experiments v6 and v8). */
export function reserveFirstRange(space: AddressSpace, bytes: number): AddressRange {
  let best = -1;
  let bestBytes = Number.POSITIVE_INFINITY;
  for (const [index, hole] of space.holes.entries()) {
    const size = hole.end - hole.start;
    if (size >= bytes && size < bestBytes) {
      best = index;
      bestBytes = size;
    }
  }
  const hole = space.holes[best];
  if (!hole) return reserveFurtherRange(space, bytes);
  const rest = { start: hole.start + bytes, end: hole.end };
  space.holes.splice(best, 1, ...(rest.start < rest.end ? [rest] : []));
  return { start: hole.start, end: rest.start };
}

/** A further range of a graph: always at the top, never in a hole (experiments v1, v2, v3). */
export function reserveFurtherRange(space: AddressSpace, bytes: number): AddressRange {
  const start = space.top;
  space.top += bytes;
  return { start, end: space.top };
}

/** Gives a range back; neighbouring holes become one, and a hole at the end lowers the top. */
export function releaseRange(space: AddressSpace, range: AddressRange): void {
  let { start, end } = range;
  const index = space.holes.findIndex((hole) => hole.start > start);
  const at = index < 0 ? space.holes.length : index;
  const before = space.holes[at - 1];
  const after = space.holes[at];
  const joinsBefore = before !== undefined && before.end === start;
  const joinsAfter = after !== undefined && after.start === end;
  if (joinsBefore) start = before.start;
  if (joinsAfter) end = after.end;
  const from = joinsBefore ? at - 1 : at;
  const removed = (joinsBefore ? 1 : 0) + (joinsAfter ? 1 : 0);
  if (end === space.top) {
    space.holes.splice(from, removed);
    space.top = start;
  } else {
    space.holes.splice(from, removed, { start, end });
  }
}
