/**
 * Which bytes of the memory that it is given a kernel touches with certainty, when it is launched with these numbers in so many blocks of so many
 * threads. What is not understood touches nothing: this is about what cannot be otherwise, and `kernel-access.ts` about what may be.
 */

import { Attached } from '../../base/attached.ts';
import { rememberedByProgram } from '../../program/consulted.ts';
import type {
  CallExpression,
  Declaration,
  Expression,
  FunctionDefinition,
  Parameter,
  Statement,
} from '../../program/program.ts';
import { eachNode, someNode } from '../../program/walk.ts';
import type { TouchedBytes } from '../../trace/touched-bytes.ts';
import { saidToHold } from '../choices/assumed.ts';
import { lastPart } from '../program-table.ts';
import type { World } from '../world.ts';
import { clipped, constantForm, isDense, numberIn, plus, rangeOfForm, within, without } from './device-forms.ts';
import { endsThread } from './device-functions.ts';
import {
  type Extents,
  forgetStored,
  formOf,
  givenAt,
  type Known,
  known,
  type Names,
  threadsWhere,
  whereSure,
} from './extent-values.ts';
import { type Shape, typeGiven } from './kernel-access.ts';
import { templateParameterAt } from './kernel-instances.ts';

/** Blocks, and threads in each, along x, y and z. */
export interface LaunchSize {
  readonly grid: readonly number[];
  readonly block: readonly number[];
}

export type TouchedByPath = ReadonlyMap<string, readonly TouchedBytes[]>;

const maximumSteps = 4_000;
const maximumDepth = 4;
const nothing: TouchedByPath = new Map();

const answers = rememberedByProgram<object, TouchedByPath>();
const keys = new Attached<FunctionDefinition, Map<string, object>>();
/** What was asked for last, by what the launch holds: for each of its arguments the same is, one after the other. */
let asked: { readonly held: ReadonlyMap<string, unknown>; readonly key: object } | null = null;

/** By the path of what leads there: `0` is the first argument, `1.out` a member of the second. `held`: numbers and addresses by path. */
export function surelyTouched(
  world: World,
  definition: FunctionDefinition,
  shapes: readonly Shape[],
  held: ReadonlyMap<string, unknown>,
  size: LaunchSize,
): TouchedByPath {
  const key = asked?.held === held ? asked.key : keyOf(definition, shapes, held, size);
  asked = { held, key };
  return answers(world.program).get(key, nothing, () => readExtents(world, definition, shapes, held, size));
}

/** One object for each way in which a kernel is given something, over as many threads. */
function keyOf(
  definition: FunctionDefinition,
  shapes: readonly Shape[],
  held: ReadonlyMap<string, unknown>,
  size: LaunchSize,
): object {
  const known = keys.get(definition) ?? new Map<string, object>();
  keys.set(definition, known);
  const numbers = [...held].filter(([, value]) => typeof value !== 'object');
  const types = shapes.map((shape) => (typeof shape === 'string' ? shape : ''));
  const name = [...types, ...size.grid, ...size.block, ...numbers].join();
  const key = known.get(name) ?? {};
  known.set(name, key);
  return key;
}

function readExtents(
  world: World,
  definition: FunctionDefinition,
  shapes: readonly Shape[],
  held: ReadonlyMap<string, unknown>,
  { grid, block }: LaunchSize,
): TouchedByPath {
  const { parameters, body } = definition;
  if (!body || parameters.some(({ isPack }) => isPack)) return nothing;
  const reading: Extents = {
    world,
    held,
    threads: { blockIdx: grid.map((count) => ({ count })), threadIdx: block.map((count) => ({ count })) },
    touched: new Map(),
    names: [new Map()],
    domain: [],
    isSure: true,
    steps: maximumSteps,
    depth: 0,
  };
  for (const [path, value] of held) {
    const name = templateParameterAt(path);
    if (name !== null && Number.isInteger(value))
      reading.names[0]!.set(name, { kind: 'number', form: constantForm(Number(value)) });
  }
  for (const [index, { name, type }] of parameters.entries()) {
    const given = typeGiven(world.program, definition, index, shapes[index]);
    reading.names[0]!.set(name, givenAt(reading, `${index}`, given ?? type));
  }
  run(reading, body.statements);
  return reading.steps > 0 ? reading.touched : nothing;
}

/** Whether what stands behind is not reached. */
function run(reading: Extents, statements: readonly Statement[]): boolean {
  reading.names.push(new Map());
  let isOver = false;
  for (const statement of statements) {
    isOver = execute(reading, statement);
    if (isOver) break;
  }
  reading.names.pop();
  return isOver;
}

function execute(reading: Extents, statement: Statement): boolean {
  if (reading.steps-- <= 0) return true;
  switch (statement.kind) {
    case 'expression':
      known(reading, statement.expression);
      return endsThread(statement.expression) || leavesOut(reading, statement.expression);
    case 'declare':
      for (const each of statement.declarations) declare(reading, each);
      return false;
    case 'block':
      return run(reading, statement.body);
    case 'if':
      return choose(reading, statement);
    case 'loop':
      repeat(reading, statement);
      return false;
    case 'return':
      if (statement.value) known(reading, statement.value);
      return true;
    case 'break':
    case 'continue':
      return true;
    default:
      giveUpOn(reading, statement);
      return false;
  }
}

/** `assert(i < n)`: the threads for which that does not hold go no further. Whether there are none left. */
function leavesOut(reading: Extents, expression: Expression): boolean {
  const held = saidToHold(reading.world, expression);
  if (!held) return false;
  const holds = threadsWhere(reading, held, true);
  if (holds === 'never') return true;
  if (holds === null) reading.isSure = false;
  else if (holds !== 'always') reading.domain = holds;
  return false;
}

function declare(reading: Extents, { name, type, initializer, isStatic }: Declaration): void {
  const isPlain = initializer && !type.isReference && !isStatic && initializer.kind !== 'list';
  reading.names.at(-1)!.set(name, isPlain ? known(reading, initializer) : null);
}

/** What it stores is not known, and where it may leave nobody knows who comes further. */
function giveUpOn(reading: Extents, statement: Statement): void {
  forgetStored(reading, statement);
  if (someNode(statement, mayLeave)) reading.isSure = false;
}

function mayLeave(node: { readonly kind: string }): boolean {
  return leaving.has(node.kind) || (node.kind === 'call' && endsThread(node as CallExpression));
}

const leaving = new Set(['return', 'break', 'continue', 'goto', 'throw', 'label', 'unknown']);

function choose(reading: Extents, statement: Statement & { kind: 'if' }): boolean {
  if (statement.initializer) {
    giveUpOn(reading, statement);
    return false;
  }
  const { condition, whenTrue, whenFalse } = statement;
  known(reading, condition);
  const [holds, fails] = [threadsWhere(reading, condition, true), threadsWhere(reading, condition, false)];
  if (holds === 'always' || fails === 'never') return execute(reading, whenTrue);
  if (holds === 'never' || fails === 'always') return whenFalse ? execute(reading, whenFalse) : false;
  whereSure(reading, holds, () => execute(reading, whenTrue));
  forgetStored(reading, whenTrue);
  if (whenFalse) whereSure(reading, fails, () => execute(reading, whenFalse));
  forgetStored(reading, statement);
  if (!someNode(statement, mayLeave)) return false;
  // `if (i >= n) return;`: the others go on.
  if (endsIn(whenTrue) && !whenFalse && fails !== null) reading.domain = fails;
  else reading.isSure = false;
  return false;
}

function endsIn(statement: Statement): boolean {
  const last = statement.kind === 'block' ? statement.body.at(-1) : statement;
  if (!last) return false;
  if (last.kind === 'expression' && endsThread(last.expression)) return true;
  return last.kind === 'return' || last.kind === 'continue' || (last !== statement && endsIn(last));
}

/** `for (int i = first; i < end; i += step)`, where these are known: each round is a step along one more coordinate. */
function repeat(reading: Extents, loop: Statement & { kind: 'loop' }): void {
  const { domain, isSure } = reading;
  const rounds = roundsOf(reading, loop);
  const isLeft = someNode(loop.body, (node) => node.kind !== 'continue' && mayLeave(node));
  if (!rounds || isLeft) {
    giveUpOn(reading, loop);
    return;
  }
  forgetStored(reading, loop);
  if (rounds !== 'none') {
    reading.names.push(new Map([[rounds.name, rounds.value]]));
    reading.domain = rounds.domain;
    execute(reading, loop.body);
    reading.names.pop();
    forgetStored(reading, loop);
  }
  Object.assign(reading, { domain, isSure });
}

interface Rounds {
  readonly name: string;
  readonly value: Known;
  readonly domain: Extents['domain'];
}

function roundsOf(
  reading: Extents,
  { initializer, condition, update, body, bodyFirst }: Statement & { kind: 'loop' },
): Rounds | 'none' | null {
  if (bodyFirst || initializer?.kind !== 'declare' || initializer.declarations.length !== 1 || !update) return null;
  const [counter] = initializer.declarations;
  if (!counter?.initializer || condition?.kind !== 'binary' || !/^<=?$/.test(condition.operator)) return null;
  const { name, initializer: begun } = counter;
  const { left, right, operator } = condition;
  if (left.kind !== 'name' || left.name !== name || isStoredIn(body, name)) return null;
  const first = formOf(known(reading, begun));
  const from = first && within(first, reading.domain);
  const bound = numberIn(formOf(known(reading, right)));
  const step = stepOf(reading, update, name);
  if (!from || bound === null || step === null || step <= 0) return null;
  const end = operator === '<' ? bound : bound + 1;
  const { low, high } = rangeOfForm(from);
  if (low >= end) return 'none';
  const count = (behind: number): number => Math.floor((end - 1 - behind) / step) + 1;
  // Strides of the whole grid: together the threads come to each number.
  if (from.parts.size > 0 && isDense(from) && step <= high - low + 1)
    return { name, value: counted(constantForm(low), 1, end - low), domain: without(from, reading.domain) };
  if (high < end) return { name, value: counted(from, step, count(high)), domain: reading.domain };
  const some = clipped(from, -Infinity, end - 1, reading.domain);
  if (some === null || typeof some === 'string') return null;
  return { name, value: { kind: 'number', form: from }, domain: some };
}

function counted(from: ReturnType<typeof constantForm>, step: number, count: number): Known {
  const round = { constant: 0, parts: new Map([[{ count }, 1]]) };
  return { kind: 'number', form: count > 1 ? plus(from, round, step) : from };
}

function stepOf(reading: Extents, update: Parameters<typeof known>[1], name: string): number | null {
  if (update.kind === 'update')
    return update.operator === '++' && update.operand.kind === 'name' && update.operand.name === name ? 1 : null;
  if (update.kind !== 'assign' || update.operator !== '+=' || update.target.kind !== 'name') return null;
  return update.target.name === name ? numberIn(formOf(known(reading, update.value))) : null;
}

function isStoredIn(body: Statement, name: string): boolean {
  let isStored = false;
  eachNode(body, (node) => {
    const target = node.kind === 'assign' ? node.target : node.kind === 'update' ? node.operand : null;
    if (target?.kind === 'name' && target.name === name) isStored = true;
    if (node.kind === 'unary' && node.operator === '&' && node.operand.kind === 'name' && node.operand.name === name)
      isStored = true;
  });
  return isStored;
}

/** A function of the program that takes what it is given by value runs; others do nothing that is known. */
export function callInKernel(reading: Extents, expression: CallExpression): Known {
  const { callee, arguments: list } = expression;
  const name = callee.kind === 'name' ? lastPart(callee.name) : '';
  const { program } = reading.world;
  if (name === '' || program.macro(name)) {
    if (name !== '') reading.isSure = false;
    forgetStored(reading, expression);
    return null;
  }
  const given = list.map((each) => known(reading, each));
  forgetStored(reading, expression);
  const all = program.functions.get(name) ?? [];
  const [only] = all;
  if (name === 'min' || name === 'max') return all.length === 0 ? extreme(name, given) : null;
  if (all.length !== 1 || !only?.body || reading.depth >= maximumDepth || only.parameters.length !== given.length)
    return null;
  if (only.parameters.some(({ type, isPack }) => type.isReference || isPack)) return null;
  return invoke(reading, only.parameters, only.body.statements, given);
}

function invoke(
  reading: Extents,
  parameters: readonly Parameter[],
  statements: readonly Statement[],
  given: readonly Known[],
): Known {
  const { domain, isSure, names } = reading;
  const own: Names = new Map(parameters.map(({ name }, index) => [name, given[index] ?? null]));
  reading.names = [own];
  reading.depth++;
  const [first] = statements;
  let result: Known = null;
  if (statements.length === 1 && first?.kind === 'return' && first.value) result = known(reading, first.value);
  else run(reading, statements);
  reading.depth--;
  Object.assign(reading, { domain, isSure, names });
  return result;
}

function extreme(name: string, given: readonly Known[]): Known {
  const numbers = given.map((each) => numberIn(formOf(each)));
  const [one, other] = numbers;
  if (numbers.length !== 2 || typeof one !== 'number' || typeof other !== 'number') return null;
  return { kind: 'number', form: constantForm(name === 'min' ? Math.min(one, other) : Math.max(one, other)) };
}
