/** Values of the interpreted host program, and the cells they live in. */

import type { Span } from '../base/span.ts';
import type { NumberType } from '../program/number-types.ts';
import type { LambdaExpression, TypeReference } from '../program/program.ts';
import type { HandleType } from '../trace/event.ts';
import type { Frame } from '../trace/frame.ts';
import type { Size } from '../trace/size.ts';
import type { UnknownDistance } from '../trace/unknown-distance.ts';
import { putInto } from './closure-holdings.ts';
import type { GoesBefore } from './library/comparators.ts';
import { type Called, calledName } from './made-names.ts';
import type { UnionPart } from './objects/unions.ts';
import type { Scope } from './scope.ts';
import type { Generator } from './script/generators.ts';

export type Value =
  /**
   * Each object is one unknown, and its copies are the same one; `unknownValue` is none of them. `from`: what was compared;
   * `before`: what was there before somebody unseen may have stored something else; `text`: how an unknown text was written.
   */
  | {
      readonly kind: 'unknown';
      readonly from?: Comparison;
      readonly before?: Value;
      readonly text?: string;
      /** The run was given it: all copies of it are one thing. */
      readonly isGiven?: boolean;
      /** The variable that it was copied from first. */
      readonly heldBy?: Cell;
      /** So many bytes behind where another unknown leads. */
      readonly behind?: { readonly start: Value; readonly bytes: number | null };
    }
  /** `isStatus`: it is a `cudaError_t`. `isNothing`: it is TypeScript's `undefined` or `null`. */
  /** `type`: none is an `int`, or nobody says. What has 64 bits and no sign is kept as if it had one. */
  | {
      readonly kind: 'number';
      readonly value: number;
      readonly isStatus?: boolean;
      readonly isNothing?: boolean;
      readonly type?: NumberType;
      /** A handle of a function's own that nothing was stored in since it was declared. */
      readonly isUnset?: boolean;
      /** Beyond 2^53 there is no `number` for every whole number: this is the nearest one, to the exact one where that is known. */
      readonly isRounded?: boolean;
      readonly exact?: bigint;
      readonly member?: string; // of `offsetof`: which
    }
  /**
   * A number the text does not determine. `hint` is what it would be in an ordinary run; `source`: which of the places it was read
   * from that give symbols of this name, where it is not the first. `names`: the element that it names as an index.
   */
  | {
      readonly kind: 'symbol';
      readonly size: Size;
      readonly hint: number | null;
      readonly isStatus?: boolean;
      readonly source?: number;
      readonly names?: number;
    }
  /** `whole`: it is what a `const char *` points at, the rest of this text. */
  | { readonly kind: 'string'; readonly value: string; readonly whole?: string }
  /** A host address: a cell, and where it lies in its array when it lies in one. */
  | {
      readonly kind: 'pointer';
      readonly cell: Cell;
      readonly sequence: Sequence | null;
      readonly index: number;
      /** It steps backwards, as from `rbegin`. */
      readonly isReverse?: boolean;
      /** A `move_iterator`: what is read through it is given away. */
      readonly givesAway?: boolean;
      readonly isWrapper?: boolean; // a `reference_wrapper`: taken for what it refers to
      /** Behind the last element of a container of which nobody knows how long it is, or counted from there. */
      readonly isOpenEnd?: boolean;
      /** It counts bytes, as one that was cast to `char *` does, and each of its elements has so many. */
      readonly bytesEach?: number;
      readonly marks?: number; // of an address kept as a number: bits that are set in it, which no address of what is there has
      /** It was made one to elements of another size, when it was at that element, so many bytes from the first: what each step since then is worth. Null where nobody knows. */
      readonly steps?: { readonly at: number; readonly before: number | null; readonly bytesEach: number | null };
    }
  | {
      readonly kind: 'device';
      readonly allocation: number;
      readonly offset: number | null;
      readonly elementBytes: number | null;
      readonly distance?: UnknownDistance | undefined; // where the offset is not known: what it depends on
      /** Of an address of what others may change at any time: whoever reads it looks whether they have. */
      readonly isVolatile?: boolean;
    }
  | { readonly kind: 'handle'; readonly type: HandleType; readonly id: number; readonly mark?: number } // in its low bits
  | { readonly kind: 'record'; readonly record: RecordObject }
  | { readonly kind: 'sequence'; readonly sequence: Sequence }
  /** `takes`: of several of that name it is the one for these, as the pointer says that it was put into. */
  | {
      readonly kind: 'function';
      readonly name: string;
      readonly receiver: RecordObject | null;
      readonly takes?: readonly TypeReference[];
      readonly template?: readonly (number | string | null)[]; // of a kernel: numbers, and names of classes and functions
      readonly given?: TypeReference['arguments']; // of any other template: for what it was named
    }
  /** `made`: the calls in which it was made. `usedAt`: a macro's body has the lambda; the statement that uses the macro. */
  | {
      readonly kind: 'closure';
      readonly lambda: LambdaExpression;
      readonly scope: Scope;
      readonly made: readonly Frame[];
      readonly usedAt: Span | null;
    };

/** `kind == 3`, `i < count`, of which one or both are not known. */
export interface Comparison {
  readonly operator: string;
  readonly left: Value;
  readonly right: Value;
}

export interface Cell {
  value: Value;
  readonly type: TypeReference | null;
  name: string;
  readonly owner: RecordObject | null; // the object it is a member of
  /** Of an element: the array it was made in, and where; it may have moved since. */
  readonly madeIn?: Sequence;
  readonly madeAt?: number;
  readonly lastOf?: Sequence; // the last element of a container of which nobody knows how long it is
  readonly deviceAt?: DeviceAddress; // of an element of memory of the device: where that is; what it holds is not known
  isDeduced?: boolean; // `auto x = unseen()`: of a type that nobody knows
}

/** A place in memory of the device. */
export type DeviceAddress = Value & { readonly kind: 'device' };

/** An array, vector or buffer. Cells appear when they are first touched. */
export interface Sequence {
  readonly cells: Map<number, Cell>;
  length: number | null; // null when not known
  readonly elementType: TypeReference | null;
  readonly name: string;
  /** Elements that nobody has set are zero, as behind `{}`. */
  isZero?: boolean;
  isFilledElsewhere?: boolean; // somebody who is not seen may have put anything into it
  readonly makes?: (isZero: boolean) => Value; // an element before anybody has touched it, when that takes more than its type
  /** Where `pop` and `top` find their element: a queue at its front, a priority queue by its order, everything else at its back. */
  readonly takesFrom?: 'front' | 'order';
  /** Of a set or a priority queue: its order, where that is not the one of `<`. */
  goesBefore?: GoesBefore | undefined;
  /** A set: what is in it already is not added again. */
  readonly isSet?: boolean;
  readonly isMulti?: boolean; // a multiset: what is in it already is added again
  /** TypeScript's: whoever is given it has the same one, and what nobody has set is `undefined`. */
  readonly isShared?: boolean;
  copies?: Set<Cell>; // of a braced list: the elements that are copies of what has a name, not objects made for it
  /** Of a braced list: what its elements are the values of, for members that are references. */
  named?: Map<Cell, Cell>;
  shared?: Map<Cell, Cell>; // of those that are objects of the list's own: what they share something with
  called?: Called; // what it is called that was made without a name
  /** Of a vector: it has room for so many elements, and for as many as there are; {@link anyRoom} where nobody knows. */
  room?: number;
  /** Of an array in an array: which element of that it is. Behind it lies the next. */
  row?: { readonly of: Sequence; readonly at: number };
  /** Copied when assigned (vector, std::array), as opposed to decaying to a pointer (C array). */
  readonly byValue: boolean;
  /** It is memory of its own, behind which lies something else: as much as it has elements, or another amount of elements or bytes. */
  storage?: 'elements' | { readonly size: Size; readonly inBytes: boolean } | undefined;
  /** Of an array of the library: the variable that it is, if it is one: others lie among what they are a part of. */
  variable?: Cell | null;
  /** It is a member, which lies in its object. */
  memberOf?: { readonly record: RecordObject; readonly member: string };
  /** Of a span over memory of the device: where its first element is. */
  readonly onDevice?: DeviceAddress;
}

export interface RecordObject {
  readonly className: string;
  readonly fields: Map<string, Cell>;
  /** Fields that have not been declared come into being when touched. */
  open: boolean;
  /** A destructor already ran, or ownership moved away. */
  released: boolean;
  /** The variable that holds it, once there is one. */
  name?: string;
  /** Whoever is given it has the same object: TypeScript's. */
  readonly isShared?: boolean;
  /** Members of its class by whose names members of its bases go, too. */
  hidden?: ReadonlySet<string>;
  /** Of an object with unions in it: the members that lie in one place. */
  unions?: readonly UnionPart[];
  /** What the parameters of its class template stand for. */
  readonly templates: TemplateBindings | null;
  /** The parts that are references, which copies of it have, too. */
  refersTo?: ReadonlySet<string>;
  /** Of a map: its order, where that is not the one of `<`. */
  goesBefore?: GoesBefore | undefined;
  /** Of a map: there may be more in it than the run has put there. */
  isFilledElsewhere?: boolean;
  /** Of a map: there are keys in it of which nobody knows what they are, or were. */
  hasUnknownKeys?: boolean;
  /** Of a map: what the names of its fields stand for, and the pairs that iterators point at. */
  keys?: Map<string, Value>;
  entries?: Sequence;
  /** Of what a generator of TypeScript's gives: its steps. */
  readonly generator?: Generator;
  /** Its virtual bases are made: the class of the whole object has seen to it. */
  hasVirtualBases?: boolean;
  /** How many `shared_ptr` hold the same pointee; the count is theirs together. */
  shares?: { count: number };
}

/** Types and values that template parameters stand for, by name. */
export interface TemplateBindings {
  readonly types: ReadonlyMap<string, TypeReference>;
  readonly values: ReadonlyMap<string, Value>;
  readonly packs?: ReadonlyMap<string, readonly TypeReference[]>;
  /** Other names for types that the class defines, for these arguments: `using value_type = T;`. */
  readonly aliases?: ReadonlyMap<string, TypeReference>;
  /** The parameters of the class itself as they stand in its head, which tells how types and numbers alternate. */
  readonly parameters?: readonly string[];
}

export const unknownValue: Value = { kind: 'unknown' };
/** What a cell holds, to be copied: what is not known there is the same in all its copies. */
export function heldBy(cell: Cell): Value {
  if (cell.value === unknownValue) cell.value = { kind: 'unknown', heldBy: cell };
  return cell.value;
}
export const noValue: Value = { kind: 'string', value: 'std::nullopt' };
export const zero: Value = { kind: 'number', value: 0 };
export const nothingThere: Value = { kind: 'number', value: 0, isNothing: true };

export type NumberValue = Extract<Value, { kind: 'number' }>;

/** The number that is meant: of 64 bits without a sign the upper half is kept below zero. */
export function unsignedValue({ value, type }: NumberValue): number {
  return type === 'u64' && value < 0 ? value + 2 ** 64 : value;
}

export function numberValue(value: number, type?: NumberType): Value {
  return type ? { kind: 'number', value, type } : { kind: 'number', value };
}

const isTrue: NumberValue = { kind: 'number', value: 1, type: 'bool' };
const isFalse: NumberValue = { kind: 'number', value: 0, type: 'bool' };

/** A `bool`. */
export function truthValue(holds: boolean): NumberValue {
  return holds ? isTrue : isFalse;
}

export function statusValue(value: number): Value {
  return { kind: 'number', value, isStatus: true };
}

export function createCell(
  name: string,
  value: Value = unknownValue,
  type: TypeReference | null = null,
  owner: RecordObject | null = null,
): Cell {
  return { value, type, name, owner };
}

/** A part of something that is stored as a whole: a bit of a number, a character of a text. */
export function partCell(
  name: string,
  type: TypeReference | null,
  read: () => Value,
  write: (value: Value) => void,
): Cell {
  return {
    type,
    name,
    owner: null,
    get value() {
      return read();
    },
    set value(value) {
      write(value);
    },
  };
}

/** An element of an array, at home in it: a reference to it is told from one to any other variable. */
export function createElement(sequence: Sequence, position: number, value: Value, written?: string): Cell {
  const name = `${calledName(sequence)}[${written ?? position}]`;
  const cell = { value, type: sequence.elementType, name, owner: null, madeIn: sequence, madeAt: position };
  putInto(cell);
  return cell;
}

export function createSequence(
  name: string,
  length: number | null,
  elementType: TypeReference | null,
  byValue: boolean,
): Sequence {
  return { cells: new Map(), length, elementType, name, byValue };
}

export const anyRoom = Number.POSITIVE_INFINITY;

/** A copy with some parts replaced; unless these are the elements, they are shared. Not spread: what is added to a spread gets a shape of its own. */
export function changedSequence(sequence: Sequence, change: Partial<Sequence>): Sequence {
  return Object.assign({}, sequence, change);
}

export function createRecord(
  className: string,
  open: boolean,
  templates: TemplateBindings | null = null,
): RecordObject {
  return { className, fields: new Map(), open, released: false, templates };
}

/** Host address of a cell that is not in an array. */
export function pointerTo(cell: Cell): Value {
  return { kind: 'pointer', cell, sequence: null, index: 0 };
}

/** Whether two values are one object: in the place that it was made in, or wherever it was found. */
export function sameObject(first: Value | null, second: Value | null): boolean {
  if (first?.kind === 'record' && second?.kind === 'record') return first.record === second.record;
  return first?.kind === 'sequence' && second?.kind === 'sequence' && first.sequence === second.sequence;
}

/** Host address of a variable: in its array when it is an element of one, as behind `T &each : all`. */
export function addressOfCell(cell: Cell): Value {
  const { madeIn, madeAt, deviceAt, lastOf } = cell;
  if (deviceAt) return deviceAt;
  if (lastOf) return { kind: 'pointer', cell, sequence: lastOf, index: -1, isOpenEnd: true };
  if (!madeIn || madeAt === undefined || madeIn.cells.get(madeAt) !== cell) return pointerTo(cell);
  return { kind: 'pointer', cell, sequence: madeIn, index: madeAt };
}

/** An object of TypeScript's, empty. */
export function createShared(className: string): RecordObject {
  return { ...createRecord(className, true), isShared: true };
}

/** `optional`, `expected`, `variant`, `any`: an object that holds a value of another type. */
export function isHolder({ className }: RecordObject): boolean {
  return holders.has(className);
}

const holders = new Set(['std::optional', 'std::expected', 'std::variant', 'std::any']);

/** Whether the value is a null pointer or null handle. */
export function isNull(value: Value): boolean {
  return value.kind === 'number' && value.value === 0;
}

const pointerClasses = new Set(['std::unique_ptr', 'std::shared_ptr', 'std::weak_ptr', 'std::coroutine_handle']);

/** Where a smart pointer points: nowhere when nothing was put into it, unknown when that may have happened unseen. Undefined for other objects. */
export function pointedAt(record: RecordObject): Value | undefined {
  if (!pointerClasses.has(record.className)) return undefined;
  const mayBeSet = record.isFilledElsewhere === true || record.released;
  return record.fields.get('(pointer)')?.value ?? (mayBeSet ? unknownValue : zero);
}

/** Whether only its class, which the text does not have, says whether it is true. */
function isOfUnseenClass({ className, open, isShared }: RecordObject): boolean {
  return open && !isShared && /^[A-Za-z_]/.test(className) && !className.startsWith('std::');
}

const mayBeEmpty = new Set(['std::optional', 'std::expected', 'std::node_handle']);

/** As truth: null when the text does not determine it. */
export function truth(value: Value): boolean | null {
  switch (value.kind) {
    case 'number':
      return value.value !== 0;
    case 'string':
      return value.value !== '' || value.whole !== undefined;
    case 'unknown':
    case 'symbol':
      return null;
    case 'record': {
      const pointer = pointedAt(value.record);
      if (pointer) return truth(pointer);
      const failed = value.record.fields.get('(failed)');
      if (failed) return failed.value.kind === 'number' ? failed.value.value === 0 : null;
      if (isOfUnseenClass(value.record)) return null;
      return !mayBeEmpty.has(value.record.className) || value.record.fields.has('(value)');
    }
    case 'sequence':
      // A list for an object whose class nobody has seen.
      return value.sequence.name === 'list' && !value.sequence.isShared ? null : true;
    default:
      return true;
  }
}

/** The number as a {@link Size}; null when the value is no number. */
export function sizeOf(value: Value): Size | null {
  if (value.kind === 'number') return { kind: 'number', value: unsignedValue(value) };
  return value.kind === 'symbol' ? value.size : null;
}
