/** What functions that the host runs for a stream or a graph call of CUDA: nothing is allowed there. */

import { actsOnDevice } from '../../models/model.ts';
import type { Expression, Statement } from '../../program/program.ts';
import { childNodes, isNode } from '../../program/walk.ts';
import type { HostCall } from '../../trace/event.ts';
import { lastPart } from '../program-table.ts';
import type { Value } from '../value.ts';
import type { World } from '../world.ts';

/** Calls within calls that are followed. */
const deepest = 5;

/** The first call of CUDA that such a function makes, itself or through others; null where none is seen. One that it always makes comes before one that it may. */
export function callOfCuda(world: World, called: Value): HostCall | null {
  const held = called.kind === 'pointer' ? called.cell.value : called;
  if (held.kind === 'closure') return firstOf(world, held.lambda.body, false, 0);
  const definitions = held.kind === 'function' && !held.receiver ? (world.program.functions.get(held.name) ?? []) : [];
  const [only] = definitions;
  return only?.body && definitions.length === 1 ? firstOf(world, only.body.statements, false, 0) : null;
}

function firstOf(world: World, nodes: readonly object[], isPerhaps: boolean, depth: number): HostCall | null {
  let found: HostCall | null = null;
  for (const node of nodes) {
    const call = callIn(world, node, isPerhaps, depth);
    if (call && !call.isPerhaps) return call;
    found ??= call;
  }
  return found;
}

function callIn(world: World, node: object, isPerhaps: boolean, depth: number): HostCall | null {
  if (!isNode(node)) return firstOf(world, childNodes(node), isPerhaps, depth);
  // Whoever is given a lambda may call it from another thread.
  if (node.kind === 'lambda') return null;
  if (node.kind === 'launch') return { name: null, isPerhaps };
  const arms = armsOf(node);
  const always = firstOf(
    world,
    childNodes(node).filter((child) => !arms.includes(child)),
    isPerhaps,
    depth,
  );
  if (always && !always.isPerhaps) return always;
  const own =
    node.kind === 'call' && node.callee.kind === 'name' ? ofCallee(world, node.callee.name, isPerhaps, depth) : null;
  if (own && !own.isPerhaps) return own;
  return always ?? own ?? firstOf(world, arms, true, depth);
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
function ofCallee(world: World, name: string, isPerhaps: boolean, depth: number): HostCall | null {
  const definitions = world.program.functions.get(name) ?? world.program.functions.get(lastPart(name));
  if (!definitions) {
    const isOfCuda = /^cu(?:da)?[A-Z]/.test(lastPart(name)) && actsOnDevice(world.models, lastPart(name));
    return isOfCuda ? { name: lastPart(name), isPerhaps } : null;
  }
  const [only] = definitions;
  if (definitions.length !== 1 || !only?.body || only.isDevice || depth >= deepest) return null;
  return firstOf(world, only.body.statements, isPerhaps, depth + 1);
}
