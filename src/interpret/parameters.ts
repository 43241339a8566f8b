/** What a function's parameters hold when it is called: values, references, packs, objects of their own, template arguments. */

import type { Expression, FunctionDefinition, Parameter, TypeReference } from '../program/program.ts';
import { store } from './assign.ts';
import type { Argument } from './call.ts';
import { constructValue } from './construct.ts';
import { evaluate } from './evaluate.ts';
import { identified } from './identity.ts';
import { isSmartPointer, ownerOf } from './owners.ts';
import { constructorOf, destructorOf, lastPart } from './program-table.ts';
import { bind, type Scope } from './scope.ts';
import { addTemporary } from './temporaries.ts';
import { isType } from './type-arguments.ts';
import { defaultValue, isScalar } from './types.ts';
import { type Cell, copyValue, createCell, noteShared, unknownValue } from './value.ts';
import type { World } from './world.ts';

/** Template arguments as written. */
export type TemplateArguments = readonly (TypeReference | Expression)[];

export function bindParameters(
  world: World,
  scope: Scope,
  callerScope: Scope,
  parameters: readonly Parameter[],
  values: readonly Argument[],
): void {
  parameters.forEach((parameter, index) => {
    if (parameter.isPack) {
      const rest = values.slice(index);
      const names = rest.map((_, position) => `${parameter.name} #${position}`);
      rest.forEach((value, position) => {
        if (value.isTemporary) addTemporary(world, value.value);
        bind(scope, names[position]!, value.cell ?? createCell(parameter.name, value.value));
      });
      bind(scope, parameter.name, {
        kind: 'thunk',
        isPack: true,
        scope,
        expressions: names.map((name, position): Expression => ({ kind: 'name', name, span: rest[position]!.span })),
      });
      return;
    }
    const value = values[index];
    if (value?.isTemporary && parameter.type.isReference) addTemporary(world, value.value);
    if (value && parameter.type.isReference && value.cell) {
      bind(scope, parameter.name, value.cell);
      return;
    }
    const own = value && !parameter.type.isReference ? ownParameter(world, callerScope, parameter, value) : null;
    if (own) {
      bind(scope, parameter.name, own);
      scope.owned.push(own);
      return;
    }
    const cell = createCell(parameter.name, unknownValue, parameter.type);
    const given = value
      ? identified(world, value, parameter.type)
      : parameter.defaultValue
        ? evaluate(world, callerScope, parameter.defaultValue)
        : unknownValue;
    if (given.kind === 'sequence' && given.sequence.name === 'list' && parameter.type.pointers === 0)
      cell.value = defaultValue(world, scope, parameter.type, parameter.name);
    if (given.kind === 'record' && given.record.className === '' && !isScalar(world.program, parameter.type))
      cell.value = defaultValue(world, scope, parameter.type, parameter.name);
    const isList =
      (given.kind === 'sequence' && given.sequence.name === 'list') ||
      (given.kind === 'record' && given.record.className === '');
    if (parameter.type.isReference && !(isList && cell.value.kind === 'record')) cell.value = given;
    else store(world, scope, cell, copyValue(given), world.frames.length + 1);
    bind(scope, parameter.name, cell);
  });
}

/**
 * An object that is passed by value and that something happens to when it goes: the parameter is an object of its own, made by
 * the class's constructor where there is one, and the function's to destroy. Null for everything else.
 */
function ownParameter(world: World, callerScope: Scope, parameter: Parameter, given: Argument): Cell | null {
  const { value } = given;
  if (value.kind !== 'record' || parameter.type.pointers > 0) return null;
  const { record } = value;
  if (isSmartPointer(value)) {
    if (given.isMoved || !given.cell) {
      const held = ownerOf(record, record.fields.get('(pointer)')?.value ?? unknownValue);
      if (held.kind === 'record' && record.shares) held.record.shares = record.shares;
      record.released = true;
      return createCell(parameter.name, held, parameter.type);
    }
    if (record.className === 'std::unique_ptr') return null;
    const copy = copyValue(value);
    noteShared(copy);
    return createCell(parameter.name, copy, parameter.type);
  }
  if (lastPart(parameter.type.name) !== record.className) return null;
  if (!world.program.functions.get(destructorOf(record.className))?.some((each) => each.body)) return null;
  if (!given.cell) return createCell(parameter.name, value, parameter.type);
  const constructors = world.program.functions.get(constructorOf(record.className)) ?? [];
  const isCopied = constructors.some(
    (each) => each.body && each.parameters.length === 1 && lastPart(each.parameters[0]!.type.name) === record.className,
  );
  if (!isCopied) return null;
  return createCell(
    parameter.name,
    constructValue(world, callerScope, parameter.type, [given], given.span),
    parameter.type,
  );
}

function templateTypesOf(scope: Scope): Map<string, TypeReference> {
  scope.templateTypes ??= new Map();
  return scope.templateTypes;
}

export function bindTemplates(
  world: World,
  scope: Scope,
  callerScope: Scope,
  definition: FunctionDefinition,
  values: readonly Argument[],
  given: TemplateArguments,
): void {
  definition.templateParameters.forEach((name, index) => {
    const argument = given[index];
    if (argument && isType(argument)) {
      const plain = lastPart(argument.name);
      if (world.program.functions.has(plain) || world.models.rows.has(plain))
        bind(scope, name, createCell(name, { kind: 'function', name: plain, receiver: null }));
      else templateTypesOf(scope).set(name, argument);
      return;
    }
    if (argument && !isType(argument)) {
      bind(scope, name, createCell(name, evaluate(world, callerScope, argument)));
      return;
    }
    definition.parameters.forEach((parameter, position) => {
      const type = values[position]?.cell?.type;
      if (type && parameter.type.name === name && !scope.templateTypes?.has(name))
        templateTypesOf(scope).set(name, {
          ...type,
          pointers: Math.max(0, type.pointers - parameter.type.pointers),
          isReference: false,
        });
    });
  });
}
