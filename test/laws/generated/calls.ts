/**
 * A deliberately plain model of what a host program asks of the device: the queues that its calls fill, and which calls CUDA
 * refuses. It shares nothing with the analyser: laws compare the two.
 */

import type { Dag } from './dag.ts';
import type { HostProgram } from './host-program.ts';
import type { Work } from './work.ts';

/** Something that is done once, on the device or, for `cudaFree`, by the host. */
export interface Task {
  readonly number: number;
  /** The step or node that asked for it. */
  readonly id: string;
  /** The step whose call put it into a queue: the launch, for a node. */
  readonly call: string;
  /** How many calls the host made before that one. */
  readonly position: number;
  readonly work: Work | null;
  /** Graph and node index, for a task of a launch. */
  readonly node: { readonly graph: number; readonly index: number } | null;
  readonly isHost: boolean;
  /** The free that a launch begins with, of what the launch before has left. */
  readonly isAutomatic: boolean;
  /** `cudaMemcpy`: people use it as if all streams waited for it. */
  readonly isSynchronousCopy: boolean;
  /** Tasks of the same launch that come first. */
  readonly after: readonly number[];
  /** What the event that it waits for was recorded with when the call was made. */
  readonly waits: readonly number[];
}

/** One entry of a stream's queue: an operation, or all nodes of a launch. */
export interface Entry {
  readonly stream: number;
  readonly graph: number | null;
  readonly tasks: readonly number[];
}

/** A call as the host makes it: it blocks until some tasks are done, does something itself, or puts an entry into a queue. */
export interface HostCall {
  readonly blocksFor: readonly number[];
  readonly task: number | null;
  readonly entry: Entry | null;
}

export interface Refused {
  readonly kind: 'double-free' | 'free-of-internal' | 'free-before-alloc' | 'relaunch';
  readonly id: string;
  readonly buffer: number;
}

export interface Calls {
  readonly tasks: readonly Task[];
  readonly calls: readonly HostCall[];
  readonly refused: readonly Refused[];
}

interface Ledger {
  /** Graph that allocates the buffer. */
  readonly owner: number | null;
  /** Its own graph frees it. */
  readonly isInternal: boolean;
  wasBorn: boolean;
  isLive: boolean;
}

/** Makes the calls in order, as the host does, and keeps CUDA's books on what is allocated. */
export function makeCalls(program: HostProgram): Calls {
  const tasks: Task[] = [];
  const calls: HostCall[] = [];
  const refused: Refused[] = [];
  const entries: Entry[] = [];
  const recorded = new Map<number, readonly number[]>();
  const ledger = openLedger(program);
  const isBlocking = (stream: number): boolean => program.streams[stream] !== 'nonBlocking';
  const add = (task: Partial<Task> & Pick<Task, 'id'>): number => {
    tasks.push({
      call: task.id,
      position: calls.length,
      work: null,
      node: null,
      isHost: false,
      isAutomatic: false,
      isSynchronousCopy: false,
      after: [],
      waits: [],
      ...task,
      number: tasks.length,
    });
    return tasks.length - 1;
  };
  const enqueue = (stream: number, numbers: readonly number[], graph: number | null = null): void => {
    const entry: Entry = { stream, graph, tasks: numbers };
    entries.push(entry);
    calls.push({ blocksFor: [], task: null, entry });
  };
  const block = (until: (entry: Entry) => boolean): void => {
    calls.push({ blocksFor: entries.filter(until).flatMap((entry) => entry.tasks), task: null, entry: null });
  };
  const everything = (): number[] => entries.flatMap((entry) => entry.tasks);

  for (const { id, step } of program.steps) {
    switch (step.kind) {
      case 'work': {
        const { work, stream } = step;
        const book = work.kind === 'alloc' || work.kind === 'free' ? ledger.get(work.buffer) : undefined;
        if (work.kind === 'free' && book) {
          const kind = refusal(book);
          if (kind) {
            refused.push({ kind, id, buffer: work.buffer });
            break;
          }
          book.isLive = false;
        }
        if (work.kind === 'alloc' && book) {
          book.wasBorn = true;
          book.isLive = true;
        }
        enqueue(stream, [add({ id, work })]);
        break;
      }
      case 'hostFree': {
        const book = ledger.get(step.buffer);
        const kind = book ? refusal(book) : null;
        if (kind) {
          refused.push({ kind, id, buffer: step.buffer });
          break;
        }
        if (book) book.isLive = false;
        calls.push({
          blocksFor: [],
          task: add({ id, work: { kind: 'free', buffer: step.buffer }, isHost: true }),
          entry: null,
        });
        break;
      }
      case 'fetch': {
        const work: Work = { kind: 'kernel', reads: [step.buffer], writes: [] };
        const legacy = program.streams.indexOf('legacy');
        enqueue(legacy, [add({ id, work, isSynchronousCopy: true })]);
        block((entry) => entry === entries.at(-1));
        break;
      }
      case 'record': {
        const task = add({ id });
        enqueue(step.stream, [task]);
        recorded.set(step.event, [task]);
        break;
      }
      case 'wait':
        enqueue(step.stream, [add({ id, waits: recorded.get(step.event) ?? [] })]);
        break;
      case 'syncStream':
        block(
          (entry) =>
            entry.stream === step.stream || (program.streams[step.stream] === 'legacy' && isBlocking(entry.stream)),
        );
        break;
      case 'syncEvent':
        calls.push({ blocksFor: recorded.get(step.event) ?? [], task: null, entry: null });
        break;
      case 'syncDevice':
        calls.push({ blocksFor: everything(), task: null, entry: null });
        break;
      case 'launch': {
        const nodes = program.graphs[step.graph]?.nodes ?? [];
        const problem = launchRefusal(
          nodes.map((node) => node.work),
          step.graph,
          ledger,
          program.autoFree,
        );
        if (problem) {
          refused.push({ ...problem, id });
          break;
        }
        const left = nodes.flatMap(({ work }) =>
          work.kind === 'alloc' && ledger.get(work.buffer)?.isLive ? [work.buffer] : [],
        );
        // They end the lives that began before this call.
        const automatic = left.map((buffer) =>
          add({ id, work: { kind: 'free', buffer }, isAutomatic: true, position: calls.length - 1 }),
        );
        const first = tasks.length;
        nodes.forEach((node, index) => {
          add({
            id: `g${step.graph}n${index}`,
            call: id,
            work: node.work,
            node: { graph: step.graph, index },
            after: [...automatic, ...node.dependencies.map((each) => first + each)],
            waits: node.work.kind === 'waitEvent' ? (recorded.get(node.work.event) ?? []) : [],
          });
        });
        enqueue(step.stream, [...automatic, ...nodes.map((_, index) => first + index)], step.graph);
        nodes.forEach(({ work }, index) => {
          if (work.kind === 'recordEvent') recorded.set(work.event, [first + index]);
        });
        for (const { work } of nodes) {
          const book = work.kind === 'alloc' ? ledger.get(work.buffer) : undefined;
          if (book) book.wasBorn = book.isLive = true;
        }
        for (const { work } of nodes) {
          const book = work.kind === 'free' ? ledger.get(work.buffer) : undefined;
          if (book) book.isLive = false;
        }
      }
    }
  }
  return { tasks, calls, refused };
}

/** One launch of a graph and nothing else. */
export function nodesAlone({ nodes }: Dag, graph: number): Calls {
  const tasks = nodes.map(
    ({ work, dependencies }, index): Task => ({
      number: index,
      id: `g${graph}n${index}`,
      call: '',
      position: 0,
      work,
      node: { graph, index },
      isHost: false,
      isAutomatic: false,
      isSynchronousCopy: false,
      after: dependencies,
      waits: [],
    }),
  );
  const entry: Entry = { stream: 0, graph, tasks: tasks.map((task) => task.number) };
  return { tasks, calls: [{ blocksFor: [], task: null, entry }], refused: [] };
}

function openLedger(program: HostProgram): Map<number, Ledger> {
  const ledger = new Map<number, Ledger>();
  program.graphs.forEach(({ nodes }, owner) => {
    for (const { work } of nodes)
      if (work.kind === 'alloc') {
        const isInternal = nodes.some((each) => each.work.kind === 'free' && each.work.buffer === work.buffer);
        ledger.set(work.buffer, { owner, isInternal, wasBorn: false, isLive: false });
      }
  });
  for (const { step } of program.steps)
    if (step.kind === 'work' && step.work.kind === 'alloc')
      ledger.set(step.work.buffer, { owner: null, isInternal: false, wasBorn: false, isLive: false });
  return ledger;
}

/** Why a free from outside a graph is refused. */
function refusal(book: Ledger): Refused['kind'] | null {
  if (book.isInternal) return 'free-of-internal';
  if (!book.wasBorn) return 'free-before-alloc';
  return book.isLive ? null : 'double-free';
}

/** Why a launch is refused: what it allocates is still there, or what it frees is not. */
function launchRefusal(
  nodes: readonly Work[],
  graph: number,
  ledger: ReadonlyMap<number, Ledger>,
  autoFree: boolean,
): Omit<Refused, 'id'> | null {
  for (const work of nodes) {
    if (work.kind !== 'alloc' && work.kind !== 'free') continue;
    const book = ledger.get(work.buffer);
    if (!book) continue;
    if (work.kind === 'alloc' && book.isLive && !autoFree) return { kind: 'relaunch', buffer: work.buffer };
    if (work.kind === 'free' && book.owner !== graph && !book.isLive)
      return { kind: book.wasBorn ? 'double-free' : 'free-before-alloc', buffer: work.buffer };
  }
  return null;
}
