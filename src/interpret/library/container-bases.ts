/** Classes that derive from a container of the library, `struct Nodes : std::vector<cudaGraphNode_t>`: the container is a part of the object. */

import { containerPart } from '../../program/container-part.ts';
import type { ClassDefinition, TypeReference } from '../../program/program.ts';
import { typeNamed } from '../../program/type-named.ts';
import { lastPart, resolveType } from '../program-table.ts';
import { containerOf } from '../types/types.ts';
import type { Cell, RecordObject, Value } from '../value.ts';
import type { World } from '../world.ts';

/** What is kept as a part: `struct Outcome : std::variant<Value, Problem>`, too. */
const kept = new Set(['vector', 'array', 'map', 'optional']);

/** The container that the class derives from, by its type; null when there is none. */
export function containerBase(world: World, { bases, baseTypes }: ClassDefinition): TypeReference | null {
  for (const name of bases) {
    const plain = typeNamed(name);
    const type = resolveType(world.program, baseTypes?.find((each) => each.name === name) ?? plain);
    const container = containerOf(type);
    if (container && kept.has(container)) return type;
  }
  return null;
}

/** The container in an object; the value itself when it is none of these. */
export function containerIn(value: Value): Value {
  return value.kind === 'record' ? (value.record.fields.get(containerPart)?.value ?? value) : value;
}

/** The container that a constructor names among what it initialises: `: std::vector<int>(n)`. */
export function namedBase(world: World, self: RecordObject, name: string): Cell | null {
  const cell = self.fields.get(containerPart);
  if (!cell?.type) return null;
  const written = typeNamed(name);
  const type = resolveType(world.program, written);
  return lastPart(type.name) === lastPart(cell.type.name) ? cell : null;
}

/** In TypeScript `super.name`: a plain name is never a method there. */
const scriptMethods = new Set(
  'get set has delete clear keys values entries forEach add push pop shift unshift'.split(' '),
);

const methods = new Set(
  'size empty data begin end cbegin cend rbegin rend push_back emplace_back pop_back push_front pop_front front back at clear insert erase resize reserve assign find count contains emplace try_emplace insert_or_assign index value has_value value_or'.split(
    ' ',
  ),
);

/** What a method calls by its plain name, or as `Base::name`, where that is one of the container's. */
export function inheritedMethod(
  self: RecordObject | null,
  name: string,
): (Value & { kind: 'record' | 'sequence' }) | null {
  const value = self?.fields.get(containerPart)?.value;
  if (!value || (value.kind !== 'record' && value.kind !== 'sequence')) return null;
  const isShared = value.kind === 'record' ? value.record.isShared : value.sequence.isShared;
  if (isShared) return name.includes('::') && scriptMethods.has(lastPart(name)) ? value : null;
  return methods.has(lastPart(name)) || (name.includes('::') && lastPart(name) === 'operator[]') ? value : null;
}
