/** `Float32Array` and its like: arrays of so many numbers of one size, zero at first. */

import { typeNamed } from '../../program/type-named.ts';
import { createCell, createSequence, numberValue, type Sequence, unknownValue, type Value } from '../value.ts';
import { iterated } from './values.ts';

/** What their elements are, by the names of C, with their bytes. */
const elementTypes: Readonly<Record<string, readonly [string, number]>> = {
  Int8Array: ['signed char', 1],
  Uint8Array: ['unsigned char', 1],
  Uint8ClampedArray: ['unsigned char', 1],
  ArrayBuffer: ['unsigned char', 1],
  SharedArrayBuffer: ['unsigned char', 1],
  Int16Array: ['short', 2],
  Uint16Array: ['unsigned short', 2],
  Int32Array: ['int', 4],
  Uint32Array: ['unsigned int', 4],
  Float32Array: ['float', 4],
  Float64Array: ['double', 8],
  BigInt64Array: ['long long', 8],
  BigUint64Array: ['unsigned long long', 8],
};

const sizes = new Map(Object.values(elementTypes));

/** Elements that are kept one by one. */
const mostKept = 4_096;

/** `new Float32Array(…)` of a length, of other numbers, or of memory; null for any other name. */
export function typedArray(className: string, values: readonly Value[]): Value | null {
  const element = Object.hasOwn(elementTypes, className) ? elementTypes[className] : undefined;
  if (!element) return null;
  const [name, bytes] = element;
  const [source = numberValue(0), offset, count] = values;
  const elementType = typeNamed(name);
  const made = (length: number | null): Sequence => ({
    ...createSequence('', length, elementType, false),
    isShared: true,
    isZero: true,
  });
  if (source.kind === 'number') return { kind: 'sequence', sequence: made(source.value) };
  if (source.kind !== 'sequence') return { kind: 'sequence', sequence: made(null) };
  const { length, elementType: given } = source.sequence;
  if (given?.name === 'unsigned char' && name !== given.name) {
    const from = offset?.kind === 'number' ? offset.value : offset ? null : 0;
    const rest = length === null || from === null ? null : Math.floor((length - from) / bytes);
    return { kind: 'sequence', sequence: made(count?.kind === 'number' ? count.value : rest) };
  }
  const sequence = made(length);
  for (const [index, value] of (length !== null && length <= mostKept ? (iterated(source) ?? []) : []).entries())
    sequence.cells.set(index, createCell(`${index}`, value));
  if (length !== null && length > mostKept) sequence.isZero = false;
  return { kind: 'sequence', sequence };
}

/** `byteLength` and `BYTES_PER_ELEMENT`; null for what is no such array, and for other names. */
export function typedProperty({ elementType, length }: Sequence, name: string): Value | null {
  const bytes = elementType && sizes.get(elementType.name);
  if (!bytes) return null;
  if (name === 'BYTES_PER_ELEMENT') return numberValue(bytes, 'real');
  if (name === 'byteLength') return length === null ? unknownValue : numberValue(length * bytes, 'real');
  return name === 'byteOffset' ? numberValue(0, 'real') : null;
}

/** Whether the class is one of them. */
export function isTypedArray(className: string): boolean {
  return Object.hasOwn(elementTypes, className);
}
