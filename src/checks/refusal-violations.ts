/** Calls that CUDA refuses, as violations. */

import type { CallOutcome, Refusal } from '../execution/execution.ts';
import { allocationName, subjectOfCall, thingOf } from './describe.ts';
import { eventOf, type Facts } from './facts.ts';
import type { Repair } from './repair.ts';
import { resultName } from './result-names.ts';
import type { Violation } from './rule.ts';

const roleWords: Readonly<Record<string, string>> = {
  alloc: 'allocated here',
  free: 'first freed here',
  freeNode: 'the free node',
  begin: 'the capture begins here',
  inst: 'instantiated here',
  launch: 'launched here',
  unjoined: 'this work is never joined',
  dependency: 'the node was added here',
  node: 'the node is added here',
  moved: 'moved into its parent here',
  record: 'recorded here',
  reset: 'the device is reset here',
  destroy: 'destroyed here',
  pool: 'the pool is made here',
  conditional: 'the conditional node is added here',
};

export interface RefusalWords {
  readonly api: string;
  readonly allocation: string;
  readonly result: string;
}

/** Violations for calls refused for one of the reasons, when `accept` agrees. */
export function refusalViolations(
  facts: Facts,
  refusals: readonly Refusal[],
  message: (words: RefusalWords, outcome: CallOutcome) => string,
  repairs: (outcome: CallOutcome) => readonly Repair[] = () => [],
  accept: (outcome: CallOutcome) => boolean = () => true,
): Violation[] {
  return facts.refused
    .filter((outcome) => outcome.refusal !== null && refusals.includes(outcome.refusal) && accept(outcome))
    .map((outcome): Violation => {
      const event = eventOf(facts, outcome.event);
      const words: RefusalWords = {
        api: event.api,
        allocation: allocationName(facts, outcome.allocation),
        result: resultName(event.api, outcome.result),
      };
      return {
        event: outcome.event,
        message: message(words, outcome),
        certainty: isChosenEdge(facts, outcome) ? 'sometimes' : 'always',
        related: outcome.related.map((each) => ({ ...each, message: roleWords[each.role] ?? each.role })),
        witness: outcome.related.map((each) => ({ event: each.event, message: roleWords[each.role] ?? each.role })),
        repairs: repairs(outcome),
        subject: subjectOfCall(facts, outcome.event),
        ...thingOf(facts, outcome.allocation),
      };
    });
}

const edges: ReadonlySet<Refusal | null> = new Set<Refusal | null>(['selfDependency', 'duplicateDependency']);

/** `if (has[i][j]) connect(i, j);` in a loop: of edges that are added one by one, each by a choice of its own, some may be left out. */
function isChosenEdge({ trace }: Facts, { event, refusal }: CallOutcome): boolean {
  const { events, decisions } = trace;
  if (!edges.has(refusal) || !decisions.some(({ at, taken, isLoop }) => at === event && taken && !isLoop)) return false;
  return events.some(({ index, span }) => index !== event && span === events[event]!.span);
}

/** Whether the text tells which stream and which event the refused call is about: one that is guessed may be any other. */
export function isIdentified(facts: Facts, outcome: CallOutcome): boolean {
  const event = eventOf(facts, outcome.event);
  const handles =
    event.verb === 'stream.wait'
      ? [event.stream, event.event]
      : event.verb === 'capture.begin' || event.verb === 'capture.end'
        ? [event.stream]
        : event.verb === 'stream.destroy'
          ? [event.stream]
          : event.verb === 'host.synchronise'
            ? [event.handle]
            : event.verb === 'handle.asked'
              ? event.handles
              : [];
  return handles.every((handle) => {
    const record = handle === null ? undefined : facts.trace.handles[handle];
    return record?.isGuess !== true && record?.external !== true;
  });
}

/** What a graph has that makes it one of a kind: what the refusal names. */
export function singularNodes(outcome: CallOutcome): string {
  return relatedEvent(outcome, 'conditional') === null ? 'memory nodes' : 'conditional nodes';
}

/** The event with that role, or null. */
export function relatedEvent(outcome: CallOutcome, role: string): number | null {
  return outcome.related.find((each) => each.role === role)?.event ?? null;
}
