/**
 * What can go wrong in a host program, from all its schedules and nothing else; and which of it is reported, where one
 * mistake explains another. In the words of `verdicts.ts`.
 */

import { type Calls, makeCalls, nodesAlone, type Task } from './calls.ts';
import type { HostProgram } from './host-program.ts';
import { allSchedules, type Schedules } from './schedules.ts';
import type { VerdictKind } from './verdicts.ts';
import { buffersOf, touches } from './work.ts';

export interface Expected {
  /** As in `verdictsOf`. */
  readonly verdicts: readonly string[];
  /** Pairs of accesses that may come in either order, one of them a write: all of them, whatever else is wrong. */
  readonly conflicts: readonly string[];
}

interface Mistake {
  readonly kind: VerdictKind;
  readonly id: string;
  readonly buffer: number;
}

/** One life of a buffer: the task that allocates it, what uses it and what frees it. */
interface Life {
  readonly buffer: number;
  /** null for memory that is there all along. */
  readonly birth: Task | null;
  readonly uses: readonly Task[];
  readonly frees: readonly Task[];
}

export function expectedOf(program: HostProgram): Expected {
  const mistakes: Mistake[] = [];
  const conflicts: Conflict[] = [];
  program.graphs.forEach((graph, index) => {
    const calls = nodesAlone(graph, index);
    const schedules = allSchedules(calls, ['nonBlocking']);
    for (const life of livesOf(calls.tasks, program))
      if (life.birth) mistakes.push(...insideGraph(life, life.birth, schedules));
    for (const buffer of new Set(calls.tasks.flatMap((task) => (task.work ? buffersOf(task.work) : []))))
      conflicts.push(...conflictsOf(buffer, calls.tasks, schedules, () => true));
  });
  const calls = makeCalls(program);
  const schedules = allSchedules(calls, program.streams);
  mistakes.push(...neverAlive(calls, program));
  for (const life of livesOf(calls.tasks, program)) {
    if (life.birth) mistakes.push(...outsideGraph(life, life.birth, schedules));
    conflicts.push(
      ...conflictsOf(life.buffer, life.uses, schedules, (first, second) => first.position !== second.position),
    );
  }
  const blamed = new Set(mistakes.map((mistake) => mistake.buffer));
  // The host waits for such a copy, all but surely, before it asks for anything else.
  const races = conflicts.filter(({ buffer, first }) => !blamed.has(buffer) && !first.isSynchronousCopy);
  return {
    verdicts: unique([
      ...[...mistakes, ...calls.refused].map(({ kind, id, buffer }) => `${kind} ${id} b${buffer}`),
      ...races.map(({ second, buffer }) => `race ${second.id} b${buffer}`),
    ]),
    conflicts: unique(conflicts.map(({ first, second, buffer }) => `${first.id} ${second.id} b${buffer}`)),
  };
}

export function unique(all: readonly string[]): readonly string[] {
  return [...new Set(all)].sort();
}

function uses(task: Task, buffer: number): boolean {
  return task.work !== null && touches(task.work).some((each) => each.buffer === buffer);
}

function frees(task: Task, buffer: number): boolean {
  return task.work?.kind === 'free' && task.work.buffer === buffer;
}

/** A use belongs to the last allocation that the host had asked for when it asked for the use. */
function birthFor(tasks: readonly Task[], buffer: number, task: Task): Task | undefined {
  return tasks.findLast(
    ({ work, position }) => work?.kind === 'alloc' && work.buffer === buffer && position <= task.position,
  );
}

function livesOf(tasks: readonly Task[], program: HostProgram): readonly Life[] {
  const lives: Life[] = [];
  for (let buffer = 0; buffer < program.given; buffer++)
    lives.push({ buffer, birth: null, uses: tasks.filter((task) => uses(task, buffer)), frees: [] });
  for (const birth of tasks) {
    if (birth.work?.kind !== 'alloc') continue;
    const { buffer } = birth.work;
    const own = tasks.filter((task) => birthFor(tasks, buffer, task) === birth);
    lives.push({
      buffer,
      birth,
      uses: own.filter((task) => uses(task, buffer)),
      frees: own.filter((task) => frees(task, buffer)),
    });
  }
  return lives;
}

/** Uses of what a graph allocates that the host asks for before it has launched the graph. */
function neverAlive({ tasks }: Calls, program: HostProgram): Mistake[] {
  const owned = program.graphs.flatMap(({ nodes }) =>
    nodes.flatMap(({ work }) => (work.kind === 'alloc' ? [work.buffer] : [])),
  );
  return owned.flatMap((buffer) =>
    tasks
      .filter((task) => uses(task, buffer) && !birthFor(tasks, buffer, task))
      .map(({ id }): Mistake => ({ kind: 'use-before-alloc', id, buffer })),
  );
}

function insideGraph({ buffer, uses: users, frees: [free] }: Life, birth: Task, schedules: Schedules): Mistake[] {
  const out: Mistake[] = [];
  const racing: Task[] = [];
  for (const user of users) {
    if (free && !schedules.mayPrecede(user, free)) out.push({ kind: 'use-after-free', id: user.id, buffer });
    else if (schedules.mayPrecede(user, birth)) out.push({ kind: 'use-before-alloc', id: user.id, buffer });
    else if (free && schedules.mayPrecede(free, user)) racing.push(user);
  }
  if (free && schedules.mayPrecede(free, birth)) out.push({ kind: 'free-before-alloc', id: free.id, buffer });
  return [...out, ...lastOf(racing, schedules).map(({ id }): Mistake => ({ kind: 'use-free-race', id, buffer }))];
}

/** The last of the racing uses stand for those that always come before them. */
function lastOf(racing: readonly Task[], schedules: Schedules): readonly Task[] {
  return racing.filter((user) => !racing.some((other) => other !== user && !schedules.mayPrecede(other, user)));
}

function outsideGraph(life: Life, birth: Task, schedules: Schedules): Mistake[] {
  const { buffer } = life;
  const isInside = (task: Task): boolean => task.node !== null && task.node.graph === birth.node?.graph;
  const users = life.uses.filter((task) => !isInside(task));
  const out: Mistake[] = [];
  const racing: Task[] = [];
  for (const user of users) {
    const { id } = user;
    const beside = life.frees.find((free) => schedules.mayPrecede(free, user));
    if (life.frees.some(isInside)) out.push({ kind: 'use-of-internal', id, buffer });
    else if (life.frees.some((free) => !schedules.mayPrecede(user, free)))
      out.push({ kind: 'use-after-free', id, buffer });
    else if (schedules.mayPrecede(user, birth)) out.push({ kind: 'use-before-alloc', id, buffer });
    else if (beside?.isHost) out.push({ kind: 'host-free-race', id: beside.id, buffer });
    else if (beside) racing.push(user);
  }
  for (const free of life.frees) {
    if (isInside(free) || free.isAutomatic || !schedules.mayPrecede(free, birth)) continue;
    // What cudaMallocAsync gave may be freed at once: cudaFree asks that its uses are over.
    if (free.isHost && birth.node === null) continue;
    // A free behind a use that may come before the allocation is wrong because of the use.
    if (users.some((user) => schedules.mayPrecede(user, birth) && !schedules.mayPrecede(free, user))) continue;
    out.push(
      free.isHost
        ? { kind: 'host-free-race', id: free.id, buffer }
        : { kind: 'free-before-alloc', id: free.call, buffer },
    );
  }
  return [...out, ...lastOf(racing, schedules).map(({ id }): Mistake => ({ kind: 'use-free-race', id, buffer }))];
}

interface Conflict {
  readonly first: Task;
  readonly second: Task;
  readonly buffer: number;
}

function conflictsOf(
  buffer: number,
  tasks: readonly Task[],
  schedules: Schedules,
  accept: (first: Task, second: Task) => boolean,
): Conflict[] {
  const writes = (task: Task): boolean =>
    task.work !== null && touches(task.work).some((each) => each.buffer === buffer && each.writes);
  const users = tasks.filter((task) => uses(task, buffer));
  return users.flatMap((second, index) =>
    users.slice(0, index).flatMap((first): Conflict[] => {
      const isEither = schedules.mayPrecede(first, second) && schedules.mayPrecede(second, first);
      return isEither && (writes(first) || writes(second)) && accept(first, second) ? [{ first, second, buffer }] : [];
    }),
  );
}
