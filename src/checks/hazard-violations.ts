/** Hazards as violations: one for each pair of user and allocation, with related places, proof and repairs. */

import type { Certainty } from '../base/finding.ts';
import type { GraphHazard, GraphHazardKind } from '../memory/graph-hazards.ts';
import type { Hazard, HazardKind } from '../memory/hazards.ts';
import {
  accessVerb,
  actorName,
  allocationName,
  streamName,
  streamNames,
  subjectOfAllocation,
  thingOf,
  witnessSteps,
} from './describe.ts';
import { eventOf, type Facts } from './facts.ts';
import { mayBeOneStream, mayHaveBeenJoined, mayHaveBeenWaitedFor } from './guessed-streams.ts';
import type { Repair } from './repair.ts';
import type { Step, Violation } from './rule.ts';
import { racesBehindFrees } from './stream-races.ts';

type Related = Violation['related'][number];

/** Violations for hazards of one kind inside graphs. */
export function graphViolations(
  facts: Facts,
  kind: GraphHazardKind,
  message: (words: { user: string; verb: string; allocation: string }) => string,
): Violation[] {
  return facts.graphHazards
    .filter((hazard) => hazard.kind === kind)
    .map((hazard) => graphViolation(facts, hazard, message));
}

function graphViolation(
  facts: Facts,
  hazard: GraphHazard,
  message: (words: { user: string; verb: string; allocation: string }) => string,
): Violation {
  const allocation = allocationName(facts, hazard.allocation);
  const related: Related[] = [{ role: 'alloc', event: hazard.alloc.event, message: `${allocation} is allocated here` }];
  if (hazard.free && hazard.free !== hazard.user)
    related.push({ role: 'free', event: hazard.free.event, message: `${allocation} is freed here` });
  addLaunch(facts, hazard.graph.index, related);
  return {
    event: hazard.user.event,
    message: message({
      user: actorName(facts, hazard.user.event, hazard.user),
      verb: accessVerb(hazard.mode),
      allocation,
    }),
    certainty: hazard.isOpaque ? 'sometimes' : 'always',
    related,
    witness: graphWitness(facts, hazard),
    repairs: graphRepairs(hazard),
    subject: subjectOfAllocation(facts, hazard.allocation),
    ...thingOf(facts, hazard.allocation),
  };
}

function addLaunch(facts: Facts, graph: number, related: Related[]): void {
  const executable = facts.execution.executables.find((each) => each.graph === graph && each.launches.length > 0);
  const launch = executable?.launches[0];
  if (launch !== undefined)
    related.push({
      role: 'launch',
      event: facts.execution.operations[launch]!.event,
      message: 'the graph is launched here',
    });
}

/** The path that proves the order, or the two ends between which there is none. */
function graphWitness(facts: Facts, hazard: GraphHazard): Step[] {
  const { order, graph, alloc, free, user } = hazard;
  const steps = (ids: readonly number[]): Step[] =>
    ids.map((id) => ({
      event: graph.nodes[id]!.event,
      message: actorName(facts, graph.nodes[id]!.event, graph.nodes[id]!),
    }));
  const none = (from: number, to: number): Step[] => [
    {
      event: graph.nodes[from]!.event,
      message: `no path leads from ${actorName(facts, graph.nodes[from]!.event, graph.nodes[from]!)}`,
    },
    { event: graph.nodes[to]!.event, message: `to ${actorName(facts, graph.nodes[to]!.event, graph.nodes[to]!)}` },
  ];
  switch (hazard.kind) {
    case 'useAfterFree':
      return steps(order.path(free!.id, user.id));
    case 'useBeforeAlloc':
    case 'freeBeforeAlloc':
      return none(alloc.id, user.id);
    case 'useFreeRace':
      return none(user.id, free!.id);
  }
}

function graphRepairs(hazard: GraphHazard): Repair[] {
  switch (hazard.kind) {
    case 'useFreeRace': {
      const user = hazard.user;
      const free = hazard.free!;
      const repairs: Repair[] =
        user.stream === null ? [{ kind: 'addDependency', from: user.event, to: free.event }] : [];
      if (user.stream !== null && free.stream !== null && user.stream !== free.stream)
        repairs.push({ kind: 'recordAndWait', after: user.event, before: free.event });
      return [...repairs, { kind: 'moveBehind', event: free.event, behind: user.event }];
    }
    case 'useBeforeAlloc':
    case 'freeBeforeAlloc':
      return hazard.user.stream === null
        ? afterAllocation(hazard)
        : [{ kind: 'recordAndWait', after: hazard.alloc.event, before: hazard.user.event }];
    case 'useAfterFree':
      return [{ kind: 'moveBehind', event: hazard.free!.event, behind: hazard.user.event }];
  }
}

/** Behind the allocation; and, when the free would then race it, in front of the free as well. */
function afterAllocation(hazard: GraphHazard): Repair[] {
  const behind: Repair = { kind: 'addDependency', from: hazard.alloc.event, to: hazard.user.event };
  const { free, user, order } = hazard;
  if (!free || free === user || order.before(user.id, free.id)) return [behind];
  return [behind, { kind: 'together', repairs: [behind, { kind: 'addDependency', from: user.event, to: free.event }] }];
}

export type HazardOrigin = 'graph' | 'stream' | 'device';

/** Violations for hazards across graphs and streams, of allocations of one origin. */
export function hazardViolations(
  facts: Facts,
  kind: HazardKind,
  origins: readonly HazardOrigin[],
  message: (words: HazardWords) => string,
): Violation[] {
  const seen = new Set<string>();
  return facts.hazards
    .filter((hazard) => hazard.kind === kind && origins.includes(originOf(hazard)))
    .filter((hazard) => !isPerhapsOrdered(facts, hazard) && !racesBehindFrees(facts).has(hazard))
    .map((hazard) => hazardViolation(facts, hazard, message))
    .filter((violation) => {
      const key = `${violation.event} ${violation.subject}`;
      if (seen.has(key)) return false;
      seen.add(key);
      return true;
    });
}

/** What nothing orders lies in two streams which are perhaps one, or the first of them may have been waited for. */
function isPerhapsOrdered(facts: Facts, hazard: Hazard): boolean {
  const [one, two] = unorderedEnds(hazard);
  if (!one || !two || one.event === null) return false;
  const [first, second] = one.event < two.event! ? [one, two] : [two, one];
  const streamOfEnd = ({ operation }: End): number | undefined => facts.execution.operations[operation ?? -1]?.stream;
  const [stream, other] = [streamOfEnd(first), streamOfEnd(second)];
  if (stream === undefined) return false;
  if (mayHaveBeenWaitedFor(facts, stream, first.event!, second.event!)) return true;
  if (other === undefined || stream === other) return false;
  return (
    mayBeOneStream(facts, [stream, other]) || mayHaveBeenJoined(facts, [stream, other], first.event!, second.event!)
  );
}

interface End {
  readonly event: number | null;
  readonly operation: number | null;
}

/** What is not ordered: an allocation, a use or a free. */
function unorderedEnds({ kind, use, death, instance }: Hazard): readonly (End | null)[] {
  const birth = instance && { event: instance.birthEvent, operation: instance.birthOperation };
  switch (kind) {
    case 'useBeforeAlloc':
      return [birth, use];
    case 'useFreeRace':
    case 'hostFreeRace':
      return [use, death];
    case 'freeBeforeAlloc':
      return [birth, death];
    default:
      return [];
  }
}

function originOf(hazard: Hazard): HazardOrigin {
  if (hazard.allocation.kind === 'graph') return 'graph';
  return hazard.allocation.kind === 'stream' ? 'stream' : 'device';
}

export interface HazardWords {
  readonly user: string;
  readonly verb: string;
  readonly allocation: string;
  readonly stream: string;
  readonly deathStream: string;
  readonly birthStream: string;
  readonly death: string;
}

function hazardViolation(facts: Facts, hazard: Hazard, message: (words: HazardWords) => string): Violation {
  const { allocation, use, death, instance } = hazard;
  const name = allocationName(facts, allocation.id);
  const event = use?.event ?? death!.event;
  const primary = reportEvent(facts, hazard, event);
  const related: Related[] = [];
  if (allocation.event !== null)
    related.push({ role: 'alloc', event: allocation.event, message: `${name} is allocated here` });
  if (death && death.event !== primary)
    related.push({ role: 'free', event: death.event, message: `${name} is freed here` });
  if (instance?.birthOperation !== null && instance !== null && allocation.kind === 'graph')
    related.push({
      role: 'launch',
      event: facts.execution.operations[instance.birthOperation]!.event,
      message: 'this launch allocates it',
    });
  if (use?.node && use.operation >= 0)
    related.push({
      role: 'launch',
      event: facts.execution.operations[use.operation]!.event,
      message: 'this launch uses it',
    });
  if (death?.node && death.operation >= 0)
    related.push({
      role: 'launch',
      event: facts.execution.operations[death.operation]!.event,
      message: 'this launch frees it',
    });
  const mode = use?.mode ?? 'unknown';
  return {
    event: primary,
    message: message({
      user: use ? actorName(facts, use.event, use.node) : 'the free',
      verb: accessVerb(mode),
      allocation: name,
      ...streamsOf(facts, hazard),
      death: death ? deathWords(facts, death) : 'the free',
    }),
    certainty: certaintyOf(facts, hazard),
    related,
    witness: hazardWitness(facts, hazard),
    repairs: hazardRepairs(facts, hazard),
    subject: subjectOfAllocation(facts, allocation.id),
    ...thingOf(facts, allocation.id),
  };
}

function deathWords(facts: Facts, { kind, event }: NonNullable<Hazard['death']>): string {
  switch (kind) {
    case 'freeNode':
      return 'the free node';
    case 'freeAsync':
    case 'hostFree':
      return `\`${eventOf(facts, event).api}\``;
    case 'autoFree':
      return 'the automatic free of the next launch';
  }
}

/** The report stands where the user would change something: the use, or a free that comes at the wrong time. */
function reportEvent(facts: Facts, hazard: Hazard, event: number): number {
  if (hazard.kind === 'hostFreeRace' || hazard.kind === 'freeBeforeAlloc') {
    const death = hazard.death!;
    return death.node && death.operation >= 0 ? facts.execution.operations[death.operation]!.event : death.event;
  }
  return event;
}

/** Streams we did not see being made may be one and the same, or blocking: what hangs on that is uncertain. */
function certaintyOf(facts: Facts, hazard: Hazard): Certainty {
  if (hazard.use?.isOpaque) return 'sometimes';
  if (hazard.kind === 'useAfterFree' || hazard.kind === 'neverLive' || hazard.kind === 'useOfInternal') return 'always';
  const operations = [hazard.use?.operation, hazard.death?.operation, hazard.instance?.birthOperation].filter(
    (each): each is number => typeof each === 'number' && each >= 0,
  );
  const unseen = operations.some(
    (operation) => facts.trace.handles[facts.execution.operations[operation]!.stream]?.external,
  );
  return unseen ? 'sometimes' : 'always';
}

/** The streams of the use, or else of the free; of the free; and of the allocation. Those two that a message of the kind names are told apart. */
function streamsOf(
  facts: Facts,
  { kind, use, death, instance }: Hazard,
): Pick<HazardWords, 'stream' | 'deathStream' | 'birthStream'> {
  const streamOf = (operation: number | null | undefined): number | null =>
    typeof operation === 'number' && operation >= 0 ? facts.execution.operations[operation]!.stream : null;
  const stream = streamOf((use ?? death)?.operation);
  const deathStream = streamOf(death?.operation);
  const birthStream = streamOf(instance?.birthOperation);
  const other = kind === 'useBeforeAlloc' || kind === 'freeBeforeAlloc' ? birthStream : deathStream;
  const together = [stream, other].filter((each) => each !== null);
  const names = streamNames(facts, together);
  const nameOf = (each: number | null): string =>
    each === null ? 'the host' : (names[together.indexOf(each)] ?? streamName(facts, each));
  return { stream: nameOf(stream), deathStream: nameOf(deathStream), birthStream: nameOf(birthStream) };
}

function hazardWitness(facts: Facts, hazard: Hazard): Step[] {
  const { use, death, instance } = hazard;
  if (hazard.kind === 'useAfterFree' && use && death) return witnessSteps(facts, death.point, use.point);
  const none = (from: number, to: number): Step[] => [
    { event: from, message: `nothing orders ${actorName(facts, from)}` },
    { event: to, message: `before ${actorName(facts, to)}` },
  ];
  if ((hazard.kind === 'useFreeRace' || hazard.kind === 'hostFreeRace') && use && death)
    return none(use.event, death.event);
  const later = use?.event ?? death?.event;
  if (instance?.birthEvent !== null && instance && later !== undefined) return none(instance.birthEvent, later);
  return [];
}

function hazardRepairs(facts: Facts, hazard: Hazard): Repair[] {
  const { use, death, instance } = hazard;
  const call = (place: { event: number; operation: number }): number =>
    place.operation >= 0 ? facts.execution.operations[place.operation]!.event : place.event;
  const birth =
    instance?.birthOperation === null || instance === null
      ? null
      : facts.execution.operations[instance.birthOperation]!.event;
  switch (hazard.kind) {
    case 'useAfterFree':
      return use && death && death.kind !== 'autoFree'
        ? [{ kind: 'moveBehind', event: call(death), behind: call(use) }]
        : [];
    case 'useBeforeAlloc':
      return use && birth !== null ? [{ kind: 'recordAndWait', after: birth, before: call(use) }] : [];
    case 'useFreeRace':
      // User and free node in one consuming graph: its own edge is missing.
      if (use?.node && death?.node && use.operation === death.operation)
        return [{ kind: 'addDependency', from: use.event, to: death.event }];
      return use && death ? [{ kind: 'recordAndWait', after: call(use), before: call(death) }] : [];
    case 'freeBeforeAlloc':
      return death && birth !== null ? [{ kind: 'recordAndWait', after: birth, before: call(death) }] : [];
    case 'hostFreeRace': {
      if (!death) return [];
      const operation = use?.operation ?? instance?.birthOperation ?? -1;
      if (operation < 0) return [];
      const source = facts.execution.operations[operation]!.event;
      return [
        { kind: 'freeAsyncInstead', event: death.event, streamOf: source },
        { kind: 'synchroniseBefore', event: death.event, stream: source },
      ];
    }
    case 'neverLive':
      return [];
    default:
      return [];
  }
}
