/**
 * Runs a piece of the engine so that it can be stopped and cannot do harm. The engine is synchronous and polls
 * `isCancelled`; what that means depends on what is being done at the moment, an analysis or a picture made of it later.
 */

import { isTooDeep, tooDeep } from '../base/too-deep.ts';

export type Attempt<T> =
  | { readonly kind: 'done'; readonly value: T }
  /** `isUnwanted` became true. */
  | { readonly kind: 'cancelled' }
  /** It threw, or it took too long. */
  | { readonly kind: 'failed'; readonly reason: string };

export interface Attempts {
  /** Give this to the engine; false while nothing is being attempted. */
  readonly isCancelled: () => boolean;
  readonly attempt: <T>(action: () => T, isUnwanted?: () => boolean) => Attempt<T>;
}

/** `limit` is the number of milliseconds after which an attempt is given up. */
export function createAttempts(limit: number): Attempts {
  let current: { readonly isUnwanted: () => boolean; readonly deadline: number } | undefined;
  let stopped: 'cancelled' | 'late' | undefined;

  const isCancelled = () => {
    if (current === undefined) return false;
    if (current.isUnwanted()) stopped = 'cancelled';
    else if (performance.now() > current.deadline) stopped = 'late';
    return stopped !== undefined;
  };

  const attempt = <T>(action: () => T, isUnwanted: () => boolean = () => false): Attempt<T> => {
    current = { isUnwanted, deadline: performance.now() + limit };
    stopped = undefined;
    try {
      return { kind: 'done', value: action() };
    } catch (error) {
      if (stopped === 'cancelled') return { kind: 'cancelled' };
      return { kind: 'failed', reason: stopped === 'late' ? `it took longer than ${limit / 1000} s` : reasonOf(error) };
    } finally {
      current = undefined;
    }
  };

  return { isCancelled, attempt };
}

/** The first line of what an error says. */
export function reasonOf(error: unknown): string {
  if (isTooDeep(error)) return tooDeep;
  const text = error instanceof Error ? error.message || error.name : String(error);
  return text.split('\n', 1)[0] ?? '';
}
