/** Copies and memsets that surely touch more bytes than their allocation has, as violations. */

import type { DevicePointer, Operation } from '../trace/event.ts';
import { allocationName, subjectOfAllocation, thingOf } from './describe.ts';
import type { Facts } from './facts.ts';
import type { Violation } from './rule.ts';

/** Behind a choice that the text leaves open, on which a size may hang, only what is too long whichever way it goes. */
export function outOfRangeViolations(facts: Facts): Violation[] {
  const { events, allocations, decisions } = facts.trace;
  const firstChoice = decisions.find(({ isLoop, otherExits }) => !isLoop && !otherExits)?.at ?? Infinity;
  const sizeOf = ({ allocation }: DevicePointer): number | null => {
    const record = allocations[allocation];
    return record?.bytes?.kind === 'number' && record.origin !== 'external' ? record.bytes.value : null;
  };
  return events.flatMap((event): Violation[] => {
    if (event.verb !== 'stream.operation' && event.verb !== 'node.add') return [];
    const { operation } = event;
    const { bytes } = operation;
    if (!isCopy(operation) || bytes?.kind !== 'number') return [];
    // Only by numbers: of two sizes that nobody knows, a factor may have been missed in either.
    // Rows lie as far apart as they are long, or further.
    const beyond = operation.accesses.find(({ pointer, extent }) => {
      const size = sizeOf(pointer);
      return size !== null && extent !== undefined && pointer.offset !== null && pointer.offset + bytes.value > size;
    });
    if (!beyond) return [];
    const { allocation, offset } = beyond.pointer;
    const born = facts.execution.allocations[allocation]?.event ?? null;
    const from = offset ? ` from byte ${offset} on` : '';
    return [
      {
        event: event.index,
        message: `${bytes.value} bytes${from} are more than ${allocationName(facts, allocation)} has: it was allocated with ${sizeOf(beyond.pointer)}.`,
        certainty: 'always',
        related: born === null ? [] : [{ role: 'alloc', event: born, message: 'allocated here' }],
        witness: born === null ? [] : [{ event: born, message: 'allocated here' }],
        repairs: [],
        subject: subjectOfAllocation(facts, allocation),
        ...thingOf(facts, allocation),
        ...(event.index >= firstChoice ? { isMeantForAllPaths: true } : {}),
      },
    ];
  });
}

function isCopy({ kind, opaque }: Operation): boolean {
  return (kind === 'memcpy' || kind === 'memset') && !opaque;
}
