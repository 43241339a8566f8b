/** Variables of the host that work still needs when their scope has ended. */

import type { GraphNode, StreamOperation } from '../execution/execution.ts';
import type { HostMemory, Operation } from '../trace/event.ts';
import { actorName, subjectOfCall } from './describe.ts';
import type { Facts } from './facts.ts';
import type { Violation } from './rule.ts';
import { apiThatWaits, whoWaits } from './waits-in-fact.ts';

/** A variable that work was given the address of, and where its scope ends. */
interface Ended {
  readonly event: number;
  readonly name: string;
  readonly isFreed: boolean;
  readonly hasMoved?: true;
  readonly mayHaveWaited: boolean;
}

function endedIn(facts: Facts): ReadonlyMap<number, Ended> {
  return new Map(
    facts.trace.events.flatMap((event): [number, Ended][] =>
      event.verb === 'host.objectEnds' ? [[event.object, { ...event, event: event.index }]] : [],
    ),
  );
}

function endsHere({ name, isFreed, hasMoved }: Ended): string {
  if (hasMoved) return `\`${name}\` gets other room here: what was in it moves`;
  return isFreed ? `\`${name}\` is freed here` : `the scope of \`${name}\` ends here`;
}

/** Nodes that a launch runs after what they were given the address of has gone: by its end, or by what the node did before. */
export function bakedHostViolations(facts: Facts): Violation[] {
  return [...endedBeforeLaunch(facts), ...freedByLaunch(facts)];
}

/** Functions that free what they are called with, in a graph that is launched again. */
function freedByLaunch(facts: Facts): Violation[] {
  const first = new Map<Operation, StreamOperation>();
  const seen = new Set<number>();
  return facts.execution.operations.flatMap((launch) =>
    facts.order.nodesOf(launch.index).flatMap(({ node }): Violation[] => {
      const { operation, event } = node;
      if (!operation.freesHost || seen.has(event)) return [];
      const before = first.get(operation);
      first.set(operation, before ?? launch);
      if (!before || before.event === launch.event) return [];
      seen.add(event);
      const name = operation.hostMemory?.find((each) => each.name !== '' && each.name !== 'object')?.name;
      const thing = name === undefined ? 'what it is called with' : `\`${name}\``;
      return [
        {
          event,
          message: `${actorName(facts, event, node)} frees ${thing}, which is gone when the graph is launched again.`,
          certainty: 'always',
          related: [
            { role: 'end', event: before.event, message: 'the launch here frees it' },
            { role: 'launch', event: launch.event, message: 'the graph is launched again here' },
          ],
          witness: [
            { event: before.event, message: `the first launch calls the function, which frees ${thing}` },
            { event: launch.event, message: 'the next launch calls it with the same address' },
          ],
          repairs: [],
          subject: subjectOfCall(facts, event),
          thing: name ?? '',
        },
      ];
    }),
  );
}

function endedBeforeLaunch(facts: Facts): Violation[] {
  const ended = endedIn(facts);
  if (ended.size === 0) return [];
  const seen = new Set<number>();
  return facts.execution.operations.flatMap((operation) =>
    facts.order.nodesOf(operation.index).flatMap(({ node }): Violation[] => {
      const gone = endOf(ended, node.operation, operation.event);
      if (!gone || seen.has(node.event)) return [];
      seen.add(node.event);
      return [
        {
          event: node.event,
          message: `${actorName(facts, node.event, node)} keeps the address of \`${gone.name}\`, ${gone.hasMoved ? 'whose elements lie elsewhere' : 'which is gone'} when the graph is launched.`,
          certainty: 'always',
          related: [
            { role: 'end', event: gone.event, message: endsHere(gone) },
            { role: 'launch', event: operation.event, message: 'the graph is launched here' },
          ],
          witness: [
            { event: gone.event, message: `\`${gone.name}\` ${gone.hasMoved ? 'moves' : 'ends'}` },
            { event: operation.event, message: 'then the graph is launched' },
          ],
          repairs: [],
          subject: subjectOfCall(facts, node.event),
          thing: gone.name,
        },
      ];
    }),
  );
}

/** Callbacks in a stream, and nodes of a launch, that may run when the variable they were given the address of has gone. */
export function inFlightHostViolations(facts: Facts): Violation[] {
  const ended = endedIn(facts);
  if (ended.size === 0) return [];
  const seen = new Set<Ended>();
  return facts.execution.operations.flatMap((operation): Violation[] =>
    hostWorkOf(facts, operation).flatMap(({ work, node, point }): Violation[] => {
      const gone = endOf(ended, work, null);
      const end = gone ? facts.order.hostPoint(gone.event) : undefined;
      if (!gone || end === undefined || gone.mayHaveWaited || gone.event < operation.event || seen.has(gone)) return [];
      // Where nothing more is asked of CUDA the program is as good as over.
      if (gone.event === facts.trace.events.length - 1) return [];
      if (facts.order.before(point, end)) return [];
      // One launch in a loop stands for all.
      if (node) seen.add(gone);
      const name = actorName(facts, node?.event ?? operation.event, node);
      const user = work.kind === 'host' && !node ? `${name} is called` : `${name} works`;
      const waits = apiThatWaits(facts, operation.event, gone.event);
      const until = gone.hasMoved ? 'its elements move' : gone.isFreed ? 'that is freed' : 'the scope ends';
      const given = node
        ? `${name} of this launch works with the address of \`${gone.name}\``
        : `${user} with the address of \`${gone.name}\``;
      return [
        {
          event: operation.event,
          ...(waits ? { severity: 'warning' } : {}),
          message: `${given}, which may be gone by then: ${whoWaits(waits, 'it', `before ${until}`)}`,
          certainty: 'always',
          related: [
            ...(node ? [{ role: 'node', event: node.event, message: `${name} is given the address here` }] : []),
            { role: 'end', event: gone.event, message: endsHere(gone) },
          ],
          witness: [
            { event: operation.event, message: `nothing waits for ${node ? name : 'the callback'}` },
            { event: gone.event, message: `before \`${gone.name}\` ends` },
          ],
          repairs: [],
          subject: subjectOfCall(facts, operation.event),
          thing: gone.name,
        },
      ];
    }),
  );
}

interface HostWork {
  readonly work: Operation;
  readonly node: GraphNode | null;
  readonly point: number;
}

/** What an operation does with memory of the host while the host goes on. */
function hostWorkOf({ order }: Facts, { index, operation, blocking }: StreamOperation): readonly HostWork[] {
  if (operation) {
    const point = order.pointOf(index);
    if (operation.kind === 'host') return [{ work: operation, node: null, point }];
    const pinned =
      blocking || (operation.kind !== 'memcpy' && operation.kind !== 'kernel')
        ? []
        : (operation.hostMemory ?? []).filter(isRegistered);
    return pinned.length === 0 ? [] : [{ work: { ...operation, hostMemory: pinned }, node: null, point }];
  }
  return order.nodesOf(index).flatMap(({ node, point }): HostWork[] => {
    const { kind } = node.operation;
    return kind === 'host' || kind === 'memcpy' || (kind === 'kernel' && node.operation.hostMemory)
      ? [{ work: node.operation, node, point }]
      : [];
  });
}

function isRegistered({ isPinned }: HostMemory): boolean {
  return isPinned === true;
}

/** The end of a variable that the work needs, before a call or at all. */
function endOf(ended: ReadonlyMap<number, Ended>, { hostMemory }: Operation, before: number | null): Ended | null {
  for (const { object } of hostMemory ?? []) {
    const end = ended.get(object);
    if (end && (before === null || end.event < before)) return end;
  }
  return null;
}
