/** Template arguments that nobody wrote, from what a function is called with. */

import { isOfWholeArray } from '../../program/array-pointer.ts';
import type { NumberType } from '../../program/number-types.ts';
import type { ClassDefinition, Expression, FunctionDefinition, TypeReference } from '../../program/program.ts';
import { retyped } from '../../program/retyped.ts';
import { typeNamed } from '../../program/type-named.ts';
import type { Argument } from '../calls/call.ts';
import { lastPart, resolveType } from '../program-table.ts';
import { bind, createScope, isThunk, type Scope } from '../scope.ts';
import {
  createCell,
  type NumberValue,
  numberValue,
  type RecordObject,
  type Sequence,
  type TemplateBindings,
  type Value,
} from '../value.ts';
import type { World } from '../world.ts';
import { valueGiven } from './argument-values.ts';
import { arrayFor } from './deduced-arrays.ts';
import { asBase } from './deduced-from-bases.ts';
import { packNamed } from './template-patterns.ts';
import { isType } from './type-arguments.ts';
import { typeOfText } from './types-of-texts.ts';

/** Binds the template parameter `name` in `scope`, if `pattern`, the type of a function's parameter, tells what it stands for. */
function deduce(world: World, scope: Scope, name: string, pattern: TypeReference, given: Argument): void {
  const { value } = given;
  if (pattern.arguments.length === 0 && value.kind === 'record') bindAsInside(scope, name, pattern, value.record);
  if (isOfWholeArray(pattern) || pattern.extents.length > 0) deduceExtents(world, scope, name, pattern, value);
  // A member of a type that nobody worked out, `Op op`, is what it holds.
  const own = typeOfValue(value);
  const isOther = own !== null && own.arguments.length > 0 && own.name !== given.cell?.type?.name;
  const declared = given.cell?.type?.name === 'auto' ? null : given.cell?.type;
  const isWhole = pattern.name === name && pattern.isReference && pattern.pointers === 0;
  const found =
    (isOther ? own : declared) ??
    own ??
    typeOfNumber(value) ??
    typeOfAddress(value) ??
    typeOfText(world, given, isWhole) ??
    typeOfWhole(given);
  const isArray = found !== null && pattern.name === name && found.extents.length > 0;
  const actual = isArray ? arrayFor(pattern, found, value) : found;
  if (isArray && !actual) return;
  if (actual) deduceType(world, scope, name, pattern, asPattern(world, pattern, actual));
  // What holds elements and has no name: `total(std::vector<double>(4))`.
  else if (value.kind === 'sequence' && value.sequence.elementType) {
    const [element] = pattern.arguments;
    if (element && isType(element)) deduceType(world, scope, name, element, value.sequence.elementType);
    else if (pattern.name === name && isVectorLike(value.sequence))
      deduceType(world, scope, name, pattern, typeNamed('std::vector', [value.sequence.elementType]));
  }
  // `std::array<T, N>`
  const count = pattern.arguments[1];
  if (count && isNamed(count, name) && value.kind === 'sequence') bindLength(scope, name, value);
}

/** As {@link deduce}, for a parameter of that type; an object is taken as the base that it asks for, too. */
export function deduceGiven(world: World, scope: Scope, name: string, type: TypeReference, given: Argument): void {
  const pattern = resolveType(world.program, type);
  deduce(world, scope, name, pattern, asBase(world, pattern, given));
}

/** `T *` and `Box<T>` look through what the program calls that otherwise; `T` stays with the name that was given. */
function asPattern(world: World, pattern: TypeReference, actual: TypeReference): TypeReference {
  const isOfParts = pattern.arguments.length > 0 && lastPart(pattern.name) !== lastPart(actual.name);
  return isOfParts || pattern.pointers > actual.pointers ? resolveType(world.program, actual) : actual;
}

/** `T (&m)[R][C]` and `T (*m)[N]`, from an array. */
function deduceExtents(world: World, scope: Scope, name: string, pattern: TypeReference, value: Value): void {
  const [text] = value.kind === 'string' ? pattern.extents : [];
  if (value.kind === 'string' && text && isNamed(text, name) && !scope.names?.has(name))
    bind(scope, name, createCell(name, numberValue(value.value.length + 1)));
  const sequence = value.kind === 'sequence' || value.kind === 'pointer' ? value.sequence : null;
  if (!sequence) return;
  const { elementType } = sequence;
  const inner = elementType?.extents ?? [];
  const [array] = isOfWholeArray(pattern) ? pattern.arguments : [];
  const isRow = array !== undefined && isType(array);
  const [first, ...rest] = isRow ? [null, ...array.extents] : pattern.extents;
  if (first && isNamed(first, name) && value.kind === 'sequence') bindLength(scope, name, value);
  rest.forEach((extent, index) => {
    const known = inner[index];
    if (extent && isNamed(extent, name) && known?.kind === 'number' && !scope.names?.has(name))
      bind(scope, name, createCell(name, numberValue(known.value)));
  });
  const element = isRow ? array : pattern;
  if (elementType && element.name === name)
    deduceType(world, scope, name, element, retyped(elementType, { extents: inner.slice(rest.length) }));
}

/** `const Box &` in a function that stands in the template `Box`: what its parameters stand for in the object. */
function bindAsInside(
  scope: Scope,
  name: string,
  pattern: TypeReference,
  { className, templates }: RecordObject,
): void {
  if (!templates || lastPart(pattern.name) !== className) return;
  const [type, value] = [templates.types.get(name), templates.values.get(name)];
  if (type && !scope.templateTypes?.has(name)) {
    scope.templateTypes ??= new Map();
    scope.templateTypes.set(name, type);
  }
  if (value && !scope.names?.has(name)) bind(scope, name, createCell(name, value));
}

function bindLength(scope: Scope, name: string, { sequence }: Value & { kind: 'sequence' }): void {
  if (sequence.length !== null && !scope.names?.has(name))
    bind(scope, name, createCell(name, numberValue(sequence.length)));
}

/** Most of what holds elements one behind the other, and was made for a call, is a vector. */
function isVectorLike({ byValue, isSet, takesFrom, length, name }: Sequence): boolean {
  return byValue && !isSet && !takesFrom && length !== null && name !== 'list';
}

/** An argument list's element is that name, whichever way it was read. */
function isNamed(argument: TypeReference | Expression, name: string): boolean {
  return isType(argument)
    ? argument.name === name && argument.pointers === 0
    : argument.kind === 'name' && argument.name === name;
}

/** A variable of the whole program, also one that nobody here defines, is hidden by a template parameter of that name. */
function isBoundBelowGlobals(scope: Scope, name: string): boolean {
  for (let current: Scope | null = scope; current?.parent; current = current.parent)
    if (current.names?.has(name)) return true;
  return false;
}

function deduceType(world: World, scope: Scope, name: string, pattern: TypeReference, actual: TypeReference): void {
  if (pattern.name === name) {
    if (scope.templateTypes?.has(name) || isBoundBelowGlobals(scope, name)) return;
    scope.templateTypes ??= new Map();
    const pointers = Math.max(0, actual.pointers - pattern.pointers);
    const isConst = actual.isConst && !pattern.isConst && (pattern.isReference || actual.pointers > 0);
    scope.templateTypes.set(name, { ...actual, pointers, isConst, isReference: false });
    return;
  }
  for (const [index, argument] of pattern.arguments.entries()) {
    const inner = actual.arguments[index];
    if (inner && isType(argument) && isType(inner)) deduceType(world, scope, name, argument, inner);
    else if (inner && !isType(inner) && isNamed(argument, name) && !scope.names?.has(name)) {
      const value = valueGiven(world, world.globals, inner);
      if (value.kind === 'number' || value.kind === 'function') bind(scope, name, createCell(name, value));
    }
  }
}

/**
 * `T...` and `T` of a parameter `void (*f)(int, T...)`, from the function that is given for it; null where nothing tells.
 */
export function deducedFromFunction(
  world: World,
  name: string,
  { name: kind, arguments: taken }: TypeReference,
  given: Value | undefined,
): readonly TypeReference[] | null {
  if (kind !== 'std::function' || given?.kind !== 'function') return null;
  const at = taken.findIndex((each) => isType(each) && each.name === name);
  const known = at < 0 ? undefined : world.program.functions.get(given.name);
  if (known?.length !== 1 || known[0]!.templateParameters.length > 0) return null;
  const types = known[0]!.parameters.map(({ type }) => type);
  return name.endsWith('...') ? types.slice(at) : types.slice(at, at + 1);
}

/** `Pipeline p(a, b);` of a class template: what its constructor is given says what its parameters stand for; nothing where one stays open. */
export function deducedArguments(
  world: World,
  { templateParameters, templateDefaults }: ClassDefinition,
  { parameters }: FunctionDefinition,
  values: readonly Argument[],
): readonly (TypeReference | Expression)[] {
  if (templateParameters.some((name) => name.endsWith('...')))
    return templateParameters.flatMap((written) => {
      const name = written.replace('...', '');
      const at = parameters.findIndex(({ type }) => type.name === name);
      const given = at < 0 ? [] : parameters[at]!.isPack ? values.slice(at) : values.slice(at, at + 1);
      return given.map((each) => ({ ...typeOfGiven(each), isReference: false, extents: [] }));
    });
  const found: (TypeReference | Expression)[] = [];
  for (const [index, name] of templateParameters.entries()) {
    const own = deducedArgument(world, name, parameters, values);
    // `template <class T, int N = 4>`: from there on the template says by itself what they are.
    if (!own && templateDefaults?.[index]) return found;
    if (!own) return [];
    found.push(own);
  }
  return found;
}

function deducedArgument(
  world: World,
  name: string,
  parameters: FunctionDefinition['parameters'],
  values: readonly Argument[],
): TypeReference | Expression | null {
  for (const [index, { type }] of parameters.entries()) {
    const given = values[index];
    if (!given) continue;
    const scope = createScope(world.globals);
    deduce(world, scope, name, type, given);
    const found = scope.templateTypes?.get(name);
    // `const T value` is given a copy.
    const isCopy = found?.pointers === 0 && !type.isReference;
    if (found) return isCopy ? { ...found, isConst: false } : found;
    const number = scope.names?.get(name);
    if (number && !isThunk(number) && number.value.kind === 'number')
      return { kind: 'number', value: number.value.value, span: given.span };
  }
  return null;
}

/** `A...` of a parameter `std::tuple<A...> &`, from what is given for it; null where the parameter names no such pack, or nothing tells. */
export function packInArguments(
  world: World,
  pack: string,
  pattern: TypeReference,
  given: Argument,
): readonly TypeReference[] | null {
  const at = pattern.arguments.findIndex((each) => packNamed(each) === pack);
  if (at < 0) return null;
  const { value, cell } = given;
  const record = value.kind === 'record' ? value.record : null;
  const [own] = record?.templates?.packs?.values() ?? [];
  if (own) return own.slice(at);
  const actual = cell?.type ? resolveType(world.program, cell.type) : null;
  const written = actual && lastPart(actual.name) === lastPart(pattern.name) ? actual.arguments.filter(isType) : [];
  if (written.length > 0) return written.slice(at);
  if (!record || !/^std::(?:tuple|variant)$/.test(record.className)) return null;
  const parts = record.className === 'std::tuple' ? [...record.fields.values()] : [];
  const types = parts.map((part) => typeOfGiven({ value: part.value, cell: part, span: given.span }));
  return [...(record.templates?.types.values() ?? types)].slice(at);
}

/** The type of an argument, as far as it is known. */
export function typeOfGiven({ value, cell }: Argument): TypeReference {
  const type = cell?.type ?? typeOfValue(value);
  return type ?? typeNamed(value.kind === 'number' ? numberNames[value.type ?? 'int'] : 'auto');
}

const numberNames: Readonly<Record<NumberType | 'int', string>> = {
  int: 'int',
  bool: 'bool',
  char: 'char',
  i8: 'signed char',
  u8: 'unsigned char',
  i16: 'short',
  u16: 'unsigned short',
  u32: 'unsigned',
  i64: 'long',
  u64: 'size_t',
  float: 'float',
  real: 'double',
};

/** What a number is, by the name of its type; one that does not say is an `int`. */
export function numberName({ type }: NumberValue): string {
  return numberNames[type ?? 'int'];
}

/** Of a number that says what it is: `1.0`, `2u`, `'a'`, `sizeof(x)`; an `int` and `NULL` are numbers that do not. */
export function typeOfNumber(value: Value | null): TypeReference | null {
  return value?.kind === 'number' && value.type ? typeNamed(numberNames[value.type]) : null;
}

/** A number that does not say what it is, and is no null: most are an `int`. */
function typeOfWhole({ value, cell }: Argument): TypeReference | null {
  return cell === null ? typeOfNumeral(value) : null;
}

/** Of a number that nobody declared; null for what may be a null, and for all that is no number. */
export function typeOfNumeral(value: Value): TypeReference | null {
  return typeOfNumber(value) ?? (value.kind === 'number' && value.value !== 0 ? typeNamed('int') : null);
}

/** `&x`, where the type of `x` is known. */
function typeOfAddress(value: Value): TypeReference | null {
  const type = value.kind === 'pointer' ? value.cell.type : null;
  return type && type.extents.length === 0 ? retyped(type, { pointers: type.pointers + 1, isReference: false }) : null;
}

/** The class of an object that is not in a variable. */
function typeOfValue(value: Value): TypeReference | null {
  if (value.kind !== 'record' || value.record.className === '') return null;
  const { className, fields, templates } = value.record;
  // `std::make_tuple(a, b)` says of what by what is in it.
  if (!templates && (className === 'std::tuple' || className === 'std::pair'))
    return typeNamed(
      className,
      [...fields.values()].map((cell) => typeOfGiven({ value: cell.value, cell, span: noSpan })),
    );
  const bindings = templates ?? noBindings;
  const inOrder = argumentsInOrder(bindings);
  if (inOrder) return typeNamed(className, inOrder);
  const { types, values } = bindings;
  // In which order types and numbers stand is not known here.
  const numbers = types.size === 0 ? [...values.values()].flatMap(asNumber) : [];
  return typeNamed(className, numbers.length > 0 ? numbers : [...types.values()]);
}

/** What was given for each parameter of a class template, one behind the other; null where one of them is not known. */
export function argumentsInOrder({
  types,
  values,
  packs,
  parameters,
}: TemplateBindings): (TypeReference | Expression)[] | null {
  if (!parameters) return null;
  const found: (TypeReference | Expression)[] = [];
  const takes = (value: Value | undefined): boolean => {
    const given = value === undefined ? [] : asArgument(value);
    found.push(...given);
    return given.length > 0;
  };
  for (const parameter of parameters) {
    const pack = parameter.endsWith('...') ? parameter.slice(0, -3) : null;
    const type = types.get(parameter);
    if (pack !== null) {
      for (let at = 0; takes(values.get(`${pack} #${at}`)); at++);
      found.push(...(packs?.get(pack) ?? []));
    } else if (type) found.push(type);
    else if (!takes(values.get(parameter))) return null;
  }
  return found;
}

const noSpan = { file: '', start: 0, end: 0 };

const noBindings: TemplateBindings = { types: new Map(), values: new Map() };

function asArgument(value: Value): Expression[] {
  return value.kind === 'function' ? [{ kind: 'name', name: value.name, span: noSpan }] : asNumber(value);
}

function asNumber(value: Value): Expression[] {
  return value.kind === 'number' ? [{ kind: 'number', value: value.value, span: noSpan }] : [];
}
