/** Calls that make an object: `std::unique_ptr<T>(p)`, `Owner(p)` where that is another name for a class, `std::decay_t<F>(f)`. */

import { isEnumerationOfCuda } from '../../program/cuda-types.ts';
import { isNumberName } from '../../program/number-types.ts';
import type { CallExpression, TypeReference } from '../../program/program.ts';
import { typeNamed } from '../../program/type-named.ts';
import { copyValue } from '../copied-values.ts';
import { castValue } from '../expressions/cast.ts';
import { isHandleName } from '../handle-types.ts';
import { isBitset } from '../library/bitsets.ts';
import { isErrorCode } from '../library/error-codes.ts';
import { isTask } from '../library/futures.ts';
import { exceptionMade, isLibraryException } from '../library/library-exceptions.ts';
import { isText } from '../library/strings.ts';
import { isThread } from '../library/thread-objects.ts';
import { constructValue } from '../objects/construct.ts';
import { findClass, lastPart, resolveType } from '../program-table.ts';
import { type Scope, typeStoodFor } from '../scope.ts';
import { indexSequence } from '../types/index-sequences.ts';
import { integralConstant } from '../types/static-members.ts';
import { ofClass, transformed } from '../types/type-transformations.ts';
import { containerOf, holdsFunction, isScalar, substitute } from '../types/types.ts';
import { namedByClass, typeInClass } from '../types/types-in-classes.ts';
import { numberValue, type Value } from '../value.ts';
import type { World } from '../world.ts';
import { evaluateArguments } from './arguments.ts';
import type { Argument, CallResult } from './call.ts';

/** What a call of that name makes; null where it names no type that is known here. */
export function constructed(
  world: World,
  scope: Scope,
  name: string,
  values: readonly Argument[],
  expression: CallExpression,
): Value | null {
  const { aliases } = world.program;
  if (typeStoodFor(scope, name)) {
    const local = resolveType(world.program, substitute(typeNamed(name, expression.templateArguments), scope));
    if (local.name !== name && local.pointers === 0 && !isScalar(world.program, local))
      return constructValue(world, scope, local, values, expression.span);
    // `T()` of a number or a pointer.
    if (local.name !== name && values.length === 0) return castValue(world, scope, local, numberValue(0));
  }
  // `(cudaError_t)(call)` reads like a call, too, and so does `CUdeviceptr(p)`.
  if ((isEnumerationOfCuda(name) || name === 'CUdeviceptr') && values.length === 1)
    return castValue(world, scope, typeNamed(name), values[0]!.value);
  const isHandle = isHandleName(name);
  const named = typeNamed(name, expression.templateArguments);
  const isMeant = name.startsWith('std::') || isHandle || aliases.has(name) || aliases.has(lastPart(name));
  if (!isMeant && !isUsedFromLibrary(world, named)) return null;
  const written = resolveType(world.program, ofClass(world, scope, namedByClass(world, named) ?? named));
  if (isLibraryException(written.name)) return exceptionMade(written.name, values[0]?.value);
  const type = transformed(world, scope, written);
  if (type !== written && values.length === 1) {
    const [only] = values;
    // `std::decay_t<F>(f)` of a function or of what is called like one.
    if (only && (only.value.kind === 'closure' || only.value.kind === 'function')) return copyValue(only.value);
    if (!isScalar(world.program, type)) return constructValue(world, scope, type, values, expression.span);
  }
  const isKnown =
    containerOf(type) !== null ||
    isTask(type.name) ||
    isThread(type) ||
    (values[0]?.value.kind === 'record' && holdsFunction(type)) ||
    (type.name !== name && findClass(world.program, type.name) !== undefined);
  const only = values[0] ?? { value: numberValue(0) };
  // `(T)(x)` reads like a call of `T`, and so do `cudaStream_t(0)` and `std::size_t(n)`.
  const isScalarType = isHandle || type.name !== name || isNumberName(name);
  if (!isKnown && values.length <= 1 && isScalarType && isScalar(world.program, type))
    return castValue(world, scope, type, only.value);
  const constant =
    values.length === 0
      ? (indexSequence(world, scope, type.name, type.arguments) ?? integralConstant(world, scope, type))
      : null;
  if (constant) return constant;
  return isKnown || isText(type) || isErrorCode(world, type) || isBitset(world, type)
    ? constructValue(world, scope, type, values, expression.span)
    : null;
}

/** `vector<T *>(n, p)` behind `using std::vector;`, where the program has nothing of that name. */
function isUsedFromLibrary({ program }: World, named: TypeReference): boolean {
  if (named.arguments.length === 0 || containerOf(named) === null) return false;
  return !program.functions.has(named.name) && findClass(program, named.name) === undefined;
}

/** `View<float>::other(4)`: an object of what an instance of a class template calls so; null where it calls no class so. */
export function madeInClass(
  world: World,
  scope: Scope,
  expression: CallExpression,
  owner: TypeReference,
  name: string,
): CallResult | null {
  const full = `${owner.name}::${lastPart(name)}`;
  const written = { ...typeNamed(full, expression.templateArguments), qualifier: owner };
  const type = typeInClass(world, scope, written);
  if (!type || type.pointers > 0 || isScalar(world.program, type) || !findClass(world.program, type.name)) return null;
  const values = evaluateArguments(world, scope, expression.arguments);
  return { value: constructValue(world, scope, type, values, expression.span), cell: null };
}
