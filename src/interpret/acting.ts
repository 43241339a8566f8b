/** Whether a piece of the program can do anything CUDA sees. Loops that cannot are not run to the end. */

import type { Expression, FunctionDefinition, Statement } from '../program/program.ts';
import { childNodes, isNode } from '../program/walk.ts';
import { lastPart, type ProgramTable } from './program-table.ts';
import type { World } from './world.ts';

/** How sure it is that a piece of program does something that CUDA sees. */
export type Acting = 'never' | 'perhaps' | 'surely';

/** Answers hang on what a program's functions do, so they are kept by program. */
const caches = new WeakMap<ProgramTable, WeakMap<object, Acting>>();

function cacheOf(world: World): WeakMap<object, Acting> {
  const known = caches.get(world.program) ?? new WeakMap<object, Acting>();
  caches.set(world.program, known);
  return known;
}

/** True when a call inside could reach CUDA or something we do not know. */
export function mayAct(world: World, node: Expression | Statement): boolean {
  return acting(world, node) !== 'never';
}

/** `surely`: a kernel launch or a call that a model describes is inside. `perhaps`: only calls that nobody here knows. */
export function acting(world: World, node: Expression | Statement): Acting {
  const cache = cacheOf(world);
  const known = cache.get(node);
  if (known !== undefined) return known;
  cache.set(node, 'never');
  const result = search(world, node);
  cache.set(node, result);
  return result;
}

function search(world: World, node: object): Acting {
  let result: Acting = 'never';
  if (isNode(node)) {
    if (node.kind === 'launch' || node.kind === 'throw') return 'surely';
    if (node.kind === 'lambda') return 'never';
    if (node.kind === 'call') result = callActs(world, node);
    else if (node.kind === 'construct') result = constructActs(world, node);
  }
  for (const child of childNodes(node)) {
    if (result === 'surely') return result;
    result = stronger(result, search(world, child));
  }
  return result;
}

function stronger(first: Acting, second: Acting): Acting {
  return first === 'surely' || second === 'surely' ? 'surely' : first === 'perhaps' ? first : second;
}

function strongest<T>(items: readonly T[], read: (item: T) => Acting): Acting {
  let result: Acting = 'never';
  for (const item of items) {
    result = stronger(result, read(item));
    if (result === 'surely') return result;
  }
  return result;
}

const harmlessMethods = new Set([
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

function constructActs(world: World, node: Expression & { kind: 'construct' }): Acting {
  return world.program.classes.has(lastPart(node.type.name)) ? 'surely' : 'never';
}

function callActs(world: World, node: Expression & { kind: 'call' }): Acting {
  const callback = strongest(node.arguments, (each) =>
    each.kind === 'lambda' ? strongest(each.body, (statement) => search(world, statement)) : 'never',
  );
  return stronger(callback, calleeActs(world, node.callee));
}

function calleeActs(world: World, callee: Expression): Acting {
  if (callee.kind === 'member')
    return harmlessMethods.has(callee.name) ? 'never' : isSeen(world, callee.name) ? 'surely' : 'perhaps';
  if (callee.kind !== 'name') return 'perhaps';
  const name = callee.name;
  if (
    world.models.pure.has(name) ||
    world.models.pure.has(lastPart(name)) ||
    /^std::(?:min|max|move|swap|get)$/.test(name)
  )
    return 'never';
  if (world.program.macro(name)) return macroActs(world, name);
  const definitions = world.program.functions.get(lastPart(name)) ?? world.program.functions.get(name);
  if (definitions) return strongest(definitions, (definition) => bodyActs(world, definition));
  return isSeen(world, name) ? 'surely' : 'perhaps';
}

function macroActs(world: World, name: string): Acting {
  const body = world.program.expand(name);
  if (!body) return 'perhaps';
  return body.kind === 'expression'
    ? acting(world, body.expression)
    : strongest(body.body, (each) => acting(world, each));
}

/** Whether something of that name is known: a model, a class, a method. */
function isSeen(world: World, name: string): boolean {
  return (
    world.models.rows.has(lastPart(name)) ||
    world.program.classes.has(lastPart(name)) ||
    isMethod(world, lastPart(name))
  );
}

const methodNames = new WeakMap<ProgramTable, ReadonlySet<string>>();

function isMethod(world: World, name: string): boolean {
  let names = methodNames.get(world.program);
  if (!names) {
    names = new Set([...world.program.functions.keys()].filter((each) => each.includes('::')).map(lastPart));
    methodNames.set(world.program, names);
  }
  return names.has(name);
}

function bodyActs(world: World, definition: FunctionDefinition): Acting {
  const cache = cacheOf(world);
  const known = cache.get(definition);
  if (known !== undefined) return known;
  cache.set(definition, 'never');
  const acts = definition.body ? strongest(definition.body, (statement) => search(world, statement)) : 'perhaps';
  cache.set(definition, acts);
  return acts;
}
