/** CUDA's small vectors: `dim3`, `int2`, `float4` … Their members are numbers that sizes are worked out with. */

import type { TypeReference } from '../../program/program.ts';
import { typeNamed } from '../../program/type-named.ts';
import { stored } from '../expressions/arithmetic.ts';
import { findClass } from '../program-table.ts';
import type { Scope } from '../scope.ts';
import { createCell, createRecord, numberValue, type RecordObject, unknownValue, type Value } from '../value.ts';
import type { World } from '../world.ts';

const members = ['x', 'y', 'z', 'w'];

/** What a vector is made of. */
interface Parts {
  readonly element: TypeReference;
  readonly count: number;
  /** What a member is that nobody sets, where that is said. */
  readonly otherwise: number | null;
}

const elements: Readonly<Record<string, string>> = {
  char: 'signed char',
  uchar: 'unsigned char',
  short: 'short',
  ushort: 'unsigned short',
  int: 'int',
  uint: 'unsigned',
  long: 'long',
  ulong: 'unsigned long',
  longlong: 'long long',
  ulonglong: 'unsigned long long',
  float: 'float',
  double: 'double',
};

const vectors: ReadonlyMap<string, Parts> = new Map<string, Parts>([
  ['dim3', { element: typeNamed('unsigned'), count: 3, otherwise: 1 }],
  ...Object.entries(elements).flatMap(([name, element]) =>
    [1, 2, 3, 4].map((count): [string, Parts] => [
      `${name}${count}`,
      { element: typeNamed(element), count, otherwise: null },
    ]),
  ),
]);

/** Names of the functions that make vectors: `make_float4`. */
export const vectorMakers: readonly string[] = [...vectors.keys()].map((name) => `make_${name}`);

/** Whether the type is one of CUDA's vectors, and no class of the program. */
export function isVector(world: World, { name, pointers, extents }: TypeReference): boolean {
  return pointers === 0 && extents.length === 0 && vectors.has(name) && findClass(world.program, name) === undefined;
}

/** A vector of what is given, in order. `isMade`: what is not given is zero, where the type does not say another number. */
export function vectorOf(
  world: World,
  scope: Scope,
  name: string,
  values: readonly Value[],
  isMade: boolean,
): Value & { readonly kind: 'record' } {
  const [only] = values;
  if (values.length === 1 && only?.kind === 'record' && only.record.className === name) return copied(only.record);
  const record = createRecord(name, false);
  const parts = vectors.get(name);
  for (let index = 0; parts && index < parts.count; index++) {
    const begin = parts.otherwise ?? (isMade ? 0 : null);
    const given = values[index] ?? (begin === null ? unknownValue : numberValue(begin));
    const member = members[index]!;
    record.fields.set(
      member,
      createCell(member, stored(world.program, parts.element, scope, given), parts.element, record),
    );
  }
  return { kind: 'record', record };
}

/** `dim3 grid = blocks;`, `grid = blocks;`: a number where a `dim3` belongs is its first member; null for all else. */
export function gridOf(world: World, scope: Scope, type: TypeReference, value: Value): Value | null {
  const isNumber = value.kind === 'number' || value.kind === 'symbol';
  return isNumber && type.name === 'dim3' && isVector(world, type)
    ? vectorOf(world, scope, type.name, [value], true)
    : null;
}

function copied({ className, fields }: RecordObject): Value & { readonly kind: 'record' } {
  const record = createRecord(className, false);
  for (const [name, cell] of fields) record.fields.set(name, createCell(name, cell.value, cell.type, record));
  return { kind: 'record', record };
}
