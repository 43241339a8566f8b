/** The host beside the device, as violations. */

import { Attached } from '../base/attached.ts';
import { findHostRaces, type HostRace } from '../memory/host-races.ts';
import { accessVerb, actorName, allocationName, streamName, subjectOfCall, thingOf } from './describe.ts';
import { eventOf, type Facts } from './facts.ts';
import type { Violation } from './rule.ts';
import { apiThatWaits, whoWaits } from './waits-in-fact.ts';

const races = new Attached<Facts, readonly HostRace[]>();

/** Two rules ask for them. */
function racesOf(facts: Facts): readonly HostRace[] {
  const known = races.get(facts) ?? findHostRaces(facts.execution, facts.order, facts.lifetimes);
  races.set(facts, known);
  return known;
}

export function hostRaceViolations(facts: Facts, kinds: readonly HostRace['kind'][]): Violation[] {
  return racesOf(facts)
    .filter((race) => kinds.includes(race.kind))
    .map((race): Violation => {
      const { memory, access, mode } = race;
      const operation = facts.execution.operations[race.operation]!;
      const name =
        typeof memory === 'number' ? allocationName(facts, memory) : memory ? `\`${memory}\`` : 'memory of its own';
      const actor = actorName(facts, race.event, race.node);
      const stream = streamName(facts, operation.stream);
      const waits = apiThatWaits(facts, operation.event, access);
      return {
        event: access,
        // An MPI may wait for the device by itself, though none promises it.
        ...(waits || race.kind === 'device' ? { severity: 'warning' } : {}),
        message: `${race.kind === 'device' ? eventOf(facts, access).api : 'The host'} ${race.isWrite ? 'writes' : 'reads'} ${name} while ${actor} in ${stream} ${accessVerb(mode)} it: ${whoWaits(waits, 'that work', 'in between')}`,
        certainty: facts.trace.handles[operation.stream]?.external ? 'sometimes' : 'always',
        related: [{ role: 'use', event: operation.event, message: `${actor} ${accessVerb(mode)} it here` }],
        witness: [
          { event: operation.event, message: `nothing waits for ${actor}` },
          { event: access, message: 'before the host goes on here' },
        ],
        repairs: [{ kind: 'synchroniseBefore', event: access, stream: operation.event }],
        subject: subjectOfCall(facts, access),
        ...(typeof memory === 'string' ? { thing: memory } : thingOf(facts, memory)),
      };
    });
}
