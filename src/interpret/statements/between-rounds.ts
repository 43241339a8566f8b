/** Threads that wait in what a loop does between two rounds: `for (…; goesOn; meet.arrive_and_wait())`. */

import type { Expression } from '../../program/program.ts';
import type { Scope } from '../scope.ts';
import { ParkSignal, type Resume } from '../threads.ts';
import type { World } from '../world.ts';
import { evaluateFully } from './temporaries.ts';

const between = new WeakSet<ParkSignal>();

/**
 * What stands behind the second semicolon. Where it does something with what is waited for, `x = queue.pop()`, it begins again, unless it
 * has asked something of CUDA by then.
 */
export function evaluateBetween(world: World, outer: Scope, update: Expression): void {
  const before = world.events.length;
  try {
    evaluateFully(world, outer, update);
  } catch (signal) {
    if (signal instanceof ParkSignal) {
      between.add(signal);
      if (signal.isResultAsked && update.kind !== 'call' && world.events.length === before) {
        signal.scopes.length = 0;
        signal.resume = () => {
          evaluateBetween(world, outer, update);
          return undefined;
        };
      }
    }
    throw signal;
  }
}

/** Whether a thread waits there, rather than in a round; asked once. */
export function waitsBetween(signal: ParkSignal): boolean {
  return between.delete(signal);
}

/** The next round begins, `goOn`, when what is waited for there has come. */
export function parkBetween(signal: ParkSignal, outer: Scope, goOn: Resume): void {
  const wait = signal.resume;
  signal.isResultAsked = false;
  signal.scopes.push(outer);
  signal.resume = () => {
    try {
      wait();
    } catch (again) {
      if (again instanceof ParkSignal) {
        between.delete(again);
        parkBetween(again, outer, goOn);
      }
      throw again;
    }
    return goOn();
  };
}
