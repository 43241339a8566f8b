/** Whether a piece of the program can do anything CUDA sees. Loops that cannot are not run to the end. */

import type { Expression, Statement } from '../program/program.ts';
import { lastPart, type ProgramTable } from './program-table.ts';
import type { World } from './world.ts';

/** Answers hang on what a program's functions do, so they are kept by program. */
const caches = new WeakMap<
  ProgramTable,
  { readonly nodes: WeakMap<object, boolean>; readonly bodies: WeakMap<object, boolean> }
>();

function cachesOf(world: World): {
  readonly nodes: WeakMap<object, boolean>;
  readonly bodies: WeakMap<object, boolean>;
} {
  const known = caches.get(world.program) ?? { nodes: new WeakMap(), bodies: new WeakMap() };
  caches.set(world.program, known);
  return known;
}

/** True when a call inside could reach CUDA or something we do not know. */
export function mayAct(world: World, node: Expression | Statement): boolean {
  const cache = cachesOf(world).nodes;
  const known = cache.get(node);
  if (known !== undefined) return known;
  cache.set(node, false);
  const result = search(world, node);
  cache.set(node, result);
  return result;
}

function search(world: World, node: unknown): boolean {
  if (Array.isArray(node)) return node.some((each) => search(world, each));
  if (typeof node !== 'object' || node === null) return false;
  const item = node as { kind?: string };
  if (item.kind === 'launch' || item.kind === 'throw') return true;
  if (item.kind === 'return' || item.kind === 'break') return true;
  if (item.kind === 'lambda') return false;
  if (item.kind === 'call' && callActs(world, node as Expression & { kind: 'call' })) return true;
  if (
    item.kind === 'construct' &&
    world.program.classes.has(lastPart((node as Expression & { kind: 'construct' }).type.name))
  )
    return true;
  for (const [key, value] of Object.entries(item))
    if (key !== 'span' && typeof value === 'object' && search(world, value)) return true;
  return false;
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

function callActs(world: World, node: Expression & { kind: 'call' }): boolean {
  if (
    node.arguments.some((each) => each.kind === 'lambda' && each.body.some((statement) => searchBody(world, statement)))
  )
    return true;
  if (node.callee.kind === 'member') return !harmlessMethods.has(node.callee.name);
  if (node.callee.kind !== 'name') return true;
  const name = node.callee.name;
  if (
    world.models.pure.has(name) ||
    world.models.pure.has(lastPart(name)) ||
    /^std::(?:min|max|move|swap|get)$/.test(name)
  )
    return false;
  const definitions = world.program.functions.get(lastPart(name)) ?? world.program.functions.get(name);
  if (definitions && !world.program.macro(name)) return definitions.some((definition) => bodyActs(world, definition));
  return true;
}

function bodyActs(world: World, definition: { readonly body: readonly Statement[] | null }): boolean {
  if (!definition.body) return true;
  const bodyCache = cachesOf(world).bodies;
  const known = bodyCache.get(definition);
  if (known !== undefined) return known;
  bodyCache.set(definition, false);
  const acts = definition.body.some((statement) => searchBody(world, statement));
  bodyCache.set(definition, acts);
  return acts;
}

/** As {@link search}, but a function's own `return` does not matter to its caller. */
function searchBody(world: World, node: unknown): boolean {
  if (Array.isArray(node)) return node.some((each) => searchBody(world, each));
  if (typeof node !== 'object' || node === null) return false;
  const item = node as { kind?: string };
  if (item.kind === 'launch' || item.kind === 'throw') return true;
  if (item.kind === 'lambda') return false;
  if (item.kind === 'call' && callActs(world, node as Expression & { kind: 'call' })) return true;
  for (const [key, value] of Object.entries(item))
    if (key !== 'span' && typeof value === 'object' && searchBody(world, value)) return true;
  return false;
}
