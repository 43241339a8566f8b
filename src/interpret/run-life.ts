/** A run through the life of an object: it is made, prepared, used by one method, and ends. */

import type { FunctionDefinition } from '../program/program.ts';
import { typeNamed } from '../program/type-named.ts';
import type { Argument } from './calls/call.ts';
import { invokeFunction } from './calls/invoke.ts';
import { externalValue } from './choices/outside.ts';
import type { Life } from './object-lives.ts';
import { runConstructor } from './objects/constructors.ts';
import { destroyValue } from './objects/destroy.ts';
import { bind, createScope } from './scope.ts';
import { executeBlock } from './statements/execute.ts';
import { createObject } from './types/types.ts';
import { createCell, type RecordObject } from './value.ts';
import { emit, type World } from './world.ts';

export function runLife(
  world: World,
  { definition, begins, before, destructor }: Life,
  method: FunctionDefinition,
): void {
  const type = typeNamed(definition.name);
  const record = createObject(world, world.globals, type, 'when constructed');
  const given = begins ? argumentsFor(world, begins) : [];
  runConstructor(world, world.globals, record, definition, begins, given, definition.span);
  for (const each of before) {
    if (!pause(world, each)) return;
    invokeFunction(world, each, argumentsFor(world, each), record, each.nameSpan, [], world.globals);
  }
  if (hasEnded(world, record) || !pause(world, method)) return;
  if (method !== destructor) {
    world.entered.add(method.span);
    const scope = createScope(world.globals, record);
    for (const parameter of method.parameters)
      bind(scope, parameter.name, createCell(parameter.name, externalValue(world, parameter), parameter.type));
    executeBlock(world, scope, method.body?.statements ?? []);
    if (!destructor || !pause(world, method)) return;
  }
  destroyValue(world, { kind: 'record', record });
}

function argumentsFor(world: World, { parameters }: FunctionDefinition): readonly Argument[] {
  return parameters.map((parameter) => ({
    value: externalValue(world, parameter),
    cell: null,
    span: parameter.span,
  }));
}

/** A method that ends what it gives a member, or another's, leaves nothing for the next. */
function hasEnded({ events }: World, { fields }: RecordObject): boolean {
  const handles = new Set<number>();
  const allocations = new Set<number>();
  for (const event of events) {
    if (event.verb === 'stream.destroy') handles.add(event.stream);
    else if (event.verb === 'event.destroy') handles.add(event.event);
    else if (event.verb === 'graph.destroy') handles.add(event.graph);
    else if (event.verb === 'exec.destroy') handles.add(event.exec);
    else if (event.verb === 'memory.free' || event.verb === 'memory.freeHost' || event.verb === 'memory.freeAsync')
      if (event.pointer) allocations.add(event.pointer.allocation);
  }
  return [...fields.values()].some(
    ({ value }) =>
      (value.kind === 'handle' && handles.has(value.id)) ||
      (value.kind === 'device' && allocations.has(value.allocation)),
  );
}

/** Between two calls the caller may have waited for all work. False where a capture is under way: what comes next is not known. */
function pause(world: World, { nameSpan }: FunctionDefinition): boolean {
  if (world.openCaptures > 0) return false;
  emit(world, 'pause', nameSpan, [], { verb: 'host.synchronise', scope: 'device', handle: null, query: false });
  return true;
}
