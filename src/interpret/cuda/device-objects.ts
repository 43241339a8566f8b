/** Objects that code of the device makes. */

import type { TypeReference } from '../../program/program.ts';
import { constructorOf, lastPart, resolveType } from '../program-table.ts';
import { isScalar } from '../types/types.ts';
import { bindParameters } from './device-arguments.ts';
import { atomicOver, atomicReference, chosen, run } from './device-calls.ts';
import { evaluateOnDevice } from './device-expressions.ts';
import { type Local, load, type Reading } from './device-memory.ts';
import { classOf, copied, createThing, memberOf, mergeInto, type Thing } from './device-things.ts';

/** `T(a, b)`, `T{a, b}` and `T x(a, b)`. */
export function constructed(reading: Reading, type: TypeReference, given: readonly Thing[]): Thing {
  const { program } = reading.world;
  const meant = resolveType(program, type);
  if (atomicReference.test(meant.name)) return atomicOver(given[0]);
  if (meant.pointers > 0) return given[0] ? copied(load(reading, given[0]), type) : createThing({ type });
  return constructedAs(reading, meant.name, given, type);
}

/** As {@link constructed}, of the class of that name. */
export function constructedAs(
  reading: Reading,
  name: string,
  given: readonly Thing[],
  type: TypeReference | null = null,
): Thing {
  const { program } = reading.world;
  const definition = program.classes.get(name) ?? program.classes.get(lastPart(name));
  const own = type ?? { name, arguments: [], pointers: 0, isReference: false, isConst: false, extents: [] };
  const object = createThing({ type: own });
  if (!definition) {
    // A view of the library's, as far as anybody can tell, or a number.
    const isView = !isNumber(reading, object);
    for (const each of given) {
      const value = load(reading, each);
      if (!isView || !isNumber(reading, each)) mergeInto(object, value);
    }
    return object;
  }
  const [first] = given;
  if (first && given.length === 1 && classOf(program, first) === definition) return copied(load(reading, first), own);
  const maker = chosen(reading, program.functions.get(constructorOf(definition.name)) ?? [], given);
  if (!maker) {
    given.forEach((each, index) => {
      const field = definition.fields[index];
      if (!field) return;
      if (field.type.isReference) object.fields.set(field.name, each);
      else begin(memberOf(reading, object, field.name), load(reading, each));
    });
    return object;
  }
  const local: Local = { names: new Map(), parent: null, self: object, results: [], returnsPlaces: false };
  bindParameters(reading, local, maker.parameters, given);
  for (const initializer of maker.memberInitializers) {
    const values = initializer.arguments.map((each) => evaluateOnDevice(reading, local, each));
    const field = definition.fields.find((each) => each.name === initializer.name);
    if (field?.type.isReference && values[0]) object.fields.set(field.name, values[0]);
    else if (field) for (const each of values) begin(memberOf(reading, object, field.name), load(reading, each));
  }
  run(reading, maker, maker.parameters, maker.body?.statements ?? [], given, local);
  return object;
}

/** How many elements a view sees is nothing that it leads to. */
function isNumber({ world }: Reading, { type }: Thing): boolean {
  return type !== null && type.pointers === 0 && isScalar(world.program, type);
}

/** A member begins with a value. */
function begin(member: Thing, value: Thing): void {
  mergeInto(member, value);
  if (member.element) return;
  member.first = value.first;
  member.isSame = value.isSame;
}
