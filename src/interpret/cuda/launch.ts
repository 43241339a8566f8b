/** `kernel<<<grid, block, shared, stream>>>(arguments)`. */

import type { Expression, FunctionDefinition } from '../../program/program.ts';
import type { Access } from '../../trace/event.ts';
import { evaluateArguments } from '../calls/arguments.ts';
import type { Argument } from '../calls/call.ts';
import { passedCell } from '../calls/given-to-kernels.ts';
import { chooseOverload } from '../calls/overloads.ts';
import { guessedHandle } from '../choices/identity.ts';
import { convertedObject, unwrapped } from '../expressions/conversions.ts';
import { evaluate } from '../expressions/evaluate.ts';
import { forgetNamed } from '../given-elements.ts';
import { handleTypeOf } from '../handle-types.ts';
import type { Scope } from '../scope.ts';
import { addTemporary } from '../statements/temporaries.ts';
import { type Cell, createCell, type Value } from '../value.ts';
import { emit, type World } from '../world.ts';
import { defaultStream, streamOfNumber } from './default-stream.ts';
import { kernelStart } from './early-start.ts';
import { registeredArguments } from './host-objects.ts';
import { addKernelAccesses, hostMemoryGiven, modeOfArgument } from './kernel-arguments.ts';
import { constantsOf } from './kernel-instances.ts';
import { launchSize } from './launch-size.ts';
import { forgetManaged } from './managed-variables.ts';
import { functionName } from './operation.ts';
import { settleUnset } from './unset-handles.ts';

export function launchKernel(world: World, scope: Scope, expression: Expression & { kind: 'launch' }): void {
  world.called.add(expression.span);
  const kernel = evaluate(world, scope, expression.kernel);
  const name =
    functionName(kernel) ?? (expression.kernel.kind === 'name' ? expression.kernel.name.split('::').at(-1)! : 'kernel');
  const configuration = evaluateArguments(world, scope, expression.configuration).map(unwrapped);
  const values = evaluateArguments(world, scope, expression.arguments).map(unwrapped);
  for (const { isTemporary, value } of values) if (isTemporary) addTemporary(world, value);
  const definition = launched(world, scope, name, expression, values);
  for (const [index, { span, expression: given }] of values.entries())
    if (definition?.parameters[index]?.type.isReference ?? true) forgetNamed(world, span, given);
  const cells = [
    ...values.map((each, index) => passedCell(world, scope, each, definition?.parameters[index])),
    ...defaultsBehind(world, definition, values.length),
  ];
  const accesses: Access[] = [];
  const size = launchSize(configuration[0]?.value, configuration[1]?.value);
  const constants = constantsOf(definition, kernel);
  addKernelAccesses({ world, span: expression.span }, accesses, definition, cells, size, constants);
  const hostMemory = registeredArguments({ world, scope }, cells, (index) =>
    modeOfArgument(world, definition, cells, index, constants),
  );
  const ofHost = hostMemoryGiven({ world, span: expression.span }, definition, cells, constants);
  const start = kernelStart(world, definition);
  // With fewer than four parameters a stream among them is still meant as the stream.
  const last = configuration.at(-1);
  const stream = configuration[3] ?? (last?.value.kind === 'handle' && last.value.type === 'stream' ? last : undefined);
  emit(
    world,
    'kernel<<<>>>',
    expression.span,
    [...configuration, ...values].map((value) => value.span),
    {
      verb: 'stream.operation',
      stream: stream
        ? streamId(world, stream.cell ?? createCell('stream', stream.value), expression)
        : defaultStream(world),
      operation: {
        kind: 'kernel',
        label: name,
        accesses,
        bytes: null,
        ...(start ? { start } : {}),
        ...(hostMemory.length > 0 ? { hostMemory } : {}),
        ...(ofHost === null ? {} : { ofHost }),
      },
      blocking: false,
    },
  );
  forgetManaged(world);
}

/** What a kernel is given for the parameters that a launch leaves out. */
function defaultsBehind(world: World, definition: FunctionDefinition | undefined, count: number): readonly Cell[] {
  const cells: Cell[] = [];
  for (const { name, type, defaultValue } of definition?.parameters.slice(count) ?? []) {
    if (!defaultValue) break;
    cells.push(createCell(name, evaluate(world, world.globals, defaultValue), type));
  }
  return cells;
}

/** The kernel that is meant: where several have the name, the one that takes what is given. */
function launched(
  world: World,
  scope: Scope,
  name: string,
  { kernel }: Expression & { kind: 'launch' },
  values: readonly Argument[],
): FunctionDefinition | undefined {
  const kernels = (world.program.functions.get(name) ?? []).filter(({ isKernel }) => isKernel);
  if (kernels.length < 2) return kernels[0];
  const given = kernel.kind === 'name' ? kernel.template?.arguments : undefined;
  const chosen = chooseOverload(world, scope, name, values, given);
  return chosen?.isKernel ? chosen : kernels[0];
}

function streamId(world: World, cell: Cell, expression: Expression): number {
  settleUnset(world, { type: 'stream', cell }, (effect) => emit(world, 'kernel<<<>>>', expression.span, [], effect));
  const { value } = cell;
  if (value.kind === 'handle') return value.id;
  if (value.kind === 'number') return streamOfNumber(world, value.value);
  let asked: Value = value;
  if (value.kind === 'record') {
    const converted = convertedObject(world, value.record, (type) => handleTypeOf(type) === 'stream');
    if (converted?.kind === 'handle') return converted.id;
    const held = [...value.record.fields.values()].find(
      (field) => field.value.kind === 'handle' && field.value.type === 'stream',
    );
    if (held && held.value.kind === 'handle') return held.value.id;
    asked = converted ?? value;
  }
  return guessedHandle(world, { value: asked, cell }, 'stream', expression.span).id;
}
