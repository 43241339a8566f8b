/** Where interpretation starts: `main`, or every function that nothing here calls. */

import { Attached } from '../base/attached.ts';
import type { SpanSet } from '../base/span-set.ts';
import { actsOnDevice, isDeviceCall, type ModelTable } from '../models/model.ts';
import type { FunctionDefinition } from '../program/program.ts';
import { eachNode, someNode } from '../program/walk.ts';
import { methodsAroundTests } from './fixtures.ts';
import type { Life } from './object-lives.ts';
import { lastPart, methodsOf, type ProgramTable } from './program-table.ts';
import { callsNotRun, type Reached } from './reached.ts';

export interface Entry {
  readonly name: string;
  readonly definition: FunctionDefinition | null;
  /** The method is run on an object that was made, and that ends behind it. */
  readonly life?: Life;
}

/** All entries: `main` first, then functions that no other calls and that may reach CUDA. */
export function findEntries(
  program: ProgramTable,
  models: ModelTable,
  check: () => void = () => undefined,
): readonly Entry[] {
  const called = new Set<string>();
  const relevant = new Map<FunctionDefinition, boolean>();
  const all = program.allFunctions().filter((definition) => isHostCode(definition) && !definition.isLocal);
  for (const definition of all) {
    check();
    if (definition.memberInitializers.length > 0) collectCalls(definition.memberInitializers, called);
  }
  const inBodies = mentionedIn(
    models,
    all.map(({ body }) => body!.mentions),
    check,
  );
  addNamesInMacros(program, inBodies, called);
  for (const global of program.globals) {
    check();
    collectCalls(global, called);
  }
  collectCalls(program.statements, called);
  if (all.some(({ isTest }) => isTest)) for (const name of methodsAroundTests) called.add(name);
  const primary = program.modules[0]?.file;
  const entries: Entry[] = [];
  if (program.statements.length > 0) entries.push({ name: '(module)', definition: null });
  for (const definition of all) {
    check();
    // Members may be called `main`, too.
    const isMain = definition.name === 'main';
    // A file that includes its sources, `#include "main.cu"`, is the program as a whole.
    if (definition.span.file !== primary && !(isMain && isSource.test(definition.span.file))) continue;
    if (!isMain && [definition.name, lastPart(definition.name)].some((name) => called.has(name) || inBodies.has(name)))
      continue;
    if (isCalledUnnamed(definition)) continue;
    if (!isMain && !reaches(program, models, definition, relevant)) continue;
    if (isMain) entries.unshift({ name: 'main', definition });
    else entries.push({ name: program.written(definition.name), definition });
  }
  return entries;
}

interface Mentioned {
  readonly sets: readonly ReadonlySet<string>[];
  readonly names: ReadonlySet<string>;
}

const lastMentioned = new WeakMap<ModelTable, Mentioned>();

/** All that is in these sets, which are mostly those that were asked of last: bodies that only move mention the same set. */
function mentionedIn(models: ModelTable, sets: readonly ReadonlySet<string>[], check: () => void): ReadonlySet<string> {
  const last = lastMentioned.get(models);
  if (last?.sets.length === sets.length && sets.every((each, index) => each === last.sets[index])) return last.names;
  const names = new Set<string>();
  for (const each of sets) {
    check();
    for (const name of each) names.add(name);
  }
  lastMentioned.set(models, { sets, names });
  return names;
}

/** What the macros say that are used there, and those in their bodies: a function that only they name is called all the same. */
function addNamesInMacros(program: ProgramTable, used: ReadonlySet<string>, called: Set<string>): void {
  const open = [...used].filter((name) => program.macro(name) !== undefined);
  const seen = new Set(open);
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    for (const [word] of (program.macro(name)?.body ?? '').matchAll(/[A-Za-z_]\w*/g)) {
      called.add(word);
      if (seen.has(word) || program.macro(word) === undefined) continue;
      seen.add(word);
      open.push(word);
    }
  }
}

const isSource = /\.(?:cu|c|cc|cpp|cxx)$/;

/**
 * Functions that may reach CUDA and that no run has entered: called through tables, by code elsewhere, or constructors of
 * classes that nobody here constructs. Outermost first, so that few entries cover much.
 */
export function findUnentered(program: ProgramTable, models: ModelTable, entered: SpanSet): readonly Entry[] {
  const relevant = new Map<FunctionDefinition, boolean>();
  const primary = program.modules[0]?.file;
  return program
    .allFunctions()
    .filter((definition) => isHostCode(definition) && !definition.isLocal && definition.span.file === primary)
    .filter((definition) => !entered.has(definition.span) && reaches(program, models, definition, relevant))
    .sort((first, second) => second.span.start - first.span.start)
    .map((definition) => ({ name: program.written(definition.name), definition }));
}

/** Functions that were entered, and in which something that calls CUDA has not been run. `check` is called for each, and may throw. */
export function findPartlyRun(
  program: ProgramTable,
  models: ModelTable,
  reached: Reached,
  check: () => void,
): readonly FunctionDefinition[] {
  const primary = program.modules[0]?.file;
  return program.allFunctions().filter((definition) => {
    if (!definition.body || !isHostCode(definition) || definition.isLocal) return false;
    if (definition.span.file !== primary || !reached.entered.has(definition.span)) return false;
    check();
    return (
      mentionsDevice(models, definition.body.mentions) && callsNotRun(program, models, definition, reached).length > 0
    );
  });
}

const deviceMentions = new WeakMap<ModelTable, Attached<ReadonlySet<string>, boolean>>();

/** Asked of every function after every keystroke: kept for what a body mentions, which stays the same set wherever it moves. */
function mentionsDevice(models: ModelTable, mentions: ReadonlySet<string>): boolean {
  const known = deviceMentions.get(models) ?? new Attached<ReadonlySet<string>, boolean>();
  deviceMentions.set(models, known);
  let does = known.get(mentions);
  if (does === undefined) {
    does = [...mentions].some((name) => name === '<<<' || isDeviceCall(models, name));
    known.set(mentions, does);
  }
  return does;
}

/** Has a body that the host runs. */
export function isHostCode(definition: FunctionDefinition): boolean {
  return definition.body !== null && !definition.isKernel && !definition.isDevice;
}

/** Constructors, destructors and operators: that nobody names them does not mean that nobody calls them. */
function isCalledUnnamed({ name, className }: FunctionDefinition): boolean {
  const last = lastPart(name);
  // `[Symbol.dispose]` and the like, by TypeScript itself.
  return last.startsWith('~') || last.startsWith('[') || last === className || /^operator\b/.test(last);
}

function collectCalls(root: object, called: Set<string>): void {
  eachNode(root, (node) => {
    if (node.kind !== 'name' && node.kind !== 'member') return;
    called.add(node.name);
    if (node.name.includes('::')) called.add(lastPart(node.name));
  });
}

/** Whether a function calls, directly or through others, something that a model describes, or launches a kernel. */
function reaches(
  program: ProgramTable,
  models: ModelTable,
  definition: FunctionDefinition,
  known: Map<FunctionDefinition, boolean>,
): boolean {
  const earlier = known.get(definition);
  if (earlier !== undefined) return earlier;
  known.set(definition, false);
  const names = [...(definition.body?.mentions ?? [])];
  const isNamed = names.some(
    (name) =>
      name === '<<<' ||
      isDeviceCall(models, name) ||
      (program.functions.get(name) ?? methodsOf(program).get(name) ?? []).some(
        (callee) => callee !== definition && callee.body && !callee.isKernel && reaches(program, models, callee, known),
      ),
  );
  const found = isNamed || names.some((name) => macroReaches(program, models, name));
  known.set(definition, found);
  return found;
}

const macroAnswers = new Attached<ProgramTable, Map<string, boolean>>();

/** `#define SAFE_FREE(p) …`: whether what stands in a macro calls something that a model describes, or launches a kernel. */
function macroReaches(program: ProgramTable, models: ModelTable, name: string): boolean {
  if (!program.macro(name)) return false;
  const answers = macroAnswers.get(program) ?? new Map<string, boolean>();
  macroAnswers.set(program, answers);
  const known = answers.get(name);
  if (known !== undefined) return known;
  const body = program.expand(name);
  const found =
    body !== null &&
    someNode(body, (node) => node.kind === 'launch' || (node.kind === 'name' && actsOnDevice(models, node.name)));
  answers.set(name, found);
  return found;
}
