/**
 * What a function of the host that a stream or a graph calls surely does to the memory that it is given, where its body is seen: it is
 * read as a kernel is. Lambdas that are turned into function pointers are such functions, too.
 */

import { Attached } from '../../base/attached.ts';
import type { ModelEffect } from '../../models/model.ts';
import { FunctionBody } from '../../program/function-body.ts';
import type { LambdaExpression } from '../../program/lambda-expression.ts';
import type { FunctionDefinition } from '../../program/program.ts';
import { typeNamed } from '../../program/type-named.ts';
import type { Access } from '../../trace/event.ts';
import { type Cell, createCell, type Value } from '../value.ts';
import type { World } from '../world.ts';
import type { EffectContext } from './apply-model.ts';
import { pathOf } from './effect-values.ts';
import { isSharedWithHost } from './host-accesses.ts';
import { isForGraph } from './host-objects.ts';
import { addKernelAccesses } from './kernel-arguments.ts';
import { pathCell, pathValue } from './paths.ts';

export function accessesOfHostFunction(context: EffectContext, effect: ModelEffect): readonly Access[] {
  const { world } = context;
  const data = pathCell(context, pathOf(effect, 'userData'));
  const keepsHost = isForGraph(context, effect);
  const given = data && givenToHost(world, data, keepsHost);
  if (!given) return [];
  const definition = definitionOf(world, pathValue(context, pathOf(effect, 'function')));
  if (!definition) return [];
  const out: Access[] = [];
  // What a callback is told of the stream comes before its data.
  const before = definition.parameters.slice(1).map(() => createCell(''));
  addKernelAccesses({ ...context, keepsHost }, out, definition, [...before, given]);
  return out.filter(({ mode }) => mode !== 'unknown');
}

/** Memory that the host may touch, or the object with such memory among its members that it is given the address of. */
function givenToHost(world: World, data: Cell, keepsHost: boolean): Cell | null {
  const { value } = data;
  if (value.kind === 'device') return isSharedWithHost(world, value.allocation) ? data : null;
  if (value.kind !== 'pointer') return null;
  const { kind } = value.cell.value;
  if (kind === 'record' || kind === 'closure') return value.cell;
  return keepsHost ? data : null;
}

function definitionOf(world: World, called: Value): FunctionDefinition | null {
  const held = called.kind === 'pointer' ? called.cell.value : called;
  if (held.kind === 'closure') return asDefinition(held.lambda);
  const definitions = held.kind === 'function' ? (world.program.functions.get(held.name) ?? []) : [];
  return definitions.length === 1 && definitions[0]!.body ? definitions[0]! : null;
}

const lambdas = new Attached<LambdaExpression, FunctionDefinition>();

/** A lambda without captures is a function that has no name. */
function asDefinition(lambda: LambdaExpression): FunctionDefinition {
  const known = lambdas.get(lambda);
  if (known) return known;
  const { parameters, body, returnType = typeNamed('auto'), span } = lambda;
  const definition: FunctionDefinition = {
    name: '',
    className: null,
    parameters,
    returnType,
    body: new FunctionBody(
      () => body,
      () => new Set(),
    ),
    memberInitializers: [],
    templateParameters: [],
    isKernel: false,
    isDevice: false,
    isVirtual: false,
    isStatic: true,
    span,
    nameSpan: span,
  };
  lambdas.set(lambda, definition);
  return definition;
}
