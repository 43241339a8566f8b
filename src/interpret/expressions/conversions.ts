/** What an object is where something else is asked for: `operator cudaStream_t()`, `operator size_t()`, `operator T *()`. */

import type { FunctionDefinition, TypeReference } from '../../program/program.ts';
import { retyped } from '../../program/retyped.ts';
import { invokeFunction } from '../calls/invoke.ts';
import { handleTypeOf } from '../handle-types.ts';
import { constructorOf, findClass, lastPart, type ProgramTable, resolveType } from '../program-table.ts';
import { createScope } from '../scope.ts';
import { withTemplates } from '../types/class-templates.ts';
import { concreteType } from '../types/packs.ts';
import { sameType } from '../types/template-patterns.ts';
import { isScalar } from '../types/types.ts';
import type { Cell, RecordObject, Value } from '../value.ts';
import type { World } from '../world.ts';

type Accepts = (type: TypeReference) => boolean;

/** The result of the object's first conversion to a type that `accepts`; null when its class has none. */
export function convertedObject(world: World, record: RecordObject, accepts: Accepts): Value | null {
  const conversion = conversionOf(world, record, accepts, record.className, 0);
  return conversion && run(world, record, conversion);
}

function run(world: World, record: RecordObject, conversion: FunctionDefinition): Value {
  return invokeFunction(world, conversion, [], record, world.statement, [], world.globals).value;
}

/** The first conversion of the class, or of its bases, to a type that `accepts`. */
function conversionOf(
  world: World,
  record: RecordObject,
  accepts: Accepts,
  className: string,
  depth: number,
): FunctionDefinition | null {
  if (world.program.conversions.size === 0) return null;
  const own = world.program.conversions
    .get(className)
    ?.find((each) => each.body && accepts(resolveType(world.program, boundType(world, each.returnType, record))));
  if (own || depth > 8) return own ?? null;
  for (const base of findClass(world.program, className)?.bases ?? []) {
    const inherited = conversionOf(world, record, accepts, lastPart(base), depth + 1);
    if (inherited) return inherited;
  }
  return null;
}

/** `operator T *()`, `operator typename Traits<T>::type()` of a class template, for this object. */
function boundType(world: World, type: TypeReference, record: RecordObject): TypeReference {
  const { templates } = record;
  const bound = templates?.types.get(type.name);
  if (bound || !templates)
    return { ...(bound ?? type), pointers: (bound?.pointers ?? 0) + type.pointers, isReference: false };
  const inside = withTemplates(createScope(world.globals, record), templates);
  const alias = findClass(world.program, record.className)?.aliases?.find(([name]) => name === type.name)?.[1];
  const written = alias ? retyped(alias, { pointers: alias.pointers + type.pointers }) : type;
  return { ...concreteType(world, inside, written), isReference: false };
}

/** An object where something of that type is asked for: a number, a pointer, a handle, a container, an object of another class. */
export function convertedTo(world: World, record: RecordObject, type: TypeReference): Value | null {
  const conversion = conversionTo(world, record, type);
  return conversion && run(world, record, conversion);
}

/** Whether the object's class says how it becomes something of that type. */
export function isConverted(world: World, record: RecordObject, type: TypeReference): boolean {
  return conversionTo(world, record, type) !== null;
}

function conversionTo(world: World, record: RecordObject, type: TypeReference): FunctionDefinition | null {
  if (world.program.conversions.size === 0) return null;
  const wanted = resolveType(world.program, retyped(type, { isReference: false }));
  if (wanted.name === 'auto' || isPartOf(world, record.className, lastPart(wanted.name), 0)) return null;
  const exact = conversionOf(world, record, (each) => sameType(each, wanted), record.className, 0);
  if (exact || !isScalar(world.program, wanted)) return exact;
  if (!isPlainNumber(world.program, wanted) && wanted.name !== 'bool') return null;
  return conversionOf(world, record, (each) => isPlainNumber(world.program, each), record.className, 0);
}

/**
 * Whether an object of one class becomes one of another of the program where that is asked for: by a constructor that takes it, or a
 * conversion of its own.
 */
export function becomes(world: World, record: RecordObject, type: TypeReference): boolean {
  const wanted = findClass(world.program, resolveType(world.program, type).name);
  if (!wanted || type.pointers > 0) return false;
  const isMade = (world.program.functions.get(constructorOf(wanted.name)) ?? []).some((each) => {
    const [first, ...rest] = each.parameters;
    if (!first || !rest.every(({ defaultValue, isPack }) => defaultValue || isPack)) return false;
    const asked = lastPart(resolveType(world.program, first.type).name);
    const isOpen = each.templateParameters.includes(asked) || wanted.templateParameters.includes(asked);
    return isOpen || (asked !== wanted.name && isPartOf(world, record.className, asked, 0));
  });
  return isMade || isConverted(world, record, type);
}

/** What is given to a function that takes no wrapper: the thing that it refers to. */
export function unwrapped<T extends { readonly value: Value; readonly cell: Cell | null }>(given: T): T {
  const { value } = given;
  return value.kind === 'pointer' && value.isWrapper ? { ...given, value: value.cell.value, cell: value.cell } : given;
}

/** What the language calculates and compares with where an object stands: the pointer, handle or number that its class makes of it. */
export function asOperand(world: World, value: Value): Value {
  if (value.kind === 'pointer' && value.isWrapper) return value.cell.value;
  if (value.kind !== 'record' || world.program.conversions.size === 0) return value;
  return operandOf(world, value.record) ?? value;
}

function operandOf(world: World, record: RecordObject): Value | null {
  return convertedObject(
    world,
    record,
    (type) => type.pointers > 0 || handleTypeOf(type) !== null || isPlainNumber(world.program, type),
  );
}

/** Whether objects of the class are of the wanted one, too: nothing is converted then. */
export function isPartOf(world: World, className: string, wanted: string, depth: number): boolean {
  if (lastPart(className) === wanted) return true;
  const bases = depth > 8 ? [] : (findClass(world.program, className)?.bases ?? []);
  return bases.some((base) => isPartOf(world, base, wanted, depth + 1));
}

const noNumber = new Set(['auto', 'bool', 'void', 'std::string', 'std::function']);

function isPlainNumber(program: ProgramTable, type: TypeReference): boolean {
  return type.pointers === 0 && !noNumber.has(type.name) && !handleTypeOf(type) && isScalar(program, type);
}
