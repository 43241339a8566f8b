/** Everything known about one path, ready to be queried by rules. */

import { once } from '../base/once.ts';
import { executeTrace } from '../execution/execute-trace.ts';
import type { CallOutcome, Execution } from '../execution/execution.ts';
import { findGraphHazards, type GraphHazard } from '../memory/graph-hazards.ts';
import { findHazards, type Hazard } from '../memory/hazards.ts';
import { findLifetimes, type Lifetimes } from '../memory/lifetimes.ts';
import { type Order, orderExecution } from '../order/order.ts';
import { type Simulation, simulate } from '../simulation/simulate.ts';
import type { Effect, EventOf, Trace, TraceEvent } from '../trace/event.ts';

export interface Facts {
  readonly trace: Trace;
  readonly execution: Execution;
  readonly order: Order;
  readonly lifetimes: Lifetimes;
  readonly graphHazards: readonly GraphHazard[];
  readonly hazards: readonly Hazard[];
  /** Calls that CUDA refuses. */
  readonly refused: readonly CallOutcome[];
  /** The calls on the simulated driver, replayed when first asked for; sizes that are not known are assumed. */
  readonly simulation: () => Simulation;
  /** The events by their verbs, sorted when first asked for: most rules are about few of them. */
  readonly byVerb: () => ReadonlyMap<Effect['verb'], readonly TraceEvent[]>;
}

/** Executes, orders and judges a trace. `check` is called between the phases, and may throw to end it. */
export function buildFacts(trace: Trace, check: () => void = () => undefined): Facts {
  const execution = executeTrace(trace, check);
  check();
  const order = orderExecution(execution, check);
  check();
  const lifetimes = findLifetimes(execution, order, check);
  check();
  return {
    trace,
    execution,
    order,
    lifetimes,
    graphHazards: findGraphHazards(execution, check),
    hazards: findHazards(execution, order, lifetimes),
    refused: execution.calls.filter((outcome) => outcome.refusal !== null),
    simulation: once(() => simulate(execution)),
    byVerb: once(() => sortedByVerb(trace)),
  };
}

function sortedByVerb({ events }: Trace): ReadonlyMap<Effect['verb'], readonly TraceEvent[]> {
  const sorted = new Map<Effect['verb'], TraceEvent[]>();
  for (const event of events) {
    const known = sorted.get(event.verb);
    if (known) known.push(event);
    else sorted.set(event.verb, [event]);
  }
  return sorted;
}

/** The events of one verb, in order. */
export function eventsOf<V extends Effect['verb']>(facts: Facts, verb: V): readonly EventOf<V>[] {
  return (facts.byVerb().get(verb) ?? none).filter((event): event is EventOf<V> => event.verb === verb);
}

const none: readonly never[] = [];

export function eventOf(facts: Facts, index: number): TraceEvent {
  return facts.trace.events[index]!;
}
