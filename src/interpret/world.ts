/** One run through the program: what it knows, what it has spent, and the trace it writes. */

import type { Gap } from '../base/finding.ts';
import type { Span } from '../base/span.ts';
import type { ModelTable } from '../models/model.ts';
import type { ClassDefinition, Declaration, Expression, TypeReference } from '../program/program.ts';
import type { Decision } from '../trace/decision.ts';
import type {
  AllocationOrigin,
  AllocationRecord,
  DevicePointer,
  Effect,
  HandleRecord,
  HandleType,
  TraceEvent,
} from '../trace/event.ts';
import { perThreadStream, threadsOwn } from '../trace/event.ts';
import type { Frame } from '../trace/frame.ts';
import type { Size } from '../trace/size.ts';
import type { Answers } from './answers.ts';
import type { SameAnswers } from './asked-texts.ts';
import { type Budget, defaultBudget } from './budget.ts';
import { calledFrom, framesInText, placeInText } from './called-from.ts';
import type { Gotten } from './calls/getters.ts';
import type { Range } from './choices/implied.ts';
import type { HostCallback } from './cuda/callbacks.ts';
import type { HostAccess } from './cuda/host-accesses.ts';
import type { Watched } from './cuda/host-objects.ts';
import { type Gone, noteGone } from './gone.ts';
import type { GivenObject, HostObject } from './host-ends.ts';
import type { ProgramTable } from './program-table.ts';
import { createScope, type Scope } from './scope.ts';
import { type CallbackGroup, createCallbackGroup } from './script/registered-callbacks.ts';
import type { Threads } from './threads.ts';
import { type Cell, type RecordObject, unknownValue, type Value } from './value.ts';

export interface World {
  readonly program: ProgramTable;
  readonly models: ModelTable;
  readonly globals: Scope;
  readonly budget: Budget;
  readonly preset: ReadonlyMap<string, boolean>;
  readonly isCancelled: () => boolean;
  readonly events: TraceEvent[];
  readonly handles: HandleRecord[];
  readonly allocations: AllocationRecord[];
  readonly gaps: Map<string, Gap>;
  /** The choice made last, and those whose arms are under way: when the run ends, those that led there. */
  decided: string | null;
  readonly within: string[];
  /** By decision: the piece of the program that this run leaves out. */
  readonly untaken: Map<string, object>;
  /** Calls of CUDA, of kernels and of unknown functions that ran. */
  readonly called: Set<Span>;
  /** What the host touched of memory that the device sees. */
  readonly hostAccesses: HostAccess[];
  /** How many events came before the last call or loop of which nobody here knows what it does; −1 when there was none. */
  unknownAt: number;
  /** How many times that was so. */
  unseenCount: number;
  /** Host functions were put into streams that nothing has waited for since, as far as is known. */
  hasCallbacks: boolean;
  /** Functions of the host that streams and graphs call. */
  readonly callbacks: HostCallback[];
  /** Objects of the host whose address the device was given, numbered. */
  readonly hostObjects: Map<HostObject, GivenObject>;
  /** Those of them that are plain variables, and have not ended. */
  readonly keptVariables: Set<Cell>;
  /** Variables and arrays of the host that graphs copy; null while there are none. */
  watched: Watched | null;
  /** Captures that have begun and not ended. */
  openCaptures: number;
  /** The expression that is being stored to. */
  storing: Expression | null;
  readonly decisions: Map<string, Decision>;
  /** What the decisions say of numbers that are not known, by how they are written. */
  readonly ranges: Map<string, Range>;
  /** How high numbers are, as far as the last round goes that is tried of a loop over them. */
  readonly usualCounts: Map<string, number>;
  readonly symbols: Map<string, Span>;
  /** Replaced, never changed: events keep it. */
  frames: readonly Frame[];
  /** What the function that runs gives back; null where that is not written. */
  returnType: TypeReference | null;
  /** How often a place that decides was reached, to tell iterations apart. */
  readonly visits: Map<string, number>;
  /** Values of calls and names we know nothing about, so that the same text gives the same value. */
  readonly externals: Map<string, Value>;
  /** What functions that we cannot see return, by name. */
  readonly externalResults: Map<string, Cell>;
  /** The handles that stand for what is not known, by the unknown. */
  readonly guesses: Map<Value, Value & { kind: 'handle' }>;
  /** What pointers that nobody knows point at, once something was asked of it. */
  readonly unseenObjects: Map<Value, Cell>;
  /** Where pointers lead that came from outside, by the unknown value that they were: the same for all copies of it. */
  readonly unseenArrays: Map<Value, Value & { kind: 'pointer' }>;
  /** The device memory that pointers lead to which the run was given, by the unknown that they were. */
  readonly givenMemory: Map<Value, Value & { kind: 'device' }>;
  /** What functions with arguments that we cannot see return, by name. */
  readonly gotten: Map<string, Gotten>;
  readonly sameAnswers: SameAnswers;
  readonly gone: Gone;
  /** Allocations that objects of classes which are not seen were made with. */
  readonly entrusted: Set<number>;
  /** Allocations of which nobody has the address any more, behind a function or behind a test and its fixture. */
  lost: { readonly allocations: readonly number[]; readonly isTest: boolean };
  /** Handles and allocations that the program made itself. */
  thingsMade: number;
  /** The stream a library's handle was given. */
  readonly libraryStreams: Map<number, number>;
  /** Memory that the calls with a library's handle use. */
  readonly libraryWorkspaces: Map<number, DevicePointer>;
  /** How deep in calls the variable lies that a handle or allocation is called after. */
  readonly handleDepths: number[];
  readonly allocationDepths: number[];
  /** The objects whose member a handle or allocation was, to tell members of one name apart. */
  readonly owners: Map<string, RecordObject[]>;
  /** Places in arrays that only a symbol names. */
  readonly symbolicPositions: Map<string, number>;
  /** The places that variables of a name were read from while nothing was known of what they hold. */
  readonly symbolSources: Map<string, Cell[]>;
  /** How many choices had to be made, and how many had been before each call that is under way. */
  asked: number;
  readonly askedBefore: number[];
  /** How often a function called itself more deeply than is followed. */
  readonly endless: Map<string, number>;
  /** Functions that were run. */
  readonly entered: Set<Span>;
  /** Globals that CUDA sees nothing of, declared when they are first named. */
  pendingGlobals: Map<string, Declaration>;
  /** The static member that is given its first value, and how deep in calls: its class's other members need no qualifier there. */
  memberBegun: { readonly className: string; readonly depth: number } | null;
  /** Classes of which an object is being made. */
  readonly creating: Set<ClassDefinition>;
  /** Classes of which a member is being made by its constructor. */
  readonly constructing: Set<ClassDefinition>;
  /** Classes that something is just converted to, and what. */
  readonly converting: Map<ClassDefinition, Value>;
  /** The call that makes up the statement under way: nobody looks at what it returns. */
  unheeded: Span | null;
  /** How many `try` blocks the run is inside of. */
  tryDepth: number;
  /** Functions that were handed over to be called later: of the whole run, and of the groups of tests that are open. */
  readonly callbackGroups: CallbackGroup[];
  /** How many static or global variables are being initialised: the same for whoever comes first, so that it makes few paths. */
  lastingDepth: number;
  /** Objects that go at the end of the full expression under way; those of the ones around it come first. */
  readonly temporaries: Value[];
  /** `cudaStreamCaptureMode` of the thread; null when it is not known. */
  threadMode: number | null;
  /** A thread has been started: what it shares with others may change at any time. */
  hasThreads: boolean;
  readonly threads: Threads;
  /** The device that the thread under way has chosen. */
  device: Value;
  /** Semaphores and addresses that streams tell each other something through, numbered. */
  readonly toldPlaces: Map<unknown, number>;
  /** What the run has been asked and cannot know, by the unknown that is asked for. */
  readonly questions: Map<Value, string>;
  /** How many unknowns each place has asked for: `a[i]` in a loop whose rounds are not told apart asks for several. */
  readonly questionNames: Map<string, number>;
  readonly classScopes: Map<string, Scope>; // TypeScript's: what the methods of a class inside a function see of that, by the class
  readonly statics: Map<string, Cell>; // static locals, by span
  statement: Span;
  /** How deep in calls the value is worked out that the program returns; −1 while none is. */
  endingAt: number;
  macroDepth: number;
  steps: number;
  doings: number; // see `noteDoing`
  /** Inside a loop that CUDA sees nothing of: the step at which it is given up; null elsewhere. */
  quietUntil: number | null;
  /** The run begins where the program does: globals hold what they are initialised with. */
  isWholeProgram: boolean;
  isTestLeft: boolean; // `GTEST_SKIP();` and the like: a test, or what makes it ready, has been left
  hasCalledUnseen: boolean; // a function of the program that is defined elsewhere has been called
  readonly kept: object; // see `keptByRun`
  mayFail: Set<string> | null; // what calls return is open, symbols by name: success in an ordinary run, but the program may take it otherwise
  /** A function or loop that perhaps does nothing: the step it began at and what the trace held then. */
  trial: { readonly steps: number; readonly length: number; readonly isOver: number | null } | null;
  /** Steps that may still be spent on such loops at their full length. */
  quietStepsLeft: number;
  /** Steps that loops may get beyond that, when it is known that they come to their end. */
  extraQuietSteps: number;
  /** What CUDA answers, in a replay; null in an analysis, where calls succeed. */
  answers: Answers | null;
  status: number; // what the call under way returns
  lastError: number; // that nobody has asked for yet
  /** What the call under way has written, with what was there before: a refused call leaves it alone. */
  readonly written: [Cell, Value][];
}

export class Cancelled extends Error {}
/** The program ended: `exit`, `abort`, an uncaught exception. */
export class ExitSignal {
  /** It ends as it should: not for a check that failed. */
  constructor(readonly isMeant: boolean) {}
}
export class BudgetSignal {
  constructor(readonly message: string) {}
}
/** Whoever goes through what a generator yields wants no more of it. */
export class LeaveSignal {}
export class ThrowSignal {
  /** What was thrown, where that is known. */
  constructor(readonly value: Value = unknownValue) {}
}

/** What an ordinary program begins with; a function that is run on its own may be called with any. */
export const firstDevice: Value = { kind: 'number', value: 0 };

export function createWorld(
  program: ProgramTable,
  models: ModelTable,
  preset: ReadonlyMap<string, boolean>,
  isCancelled: () => boolean,
  budget: Budget = defaultBudget,
): World {
  const nowhere: Span = { file: program.modules[0]?.file ?? '', start: 0, end: 0 };
  return {
    program,
    models,
    globals: createScope(null, null),
    budget,
    preset,
    isCancelled,
    events: [],
    handles: [
      { type: 'stream', name: 'default stream', span: nowhere, external: false },
      { type: 'stream', name: threadsOwn, span: nowhere, external: false },
    ],
    allocations: [],
    thingsMade: 0,
    gaps: new Map(),
    called: new Set(),
    decided: null,
    within: [],
    untaken: new Map(),
    hostAccesses: [],
    unknownAt: -1,
    unseenCount: 0,
    hasCallbacks: false,
    callbacks: [],
    hostObjects: new Map(),
    keptVariables: new Set(),
    kept: {},
    watched: null,
    openCaptures: 0,
    storing: null,
    decisions: new Map(),
    ranges: new Map(),
    usualCounts: new Map(),
    symbols: new Map(),
    frames: [],
    returnType: null,
    visits: new Map(),
    externals: new Map(),
    externalResults: new Map(),
    guesses: new Map(),
    unseenObjects: new Map(),
    unseenArrays: new Map(),
    givenMemory: new Map(),
    gotten: new Map(),
    entrusted: new Set(),
    lost: { allocations: [], isTest: false },
    gone: { allocations: new Set(), handles: new Set() },
    sameAnswers: { given: new Map(), texts: new Map(), numbers: new Map() },
    libraryStreams: new Map(),
    libraryWorkspaces: new Map(),
    handleDepths: [],
    allocationDepths: [],
    owners: new Map(),
    symbolicPositions: new Map(),
    symbolSources: new Map(),
    asked: 0,
    askedBefore: [],
    endless: new Map(),
    entered: new Set(),
    pendingGlobals: new Map(),
    memberBegun: null,
    creating: new Set(),
    constructing: new Set(),
    converting: new Map(),
    unheeded: null,
    tryDepth: 0,
    callbackGroups: [createCallbackGroup()],
    lastingDepth: 0,
    temporaries: [],
    threadMode: 0,
    hasThreads: false,
    device: firstDevice,
    toldPlaces: new Map(),
    threads: { depth: 0, parked: [], ownStream: perThreadStream, own: null, ofEach: new Map() },
    questions: new Map(),
    questionNames: new Map(),
    classScopes: new Map(),
    statics: new Map(),
    statement: nowhere,
    endingAt: -1,
    macroDepth: 0,
    steps: 0,
    doings: 0,
    quietUntil: null,
    isWholeProgram: true,
    isTestLeft: false,
    hasCalledUnseen: false,
    mayFail: null,
    trial: null,
    quietStepsLeft: 6_000,
    extraQuietSteps: 20_000,
    answers: null,
    status: 0,
    lastError: 0,
    written: [],
  };
}

/** One less than a power of two. */
const stepsBetweenPolls = 63;

/** Counts work; ends the run when its budget is spent or it was cancelled. */
export function spend(world: World): void {
  world.steps++;
  if (world.steps > world.budget.steps) throw new BudgetSignal('steps');
  if ((world.steps & stepsBetweenPolls) === 0) checkCancelled(world);
}

/** Ends the run when nobody wants it any more. */
export function checkCancelled(world: World): void {
  if (world.isCancelled()) throw new Cancelled();
}

export function emit(world: World, api: string, span: Span, argumentSpans: readonly Span[], effect: Effect): void {
  if (world.events.length >= world.budget.events) {
    noteGap(world, 'budget', 'too many calls: the rest of the program was not followed', span);
    throw new BudgetSignal('events');
  }
  const from = calledFrom(world.frames, span);
  const event = Object.assign(effect, {
    index: world.events.length,
    api,
    span: from?.call ?? placeInText(world, span),
    statement: from?.statement ?? world.statement,
    arguments: from ? [] : argumentSpans,
    frames: from?.frames ?? framesInText(world.frames),
    unseen: world.unseenCount,
  }) as TraceEvent;
  world.events.push(event);
  noteGone(world.gone, event, world.openCaptures > 0);
  if (event.verb === 'stream.operation' && event.operation.kind === 'host') world.hasCallbacks = true;
  else if (event.verb === 'capture.begin') world.openCaptures++;
  else if (event.verb === 'capture.end') world.openCaptures--;
  if (world.answers) noteStatus(world, world.answers.answer(event));
}

/** The first error of a call is what it returns. */
export function noteStatus(world: World, status: number): void {
  if (status === 0) return;
  if (world.status === 0) world.status = status;
  world.lastError = status;
}

export function createHandle(
  world: World,
  type: HandleType,
  name: string,
  span: Span,
  external = false,
  isGuess = false,
): Value & { kind: 'handle' } {
  world.handles.push({ type, name, span, external, isGuess });
  if (!isGuess) world.thingsMade++;
  world.handleDepths[world.handles.length - 1] = world.frames.length;
  return { kind: 'handle', type, id: world.handles.length - 1 };
}

export function createAllocation(
  world: World,
  name: string,
  span: Span,
  origin: AllocationOrigin,
  bytes: Size | null,
): number {
  world.allocations.push({ name, span, origin, bytes });
  if (origin !== 'external') world.thingsMade++;
  world.allocationDepths[world.allocations.length - 1] = world.frames.length;
  return world.allocations.length - 1;
}

export function noteGap(world: World, kind: string, what: string, span: Span): void {
  const key = `${kind}:${what}:${span.file}:${span.start}`;
  if (!world.gaps.has(key)) world.gaps.set(key, { kind, name: world.program.written(what), span });
}

/** The next visit number of a place. */
export function visit(world: World, key: string): number {
  const count = world.visits.get(key) ?? 0;
  world.visits.set(key, count + 1);
  return count;
}
