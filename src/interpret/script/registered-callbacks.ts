/** Functions that are handed over to be called later, or around others: tests and what stands before and behind them. */

import type { Span } from '../../base/span.ts';
import type { CallbackUse } from '../../models/model.ts';
import type { Argument } from '../calls/call.ts';
import { callWith } from '../calls/callables.ts';
import type { Value } from '../value.ts';
import { noteGap, type World } from '../world.ts';

interface Registered {
  readonly callee: Value;
  readonly span: Span;
}

/** A group of tests, a test, or the whole run. */
export interface CallbackGroup {
  readonly before: Registered[];
  readonly after: Registered[];
  /** The last one is called first. */
  readonly atEnd: Registered[];
  hasTests: boolean;
}

export function createCallbackGroup(): CallbackGroup {
  return { before: [], after: [], atEnd: [], hasTests: false };
}

function run(world: World, { callee, span }: Registered): void {
  const parameters = callee.kind === 'closure' ? callee.lambda.parameters : [];
  const values = parameters.map((): Argument => ({ value: { kind: 'unknown' }, cell: null, span }));
  callWith(world, world.globals, callee, values, span);
}

/** Does the work, and then what was put off in it. */
export function whileOpen(world: World, work: () => void): void {
  const group = createCallbackGroup();
  world.callbackGroups.push(group);
  work();
  endGroup(world, group);
}

/** What stands before and behind each test is done once where there is none. */
function endGroup(world: World, group: CallbackGroup): void {
  if (!group.hasTests) for (const each of [...group.before, ...group.after]) run(world, each);
  for (let last = group.atEnd.pop(); last; last = group.atEnd.pop()) run(world, last);
  world.callbackGroups.pop();
}

/** What has been put off until the end of the run. */
export function runPutOff(world: World): void {
  const [whole] = world.callbackGroups;
  if (whole) endGroup(world, whole);
}

/** `atexit(f)`: called when `main` is over, the last one first. False where that is not seen: of a function that is run on its own. */
export function putOff(world: World, callee: Value | undefined, span: Span): boolean {
  const [whole] = world.callbackGroups;
  if (!whole || !world.isWholeProgram || (callee?.kind !== 'closure' && callee?.kind !== 'function')) return false;
  whole.atEnd.push({ callee, span });
  return true;
}

/** Does with the functions among the arguments what the function is known to do with them. */
export function registerCallbacks(
  world: World,
  name: string,
  use: CallbackUse,
  values: readonly Argument[],
  span: Span,
): void {
  const groups = world.callbackGroups;
  const innermost = groups.at(-1);
  if (!innermost) return;
  for (const { value } of values) {
    if (value.kind !== 'closure' && value.kind !== 'function') continue;
    const callee = { callee: value, span };
    if (use === 'now') run(world, callee);
    else if (use === 'group') whileOpen(world, () => run(world, callee));
    else if (use === 'before each') innermost.before.push(callee);
    else if (use === 'after each') innermost.after.push(callee);
    else if (use === 'at end') innermost.atEnd.push(callee);
    else if (use === 'later') innermost.atEnd.unshift(callee);
    else if (use === 'apart') noteGap(world, 'unknown function', name, span);
    else {
      const around = [...groups];
      for (const group of around) group.hasTests = true;
      for (const group of around) for (const each of group.before) run(world, each);
      whileOpen(world, () => run(world, callee));
      for (const group of around.reverse()) for (const each of group.after) run(world, each);
    }
  }
}
