/** One run from an entry: globals, parameters from outside, the body, what is left to destroy. */

import type { ModelTable } from '../models/model.ts';
import type { Declaration, FunctionDefinition, Parameter, TypeReference } from '../program/program.ts';
import { someNode } from '../program/walk.ts';
import type { Trace, TraceEnd } from '../trace/event.ts';
import { mayAct } from './acting.ts';
import type { ConnectAnswers } from './answers.ts';
import type { Entry } from './entries.ts';
import { declare, endScope, execute, executeBlock } from './execute.ts';
import { withHostAccesses } from './host-accesses.ts';
import { findClass, lastPart, type ProgramTable, resolveType } from './program-table.ts';
import { bind, createScope } from './scope.ts';
import { isType } from './type-arguments.ts';
import { containerOf, createObject, isScalar } from './types.ts';
import { createCell, createSequence, numberValue, type RecordObject, unknownValue, type Value } from './value.ts';
import {
  type Budget,
  BudgetSignal,
  createHandle,
  createWorld,
  defaultBudget,
  ExitSignal,
  handleTypeOf,
  noteGap,
  ThrowSignal,
  type World,
} from './world.ts';

/** How a replay differs from an analysis: what the program was started with, and what CUDA answers. */
export interface ReplayOptions {
  /** The words on the command line, the program's name first. */
  readonly arguments: readonly string[];
  readonly answers: ConnectAnswers;
}

/**
 * Runs the program from `entry`, taking open choices as `preset` says. With `mayFail`, what a call returns is a choice, too:
 * success unless turned.  Total: every end is an ordinary trace.
 */
export function runEntry(
  program: ProgramTable,
  models: ModelTable,
  entry: Entry,
  preset: ReadonlyMap<string, boolean>,
  isCancelled: () => boolean,
  budget: Budget = defaultBudget,
  replay: ReplayOptions | null = null,
  mayFail = false,
): Trace {
  const world = createWorld(program, models, preset, isCancelled, budget);
  world.mayFail = mayFail;
  world.answers = replay?.answers(traceOf(world, entry, 'complete')) ?? null;
  let end: TraceEnd = 'complete';
  try {
    for (const definition of program.classes.values())
      for (const field of definition.fields)
        if (field.isStatic)
          declareGlobal(world, { ...field, name: `${definition.name}::${field.name}`, isStatic: false });
    for (const declaration of program.globals) declareGlobal(world, declaration);
    if (entry.definition) {
      declareModule(world);
      runFunction(world, entry.definition, replay?.arguments ?? null);
    } else executeBlock(world, world.globals, program.statements);
    endScope(world, world.globals);
  } catch (signal) {
    if (signal instanceof ExitSignal || signal instanceof ThrowSignal) end = 'exited';
    else if (signal instanceof BudgetSignal || signal instanceof RangeError) {
      end = 'budget';
      noteGap(world, 'budget', `${entry.name}: the run was cut short (${signal.message})`, world.statement);
    } else throw signal;
  }
  nameMembers(world);
  return traceOf(world, entry, end);
}

function traceOf(world: World, entry: Entry, end: TraceEnd): Trace {
  return {
    entry: entry.name,
    events: withHostAccesses(world),
    handles: world.handles,
    allocations: world.allocations,
    decisions: [...world.decisions.values()],
    gaps: [...world.gaps.values()],
    called: world.called,
    untaken: world.untaken,
    end,
    steps: world.steps,
    entered: world.entered,
    symbols: world.symbols,
  };
}

/** Members of one name in several objects, and `dptr` of a parameter structure, are called after their object too. */
function nameMembers(world: World): void {
  const rename = (kind: string, records: { name: string }[], isPlain: (name: string) => boolean): void => {
    const counts = new Map<string, number>();
    for (const record of records) counts.set(record.name, (counts.get(record.name) ?? 0) + 1);
    for (const [index, record] of records.entries()) {
      const owner = world.owners.get(`${kind} ${index}`)?.name;
      if (owner && (isPlain(record.name) || (counts.get(record.name) ?? 0) > 1))
        records[index] = { ...record, name: `${owner}.${record.name}` };
    }
  };
  rename('handle', world.handles, () => false);
  rename('allocation', world.allocations, (name) => name === 'dptr');
}

/** A module's constants are there before any of its functions is called; what acts on CUDA belongs to the module's own run. */
function declareModule(world: World): void {
  for (const statement of world.program.statements)
    if ((statement.kind === 'declare' || statement.kind === 'destructure') && !mayAct(world, statement))
      execute(world, world.globals, statement);
}

/** What only holds values waits until it is named: most globals of most files never are. */
function declareGlobal(world: World, declaration: Declaration): void {
  if (doesSomething(world, declaration)) declare(world, world.globals, declaration);
  else if (!world.pendingGlobals.has(declaration.name) || declaration.initializer)
    world.pendingGlobals.set(declaration.name, declaration);
}

const effective = new Set(['call', 'launch', 'assign', 'update', 'construct', 'lambda']);
const doing = new WeakMap<Declaration, boolean>();

function doesSomething(world: World, declaration: Declaration): boolean {
  const known = doing.get(declaration);
  if (known !== undefined) return known;
  const values = [declaration.initializer, ...(declaration.constructorArguments ?? [])];
  const result =
    findClass(world.program, declaration.type.name) !== undefined ||
    values.some((value) => value !== null && someNode(value, (node) => effective.has(node.kind)));
  doing.set(declaration, result);
  return result;
}

function runFunction(world: World, definition: FunctionDefinition, words: readonly string[] | null): void {
  world.entered.add(definition.span);
  const self = definition.className ? externalObject(world, definition.className) : null;
  if (self && lastPart(definition.name) !== definition.className) forgetInitialValues(self, 0);
  const scope = createScope(world.globals, self);
  for (const parameter of definition.parameters) {
    const value =
      definition.name === 'main' ? mainParameter(world, definition, parameter, words) : externalValue(world, parameter);
    bind(scope, parameter.name, createCell(parameter.name, value, parameter.type));
  }
  executeBlock(world, scope, definition.body?.statements ?? []);
}

/** `argc` is 1 in an ordinary run, but nothing may hang on it. */
function mainParameter(
  world: World,
  definition: FunctionDefinition,
  parameter: Parameter,
  words: readonly string[] | null,
): Value {
  if (words) return givenParameter(parameter, words);
  if (definition.parameters[0] !== parameter || parameter.type.pointers > 0) return unknownValue;
  world.symbols.set(parameter.name, parameter.span);
  return { kind: 'symbol', size: { kind: 'symbol', name: parameter.name }, hint: 1 };
}

/** `argc` and `argv` of a run whose command line is known. */
function givenParameter(parameter: Parameter, words: readonly string[]): Value {
  if (parameter.type.pointers === 0 && parameter.type.extents.length === 0) return numberValue(words.length);
  const sequence = createSequence(parameter.name, words.length, null, false);
  words.forEach((value, index) => {
    sequence.cells.set(index, createCell(`${parameter.name}[${index}]`, { kind: 'string', value }));
  });
  return { kind: 'sequence', sequence };
}

/** An object that was made elsewhere is no longer as its class makes it: its members hold what we do not know. */
function forgetInitialValues(record: RecordObject, depth: number): void {
  for (const cell of record.fields.values()) {
    const { value } = cell;
    if (value.kind === 'number' || value.kind === 'symbol' || value.kind === 'string') cell.value = unknownValue;
    else if (value.kind === 'sequence' && value.sequence.byValue && value.sequence.length === 0)
      cell.value = { kind: 'sequence', sequence: { ...value.sequence, length: null } };
    else if (value.kind === 'record' && depth < 3 && !value.record.className.startsWith('std::'))
      forgetInitialValues(value.record, depth + 1);
  }
}

function externalObject(world: World, className: string): RecordObject {
  const definition = findClass(world.program, className);
  return createObject(world, world.globals, {
    name: definition?.name ?? className,
    arguments: [],
    pointers: 0,
    isReference: false,
    isConst: false,
    extents: [],
  });
}

/** What a parameter holds when nobody here calls the function. */
function externalValue(world: World, parameter: Parameter): Value {
  const type = resolveType(world.program, parameter.type);
  const handle = handleTypeOf(type);
  if (handle) return createHandle(world, handle, parameter.name, parameter.span, true);
  if (type.pointers > 0) return externalPointer(world, parameter, type);
  if (isScalar(world.program, type)) {
    if (!/int|long|size_t|unsigned|short|float|double|bool/.test(type.name)) return unknownValue;
    world.symbols.set(parameter.name, parameter.span);
    return { kind: 'symbol', size: { kind: 'symbol', name: parameter.name }, hint: null };
  }
  if (findClass(world.program, type.name)) {
    const record = createObject(world, world.globals, type);
    forgetInitialValues(record, 0);
    return { kind: 'record', record };
  }
  if (containerOf(type) === 'vector') {
    const [element] = type.arguments;
    const elementType = element && isType(element) ? element : null;
    return { kind: 'sequence', sequence: createSequence(parameter.name, null, elementType, true) };
  }
  return unknownValue;
}

function externalPointer(world: World, parameter: Parameter, type: TypeReference): Value {
  const element: TypeReference = { ...type, pointers: type.pointers - 1, isReference: false };
  const definition = element.pointers === 0 ? findClass(world.program, lastPart(element.name)) : undefined;
  const handle = handleTypeOf(element);
  if (!definition && !handle && element.pointers === 0) return unknownValue;
  const sequence = createSequence(parameter.name, null, element, false);
  const cell = createCell(
    parameter.name,
    definition ? { kind: 'record', record: createObject(world, world.globals, element) } : unknownValue,
    element,
  );
  sequence.cells.set(0, cell);
  return { kind: 'pointer', cell, sequence, index: 0 };
}
