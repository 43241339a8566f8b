/**
 * What a run begins with: globals and static members. What only holds values waits until it is named, as most of most files never are;
 * what does something, or is made of other variables, is made at once. Which is which is found once a program, and not once a run.
 */

import { Attached } from '../base/attached.ts';
import { rememberedByProgram } from '../program/consulted.ts';
import type { Declaration } from '../program/program.ts';
import { someNode } from '../program/walk.ts';
import { invokeClosure } from './calls/invoke.ts';
import { mayAct } from './choices/acting.ts';
import { readsVariables } from './global-order.ts';
import { findClass, type ProgramTable, resolveType } from './program-table.ts';
import { isThunk } from './scope.ts';
import { declareGlobal } from './statements/declare.ts';
import type { World } from './world.ts';

interface Globals {
  /** In the order in which they are found by their names. */
  readonly waiting: ReadonlyMap<string, Declaration>;
  readonly atOnce: readonly Declaration[];
  /** Those of which each thread has its own. */
  readonly ofThreads: readonly Declaration[];
}

const none: Globals = { waiting: new Map(), atOnce: [], ofThreads: [] };
const ofPrograms = rememberedByProgram<object, Globals>();
const ofParts = rememberedByProgram<object, Globals>();

/** Declares the globals of a run: of a whole program, or of a function that is run on its own. */
export function beginGlobals(world: World): void {
  const { program, isWholeProgram } = world;
  const remembered = (isWholeProgram ? ofPrograms : ofParts)(program);
  const { waiting, atOnce, ofThreads } = remembered.get(program, none, () => globalsOf(world));
  for (const each of ofThreads) world.threads.ofEach.set(each.name, each);
  world.pendingGlobals = new Map(waiting);
  for (const each of atOnce) {
    declareGlobal(world, each);
    if (isWholeProgram) runGiven(world, each);
  }
}

/** What an object of a class that nobody sees is given, and of which nothing is asked, is there to be run. */
function runGiven(world: World, declaration: Declaration): void {
  const { program } = world;
  if (!isGivenLambda(program, declaration)) return;
  const held = world.globals.names?.get(declaration.name);
  if (!held || isThunk(held) || held.value.kind !== 'closure') return;
  if (program.allFunctions().some(({ body }) => body?.mentions.has(declaration.name))) return;
  invokeClosure(world, held.value, [], declaration.span);
}

/** `const suite<"name"> tests = [] { … };`, of a class that nobody sees. */
function isGivenLambda(program: ProgramTable, { type, initializer }: Declaration): boolean {
  if (initializer?.kind !== 'lambda' || initializer.parameters.length > 0) return false;
  const { name, pointers } = resolveType(program, type);
  return pointers === 0 && !/^(?:auto$|std::|$)/.test(name) && !findClass(program, name);
}

function globalsOf(world: World): Globals {
  const { program } = world;
  const waiting = new Map<string, Declaration>();
  const atOnce: Declaration[] = [];
  const ofThreads: Declaration[] = [];
  const add = (declaration: Declaration, isOfTemplate = false): void => {
    if (declaration.isElsewhere === 'thread' && !isOfTemplate) ofThreads.push(declaration);
    if (isFunctionDeclared(program, declaration)) return;
    if (!isOfTemplate && beginsAtOnce(world, declaration)) atOnce.push(declaration);
    else if (!waiting.has(declaration.name) || declaration.initializer || declaration.constructorArguments)
      waiting.set(declaration.name, declaration);
  };
  for (const definition of program.classes.values())
    for (const field of definition.fields)
      if (field.isStatic)
        // Of a class template there is only what is used.
        add(
          { ...field, name: `${definition.name}::${field.name}`, isStatic: false },
          definition.templateParameters.length > 0,
        );
  for (const declaration of program.globals) add(declaration);
  return { waiting, atOnce, ofThreads };
}

function beginsAtOnce(world: World, declaration: Declaration): boolean {
  const { initializer, type } = declaration;
  if (isGivenLambda(world.program, declaration)) return true;
  // `constexpr int n = count<Ts...>();`: what is only calculated is so when it is asked for.
  const isCalculated = type.isConst && initializer !== null && !findClass(world.program, type.name);
  if (doesSomething(world.program, declaration) && !(isCalculated && !mayAct(world, initializer))) return true;
  return world.isWholeProgram && readsVariables(world.program, declaration);
}

/** `static step first;` where `typedef int step(int);`: the function is meant. */
function isFunctionDeclared(program: ProgramTable, { name, type, initializer }: Declaration): boolean {
  if (initializer || !program.functions.has(name) || type.pointers > 0 || !program.aliases.has(type.name)) return false;
  return resolveType(program, type).name === 'std::function';
}

const effective = new Set(['call', 'launch', 'assign', 'update', 'construct', 'lambda']);
const doing = new Attached<Declaration, boolean>();

function doesSomething(program: ProgramTable, declaration: Declaration): boolean {
  const known = doing.get(declaration);
  if (known !== undefined) return known;
  const values = [declaration.initializer, ...(declaration.constructorArguments ?? [])];
  const result =
    findClass(program, declaration.type.name) !== undefined ||
    values.some(
      (value) =>
        value !== null &&
        someNode(value, (node) => effective.has(node.kind) || (node.kind === 'name' && node.template !== undefined)),
    );
  doing.set(declaration, result);
  return result;
}
