/** Sizes of types. */

import type { TypeReference } from '../program/program.ts';
import { findClass, type ProgramTable, resolveType } from './program-table.ts';
import type { Scope } from './scope.ts';
import { isType } from './type-arguments.ts';
import { substitute } from './types.ts';
import { handleTypeOf } from './world.ts';

const primitiveBytes: Readonly<Record<string, number>> = {
  char: 1,
  bool: 1,
  'unsigned char': 1,
  'signed char': 1,
  int8_t: 1,
  uint8_t: 1,
  short: 2,
  'unsigned short': 2,
  int16_t: 2,
  uint16_t: 2,
  half: 2,
  __half: 2,
  __nv_bfloat16: 2,
  int: 4,
  unsigned: 4,
  'unsigned int': 4,
  float: 4,
  int32_t: 4,
  uint32_t: 4,
  uint: 4,
  long: 8,
  'unsigned long': 8,
  'long long': 8,
  'unsigned long long': 8,
  'long int': 8,
  'long long int': 8,
  'unsigned long int': 8,
  double: 8,
  int64_t: 8,
  uint64_t: 8,
  size_t: 8,
  ptrdiff_t: 8,
  uintptr_t: 8,
  float1: 4,
  float2: 8,
  int2: 8,
  uint2: 8,
  double2: 16,
  float3: 12,
  int3: 12,
  uint3: 12,
  float4: 16,
  int4: 16,
  uint4: 16,
  uchar4: 4,
  cuComplex: 8,
  cuFloatComplex: 8,
  cuDoubleComplex: 16,
  cufftReal: 4,
  cufftDoubleReal: 8,
  cufftComplex: 8,
  cufftDoubleComplex: 16,
};

/** Bytes of a type; null when it is not known. */
export function bytesOfType(
  program: ProgramTable,
  written: TypeReference,
  scope: Scope | null = null,
  depth = 0,
): number | null {
  if (depth > 8) return null;
  const type = resolveType(program, substitute(written, scope));
  let unit: number | null;
  if (type.pointers > 0 || handleTypeOf(type)) unit = 8;
  else {
    const name = type.name
      .replace(/^::/, '')
      .replace(/^(?:std|cuda::std)::/, '')
      .replace(/^const /, '')
      .trim();
    // A pointer to a function is read as the library's class without arguments.
    if (name === 'function') unit = type.arguments.length === 0 ? 8 : 32;
    else if (name === 'complex') unit = complexBytes(program, type, scope, depth);
    else unit = primitiveBytes[name] ?? classBytes(program, type, depth);
  }
  for (const extent of type.extents) {
    if (unit === null || extent?.kind !== 'number') return null;
    unit *= extent.value;
  }
  return unit;
}

/** `std::complex<T>`: two of them. */
function complexBytes(program: ProgramTable, type: TypeReference, scope: Scope | null, depth: number): number | null {
  const [part] = type.arguments;
  const bytes = part && isType(part) ? bytesOfType(program, part, scope, depth + 1) : null;
  return bytes === null ? classBytes(program, type, depth) : 2 * bytes;
}

function classBytes(program: ProgramTable, type: TypeReference, depth: number): number | null {
  const definition = findClass(program, type.name);
  if (!definition) return null;
  let total = 0;
  let alignment = 1;
  /** Where the members of each union begin. */
  const unions = new Map<number, number>();
  for (const field of definition.fields) {
    if (field.isStatic) continue;
    const bytes = bytesOfType(program, field.type, null, depth + 1);
    if (bytes === null) return null;
    const unit = Math.min(8, largestPower(bytes));
    alignment = Math.max(alignment, unit);
    const begin =
      (field.unionAt === undefined ? undefined : unions.get(field.unionAt)) ?? Math.ceil(total / unit) * unit;
    if (field.unionAt !== undefined) unions.set(field.unionAt, begin);
    total = Math.max(total, begin + bytes);
  }
  return Math.max(1, Math.ceil(total / alignment) * alignment);
}

function largestPower(bytes: number): number {
  let power = 1;
  while (power < 8 && bytes % (power * 2) === 0) power *= 2;
  return power;
}
