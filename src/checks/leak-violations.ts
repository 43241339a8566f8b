/** Instances that nothing has freed when the program ends. */

import type { Execution, GraphNode } from '../execution/execution.ts';
import { reachedUnseen } from '../execution/unseen.ts';
import { evaluateSize, printSize, type Size } from '../trace/size.ts';
import { allocationName, subjectOfAllocation } from './describe.ts';
import type { Facts } from './facts.ts';
import type { Violation } from './rule.ts';

/** A function that is called from elsewhere may hand its memory on: it can only leak what nobody has the address of when it returns. */
export function leakViolations(
  facts: Facts,
  kind: 'graph' | 'stream',
  message: (words: { allocation: string }) => string,
): Violation[] {
  const { execution, lifetimes, order, trace } = facts;
  // What could not be read may have been the free.
  if (trace.gaps.some((gap) => gap.kind === 'syntax')) return [];
  if (trace.end !== 'complete') return [];
  // Behind the cut there may be frees.
  if (order.cutAt !== null) return [];
  const isWhole = trace.entry === 'main' || trace.entry === '(module)';
  const lost = new Set(trace.lost);
  const left = lifetimes.instances.filter(
    ({ allocation, deaths }) => allocation.kind === kind && deaths.length === 0 && (isWhole || lost.has(allocation.id)),
  );
  if (left.length === 0) return [];
  const given = trace.events.map((event) => reachedUnseen(execution, event));
  // A graph from outside may have a free node for it.
  if (kind === 'graph' && given.includes('all')) return [];
  const escaped = new Set([...given.flatMap((each) => (each === 'all' ? [] : [...each])), ...(trace.kept ?? [])]);
  const unreadFrees = trace.events.some(
    (event) =>
      (event.verb === 'memory.free' || event.verb === 'memory.freeAsync') &&
      !event.isNull &&
      (event.pointer === null || trace.allocations[event.pointer.allocation]?.isUntold === true),
  );
  const refused = meantToBeFreed(execution);
  const isZero = saidToBeZero(facts);
  if (unreadFrees) return [];
  // What was left out, of a loop or of a function that calls itself, may have freed elements, or all.
  const isCut = trace.gaps.some((gap) => gap.kind === 'budget');
  const hasFrees = trace.events.some(({ verb }) => verb === 'memory.free' || verb === 'memory.freeAsync');
  const out = new Map<number, Violation>();
  for (const instance of left) {
    const { allocation } = instance;
    if (escaped.has(allocation.id) || out.has(allocation.id) || refused.has(allocation.id)) continue;
    const bytes = trace.allocations[allocation.id]?.bytes;
    if (bytes && isZero(bytes)) continue;
    // Which element it lies in nobody knows: it may have been freed as one that is known.
    if (hasFrees && trace.allocations[allocation.id]?.name.endsWith('[?]')) continue;
    if (hasFrees && isCut && trace.allocations[allocation.id]?.name.endsWith(']')) continue;
    const name = allocationName(facts, allocation.id);
    const event =
      kind === 'graph' && instance.birthOperation !== null
        ? execution.operations[instance.birthOperation]!.event
        : instance.birthEvent;
    if (event === null) continue;
    const last = instance.uses.at(-1);
    out.set(allocation.id, {
      event,
      message: message({ allocation: name }),
      certainty: isCut || !(isWhole || trace.isTest) ? 'sometimes' : 'always',
      related:
        allocation.event !== null && allocation.event !== event
          ? [{ role: 'alloc', event: allocation.event, message: `${name} is allocated here` }]
          : [],
      witness: [],
      repairs: [
        {
          kind: 'freeAsyncBehind',
          behind: last && last.operation >= 0 ? execution.operations[last.operation]!.event : event,
          streamOf: event,
          allocation: allocation.id,
        },
      ],
      subject: subjectOfAllocation(facts, allocation.id),
    });
  }
  return [...out.values()];
}

/** Tells whether the choices of a run have said that a size is 0: there is nothing to free in so many bytes. */
function saidToBeZero({ trace }: Facts): (size: Size) => boolean {
  const zeros = new Set<string>();
  for (const { condition, taken } of trace.decisions) {
    if (!condition) continue;
    const isComparison = condition.kind === 'operation' && /^(?:[=!]=|>)$/.test(condition.operator);
    if (!isComparison && !taken) zeros.add(printSize(condition));
    if (isComparison && taken === (condition.operator === '==') && evaluateSize(condition.right) === 0)
      zeros.add(printSize(condition.left));
  }
  const isZero = (size: Size): boolean =>
    evaluateSize(size) === 0 ||
    zeros.has(printSize(size)) ||
    (size.kind === 'operation' && size.operator === '*' && (isZero(size.left) || isZero(size.right)));
  return isZero;
}

/** What calls would have freed, or led to freeing, that CUDA refuses: that it stays is their affair. */
function meantToBeFreed({
  calls,
  trace,
  graphs,
  executables,
  executableOfHandle,
  graphOfHandle,
}: Execution): ReadonlySet<number> {
  const out = new Set<number>();
  const addFreed = ({ operation: { freed } }: GraphNode): void => {
    if (freed) out.add(freed.allocation);
  };
  for (const graph of graphs) if (graph.failed) graph.nodes.forEach(addFreed);
  for (const { result, allocation, event } of calls) {
    if (result === 'cudaSuccess') continue;
    if (allocation !== null) out.add(allocation);
    const refused = trace.events[event]!;
    switch (refused.verb) {
      case 'memory.free':
      case 'memory.freeAsync':
        if (refused.pointer) out.add(refused.pointer.allocation);
        break;
      case 'node.add':
        if (refused.operation.freed) out.add(refused.operation.freed.allocation);
        break;
      case 'exec.instantiate':
        graphs[graphOfHandle.get(refused.graph) ?? -1]?.nodes.forEach(addFreed);
        break;
      case 'exec.launch':
        for (const node of executables[executableOfHandle.get(refused.exec) ?? -1]?.nodes ?? []) {
          addFreed(node);
          // What an earlier launch allocated is in the way of this one.
          if (node.operation.allocation !== undefined) out.add(node.operation.allocation);
        }
        break;
    }
  }
  return out;
}
