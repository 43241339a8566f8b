/** One run from an entry: globals, parameters from outside, the body, what is left to destroy. */

import { spanEncloses } from '../base/span.ts';
import { isTooDeep, tooDeep } from '../base/too-deep.ts';
import type { ModelTable } from '../models/model.ts';
import type { FunctionDefinition, Parameter, Statement } from '../program/program.ts';
import type { Trace, TraceEnd, TraceEvent } from '../trace/event.ts';
import type { ConnectAnswers } from './answers.ts';
import { beginGlobals } from './beginning-globals.ts';
import { functionsBesideMain } from './beside-main.ts';
import { type Budget, defaultBudget } from './budget.ts';
import { runConstructorBody } from './calls/invoke.ts';
import { acting, mayAct } from './choices/acting.ts';
import { placesAsked } from './choices/asked-at.ts';
import { forgetAssigned } from './choices/forgetting.ts';
import { noteOrdinary } from './choices/implied.ts';
import { externalObject, externalValue, forgetInitialValues } from './choices/outside.ts';
import { shortenedLoops } from './choices/repeat.ts';
import { withHostAccesses } from './cuda/host-accesses.ts';
import type { Entry } from './entries.ts';
import { beginFixture, endFixture, typesInTest } from './fixtures.ts';
import { keptToTheEnd } from './keepers.ts';
import { resumeLeft } from './library/coroutine-frames.ts';
import { isMap } from './library/map-entries.ts';
import { lostMemory } from './lost-memory.ts';
import { prefixOf } from './objects/homes.ts';
import { beginUnseen } from './objects/unseen-class.ts';
import { findClass, lastPart, type ProgramTable } from './program-table.ts';
import { runLife } from './run-life.ts';
import { bind, createScope, isThunk } from './scope.ts';
import { runPutOff } from './script/registered-callbacks.ts';
import { type Completion, endScope, execute, executeBlock } from './statements/execute.ts';
import { beginEnvironments, endEnvironments } from './test-environments.ts';
import { endThreads, ThreadEndSignal } from './threads.ts';
import { withTemplates } from './types/class-templates.ts';
import { type Cell, createCell, createSequence, numberValue, truth, unknownValue, type Value } from './value.ts';
import { BudgetSignal, createWorld, ExitSignal, noteGap, ThrowSignal, type World } from './world.ts';

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
  world.mayFail = mayFail ? new Set() : null;
  world.isWholeProgram = entry.definition === null || entry.name === 'main';
  world.answers = replay?.answers(traceOf(world, entry, 'complete')) ?? null;
  let end: TraceEnd = 'complete';
  try {
    beginGlobals(world);
    if (entry.definition) {
      declareModule(world);
      runBeside(world, entry, 'before');
      if (entry.life) runLife(world, entry.life, entry.definition);
      else if (!runFunction(world, entry.definition, replay?.arguments ?? null)) end = 'ended';
    } else executeBlock(world, world.globals, program.statements);
    runPutOff(world);
    runBeside(world, entry, 'behind');
    resumeLeft(world);
    endThreads(world);
    endScope(world, world.globals);
  } catch (signal) {
    if (signal instanceof ExitSignal)
      end = !signal.isMeant ? 'exited' : isLastWord(world, entry) ? 'complete' : 'ended';
    else if (signal instanceof ThreadEndSignal) end = isLastWord(world, entry) ? 'complete' : 'ended';
    else if (signal instanceof ThrowSignal) end = 'exited';
    else if (signal instanceof BudgetSignal || signal instanceof RangeError) {
      end = 'budget';
      noteGap(
        world,
        'budget',
        `${entry.name}: the run was cut short (${isTooDeep(signal) ? tooDeep : signal.message})`,
        world.statement,
      );
    } else throw signal;
  }
  nameMembers(world);
  const trace = traceOf(world, entry, end);
  // What kernels do is read when somebody asks, with steps of its own.
  world.steps = 0;
  return trace;
}

/** What runs in front of `main`, or behind it, without being called. */
function runBeside(world: World, { name, definition }: Entry, when: 'before' | 'behind'): void {
  if (name !== 'main' || !definition) return;
  for (const each of functionsBesideMain(world.program, when)) runFunction(world, each, null);
}

/** `exit(EXIT_SUCCESS);` as the last statement of a function is its end, as `return` would be. */
function isLastWord({ statement, frames }: World, { definition }: Pick<Entry, 'definition'>): boolean {
  const last = definition?.body?.statements.at(-1);
  return frames.length === 0 && last !== undefined && statement !== null && spanEncloses(last.span, statement);
}

/** `return 1;` in the midst of `main`, and `return status;` of a status that may say so, ends the program as `exit` does. */
function isCutShort(world: World, definition: FunctionDefinition, completion: Completion): boolean {
  if (definition.name !== 'main' || completion?.kind !== 'return') return false;
  return truth(completion.value) !== false && !isLastWord(world, { definition });
}

function traceOf(world: World, entry: Entry, end: TraceEnd): Trace {
  return {
    entry: entry.name,
    events: withoutLastReset(withHostAccesses(world)),
    handles: world.handles,
    allocations: world.allocations,
    decisions: [...world.decisions.values()].map((each) => ({ ...each, places: placesAsked(world, each) })),
    gaps: [...world.gaps.values()],
    called: world.called,
    ...(end === 'exited' ? { endedWithin: world.within } : {}),
    untaken: world.untaken,
    shortened: shortenedLoops(world),
    end,
    steps: world.steps,
    entered: world.entered,
    symbols: world.symbols,
    lost: world.lost.allocations,
    isTest: world.lost.isTest,
    kept: keptToTheEnd(world),
  };
}

/** A reset behind which nothing is asked of CUDA is how programs end. */
function withoutLastReset(events: readonly TraceEvent[]): readonly TraceEvent[] {
  return events.at(-1)?.verb === 'device.reset' ? events.slice(0, -1) : events;
}

/** Members of one name in several objects, and `dptr` of a parameter structure, are called after their object too. */
function nameMembers(world: World): void {
  const rename = (kind: string, records: { name: string }[], isPlain: (name: string) => boolean): void => {
    const counts = new Map<string, number>();
    for (const record of records) counts.set(record.name, (counts.get(record.name) ?? 0) + 1);
    for (const [index, record] of records.entries()) {
      if (!isPlain(record.name) && (counts.get(record.name) ?? 0) < 2) continue;
      // A variable that took it over from the member has a name of its own.
      const owners = (world.owners.get(`${kind} ${index}`) ?? []).filter((each) => each.fields.has(record.name));
      const variable = owners.find((each) => each.name);
      const prefix = variable
        ? `${variable.name}.`
        : owners.map((each) => prefixOf(each)).find((each) => each !== null);
      if (prefix) records[index] = { ...record, name: prefix + record.name };
    }
  };
  rename('handle', world.handles, () => false);
  rename('allocation', world.allocations, (name) => name === 'dptr');
}

/** A module's constants are there before any of its functions is called; what acts on CUDA belongs to the module's own run. */
function declareModule(world: World): void {
  for (const statement of world.program.statements)
    if (statement.kind === 'block' && statement.isStatic) defineStatics(world, statement);
    else if ((statement.kind === 'declare' || statement.kind === 'destructure') && !mayAct(world, statement))
      declareInModule(world, statement);
}

/** What a class does when it is defined; where that acts on CUDA, what it stores is not known. */
function defineStatics(world: World, statement: Statement): void {
  if (acting(world, statement) === 'surely') forgetAssigned(world, world.globals, statement);
  else execute(world, world.globals, statement);
}

/** What a function is shown that did not begin with the module: variables may have been set since, and maps filled. */
function declareInModule(world: World, statement: Statement): void {
  execute(world, world.globals, statement);
  if (statement.kind !== 'declare') return;
  for (const { name } of statement.declarations) {
    const cell = world.globals.names?.get(name);
    if (!cell || isThunk(cell)) continue;
    if (cell.value.kind === 'number' && cell.value.isNothing) cell.value = unknownValue;
    else if (cell.value.kind === 'record' && isMap(cell.value.record)) cell.value.record.isFilledElsewhere = true;
  }
}

/** Whether the function comes to an end as it should. */
function runFunction(world: World, definition: FunctionDefinition, words: readonly string[] | null): boolean {
  world.entered.add(definition.span);
  const givenTest = definition.isTest ? parametersOf(world, definition, words) : [];
  const environments = definition.isTest ? beginEnvironments(world, definition) : [];
  const fixture = beginFixture(world, definition, givenTest);
  const self = fixture ?? (definition.className ? externalObject(world, definition.className) : null);
  const isConstructor = definition.className !== null && lastPart(definition.name) === lastPart(definition.className);
  if (self && !fixture && !isConstructor) forgetInitialValues(self, 0);
  const scope = createScope(world.globals, self);
  if (fixture?.templates) {
    withTemplates(scope, fixture.templates);
    for (const [name, type] of typesInTest(definition, fixture)) scope.templateTypes?.set(name, type);
  }
  for (const cell of definition.isTest ? givenTest : parametersOf(world, definition, words))
    bind(scope, cell.name, cell);
  const statements = definition.body?.statements ?? [];
  if (!self && definition.memberInitializers.length > 0) beginUnseen(world, scope, definition);
  const completion =
    self && isConstructor
      ? runConstructorBody(world, scope, definition, self, findClass(world.program, self.className) ?? null, statements)
      : executeBlock(world, scope, statements);
  if (completion?.kind === 'goto') noteGap(world, 'syntax', 'goto into a block', completion.span);
  if (fixture) endFixture(world, definition, fixture, givenTest);
  endEnvironments(world, definition, environments);
  const returned = completion?.kind === 'return' ? completion.value : null;
  const names = definition.parameters.map(({ name }) => name);
  const isTest = Boolean(definition.isTest) && (fixture !== null || definition.className === null);
  if (!world.isWholeProgram) world.lost = { allocations: lostMemory(world, scope, names, returned, isTest), isTest };
  return !isCutShort(world, definition, completion);
}

/** What a function is given that nobody here calls. */
function parametersOf(world: World, definition: FunctionDefinition, words: readonly string[] | null): readonly Cell[] {
  return definition.parameters.map((parameter) => {
    const value =
      definition.name === 'main' ? mainParameter(world, definition, parameter, words) : externalValue(world, parameter);
    return createCell(parameter.name, value, parameter.type);
  });
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
  noteOrdinary(world, parameter.name, 1);
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
