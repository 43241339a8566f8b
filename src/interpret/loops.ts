/** Loops: known bounds repeat, unknown ones run none, once or twice, and what cannot act is not run to its end. */

import type { Expression, Statement } from '../program/program.ts';
import { mayAct } from './acting.ts';
import { decide } from './decisions.ts';
import { evaluate } from './evaluate.ts';
import { type Completion, endScope, execute } from './execute.ts';
import { elementCell } from './locate.ts';
import { findName } from './names.ts';
import { createScope, isThunk, type Scope } from './scope.ts';
import { copyValue, createCell, numberValue, truth, unknownValue, type Value } from './value.ts';
import { noteGap, type World } from './world.ts';

/** Iterations of a loop that nothing outside it can see before it is summarised. */
const quietIterations = 64;
/** Iterations tried when the text does not say how often a loop runs. */
const unknownIterations = 2;

export function executeLoop(world: World, scope: Scope, loop: Statement & { kind: 'loop' }): Completion {
  const outer = createScope(scope);
  if (loop.initializer) execute(world, outer, loop.initializer);
  const acts =
    mayAct(world, loop.body) ||
    (loop.condition !== null && mayAct(world, loop.condition)) ||
    (loop.update !== null && mayAct(world, loop.update));
  const limit = acts ? world.budget.iterations : quietIterations;
  let completion: Completion;
  for (let iteration = 0; ; iteration++) {
    if (!(loop.bodyFirst && iteration === 0) && !continues(world, outer, loop, iteration, acts)) break;
    if (iteration >= limit) {
      summarise(world, outer, loop, acts);
      break;
    }
    const result = execute(world, createScope(outer), loop.body);
    if (result?.kind === 'break') break;
    if (result?.kind === 'return' || result?.kind === 'value') {
      completion = result;
      break;
    }
    if (loop.update) evaluate(world, outer, loop.update);
  }
  endScope(world, outer);
  return completion;
}

function continues(
  world: World,
  scope: Scope,
  loop: Statement & { kind: 'loop' },
  iteration: number,
  acts: boolean,
): boolean {
  if (!loop.condition) return iteration < unknownIterations || hasExit(loop.body);
  const condition = evaluate(world, scope, loop.condition);
  const known = truth(condition);
  if (known !== null) return known;
  if (!acts) return iteration < 1;
  if (iteration >= unknownIterations) return false;
  const asUnknown: Value = condition.kind === 'symbol' && condition.hint !== null ? condition : unknownValue;
  return decide(world, asUnknown, loop.condition.span, true, false);
}

/** `for (;;)` with a `break` that this run can reach is left to the break; the iteration limit still holds. */
function hasExit(body: Statement): boolean {
  const known = exitCache.get(body);
  if (known !== undefined) return known;
  const text = JSON.stringify(body, (key, value: unknown) => (key === 'span' ? undefined : value));
  exitCache.set(body, text.includes('"kind":"break"'));
  return exitCache.get(body)!;
}

const exitCache = new WeakMap<Statement, boolean>();

/** Gives up on a loop: what it assigns is unknown afterwards, and if it acts that is a gap. */
function summarise(world: World, scope: Scope, loop: Statement & { kind: 'loop' }, acts: boolean): void {
  if (acts) noteGap(world, 'budget', 'a loop with more iterations than are followed', loop.span);
  for (const name of assignedNames(loop)) {
    const entry = findName(world, scope, name);
    if (entry && !isThunk(entry) && (entry.value.kind === 'number' || entry.value.kind === 'symbol'))
      entry.value = finalValue(world, scope, loop, name) ?? unknownValue;
  }
}

/** After `for (i = 0; i < N; ++i)` the variable has the value of its bound. */
function finalValue(world: World, scope: Scope, loop: Statement & { kind: 'loop' }, name: string): Value | null {
  const condition = loop.condition;
  if (
    condition?.kind !== 'binary' ||
    condition.left.kind !== 'name' ||
    condition.left.name !== name ||
    condition.operator !== '<'
  )
    return null;
  const bound = evaluate(world, scope, condition.right);
  return bound.kind === 'number' ? numberValue(bound.value) : null;
}

const namesCache = new WeakMap<object, ReadonlySet<string>>();

function assignedNames(loop: Statement & { kind: 'loop' }): ReadonlySet<string> {
  const known = namesCache.get(loop);
  if (known) return known;
  const names = new Set<string>();
  const search = (node: unknown): void => {
    if (Array.isArray(node)) {
      for (const each of node) search(each);
      return;
    }
    if (typeof node !== 'object' || node === null) return;
    const item = node as { kind?: string; target?: Expression; operand?: Expression };
    const target = item.kind === 'assign' ? item.target : item.kind === 'update' ? item.operand : undefined;
    if (target?.kind === 'name') names.add(target.name);
    for (const [key, value] of Object.entries(item)) if (key !== 'span' && typeof value === 'object') search(value);
  };
  search(loop);
  namesCache.set(loop, names);
  return names;
}

export function executeForEach(world: World, scope: Scope, loop: Statement & { kind: 'forEach' }): Completion {
  let range = evaluate(world, scope, loop.range);
  if (range.kind === 'pointer') range = range.cell.value;
  const acts = mayAct(world, loop.body);
  const entries = elements(world, range, loop, acts);
  for (const entry of entries) {
    const inner = createScope(scope);
    if (loop.declaration) {
      const isReference = loop.declaration.type.isReference;
      inner.names.set(
        loop.declaration.name,
        isReference ? entry : createCell(loop.declaration.name, copyValue(entry.value), entry.type),
      );
    }
    loop.names.forEach((name, index) => {
      const value = entry.value;
      const field =
        value.kind === 'record'
          ? [...value.record.fields.values()][index]
          : value.kind === 'sequence'
            ? value.sequence.cells.get(index)
            : undefined;
      inner.names.set(name, field ?? createCell(name));
    });
    const result = execute(world, inner, loop.body);
    if (result?.kind === 'break') break;
    if (result?.kind === 'return' || result?.kind === 'value') return result;
  }
  return undefined;
}

function elements(
  world: World,
  range: Value,
  loop: Statement & { kind: 'forEach' },
  acts: boolean,
): ReturnType<typeof createCell>[] {
  if (range.kind === 'sequence') {
    const length = range.sequence.length ?? unknownIterations;
    const limit = acts ? world.budget.iterations : quietIterations;
    if (length > limit && acts) noteGap(world, 'budget', 'a loop with more iterations than are followed', loop.span);
    return Array.from({ length: Math.min(length, limit) }, (_, index) => elementCell(range.sequence, index));
  }
  if (range.kind === 'record') {
    return [...range.record.fields.entries()]
      .filter(([name]) => name.startsWith('['))
      .map(([name, cell]) => {
        const pair = createCell(name);
        pair.value = {
          kind: 'record',
          record: {
            className: 'std::pair',
            fields: new Map([
              ['first', createCell('first')],
              ['second', cell],
            ]),
            open: true,
            released: false,
          },
        };
        return pair;
      });
  }
  if (!acts) return [];
  return decide(world, unknownValue, loop.range.span, true, false)
    ? [createCell('element'), createCell('element')]
    : [];
}
