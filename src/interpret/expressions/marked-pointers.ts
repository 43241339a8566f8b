/** Addresses on the host that programs keep as numbers, with marks in the bits that no address of such an object has set. */

import { storageNamed } from '../../program/number-types.ts';
import type { TypeReference } from '../../program/program.ts';
import { type Cell, numberValue, type RecordObject, type Value } from '../value.ts';

type Pointer = Value & { readonly kind: 'pointer' };

/** `p | 1`, `p + 1`, `p ^ 1`, `p & 1`, `p % 8` and `p & ~5`; null for all else. */
export function markedPointer(operator: string, address: Pointer, bits: number): Value | null {
  if (!Number.isInteger(bits)) return null;
  const room = alignmentOf(address);
  const marks = address.marks ?? 0;
  if (operator === '&' && bits < 0) return bits >= -room ? withMarks(address, marks & bits) : null;
  if (operator === '-') return bits > 0 && bits <= marks ? withMarks(address, marks - bits) : null;
  if (bits < 0 || bits >= room) return operator === '%' && bits === room ? numberValue(marks) : null;
  switch (operator) {
    case '&':
      return numberValue(marks & bits);
    case '|':
      return withMarks(address, marks | bits);
    case '^':
      return withMarks(address, marks ^ bits);
    case '+':
      // One further than an array is an address, not a mark.
      if (address.sequence || address.cell.value.kind === 'sequence') return null;
      return bits > 0 && marks + bits < room ? withMarks(address, marks + bits) : null;
    default:
      return operator === '%' && bits > 0 && room % bits === 0 ? numberValue(marks % bits) : null;
  }
}

function withMarks(address: Pointer, marks: number): Pointer {
  if (marks > 0) return { ...address, marks };
  const { marks: _, ...plain } = address;
  return plain;
}

/** What the address of such an object is a multiple of in any case, in bytes, up to 8. */
function alignmentOf({ cell, sequence, steps }: Pointer): number {
  if (!sequence) return alignmentOfCell(cell);
  const { elementType } = sequence;
  const ofElement = elementType ? alignmentOfType(elementType) : 1;
  return steps ? 1 : Math.max(ofElement, cell.value.kind === 'record' ? alignmentOfRecord(cell.value.record, 0) : 1);
}

function alignmentOfCell({ type, value }: Cell, depth = 0): number {
  if (value.kind === 'record') return alignmentOfRecord(value.record, depth);
  if (value.kind === 'sequence' && !value.sequence.byValue)
    return value.sequence.elementType ? alignmentOfType(value.sequence.elementType) : 1;
  return type ? alignmentOfType(type) : 1;
}

/** Structures within structures that are looked into. */
const deepest = 4;

function alignmentOfRecord({ fields }: RecordObject, depth: number): number {
  let most = 1;
  if (depth < deepest) for (const field of fields.values()) most = Math.max(most, alignmentOfCell(field, depth + 1));
  return most;
}

function alignmentOfType({ name, pointers, isReference }: TypeReference): number {
  if (pointers > 0 || isReference) return 8;
  const bits = storageNamed(name)?.bits ?? 8;
  return Math.max(1, bits / 8);
}
