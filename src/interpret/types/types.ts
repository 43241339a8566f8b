/** What a variable of a type holds before anything is assigned. */

import { isStatusType } from '../../models/cuda-errors.ts';
import { instantiatedAlias, isLarge } from '../../program/alias-templates.ts';
import { wholeArray } from '../../program/array-pointer.ts';
import { containerPart } from '../../program/container-part.ts';
import { bitFieldName, isNumberName, storageNamed } from '../../program/number-types.ts';
import type { ClassDefinition, Declaration, Expression, TypeReference } from '../../program/program.ts';
import { retyped } from '../../program/retyped.ts';
import { evaluate } from '../expressions/evaluate.ts';
import { beginAsZero } from '../expressions/zeroes.ts';
import { handleTypeOf } from '../handle-types.ts';
import { isBitset } from '../library/bitsets.ts';
import { timeType } from '../library/chrono.ts';
import { sequenceTraits, writtenOrder } from '../library/comparators.ts';
import { containerBase } from '../library/container-bases.ts';
import { isErrorCode } from '../library/error-codes.ts';
import { orderOfKeys } from '../library/keys.ts';
import { isText, noText } from '../library/strings.ts';
import { isStreamOfText, streamOver } from '../library/text-streams.ts';
import { emptyTuple } from '../library/tuples.ts';
import { hideMember } from '../objects/hidden-members.ts';
import type { Shape } from '../objects/overlaid-bytes.ts';
import { joinMembers, unionParts } from '../objects/unions.ts';
import { isVector, vectorOf } from '../objects/vector-types.ts';
import { constructorOf, findClass, lastPart, type ProgramTable, resolveType } from '../program-table.ts';
import { createScope, type Scope } from '../scope.ts';
import { createArray, createStorage } from '../storage.ts';
import {
  type Cell,
  createCell,
  createRecord,
  type RecordObject,
  type Sequence,
  unknownValue,
  type Value,
  zero,
} from '../value.ts';
import type { World } from '../world.ts';
import { argumentValue } from './argument-values.ts';
import { beginField } from './begun-fields.ts';
import { templatesOfEnclosing, templatesWithBases, withTemplates } from './class-templates.ts';
import { elementType, elementTypes } from './element-types.ts';
import { emptyHolder } from './holders.ts';
import { nestedInSelf } from './nested-classes.ts';
import { concreteType, expandedTypes } from './packs.ts';
import { isTooLarge } from './parts-of-objects.ts';
import { classOf } from './specialisations.ts';
import { variableIn } from './static-members.ts';
import { isType } from './type-arguments.ts';
import { bytesOfType } from './type-bytes.ts';
import { typeInTheEnd } from './type-transformations.ts';

/** Replaces a template parameter by the type it stands for in this call. */
export function substitute(type: TypeReference, scope: Scope | null): TypeReference {
  for (let current = scope; current; current = current.parent) {
    const known = current.templateTypes?.get(type.name);
    // `template <class U> using Other = Pool<T, U>;` of a class template
    const target = known?.parameters ? instantiatedAlias(known, known.parameters, type.arguments) : known;
    if (target && target.name !== type.name) {
      if (isLarge(target.arguments)) return type;
      if (type.pointers > 0 && target.extents.length > 0) return { ...type, ...toWholeArray(target) };
      const made = retyped(target, {
        // `Holder<int>` where `Holder` is a parameter itself.
        arguments: target.arguments.length > 0 ? target.arguments : type.arguments,
        pointers: target.pointers + type.pointers,
        isReference: type.isReference || target.isReference,
        extents: target.extents.length > 0 ? [...type.extents, ...target.extents] : type.extents,
        isConst: type.isConst || target.isConst,
      });
      // `T &&` is `U &` where `T` is.
      const takesMoved = type.takesMoved === true && !target.isReference;
      return takesMoved === (made.takesMoved === true) ? made : { ...made, takesMoved };
    }
  }
  return type;
}

/** `using Tile = float[4][4]; Tile *tiles;`: it points to whole arrays. */
function toWholeArray(array: TypeReference): Pick<TypeReference, 'name' | 'arguments'> {
  const { name, arguments: list } = wholeArray(array);
  return { name, arguments: list };
}

/** What else is no object. */
const scalarNames = new Set([
  ...['auto', 'CUdeviceptr', 'CUdevice', 'void'],
  ...['std::string', 'std::function', 'std::exception_ptr'],
]);

/** Whether a type is a plain number, pointer or handle rather than an object. */
export function isScalar(program: ProgramTable, type: TypeReference): boolean {
  const resolved = resolveType(program, type);
  if (resolved.pointers > 0 || resolved.extents.length > 0 || handleTypeOf(resolved)) return true;
  if (findClass(program, resolved.name)) return false;
  let known = scalars.get(resolved.name);
  if (known === undefined) {
    known = isScalarName(resolved.name);
    if (scalars.size < mostRemembered) scalars.set(resolved.name, known);
  }
  return known;
}

/** Answers by name: they hang on nothing else, and the same few are asked for again and again. */
const scalars = new Map<string, boolean>();
const mostRemembered = 4096;

function isScalarName(name: string): boolean {
  return [name, lastPart(name)].some((each) => scalarNames.has(each) || isNumberName(each) || isStatusType(each));
}

/** `std::function`, whatever it is a function of. */
export function holdsFunction({ name, pointers }: TypeReference): boolean {
  return pointers === 0 && name === 'std::function';
}

/** Names that containers of the library share with classes that people write themselves. */
const ownNames = new Set(['list', 'queue', 'stack', 'set', 'map', 'span', 'pair', 'tuple', 'vector', 'deque']);

const ofLibrary = /\b(?:std|pmr|thrust)::/;

/** Standard containers we interpret, by the last part of their name. */
export function containerOf(
  type: TypeReference,
): 'vector' | 'array' | 'pair' | 'tuple' | 'map' | 'optional' | 'pointer' | null {
  if (type.pointers > 0) return null;
  const plain = lastPart(type.name);
  // `struct queue` of the program, `gpu::queue`: those of the library have arguments, or their namespace before them.
  if (type.arguments.length === 0 && ownNames.has(plain) && !ofLibrary.test(type.name)) return null;
  switch (plain) {
    case 'vector':
    case 'deque':
    case 'list':
    case 'forward_list':
    case 'initializer_list':
    case 'span':
    case 'queue':
    case 'stack':
    case 'set':
    case 'unordered_set':
    case 'priority_queue':
    case 'multiset':
    case 'unordered_multiset':
      return 'vector';
    case 'valarray':
      return type.arguments.length > 0 || type.name === 'std::valarray' ? 'vector' : null;
    case 'array':
      return type.arguments.length > 0 || type.name === 'std::array' ? 'array' : null;
    case 'pair':
      return 'pair';
    case 'tuple':
      return 'tuple';
    case 'map':
    case 'unordered_map':
    case 'multimap':
    case 'unordered_multimap':
      return 'map';
    case 'optional':
    case 'variant':
    case 'any':
    case 'expected':
    case 'unexpected':
      return type.name.startsWith('std::') || type.arguments.length > 0 ? 'optional' : null;
    case 'unique_ptr':
    case 'shared_ptr':
    case 'weak_ptr':
      return 'pointer';
    default:
      return null;
  }
}

/** A container that a braced list fills, as opposed to one that it makes. */
export function holdsElements(type: TypeReference): boolean {
  const container = containerOf(type);
  return container === 'vector' || container === 'array' || container === 'map' || container === 'optional';
}

/**
 * When the members of an object get what their declarations say that they begin as: with the object, when its constructor runs, or
 * with it but for members that have constructors themselves.
 */
export type Beginning = 'at once' | 'when constructed' | 'where nothing is constructed';

/** What a variable of that type holds when it is declared without an initialiser. Runs no constructor. */
export function defaultValue(
  world: World,
  scope: Scope,
  written: TypeReference,
  name: string,
  beginning: Beginning = 'at once',
): Value {
  const type = typeInTheEnd(world, scope, written);
  if (type.extents.length > 0) {
    const [extent, ...rest] = type.extents;
    const size = extent ? evaluate(world, scope, extent) : unknownValue;
    const whole: TypeReference = { ...type, extents: rest.map((inner) => inner && knownExtent(world, scope, inner)) };
    // Elements may be made where nobody knows what `T` of `Cell<T> cells[4]` stood for.
    const isOpen = type.arguments.length > 0 || scope.self?.templates;
    const element = isOpen ? nestedInSelf(world, scope, concreteType(world, scope, whole)) : whole;
    return {
      kind: 'sequence',
      sequence: Object.assign(createArray(name, size, element, true), beginningOfElements(world, scope, element, name)),
    };
  }
  switch (containerOf(type)) {
    case 'vector': {
      const sequence = createStorage(name, 0, elementType(world, type, scope), true);
      return {
        kind: 'sequence',
        sequence: Object.assign(sequence, sequenceTraits(world, scope, type)),
      };
    }
    case 'array': {
      const count = type.arguments[1];
      const size = count ? argumentValue(world, scope, count) : unknownValue;
      const element = elementType(world, type, scope);
      return {
        kind: 'sequence',
        sequence: Object.assign(createStorage(name, size.kind === 'number' ? size.value : null, element, true), {
          variable: null,
          ...(element && beginningOfElements(world, scope, element, name)),
        }),
      };
    }
    case 'optional':
      return { kind: 'record', record: emptyHolder(world, type, scope) };
    case 'pointer': {
      const className = `std::${lastPart(type.name)}`;
      const names = className === 'std::unique_ptr' ? ['T', 'D'] : ['T'];
      const record = createRecord(className, true, elementTypes(world, type, scope, names));
      // `std::unique_ptr<T, decltype(release)> p;` of a lambda that only this function has.
      const deleter = record.templates?.types.get('D');
      const lambda = deleter && variableIn(world, scope, deleter)?.value;
      if (lambda?.kind === 'closure') record.fields.set('(deleter)', createCell('(deleter)', lambda));
      return { kind: 'record', record };
    }
    case 'map': {
      const templates = elementTypes(world, type, scope, ['K', 'V']);
      const record = createRecord(`std::${lastPart(type.name)}`, true, templates);
      if (!record.className.includes('unordered'))
        record.goesBefore = writtenOrder(world, scope, type, 2) ?? orderOfKeys(world, scope, type);
      return { kind: 'record', record };
    }
    case 'pair':
    case 'tuple':
      return emptyTuple(type, scope, (part) => defaultValue(world, scope, part, name));
  }
  if (isText(type)) return noText;
  if (isStreamOfText(type)) return streamOver(undefined);
  // One that holds no function is null.
  if (holdsFunction(type) || /^std::(?:exception_ptr|coroutine_handle)$/.test(type.name)) return zero;
  if (isScalar(world.program, type)) return unknownValue;
  if (isBitset(world, type) || isErrorCode(world, type)) return zero;
  if (timeType(world, scope, type)) return unknownValue;
  if (isVector(world, type)) return vectorOf(world, scope, type.name, [], false);
  const { functions } = world.program;
  const hasConstructor = beginning !== 'at once' && functions.has(constructorOf(type.name));
  const own = hasConstructor ? 'when constructed' : beginning;
  return { kind: 'record', record: createObject(world, scope, type, own) };
}

/** `T a[N][M]`: what `M` is where the array is declared, for its rows, which are made where that may mean nothing. */
function knownExtent(world: World, scope: Scope, extent: Expression): Expression {
  if (extent.kind === 'number') return extent;
  const value = evaluate(world, scope, extent);
  return value.kind === 'number' ? { kind: 'number', value: value.value, span: extent.span } : extent;
}

/** `std::bitset<8> rows[4]`: elements that are objects of the library begin as those do. */
function beginningOfElements(
  world: World,
  scope: Scope,
  element: TypeReference,
  name: string,
): Pick<Sequence, 'makes'> | null {
  if (element.pointers > 0) return null;
  const own = resolveType(world.program, element.extents.length > 0 ? { ...element, extents: [] } : element);
  if (own.pointers > 0 || !(containerOf(own) || isText(own) || isBitset(world, own))) return null;
  return {
    makes: (isZero) => {
      const cell = createCell(name, defaultValue(world, scope, element, name), element);
      if (isZero) beginAsZero(world, cell);
      return cell.value;
    },
  };
}

/** An object with its fields and their default initialisers, base classes first. */
export function createObject(
  world: World,
  scope: Scope,
  type: TypeReference,
  beginning: Beginning = 'at once',
): RecordObject {
  const definition = classOf(world, scope, type);
  // A class that holds itself, as when two classes of one name are taken for one another.
  if (definition && (world.creating.has(definition) || isTooLarge(world.program, definition)))
    return createRecord(definition.name, true);
  const templates = definition
    ? (templatesWithBases(world, scope, definition, type) ?? templatesOfEnclosing(scope, definition))
    : null;
  const record = createRecord(definition?.name ?? type.name, !definition, templates);
  // Members see those before them.
  const inner = createScope(scope, record);
  if (templates) withTemplates(inner, templates);
  const virtual = new Set<ClassDefinition>();
  const setters = new Map<string, string>();
  const addFields = (owner: NonNullable<typeof definition>, depth: number): void => {
    for (const [index, base] of owner.bases.entries()) {
      const parent = findClass(world.program, base);
      if (parent && owner.virtualBases?.includes(index)) {
        if (virtual.has(parent)) continue;
        virtual.add(parent);
      }
      if (parent && depth < 8) addFields(parent, depth + 1);
      // What a structure of a library has appears when it is touched.
      if (!parent && world.models.structures.has(lastPart(base))) record.open = true;
    }
    const container = owner.bases.length > 0 ? containerBase(world, owner) : null;
    if (container) {
      const part = {
        ...container,
        arguments: expandedTypes(inner, container.arguments).map((each) =>
          isType(each) ? substitute(each, inner) : each,
        ),
      };
      record.fields.set(
        containerPart,
        createCell(containerPart, defaultValue(world, inner, part, record.className), part),
      );
    }
    for (const field of owner.fields) {
      if (field.isStatic) continue;
      if (record.fields.has(field.name)) hideMember(world, record, owner, field.name, setters.get(field.name));
      setters.set(field.name, owner.name);
      record.fields.set(field.name, createField(world, inner, field, record, beginning));
    }
  };
  if (!definition) return record;
  world.creating.add(definition);
  addFields(definition, 0);
  world.creating.delete(definition);
  joinUnions(world, scope, record, definition);
  return record;
}

function joinUnions(world: World, scope: Scope, record: RecordObject, { fields }: ClassDefinition): void {
  if (!fields.some(({ unionAt }) => unionAt !== undefined)) return;
  const parts = unionParts(
    fields,
    (type) => isScalar(world.program, type),
    (type) => bytesOfType(world, { ...type, pointers: Math.max(0, type.pointers - 1) }, scope),
    (field) => shapeInUnion(world, scope, field),
  );
  if (!parts) return;
  record.unions = parts;
  joinMembers(record, parts);
}

/** What a member of a union is made of; null for all but numbers and structures of such. */
export function shapeInUnion(world: World, scope: Scope, { type: written, bits }: Declaration): Shape | null {
  const { name, pointers } = resolveType(world.program, substitute(written, scope));
  if (pointers > 0) return null;
  const typeName = bits ? bitFieldType(world, scope, written, bits).name : name;
  const storage = storageNamed(typeName);
  if (storage) return { storage, typeName };
  const definition = findClass(world.program, name);
  if (!definition || definition.bases.length > 0 || definition.methods.some((each) => each.isVirtual)) return null;
  const { fields, isPacked, packing } = definition;
  if (definition.alignment || fields.some(({ unionAt }) => unionAt !== undefined)) return null;
  return { members: fields, mostAligned: isPacked ? 1 : (packing ?? null) };
}

function createField(world: World, scope: Scope, field: Declaration, owner: RecordObject, beginning: Beginning): Cell {
  const value = field.type.isReference ? unknownValue : defaultValue(world, scope, field.type, field.name, beginning);
  if (value.kind === 'sequence' && containerOf(resolveType(world.program, field.type)) !== 'vector')
    value.sequence.memberOf = { record: owner, member: field.name };
  // `T *data` of a `Buffer<float>` points to floats, whoever asks.
  const type = owner.templates ? substitute(field.type, scope) : field.type;
  const cell = createCell(field.name, value, field.bits ? bitFieldType(world, scope, type, field.bits) : type, owner);
  if (field.initializer && beginning !== 'when constructed') beginField(world, scope, cell, field, field.initializer);
  return cell;
}

/** `unsigned x : 3`, by whatever name. */
function bitFieldType(world: World, scope: Scope, written: TypeReference, bits: Expression): TypeReference {
  const type = resolveType(world.program, substitute(written, scope));
  const width = evaluate(world, scope, bits);
  return width.kind === 'number' ? retyped(type, { name: bitFieldName(type.name, width.value) }) : type;
}
