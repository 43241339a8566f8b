/**
 * All schedules of a small program, by trying: at every moment the host may make its next call, unless it is blocked, and
 * every stream may run what stands at the head of its queue.
 *
 * Moments that differ only in how they were reached are visited once, so that the pairs seen are those of every schedule.
 */

import type { Calls, Entry, Task } from './calls.ts';
import type { StreamKind } from './host-program.ts';

export interface Schedules {
  /** In some schedule the first runs before the second. */
  mayPrecede(first: Task, second: Task): boolean;
  readonly moments: number;
}

export function allSchedules({ tasks, calls }: Calls, streams: readonly StreamKind[]): Schedules {
  if (tasks.length > 30) throw new Error('too many tasks for one number of bits');
  const queued = calls.map((call) => call.entry);
  const seen = new Set<number>();
  const before = tasks.map(() => new Array<boolean>(tasks.length).fill(false));

  const isDone = (done: number, all: readonly number[]): boolean => all.every((task) => (done >> task) & 1);
  /** Whether what was put into the queues earlier lets the entry begin. */
  const isAtHead = (position: number, entry: Entry, done: number): boolean =>
    queued
      .slice(0, position)
      .every((earlier) => !earlier || !holdsBack(earlier, entry, streams) || isDone(done, earlier.tasks));
  const run = (task: number, call: number, done: number): void => {
    for (const other of tasks)
      if (other.number !== task && !((done >> other.number) & 1)) before[task]![other.number] = true;
    visit(call, done | (1 << task));
  };
  const visit = (made: number, done: number): void => {
    const key = made * 2 ** 31 + done;
    if (seen.has(key)) return;
    seen.add(key);
    const next = calls[made];
    if (next && isDone(done, next.blocksFor)) {
      if (next.task === null) visit(made + 1, done);
      else run(next.task, made + 1, done);
    }
    for (let position = 0; position < made; position++) {
      const entry = queued[position];
      if (!entry || isDone(done, entry.tasks) || !isAtHead(position, entry, done)) continue;
      for (const number of entry.tasks) {
        const task = tasks[number]!;
        if (!((done >> number) & 1) && isDone(done, task.after) && isDone(done, task.waits)) run(number, made, done);
      }
    }
  };
  visit(0, 0);
  return { mayPrecede: (first, second) => before[first.number]![second.number]!, moments: seen.size };
}

/**
 * A queue is served in order; the default stream waits for streams that know it and they for it; an executable runs once at
 * a time.
 */
function holdsBack(earlier: Entry, later: Entry, streams: readonly StreamKind[]): boolean {
  if (earlier.stream === later.stream || (earlier.graph !== null && earlier.graph === later.graph)) return true;
  const kinds = [streams[earlier.stream], streams[later.stream]];
  return kinds.includes('legacy') && kinds.includes('blocking');
}
