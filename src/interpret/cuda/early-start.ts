/**
 * Programmatic dependent launch: a kernel may begin while the one in front of it still runs, and then has to wait for it inside
 * (CUDA Programming Guide, programmatic dependent launch and synchronization).
 */

import type { ModelEffect } from '../../models/model.ts';
import type { FunctionDefinition } from '../../program/program.ts';
import { eachNode } from '../../program/walk.ts';
import type { EarlyEdge, KernelStart } from '../../trace/event.ts';
import { elementsOf } from '../expressions/elements.ts';
import { lastPart } from '../program-table.ts';
import type { Cell } from '../value.ts';
import type { World } from '../world.ts';
import type { EffectContext } from './apply-model.ts';
import { contextAt, number, pathOf } from './effect-values.ts';
import { pathValue } from './paths.ts';

/** What the kernel's body says about kernels beside it; undefined where there is none to read. */
export function kernelStart(world: World, definition: FunctionDefinition | undefined): KernelStart | undefined {
  if (!definition?.body) return undefined;
  return {
    get triggers() {
      return definition.body?.mentions.has('cudaTriggerProgrammaticLaunchCompletion') === true;
    },
    get neverWaits() {
      return neverWaits(world, definition, 0);
    },
  };
}

/** Whether the launch's attributes let it begin early. */
export function beginsEarly(context: EffectContext, effect: ModelEffect): boolean {
  const path = pathOf(effect, 'attributes');
  const count = path ? number(context, effect, 'attributeCount') : null;
  const attributes = count === null || count <= 0 ? null : elementsOf(pathValue(context, path), count);
  return attributes?.some((attribute) => isSerialization(context, attribute)) === true;
}

function isSerialization(context: EffectContext, attribute: Cell): boolean {
  const read = readerOf(context, attribute);
  const allowed = 'programmaticStreamSerializationAllowed';
  return (
    read('id') === programmaticStreamSerialization && (read(`val.${allowed}`) ?? read(`value.${allowed}`) ?? 0) !== 0
  );
}

/** `cudaLaunchAttributeProgrammaticStreamSerialization`. */
const programmaticStreamSerialization = 6;

/** The edges among these that let what they lead to begin early, by their edge data. */
export function earlyEdges(
  context: EffectContext,
  effect: ModelEffect,
  from: readonly number[] | null,
  to: readonly number[],
): readonly EarlyEdge[] {
  const path = pathOf(effect, 'edgeData');
  const data = path && from && from.length > 0 ? elementsOf(pathValue(context, path), from.length) : null;
  return (data ?? []).flatMap((cell, index) => {
    const read = readerOf(context, cell);
    const [source, target] = [from?.[index], to[index] ?? to[0]];
    if (read('type') !== programmaticEdge || source === undefined || target === undefined) return [];
    return [{ from: source, to: target, atLaunch: read('from_port') === launchCompletionPort }];
  });
}

/** `cudaGraphDependencyTypeProgrammatic`, `cudaGraphKernelNodePortLaunchCompletion`. */
const programmaticEdge = 1;
const launchCompletionPort = 2;

function readerOf(context: EffectContext, cell: Cell): (member: string) => number | null {
  const inner = contextAt(context, cell);
  return (member) => {
    const value = pathValue(inner, `arg0.${member}`);
    return value.kind === 'number' ? value.value : null;
  };
}

const maximumDepth = 4;

/** Whether the whole body is there to read, and nothing in it waits. */
function neverWaits(world: World, definition: FunctionDefinition, depth: number): boolean {
  const { body } = definition;
  if (!body || depth > maximumDepth || [...body.mentions].some((name) => waits.test(name))) return false;
  let isSeen = true;
  eachNode(body.statements, (node) => {
    if (node.kind !== 'call' || !isSeen) return;
    const name = node.callee.kind === 'name' ? lastPart(node.callee.name) : null;
    if (name !== null && harmless.test(name)) return;
    const callee = name === null ? undefined : world.program.functions.get(name)?.find((each) => each.body);
    isSeen = callee !== undefined && neverWaits(world, callee, depth + 1);
  });
  return isSeen;
}

/** Waits for the kernel in front, or assembly, which may. */
const waits = /GridDependency|griddep|grid_dep|dependent_grid|^(?:__)?asm(?:__)?$/i;

/** Of CUDA and its mathematical library: they do not wait for other kernels. */
const harmless =
  /^(?:__\w+|atomic\w+|cudaTriggerProgrammaticLaunchCompletion|make_\w+|printf|(?:f?min|f?max|f?abs|sqrt|rsqrt|exp2?|log(?:2|10|1p)?|sin|cos|tan|tanh|pow|floor|ceil|round|fma|fmod|erf)f?|u?int|float|double|size_t)$/;
