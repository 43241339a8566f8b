/** Copies, memsets and kernels that surely touch more bytes than their allocation has, as violations. */

import { Attached } from '../base/attached.ts';
import { startOfAccess } from '../trace/access-starts.ts';
import type { Access, DevicePointer, EventOf, Operation, TraceEvent } from '../trace/event.ts';
import { printSize, type Size } from '../trace/size.ts';
import { isSurelyMore } from '../trace/size-order.ts';
import { allocationName, subjectOfAllocation, subjectOfCall, thingOf } from './describe.ts';
import type { Facts } from './facts.ts';
import type { Violation } from './rule.ts';

/** Those of copy and memset nodes on memory that a graph allocates, and all others. */
export function outOfRangeViolations(facts: Facts, ofGraphMemory: boolean): readonly Violation[] {
  let known = found.get(facts);
  if (!known) {
    known = allOutOfRange(facts);
    found.set(facts, known);
  }
  return known.filter(({ event, subject }) => isOfGraphMemory(facts, event, subject) === ofGraphMemory);
}

const found = new Attached<Facts, readonly Violation[]>();

function isOfGraphMemory(facts: Facts, event: number, subject: string): boolean {
  const work = facts.trace.events[event]!;
  if (!givesWork(work) || work.verb === 'stream.operation' || !work.operation || !isCopy(work.operation)) return false;
  return work.operation.accesses.some(
    ({ pointer: { allocation } }) =>
      facts.execution.allocations[allocation]?.kind === 'graph' && subjectOfAllocation(facts, allocation) === subject,
  );
}

/** Behind a choice that the text leaves open, on which a size may hang, only what is too long whichever way it goes. */
function allOutOfRange(facts: Facts): readonly Violation[] {
  const { events, allocations, decisions } = facts.trace;
  const firstChoice = decisions.find(({ isLoop, otherExits }) => !isLoop && !otherExits)?.at ?? Infinity;
  const sizeOf = ({ allocation }: DevicePointer): number | null => {
    const record = allocations[allocation];
    return record?.bytes?.kind === 'number' && record.origin !== 'external' ? record.bytes.value : null;
  };
  return events.flatMap((event): Violation[] => {
    if (!givesWork(event) || !event.operation) return [];
    const { operation } = event;
    const { bytes } = operation;
    const isChosen = event.index >= firstChoice;
    if (operation.kind === 'kernel' && !operation.opaque)
      return beyondByKernel(facts, event.index, operation, sizeOf, isChosen);
    if (!isCopy(operation)) return [];
    const beyond = beyondRows(facts, event.index, operation, isChosen);
    if (beyond.length > 0) return beyond;
    const inDevice =
      bytes && bytes.kind !== 'number'
        ? beyondByName(facts, event.index, operation, bytes, isChosen)
        : beyondByNumber(facts, event.index, operation, sizeOf, isChosen);
    // How many elements a container has may hang on the rounds of a loop.
    const isOfLoop = event.index >= (decisions.find(({ otherExits }) => !otherExits)?.at ?? Infinity);
    return inDevice.length > 0 ? inDevice : beyondHost(facts, event.index, operation, isOfLoop);
  });
}

/** Calls that say what is to be done, in a stream, by a node, or by the node of an executable from now on. */
function givesWork(
  event: TraceEvent,
): event is EventOf<'stream.operation' | 'node.add' | 'node.update' | 'exec.updateNode'> {
  const { verb } = event;
  return verb === 'stream.operation' || verb === 'node.add' || verb === 'node.update' || verb === 'exec.updateNode';
}

/** A copy that is longer than what was allocated. Rows lie as far apart as they are long, or further; of a batch each copy has its own length. */
function beyondByNumber(
  facts: Facts,
  event: number,
  { accesses, bytes }: Operation,
  sizeOf: (pointer: DevicePointer) => number | null,
  isChosen: boolean,
): Violation[] {
  const whole = bytes?.kind === 'number' ? bytes.value : undefined;
  const reach = ({ span, extent }: Access): number => span ?? whole ?? extent ?? 0;
  const beyond = accesses.find((access) => {
    const [size, start] = [sizeOf(access.pointer), startOfAccess(access)];
    return size !== null && access.extent !== undefined && start !== null && start + reach(access) > size;
  });
  if (!beyond) return [];
  const { allocation } = beyond.pointer;
  const what = isOfRows(beyond.span, whole) ? ', from the first row to the last,' : '';
  const message = `${reach(beyond)} bytes${fromByte(startOfAccess(beyond))}${what} are more than ${allocationName(facts, allocation)} has: it was allocated with ${sizeOf(beyond.pointer)} bytes.`;
  return [violation(facts, event, allocation, message, isChosen)];
}

function isOfRows(span: number | undefined, bytes: number | undefined): boolean {
  return span !== undefined && span !== bytes;
}

function fromByte(offset: number | null): string {
  return offset ? ` from byte ${offset} on` : '';
}

/** A copy that goes on behind the end of an array or a variable of the host. */
function beyondHost(facts: Facts, event: number, { beyondHost, bytes }: Operation, isChosen: boolean): Violation[] {
  if (!beyondHost) return [];
  const { name, has, from, reach } = beyondHost;
  const [whole, span] = [bytes, reach].map((size) => (size?.kind === 'number' ? size.value : undefined));
  const what = isOfRows(span, whole) ? ', from the first row to the last,' : '';
  const host = name === '' ? 'the memory of the host' : `\`${name}\` on the host`;
  return [
    {
      event,
      message: `${printSize(reach)} bytes${fromByte(from)}${what} are more than ${host} has: ${printSize(has)}.`,
      certainty: 'always',
      related: [],
      witness: [],
      repairs: [],
      subject: subjectOfCall(facts, event),
      ...(name === '' ? {} : { thing: name }),
      ...(isChosen ? { isMeantForAllPaths: true } : {}),
    },
  ];
}

/** Rows, or a box, that go on behind the last row, however far CUDA has put them apart. */
function beyondRows(facts: Facts, event: number, { accesses }: Operation, isChosen: boolean): Violation[] {
  for (const { pointer, end } of accesses) {
    const record = facts.trace.allocations[pointer.allocation];
    if (!end || !record?.bytes || record.origin === 'external' || !isSurelyMore(end, record.bytes)) continue;
    const message = `The rows go on behind the end of ${allocationName(facts, pointer.allocation)}, which was allocated with ${printSize(record.bytes)} bytes.`;
    return [violation(facts, event, pointer.allocation, message, isChosen)];
  }
  return [];
}

/** A copy of which nobody knows how long it is, but that it is more than what was allocated. */
function beyondByName(
  facts: Facts,
  event: number,
  { accesses }: Operation,
  bytes: Size,
  isChosen: boolean,
): Violation[] {
  const { allocations } = facts.trace;
  for (const { pointer, startsAt } of accesses) {
    const record = allocations[pointer.allocation];
    const start = startsAt === undefined ? placeOf(pointer) : null;
    if (!record?.bytes || record.origin === 'external' || !start) continue;
    if (!isSurelyMore({ kind: 'operation', operator: '+', left: start, right: bytes }, record.bytes)) continue;
    const from = start.kind === 'number' ? fromByte(start.value) : ` from byte ${printSize(start)} on`;
    const message = `${printSize(bytes)} bytes${from} are more than ${allocationName(facts, pointer.allocation)} has: it was allocated with ${printSize(record.bytes)} bytes.`;
    return [violation(facts, event, pointer.allocation, message, isChosen)];
  }
  return [];
}

/** Where an address leads, in bytes, also where a number says so that nobody knows. */
function placeOf({ offset, distance }: DevicePointer): Size | null {
  return offset === null ? (distance?.asSize() ?? null) : { kind: 'number', value: offset };
}

/** A kernel whose threads, as many as it is launched with, go on behind the end in any case. */
function beyondByKernel(
  facts: Facts,
  event: number,
  { accesses, label }: Operation,
  sizeOf: (pointer: DevicePointer) => number | null,
  isChosen: boolean,
): Violation[] {
  for (const { pointer, touched } of accesses) {
    const size = sizeOf(pointer);
    // An address behind the end is no mistake where no thread touches it for sure.
    if (size === null || pointer.offset === null || !touched?.length) continue;
    const end = pointer.offset + Math.max(...touched.map(({ to }) => to));
    if (end <= size) continue;
    const { allocation } = pointer;
    const message = `\`${label}\` reaches byte ${end} of ${allocationName(facts, allocation)} with this many threads: it was allocated with ${size} bytes.`;
    return [violation(facts, event, allocation, message, isChosen)];
  }
  return [];
}

function violation(facts: Facts, event: number, allocation: number, message: string, isChosen: boolean): Violation {
  const born = facts.execution.allocations[allocation]?.event ?? null;
  return {
    event,
    message,
    certainty: 'always',
    related: born === null ? [] : [{ role: 'alloc', event: born, message: 'allocated here' }],
    witness: born === null ? [] : [{ event: born, message: 'allocated here' }],
    repairs: [],
    subject: subjectOfAllocation(facts, allocation),
    ...thingOf(facts, allocation),
    ...(isChosen ? { isMeantForAllPaths: true } : {}),
  };
}

function isCopy({ kind, opaque }: Operation): boolean {
  return (kind === 'memcpy' || kind === 'memset') && !opaque;
}
