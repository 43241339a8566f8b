/** What functions that the host runs for a stream or a graph call of CUDA: nothing is allowed there. */

import { actsOnDevice } from '../../models/model.ts';
import type { Expression, FunctionDefinition, Statement, TypeReference } from '../../program/program.ts';
import { childNodes, eachNode, isNode } from '../../program/walk.ts';
import type { HostCall } from '../../trace/event.ts';
import { lastPart, resolveType } from '../program-table.ts';
import type { Value } from '../value.ts';
import type { World } from '../world.ts';

/** Calls within calls that are followed. */
const deepest = 5;

/** The first call of CUDA that such a function makes, itself or through others; null where none is seen. One that it always makes comes before one that it may. */
export function callOfCuda(world: World, called: Value): HostCall | null {
  const held = called.kind === 'pointer' ? called.cell.value : called;
  if (held.kind === 'closure') {
    const { body, parameters } = held.lambda;
    const className = held.scope.self?.className ?? null;
    return firstOf({ world, seen: new Map(), depth: 0, className, types: typesIn(body, parameters) }, body, false);
  }
  const definitions = held.kind === 'function' ? (world.program.functions.get(held.name) ?? []) : [];
  const [only] = definitions;
  if (!only || definitions.length !== 1 || (held.kind === 'function' && held.receiver && !only.isStatic)) return null;
  return inFunction({ world, seen: new Map() }, only, false, 0);
}

/** What is looked at: the class whose members need no object there, and the classes that variables are of, or point to. */
interface Place {
  readonly world: World;
  readonly depth: number;
  readonly className: string | null;
  readonly types: ReadonlyMap<string, TypeReference>;
  /** Functions that were gone through: how deep, and whether they are only called perhaps. */
  readonly seen: Map<FunctionDefinition, { readonly depth: number; readonly isPerhaps: boolean }>;
}

function inFunction(
  { world, seen }: Pick<Place, 'world' | 'seen'>,
  definition: FunctionDefinition,
  isPerhaps: boolean,
  depth: number,
): HostCall | null {
  const { body, isDevice, parameters, className } = definition;
  if (!body || isDevice) return null;
  const before = seen.get(definition);
  // What was found there has been noted then.
  if (before && before.depth <= depth && (isPerhaps || !before.isPerhaps)) return null;
  seen.set(definition, { depth, isPerhaps });
  const { statements } = body;
  const types = typesIn(statements, parameters);
  return firstOf({ world, seen, depth, className: className ?? null, types }, statements, isPerhaps);
}

/** `auto *self = static_cast<Pool *>(p);` */
function typesIn(
  body: object,
  parameters: readonly { readonly name: string; readonly type: TypeReference }[],
): ReadonlyMap<string, TypeReference> {
  const types = new Map(parameters.map(({ name, type }) => [name, type]));
  eachNode(body, (node) => {
    if (node.kind !== 'declare') return;
    for (const { name, type, initializer } of node.declarations)
      types.set(name, type.name === 'auto' && initializer?.kind === 'cast' ? initializer.type : type);
  });
  return types;
}

function firstOf(place: Place, nodes: readonly object[], isPerhaps: boolean): HostCall | null {
  let found: HostCall | null = null;
  for (const node of nodes) {
    const call = callIn(place, node, isPerhaps);
    if (call && !call.isPerhaps) return call;
    found ??= call;
  }
  return found;
}

function callIn(place: Place, node: object, isPerhaps: boolean): HostCall | null {
  if (!isNode(node)) return firstOf(place, childNodes(node), isPerhaps);
  // Whoever is given a lambda may call it from another thread.
  if (node.kind === 'lambda') return null;
  if (node.kind === 'launch') return { name: null, isPerhaps };
  const arms = armsOf(node);
  const always = firstOf(
    place,
    childNodes(node).filter((child) => !arms.includes(child)),
    isPerhaps,
  );
  if (always && !always.isPerhaps) return always;
  const own = node.kind === 'call' ? ofCallee(place, node.callee, isPerhaps) : null;
  if (own && !own.isPerhaps) return own;
  return always ?? own ?? firstOf(place, arms, true);
}

/** What runs only if something holds. */
function armsOf(node: Expression | Statement): readonly object[] {
  switch (node.kind) {
    case 'if':
    case 'conditional':
      return [node.whenTrue, node.whenFalse].flatMap((each) => each ?? []);
    case 'loop':
      return node.bodyFirst ? [] : [node.body];
    case 'forEach':
      return [node.body];
    case 'switch':
      return [node.cases];
    case 'try':
      return [node.handlers];
    default:
      return [];
  }
}

/** A function of CUDA by its name, or what one of the program's own calls. */
function ofCallee(place: Place, callee: Expression, isPerhaps: boolean): HostCall | null {
  const { world, depth, className } = place;
  const { functions } = world.program;
  if (callee.kind === 'member') return ofMethod(place, classOf(place, callee.object), callee.name, isPerhaps);
  if (callee.kind !== 'name') return null;
  const { name } = callee;
  if (className && functions.has(`${className}::${name}`)) return ofMethod(place, className, name, isPerhaps);
  const definitions = functions.get(name) ?? functions.get(lastPart(name));
  if (!definitions) {
    const isOfCuda = /^cu(?:da)?[A-Z]/.test(lastPart(name)) && actsOnDevice(world.models, lastPart(name));
    return isOfCuda ? { name: lastPart(name), isPerhaps } : null;
  }
  const [only] = definitions;
  if (!only || definitions.length !== 1 || depth >= deepest) return null;
  return inFunction(place, only, isPerhaps, depth + 1);
}

/** What a method calls that can only be that one. */
function ofMethod(place: Place, className: string | null, name: string, isPerhaps: boolean): HostCall | null {
  const { world, depth } = place;
  const definitions = className === null ? [] : (world.program.functions.get(`${className}::${name}`) ?? []);
  const [only] = definitions;
  if (!only || definitions.length !== 1 || only.isVirtual || depth >= deepest) return null;
  return inFunction(place, only, isPerhaps, depth + 1);
}

function classOf({ world, className, types }: Place, object: Expression): string | null {
  if (object.kind === 'name' && object.name === 'this') return className;
  const type = object.kind === 'cast' ? object.type : object.kind === 'name' ? types.get(object.name) : undefined;
  return type ? resolveType(world.program, type).name : null;
}
