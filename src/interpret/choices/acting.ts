/** Whether a piece of the program can do anything CUDA sees. Loops that cannot are not run to the end. */

import { actsOnDevice } from '../../models/model.ts';
import { rememberedByProgram } from '../../program/consulted.ts';
import { isNumberName } from '../../program/number-types.ts';
import type {
  ClassDefinition,
  Expression,
  FunctionDefinition,
  Statement,
  TypeReference,
} from '../../program/program.ts';
import { typeNamed } from '../../program/type-named.ts';
import { childNodes, isNode } from '../../program/walk.ts';
import type { Acting } from '../../trace/decision.ts';
import { constructorOf, destructorOf, findClass, lastPart, methodsOf } from '../program-table.ts';
import { calledByMacro } from '../renamed-calls.ts';
import { isScriptFunction } from '../script/functions.ts';
import { isType } from '../types/type-arguments.ts';
import { checkCancelled, type World } from '../world.ts';

/** Answers hang on what a program's functions do, so they are kept by program. */
const answers = rememberedByProgram<object, Acting>();

/** True when a call inside could reach CUDA or something we do not know. */
export function mayAct(world: World, node: Expression | Statement): boolean {
  return acting(world, node) !== 'never';
}

/** `surely`: a kernel launch or a call that a model describes is inside. `perhaps`: only calls that nobody here knows. */
export function acting(world: World, node: Expression | Statement): Acting {
  return answers(world.program).get(node, 'never', () => search(world, node));
}

const ofChecks = rememberedByProgram<object, Acting>();

/**
 * The same of an arm that leaves: that it throws asks nothing of CUDA. What ends behind the exception ends where any other early
 * way out leads, too.
 */
export function actingBesidesThrowing(world: World, arm: Statement): Acting {
  return ofChecks(world.program).get(arm, 'never', () =>
    strongest(piecesThatMayAct(arm), (piece) => (piece.kind === 'throw' ? 'perhaps' : pieceActs(world, piece))),
  );
}

function search(world: World, node: object): Acting {
  if (isNode(node) && node.kind === 'lambda') return 'never';
  let result: Acting = isNode(node) ? pieceActs(world, node) : 'never';
  for (const child of childNodes(node)) {
    if (result === 'surely') return result;
    result = stronger(result, search(world, child));
  }
  return result;
}

/** What an expression or a statement does itself, whatever stands in it. */
function pieceActs(world: World, node: Expression | Statement): Acting {
  switch (node.kind) {
    case 'launch':
    case 'throw':
      return 'surely';
    case 'call':
      return callActs(world, node);
    case 'declare':
      return strongest(node.declarations, (each) => constructActs(world, each.type, each.isStatic));
    case 'class':
      return strongest(node.definition.methods, (each) => functionActs(world, each));
    case 'delete':
      return 'perhaps';
    case 'construct':
      return constructActs(world, node.type);
    case 'name':
      return node.template ? staticActs(world, node) : 'never';
    default:
      return 'never';
  }
}

const actingKinds = new Set(['launch', 'throw', 'call', 'declare', 'class', 'delete', 'construct']);

/** All below that may act themselves, outer ones first; a lambda does nothing where it stands. */
function piecesThatMayAct(statement: Statement): readonly (Expression | Statement)[] {
  const pieces: (Expression | Statement)[] = [];
  const collect = (node: object): void => {
    if (isNode(node)) {
      if (node.kind === 'lambda') return;
      if (actingKinds.has(node.kind) || (node.kind === 'name' && node.template)) pieces.push(node);
    }
    for (const child of childNodes(node)) collect(child);
  };
  collect(statement);
  return pieces;
}

/** Of the two, the one that is surer. */
export function stronger(first: Acting, second: Acting): Acting {
  return first === 'surely' || second === 'surely' ? 'surely' : first === 'perhaps' ? first : second;
}

function strongest<T>(items: Iterable<T>, read: (item: T) => Acting): Acting {
  let result: Acting = 'never';
  for (const item of items) {
    result = stronger(result, read(item));
    if (result === 'surely') return result;
  }
  return result;
}

/** Methods of containers that do nothing on the device, nor change how many elements there are. */
export const harmlessMethods = new Set([
  'size',
  'data',
  'begin',
  'end',
  'at',
  'empty',
  'c_str',
  'length',
  'count',
  'back',
  'front',
  'reserve',
  'fill',
]);

const ofBeginnings = rememberedByProgram<object, Acting>();

/** Constructors and destructors of a class, of its bases and of its members. `stays`: of a static object, which does not end with the function. */
function constructActs(world: World, type: TypeReference, stays = false): Acting {
  const definition = findClass(world.program, type.name);
  if (!definition)
    return strongest(type.arguments, (each) => (isType(each) ? constructActs(world, each, stays) : 'never'));
  const known = stays ? ofBeginnings : answers;
  return known(world.program).get(definition, 'never', () => classActs(world, definition, stays));
}

function classActs(world: World, definition: ClassDefinition, stays: boolean): Acting {
  const { name } = definition;
  const own = (stays ? [constructorOf(name)] : [constructorOf(name), destructorOf(name)]).flatMap(
    (each) => world.program.functions.get(each) ?? [],
  );
  let result = strongest(own, (each) => functionActs(world, each));
  for (const base of definition.bases)
    if (findClass(world.program, base)) result = stronger(result, constructActs(world, typeNamed(base), stays));
  for (const { type, initializer } of definition.fields) {
    if (definition.templateParameters.includes(type.name)) result = stronger(result, 'perhaps');
    if (type.pointers === 0) result = stronger(result, constructActs(world, type, stays));
    if (initializer) result = stronger(result, search(world, initializer));
  }
  return result;
}

/** `Registered<T>::isIn`, `isIn<T>`: a static member of a class template, and a template of variables, begins when it is first named. */
function staticActs(world: World, { name }: Expression & { kind: 'name' }): Acting {
  const end = name.lastIndexOf('::');
  // A template of variables is read as a class with one member of its name.
  const definition = findClass(world.program, end < 0 ? name : name.slice(0, end));
  const isOfTemplate = definition !== undefined && definition.templateParameters.length > 0;
  const field = isOfTemplate
    ? definition.fields.find((each) => each.isStatic && each.name === lastPart(name))
    : undefined;
  const initializer = field?.initializer;
  return initializer ? answers(world.program).get(initializer, 'never', () => search(world, initializer)) : 'never';
}

function callActs(world: World, node: Expression & { kind: 'call' }): Acting {
  const callback = strongest(node.arguments, (each) =>
    each.kind === 'lambda' ? strongest(each.body, (statement) => search(world, statement)) : 'never',
  );
  return stronger(callback, calleeActs(world, node.callee));
}

function calleeActs(world: World, callee: Expression): Acting {
  if (callee.kind === 'member') {
    if (harmlessMethods.has(callee.name)) return 'never';
    const methods = methodsOf(world.program).get(callee.name);
    if (methods) return strongest(methods, (definition) => functionActs(world, definition));
    return world.models.rows.has(callee.name) && actsOnDevice(world.models, callee.name) ? 'surely' : 'perhaps';
  }
  if (callee.kind !== 'name') return 'perhaps';
  const name = callee.name;
  // What it is given has been looked at by then; what a generator yields is taken by somebody else.
  if (isScriptFunction(name) && !findClass(world.program, name)) return name.startsWith('(yield') ? 'perhaps' : 'never';
  if (
    world.models.pure.has(name) ||
    world.models.pure.has(lastPart(name)) ||
    /^std::(?:min|max|move|swap|get)$/.test(name)
  )
    return 'never';
  const macro = world.program.macro(name);
  const renamed = macro?.parameters === null ? calledByMacro(world.program, name) : null;
  if (renamed?.kind === 'name' && !world.program.macro(renamed.name)) return calleeActs(world, renamed);
  if (macro) {
    // `#define cudaFree(p) note(cudaFree(p))`
    const ofItself = macro.parameters !== null && actsOnDevice(world.models, name) ? 'surely' : 'never';
    return stronger(ofItself, macroActs(world, name));
  }
  const definitions =
    world.program.functions.get(lastPart(name)) ??
    world.program.functions.get(name) ??
    (name.startsWith('::') ? undefined : methodsOf(world.program).get(lastPart(name)));
  if (definitions?.every((each) => each.namespace !== undefined) && actsOnDevice(world.models, lastPart(name)))
    return 'surely';
  if (definitions) return strongest(definitions, (definition) => functionActs(world, definition));
  if (actsOnDevice(world.models, lastPart(name))) return 'surely';
  if (findClass(world.program, name)) return constructActs(world, typeNamed(name));
  return isNumberName(name) || isOfHost(world, lastPart(name)) ? 'never' : 'perhaps';
}

/** `memcpy`, `fabs`, `atoi`: functions of the library that are known to look at, and change, nothing but memory of the host. */
function isOfHost({ models }: World, name: string): boolean {
  return models.lookups.has(name) || models.hostOnly.has(name);
}

function macroActs(world: World, name: string): Acting {
  const body = world.program.expand(name);
  if (!body) return 'perhaps';
  return body.kind === 'expression'
    ? acting(world, body.expression)
    : strongest(body.body, (each) => acting(world, each));
}

/** What calling a function may do. */
export function functionActs(world: World, definition: FunctionDefinition): Acting {
  return answers(world.program).get(definition, 'never', () => {
    checkCancelled(world);
    if (!definition.body) return 'perhaps';
    const begun = strongest(definition.memberInitializers, (each) =>
      strongest(each.arguments, (argument) => search(world, argument)),
    );
    return stronger(
      begun,
      strongest(definition.body.pieces(piecesThatMayAct), (piece) => pieceActs(world, piece)),
    );
  });
}

/** What calling a lambda may do. */
export function lambdaActs(world: World, lambda: Expression & { kind: 'lambda' }): Acting {
  return answers(world.program).get(lambda.body, 'never', () =>
    strongest(lambda.body, (statement) => search(world, statement)),
  );
}

/** What a constructor may do, with the members and bases that it begins. */
export function constructorActs(world: World, definition: FunctionDefinition, { name }: ClassDefinition): Acting {
  return stronger(functionActs(world, definition), constructActs(world, typeNamed(name)));
}
