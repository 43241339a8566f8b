/** Macros that stand for types are other names for them. */

import { bytesOfCudaType, cudaSize } from '../program/cuda-types.ts';
import { isNumberName } from '../program/number-types.ts';
import type { ClassDefinition, Module, TypeReference } from '../program/program.ts';
import { handleTypeOf } from './handle-types.ts';

/** Adds to `aliases`, for `#define REAL float` and `#define scalar_t REAL`, what is known to be a type. */
export function addTypeMacros(
  aliases: Map<string, TypeReference>,
  classes: ReadonlyMap<string, ClassDefinition>,
  modules: readonly Module[],
): void {
  const written = new Map(modules.flatMap(({ typeMacros }) => [...(typeMacros ?? [])]));
  const isKnown = (type: TypeReference, depth = 0): boolean => {
    const { name, pointers } = type;
    if (pointers > 0 || type.arguments.length > 0 || isPlainType(name) || handleTypeOf(type) !== null) return true;
    if (classes.has(name) || aliases.has(name)) return true;
    const further = written.get(name);
    return further !== undefined && depth < mostMacros && isKnown(further, depth + 1);
  };
  for (const [name, type] of written)
    if (!aliases.has(name) && !classes.has(name) && isKnown(type)) aliases.set(name, type);
}

/** Macros that stand for others that are followed. */
const mostMacros = 8;

function isPlainType(name: string): boolean {
  return name === 'void' || isNumberName(name) || bytesOfCudaType(name) !== undefined || cudaSize(name) !== null;
}
